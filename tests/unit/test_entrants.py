"""Who may enter: ranges, folders, and hostile or broken files, each refused with its reason."""

import os
import platform
import sys

import numpy as np
import pytest

from dicewright.arena.tournament import expand
from dicewright.core.errors import DicewrightError, NotationError, StorageError, StrategyError
from dicewright.families.catalog import parse as game
from dicewright.families.race.entries import from_expression, from_python
from dicewright.families.race.entries.sandbox import Limits
from dicewright.families.race.rules import RaceView
from dicewright.families.race.strategies import HoldAt, KeepPace
from dicewright.families.race.tabled import table_of_rolls, tabulate
from dicewright.storage.strategies import gather

SMALL = game("pig:goal=12")
QUICK, PATIENT = Limits(seconds=0.5, megabytes=100), Limits(seconds=20.0, megabytes=100)

OS = "from random import _os as os\n"  # the system, as an entry can still get at it
HOSTILE = {
    "loops": ("def strategy(m, y, t):\n    while True: pass", "longer than 0.5 s"),
    "sleeps": ("import time\ndef strategy(m, y, t): time.sleep(60)", "longer than 0.5 s"),
    "loops while it is read": ("while True: pass", "longer than 0.5 s"),
    "forks": (f"{OS}while True: os.fork()", "os.fork is out of bounds"),
    "starts a program": ("import subprocess\nsubprocess.run(['true'])", "subprocess is out of bounds"),
    "calls a shell": (f"{OS}os.system('true')", "os.system is out of bounds"),
    "fills the memory": ("x = [0] * 10**9", "more than 100 MB"),
    "fills it slowly": (
        "x = []\nwhile True: x.append(bytes(10**6))",
        "more than 100 MB|SIGKILL|exit code|SIGXCPU",
    ),
    "exits": ("raise SystemExit(0)", "SystemExit"),
    "leaves": (f"{OS}def strategy(m, y, t): os._exit(0)", "exit code 0 before"),
    "kills its parent": (
        f"{OS}def strategy(m, y, t): os.kill(os.getppid(), 9)",
        "os.kill is out of bounds",
    ),
    "aborts": (f"{OS}os.abort()", "SIGABRT|SIGSEGV"),
    "writes a file": ("open('/tmp/dicewright-entry', 'w')", "out of bounds"),
    "loads native code": ("import ctypes", "ctypes is out of bounds"),
    "lifts its limits": (
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (99, 99))",
        "resource is out of bounds",
    ),
    "raises": ("def strategy(m, y, t): return 1 / 0 > 1", "ZeroDivisionError"),
    "does not compile": ("def strategy(m, y, t) return True", "it is no Python: expected ':' in line 1"),
    "has no strategy": ("x = 1", "defines no function strategy"),
    "answers a number": ("def strategy(m, y, t): return 1", "1 at 0-0\\+1 is not True or False"),
    "answers another word": (
        "def strategy(m, y, t): return 'fold'",
        "fold at 0-0\\+1 is not True or False, 'roll' or 'hold'",
    ),
    "answers nothing": ("def strategy(m, y, t): pass", "None at 0-0\\+1 is not True or False"),
    "recurses": ("def strategy(m, y, t): return strategy(m, y, t)", "RecursionError"),
    "raises nonsense": (
        "class E(BaseException):\n    def __str__(self): raise ValueError\ndef strategy(m, y, t): raise E()",
        "exit code 1",
    ),
    "floods the pipe": (
        f"{OS}def strategy(m, y, t):\n  for fd in range(3, 20):\n"
        "    try:\n      while True: os.write(fd, b'x' * 10000)\n    except OSError: pass",
        "sent more than",
    ),
    "forges an answer": (
        f"{OS}def strategy(m, y, t):\n  for fd in range(3, 20):\n"
        "    try: os.write(fd, b'{\"done\": true}\\n')\n    except OSError: pass\n  os._exit(0)",
        "sent 0 rows",
    ),
    "answers garbage": (
        f"{OS}def strategy(m, y, t):\n  for fd in range(3, 20):\n"
        "    try: os.write(fd, b'[[[[\\n')\n    except OSError: pass\n  os._exit(0)",
        "answered nonsense",
    ),
    "forges a row": (
        f"import json\n{OS}def strategy(m, y, t):\n"
        "  rows = [{'mine': 0, 'yours': 0, 'rolls': '2' * 12}] * 144 + [{'done': True}]\n"
        "  for fd in range(3, 20):\n"
        "    try: os.write(fd, ''.join(json.dumps(r) + '\\n' for r in rows).encode())\n"
        "    except OSError: pass\n  os._exit(0)",
        "row for 0-0 is nonsense",
    ),
    "imports the system": ("import os", "the module os is out of bounds"),
    "disarms the hook and deletes": (
        f"{OS}import __main__\n__main__.REFUSED = ('zz',)\nos.remove('/tmp/dicewright-entry')",
        "__main__ is out of bounds",
    ),
    "disarms the hook and kills": (
        f"import sys\n{OS}for m in list(sys.modules.values()): m.ALLOWED_EVENTS = {{'os.kill'}}\n"
        "os.kill(os.getppid(), 9)",
        "os.kill is out of bounds",
    ),
    "changes the builtins": (
        f"import builtins\n{OS}builtins.str = builtins.type = builtins.PermissionError = lambda *a: None\n"
        "os.remove('/tmp/dicewright-entry')",
        "os.remove is out of bounds|exit code 1",
    ),
    "truncates a file": (
        f"{OS}os.open(os.__file__ + '/../../../x', os.O_RDONLY | os.O_TRUNC)",
        "open is out of bounds",
    ),
    "reads a file": ("open('/etc/passwd')", "open is out of bounds"),
    "lists a folder": (f"{OS}os.listdir('/')", "os.listdir is out of bounds"),
    "asks the collector": ("import gc\ngc.get_objects()", "gc is out of bounds"),
    "takes a frame": ("import sys\nsys._getframe()", "no attribute '_getframe'"),
    "takes the hook's frame": (
        f"{OS}try: os.remove('x')\nexcept OSError as e: e.__traceback__.tb_next.tb_frame",
        "tb_frame is out of bounds",
    ),
    "takes a generator's frame": ("(x for x in '').gi_frame", "gi_frame is out of bounds"),
    "takes a coroutine's frame": ("async def f(): pass\nf().cr_frame", "cr_frame is out of bounds"),
    "traces": ("import sys\nsys.settrace(print)", "sys.settrace is out of bounds"),
    "profiles": ("import sys\nsys.setprofile(print)", "sys.setprofile is out of bounds"),
    "writes bytecode": ("(lambda: 0).__code__.replace(co_consts=())", "code.__new__ is out of bounds"),
    "makes a function": (
        "import types\ntypes.FunctionType((lambda: 0).__code__, {})",
        "function.__new__ is out of bounds",
    ),
    "exchanges code": ("def f(): pass\nf.__code__ = f.__code__", "__code__ is out of bounds"),
    "loads a module by its loader": ("import sys\nsys.__loader__.load_module('posix')", "create_builtin"),
    "finds a shell among the classes": (
        "found = [c for c in object.__subclasses__() if c.__name__ == '_wrap_close'][0]\n"
        "found.__init__.__globals__['system']('true')",
        "os.system is out of bounds",
    ),
    "opens a library among the classes": (
        "import sys\ndef below(c):\n  yield c\n  for d in type.__subclasses__(c): yield from below(d)\n"
        "[c for c in below(object) if c.__name__ == 'CDLL'][0](None).getppid()",
        "ctypes.dlopen is out of bounds|IndexError",
    ),
}

