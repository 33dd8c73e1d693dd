"""Ctrl-C at any moment of a command, also while it is still being loaded: never a traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dicewright

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGINT for a child there")

# What Python runs before anything else: an interrupt when each of the modules is first asked for, or at the exit.
AT = """import atexit, os, signal, sys
modules = {modules!r}.split()
def send():
    os.kill(os.getpid(), signal.SIGINT)
def look(event, arguments):
    if event == "import" and arguments[0] in modules:
        modules.remove(arguments[0])
        send()
sys.addaudithook(look)
if modules == ["exit"]:
    atexit.register(send)
"""
BY_MODULE = ["-m", "dicewright"]
BY_SCRIPT = ["-c", "import sys; from dicewright.__main__ import main; sys.exit(main())"]  # as pip writes it
EARLY = ["dicewright.cli", "threading", "dicewright.core.errors"]
LATE = ["typer", "dicewright.cli.app", "dicewright.families.catalog"]
DEATH = (-signal.SIGINT, "")  # 130 in a shell
LEFT = (130, "dicewright: interrupted\n")


def interrupted(folder, modules, start, *words, **options):
    """The exit code and what was said of a command that is interrupted when it asks for the modules."""
    (folder / "sitecustomize.py").write_text(AT.format(modules=modules), encoding="utf-8")
    source = str(Path(dicewright.__file__).parents[1])
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), source])}
    done = subprocess.run(
        [sys.executable, *start, *words], capture_output=True, text=True, env=place, timeout=200, **options
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("start", [BY_MODULE, BY_SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize("module", EARLY)
def test_before_the_command_line_is_there_it_ends_the_process(tmp_path, module, start):
    assert interrupted(tmp_path, module, start, "games") == DEATH
    assert interrupted(tmp_path, module, start, "play", "pig") == DEATH


@pytest.mark.parametrize("module", LATE)
def test_while_a_command_is_loaded_it_is_explained(tmp_path, module):
    assert interrupted(tmp_path, module, BY_MODULE, "games") == LEFT
    assert interrupted(tmp_path, module, BY_MODULE, "play", "pig") == (130, "")


def test_a_second_one_does_not_wait_for_the_first(tmp_path):
    """Answering the first asks for ctypes."""
    assert interrupted(tmp_path, "typer ctypes", BY_MODULE, "games") == DEATH


@pytest.mark.parametrize("words", [["games"], ["play", "--help"]])
def test_after_the_last_word_it_ends_the_process(tmp_path, words):
    assert interrupted(tmp_path, "exit", BY_MODULE, *words) == DEATH


@pytest.mark.parametrize("module", [EARLY[0], LATE[0]])
def test_a_command_whose_parent_ignores_interrupts_goes_on(tmp_path, module):
    """As `nohup` and the background of a script start it."""

    def ignore():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    assert interrupted(tmp_path, module, BY_MODULE, "games", preexec_fn=ignore) == (0, "")


def test_a_program_that_uses_the_package_keeps_its_own_answer():
    code = "import signal, dicewright.cli.app as a; print(signal.getsignal(signal.SIGINT).__name__)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "default_int_handler\n"


def test_the_package_itself_loads_nothing_an_interrupt_could_meet():
    """Its `__init__` runs before the command line's first statement."""
    code = "import sys; before = set(sys.modules); import dicewright; print(*(set(sys.modules) - before))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["dicewright"]
