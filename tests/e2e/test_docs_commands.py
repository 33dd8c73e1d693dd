"""Every command that a page names is one, with options that it has; `make test-long` runs them all.

What pages show a command to print is compared where that page has its test: README, design-a-game, strategies,
tournaments, play, class.
"""

import json
import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest
import typer
from tests import forked

from dicewright.cli import commands  # noqa: F401 (register)
from dicewright.cli.app import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(page for page in DOCS.rglob("*.md") if not {"_made", "_build"} & set(page.parts)),
    ROOT / "README.md",
]
LINE = re.compile(r"^ *(?:\$ )?(?:dicewright) ([a-z].*)$", re.MULTILINE)
SAID = re.compile(r"\s+#.*|\s{2,}.*")  # what a page says of a command, behind it
BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```|((?:^    [^\n]*\n)+)", re.MULTILINE | re.DOTALL)
ENGINE = (DOCS / "engine.md").read_text(encoding="utf-8")


def named():
    """Each command of a block, with its page."""
    for page in PAGES:
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            for line in LINE.finditer(block[0]):
                yield page.name, SAID.sub("", line[1])


COMMANDS = list(dict.fromkeys(named()))  # in the order of the pages: one may need what another has written


@pytest.mark.parametrize("page", sorted({page for page, _ in COMMANDS}))
def test_each_command_of_a_page_is_one(page):
    for _, line in (one for one in COMMANDS if one[0] == page):
        words, command = shlex.split(line), typer.main.get_command(app)
        while isinstance(command, click.Group) or hasattr(command, "commands"):
            command = command.commands[words.pop(0)]
        known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
        assert {word for word in words if re.match(r"--?[a-z]", word)} <= {*known, "--help"}, line


def test_there_are_many():
    assert len(COMMANDS) > 60


def test_our_side_of_the_engine_answers_what_the_page_says():
    asked, answer = re.search(r"^\$ echo '(.*)' \| dicewright engine\n(.*)$", ENGINE, re.MULTILINE).groups()
    done = forked.run(["engine"], text=True, input=f"{asked}\n", check=True)
    assert json.loads(done.stdout) == json.loads(answer)


def test_the_questions_of_the_page_are_answered_by_the_client_and_by_us():
    hello, said, action, rolled = map(json.loads, re.findall(r"^```json\n(.*?)^```", ENGINE, re.M | re.S))
    asked = f"{json.dumps(hello)}\n{json.dumps(action)}\n"
    client = [sys.executable, str(DOCS / "engines" / "bot.py")]
    done = subprocess.run(client, input=asked, capture_output=True, text=True, check=True, timeout=60)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [said, rolled]
    ours = forked.run(["engine"], text=True, input=asked, check=True).stdout.splitlines()
    assert json.loads(ours[0])["protocol"] == 1
    assert set(json.loads(ours[1])["mix"]) <= set(action["actions"])


FILES = {
    "club.dwr": '[Game "pig:goal=5"]\n[First "Ada"]\nroll +6 hold =1\n',
    "more.jsonl": '{"game":"pig:goal=5","tags":{},"choices":["roll","+5","hold"],"payoff":1,"ended":"over"}\n',
    "goals.toml": re.search(
        r"^```toml\n(# goals.toml.*?)^```", (DOCS / "sweeps.md").read_text(), re.M | re.S
    )[1],
    "mean-pig.toml": 'game = "race"\ngoal = 20\nfaces = "+3/+4/bust"\n',
    "fair.toml": 'games = ["file:mean-pig.toml"]\nmeasures = ["advantage"]\n',
    "rule.txt": "turn < 20",
}
ELSEWHERE = ("serve", "study serve", "--dask")  # a server goes on, and a cluster is no part of this machine
WRONG = ("bost",)  # what a page shows to be refused


@pytest.mark.long
def test_every_command_runs(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "entries").mkdir()
    (tmp_path / "entries" / "pace.txt").write_text("turn < 22")
    (tmp_path / "docs").symlink_to(DOCS)
    (tmp_path / "bot.py").write_bytes((DOCS / "engines" / "bot.py").read_bytes())
    bot = tmp_path / "bot"
    bot.write_text(f"#!/bin/sh\nexec {sys.executable} {tmp_path / 'bot.py'}\n")
    bot.chmod(bot.stat().st_mode | stat.S_IXUSR)
    place = {
        **os.environ,
        "DICEWRIGHT_STORE": str(tmp_path / "store"),
        "DICEWRIGHT_DATABASE": str(tmp_path / "games.sqlite"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }

    def run(line, code=0):
        words = shlex.split(line)
        done = forked.run(words, text=True, env=place, cwd=str(tmp_path), input="roll\nhold\n")
        assert done.returncode == code, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    run("value pig:goal=200")  # so that it is kept
    saved = run("games add club.dwr").split()
    shown = next(word for word in saved if re.fullmatch(r"[\w-]{6,}", word) and word != "saved")
    for _, line in COMMANDS:
        if any(word in line for word in ELSEWHERE) or line.startswith("study"):
            continue  # the walk through a study is tests/e2e/test_study_cli.py
        line = line.replace("4fQ", shown[:6]).replace("GAME-OR-FILE", "club.dwr").replace("FILE", "club.dwr")
        run(line, 2 if any(word in line for word in WRONG) else 0)