# What Python does not audit, and the kernel refuses.
UNAUDITED = {
    "makes a node": "os.mkfifo('/tmp/dicewright-entry')",
    "holds its parent": "os.pidfd_open(os.getppid() if os.getppid() > 0 else 1)",
    "slows its parent": "os.setpriority(os.PRIO_PROCESS, 1, 19)",
    "makes a file in memory": "os.memfd_create('x')",
    "changes its root": "os.chroot('/')",
}
FILTERED = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")


@pytest.mark.slow
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_python_entry_is_refused_with_its_reason(what):
    source, reason = HOSTILE[what]
    with pytest.raises(StrategyError, match=reason):
        from_python("entry", source, SMALL, QUICK if "longer" in reason else PATIENT)


@pytest.mark.skipif(not FILTERED, reason="the kernel's filter is written for Linux on usual processors")
@pytest.mark.parametrize("what", UNAUDITED)
def test_the_kernel_refuses_what_python_does_not_audit(what):
    with pytest.raises(StrategyError, match="Operation not permitted"):
        from_python("entry", OS + UNAUDITED[what], SMALL, PATIENT)


def test_usual_modules_still_work_behind_the_fence():
    source = """
from __future__ import annotations
import array, datetime, decimal, enum, fractions, functools, itertools, math, random, statistics, time, typing
from collections import namedtuple
from dataclasses import dataclass

@dataclass(frozen=True)
class Point:
    x: int = 5

class Pair(typing.NamedTuple):
    a: int
    b: int = 2

Other, Colour = namedtuple("Other", "a b", defaults=[1]), enum.Enum("Colour", "red green")
random.seed(); random.shuffle([1, 2]); datetime.datetime.now(); time.sleep(0.001); array.array("i", [1])
statistics.NormalDist().cdf(1.0); decimal.Decimal(2).sqrt(); fractions.Fraction("1/3")

@functools.lru_cache
def strategy(mine, yours, turn):
    return turn < Point().x * Pair(1).b // Other(2).a
"""
    entry = from_python("five", source, SMALL, Limits(5.0, 200))
    assert entry.runs.same_choices(tabulate(SMALL, HoldAt(5)))


def test_a_python_entry_plays_as_it_says_and_its_prints_go_nowhere(capfd):
    source = (
        "import math\nprint('hello')\ndef strategy(mine, yours, turn):\n    print(turn)\n    return turn < 5"
    )
    entry = from_python("five", source, SMALL, Limits())
    assert entry.runs.same_choices(tabulate(SMALL, HoldAt(5)))
    assert entry.runs.solo
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    "answer", ["t < 5", "'roll' if t < 5 else 'hold'", "('Roll' if t < 5 else ' HOLD\\n')"]
)
def test_a_python_entry_answers_by_truth_or_by_word(answer):
    entry = from_python("five", f"def strategy(m, y, t): return {answer}", SMALL, Limits())
    assert entry.runs.same_choices(tabulate(SMALL, HoldAt(5)))


CHANCE = {
    "random": "import random\ndef strategy(m, y, t): return random.random() < 0.5",
    "a name": "from random import choice\ndef strategy(m, y, t): return choice(['roll', 'hold'])",
    "a generator": "import random\nr = random.Random()\ndef strategy(m, y, t): return r.random() < 0.5",
    "a new seed": "import random\nrandom.seed()\ndef strategy(m, y, t): return random.random() < 0.5",
    "the system": (
        "import random\nr = random.SystemRandom()\ndef strategy(m, y, t): return r.getrandbits(1) == 1"
    ),
    "a set of words": "def strategy(m, y, t): return next(iter({f'{m} {y} {t}', 'a', 'b'})) in 'ab'",
    "a hash": "def strategy(m, y, t): return hash(f'{m} {y} {t}') % 2 == 0",
}


@pytest.mark.parametrize("what", CHANCE)
def test_the_same_entry_draws_the_same_numbers(what):
    one, two = (from_python("chance", CHANCE[what], SMALL, Limits()).runs for _ in range(2))
    assert one.same_choices(two)
    assert not one.same_choices(tabulate(SMALL, HoldAt(1)))


def test_another_seed_or_source_draws_other_numbers():
    source = CHANCE["random"]
    one, two = (from_python("chance", source, SMALL, Limits(), seed).runs for seed in (1, 2))
    three = from_python("chance", f"{source}  # mine", SMALL, Limits(), 1).runs
    assert not one.same_choices(two)
    assert not one.same_choices(three)


def test_an_entry_may_choose_its_own_seed():
    source = "import random\nrandom.seed(7)\ndef strategy(m, y, t): return random.random() < 0.5"
    one, two = (from_python("chance", source, SMALL, Limits(), seed).runs for seed in (1, 2))
    assert one.same_choices(two)


def test_a_python_entry_may_wait_where_the_rules_allow_it():
    entry = from_python("wait", "def strategy(m, y, t): return m < y", game("pig:goal=12,skip=yes"), Limits())
    assert dict(entry(RaceView(3, 2, 0))) == {"hold": 1.0}
    assert dict(entry(RaceView(2, 3, 4))) == {"roll": 1.0}


def test_an_expression_is_the_rule_it_writes_down():
    pig = game("pig")
    text = "turn < max(1, 21 + (yours - mine + 4) // 8) or max(mine, yours) >= 71"
    entry = from_expression("pace", text, pig)
    assert entry.runs.same_choices(tabulate(pig, KeepPace()))
    assert not entry.runs.solo
    assert from_expression("solo", "turn < goal / 5", pig).runs.same_choices(tabulate(pig, HoldAt(20)))


def test_runs_keep_choices_that_are_no_threshold():
    rolls = np.zeros((12, 12, 12), bool)
    rolls[:, :, [0, 3, 4, 7]] = True
    table = table_of_rolls(SMALL, rolls)
    assert table.choices(0, 5).tolist() == rolls[0, 5].astype(int).tolist()
    assert table.choices(10, 5).tolist() == [1, 0]


def test_entries_for_games_with_several_rolls_are_refused():
    for build in (lambda g: from_expression("x", "turn < 5", g), lambda g: from_python("x", "", g, PATIENT)):
        with pytest.raises(StrategyError, match="only says roll or hold; hog"):
            build(game("hog"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hold:1..3", ["hold:1", "hold:2", "hold:3"]),
        ("hold:10..20..5", ["hold:10", "hold:15", "hold:20"]),
        ("end-race:hold=20..21,race=70..71", None),
        ("table:a..b.csv", ["table:a..b.csv"]),
        ("table:1..2.csv", ["table:1..2.csv"]),
        ("optimal", ["optimal"]),
    ],
)
def test_ranges(text, expected):
    expected = expected or [f"end-race:hold={h},race={r}" for h in (20, 21) for r in (70, 71)]
    assert expand(text) == expected


@pytest.mark.parametrize("text", ["hold:5..1", "hold:1..100000", "hold:1..9..0"])
def test_empty_and_endless_ranges_are_errors(text):
    with pytest.raises(NotationError, match="1 to 1000 is allowed"):
        expand(text)


def test_a_comment_ends_with_its_line(tmp_path):
    (tmp_path / "a.txt").write_text("# two lines\nturn < 2  # when behind\n or yours >= 7 # near the end\n")
    (tmp_path / "b.txt").write_text("turn < 2 or yours >= 7")
    commented, plain = gather(SMALL, [], tmp_path).entrants
    assert commented.strategy.runs.same_choices(plain.strategy.runs)
    assert not commented.strategy.runs.same_choices(tabulate(SMALL, HoldAt(2)))


def test_a_folder_enters_what_is_good_and_reports_what_is_not(tmp_path):
    (tmp_path / "a.txt").write_text("# my rule\nturn < 4")
    (tmp_path / "b.py").write_text("def strategy(m, y, t): return t < 4")
    rows = [f"{mine},{yours},4" for mine in range(12) for yours in range(12)]
    (tmp_path / "c.csv").write_text("\n".join(["mine,yours,hold_at", *rows]))
    (tmp_path / "d.txt").write_text("mine.__class__ == 1")
    (tmp_path / "e.py").write_text("raise ValueError('no')")
    (tmp_path / "f.csv").write_text("mine,yours\n")
    (tmp_path / "g.exe").write_text("")
    (tmp_path / "h.txt").write_bytes(b"\xff\xfe")
    (tmp_path / "i.txt").write_text("10 / (turn - 3) > 1")
    (tmp_path / "j.txt").write_text("")
    (tmp_path / "k.csv").write_bytes(b"mine,yours,hold_at\n0,0,\0" + b"9" * 200_000)
    os.mkfifo(tmp_path / "l.txt")
    (tmp_path / ".hidden").write_text("")
    field = gather(SMALL, ["hold:4"], tmp_path, PATIENT)
    assert [entrant.name for entrant in field.entrants] == ["hold:4", "a", "b", "c"]
    tables = [tabulate(SMALL, entrant.strategy) for entrant in field.entrants]
    assert all(table.same_choices(tables[0]) for table in tables)
    files = ("d.txt", "e.py", "f.csv", "g.exe", "h.txt", "i.txt", "j.txt", "k.csv", "l.txt")
    assert tuple(refusal.name for refusal in field.refusals) == files
    assert "undefined" in field.refusals[5].reason


def test_files_saved_on_windows_are_read(tmp_path):
    rule, python = "turn < 4\r\n # my rule\r\n", "def strategy(m, y, t):\r\n    return t < 4\r\n"
    rows = [f"{mine};{yours};4" for mine in range(12) for yours in range(12)]
    table = "\r\n".join(["Mine;Yours;Hold_at", *rows])
    for name, encoding in (("mark", "utf-8-sig"), ("unicode", "utf-16"), ("plain", "utf-8")):
        (tmp_path / f"{name} rule.TXT").write_bytes(rule.encode(encoding))
        (tmp_path / f"{name} python.Py").write_bytes(python.encode(encoding))
        (tmp_path / f"{name} table.CSV").write_bytes(table.encode(encoding))
    field = gather(SMALL, [], tmp_path)
    assert field.refusals == ()
    assert len(field.entrants) == 9
    four = tabulate(SMALL, HoldAt(4))
    assert all(entrant.strategy.runs.same_choices(four) for entrant in field.entrants)


def test_a_file_in_another_encoding_is_told_how_to_be_saved(tmp_path):
    for ending in (".txt", ".py", ".csv"):
        (tmp_path / f"a{ending}").write_bytes("# für\n".encode("latin-1"))
    for refusal in gather(SMALL, ["hold:2"], tmp_path).refusals:
        assert "save it again with the encoding UTF-8 (in Notepad: Save as, then Encoding)" in refusal.reason


@pytest.mark.parametrize("ending", [".csv", ".txt", ".py", ".npz", ".exe", ""])
def test_no_link_is_followed(ending, tmp_path):
    """A link of a stranger's would show the organiser's files, or read what has no end."""
    secret = tmp_path / f"secret{ending}"
    secret.write_text("password: 1234\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / f"to-file{ending}").symlink_to(secret)
    (folder / f"to-zero{ending}").symlink_to("/dev/zero")
    (folder / f"to-folder{ending}").symlink_to(tmp_path)
    (folder / f"to-nothing{ending}").symlink_to(tmp_path / "nothing")
    found = gather(SMALL, ["hold:2"], folder).refusals
    assert [refusal.name for refusal in found] == [
        f"to-{what}{ending}" for what in ("file", "folder", "nothing", "zero")
    ]
    for refusal in found:
        assert "1234" not in refusal.reason
        assert "it is a link; a regular file is allowed" in refusal.reason or ending in (".exe", "")


@pytest.mark.parametrize("ending", [".txt", ".py"])
def test_rules_are_bounded_in_size(ending, tmp_path):
    (tmp_path / f"long{ending}").write_bytes(b"#" * 1_000_001)
    assert "larger than the 1,000,000 bytes" in gather(SMALL, ["hold:2"], tmp_path).refusals[0].reason


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\ud800", r"\ud800"),
        ("\x1b[2K\rrefused other.py: cheated", r"\x1b[2K\rrefused other.py: cheated"),
        ("\nrefused other.py: cheated", r"\nrefused other.py: cheated"),
        ("\u202e\x9b31m", r"\u202e\x9b31m"),
    ],
)
def test_what_an_entry_raises_becomes_one_printable_line(text, shown, tmp_path):
    (tmp_path / "evil.py").write_text(f"raise Exception({text!a})")
    (tmp_path / "name.py").write_text(f"raise type({text!a}, (Exception,), {{}})")
    (tmp_path / "answer.py").write_text(f"def strategy(m, y, t): return {text!a}")
    (tmp_path / "long.py").write_text("raise Exception('x' * 10**6)")
    reasons = {refusal.name: refusal.reason for refusal in gather(SMALL, [], tmp_path).refusals}
    assert reasons["evil.py"] == f"it raised Exception ({shown})"
    assert all(reason.isprintable() and len(reason) <= 500 for reason in reasons.values())
    assert shown in reasons["answer.py"]


def test_names_of_files_become_one_printable_line(tmp_path):
    names = ["a\x1b[31m.txt", "b\nrefused c.py: cheated.txt", os.fsdecode(b"caf\xe9.txt"), "\u202etxt.txt"]
    for name in names:
        (tmp_path / name).write_text("turn < 4")
        (tmp_path / f"{name}.exe").write_text("")
    field = gather(SMALL, [], tmp_path)
    told = [entrant.name for entrant in field.entrants] + [refusal.name for refusal in field.refusals]
    assert len(told) == 8
    assert all(name.isprintable() for name in told)
    assert r"caf\udce9" in told


def test_two_names_that_look_the_same_are_numbered(tmp_path):
    (tmp_path / "a\x1b.txt").write_text("turn < 4")
    (tmp_path / r"a\x1b.txt").write_text("turn < 5")
    assert [entrant.name for entrant in gather(SMALL, [], tmp_path).entrants] == [r"a\x1b", r"a\x1b (2)"]


def test_files_are_refused_where_their_table_would_be_too_large(tmp_path):
    (tmp_path / "a.txt").write_text("turn < 4")
    field = gather(game("pig:goal=251"), [], tmp_path)
    assert "files can enter up to 250" in field.refusals[0].reason


def test_folders_that_hold_nothing_are_errors(tmp_path):
    with pytest.raises(StorageError, match="is empty"):
        gather(SMALL, [], tmp_path)
    with pytest.raises(StorageError, match="is no folder"):
        gather(SMALL, [], tmp_path / "none")
    with pytest.raises(StrategyError, match="race, bluff and calling games; kuhn-poker is none"):
        gather(game("kuhn-poker"), [], tmp_path)


def test_best_responses_enter_by_name():
    field = gather(SMALL, ["best-response:hold:1..2", "best-response:best-response:hold:3"])
    assert [e.name for e in field.entrants][1:] == [
        "best-response:hold:2",
        "best-response:best-response:hold:3",
    ]
    for name in ("best-response:four-scoring-turns", "best-response:nobody"):
        with pytest.raises(DicewrightError):
            gather(SMALL, [name])
