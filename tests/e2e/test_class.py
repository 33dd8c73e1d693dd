"""docs/class.md from its first line to its last, and a class that means no good."""

import csv
import json
import os
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path
from textwrap import dedent

import pytest
from tests import forked

DOC = Path(__file__).parents[2] / "docs" / "class.md"


class Links(HTMLParser):
    """The addresses and the tags of a page, and what it says."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.tags, self.words = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.addresses += [value for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data):
        self.words.append(data)


def grade(folder, *words, code=0):
    here = Path.cwd()
    os.chdir(folder)
    try:
        done = forked.run(["grade", *words], text=True, env={**os.environ, "COLUMNS": "120"})
    finally:
        os.chdir(here)
    assert done.returncode == code, done.stderr
    return done.stdout


def steps():
    """Files and commands of the walk in order: (path, text) or (words, what is printed)."""
    for named, kind, block in re.findall(
        r"(`class/\S+`)?[^`\n]*:\n\n?   ```(console)?\n(.*?)\n   ```",
        DOC.read_text(encoding="utf-8"),
        re.DOTALL,
    ):
        text = dedent(f"   {block.lstrip()}")
        if kind:
            command, _, shown = text.partition("\n")
            yield shlex.split(command.removeprefix("$ "))[1:], shown
        else:
            yield named.strip("`"), text


@pytest.mark.slow
def test_the_walk_of_the_docs_prints_what_it_says(tmp_path):
    (tmp_path / "class").mkdir()
    walked = list(steps())
    assert [what for what, _ in walked if isinstance(what, str)] == [
        *("class/ada.txt", "class/ben.py", "class/cleo.txt", "class/dan.txt", "class/dan.txt")
    ]
    for what, text in walked:
        if isinstance(what, str):
            (tmp_path / what).write_text(text, encoding="utf-8")
            continue
        printed = grade(tmp_path, *what[1:])
        assert [line.split() for line in printed.splitlines()] == [line.split() for line in text.splitlines()]
    index = Links((tmp_path / "report" / "index.html").read_text(encoding="utf-8"))
    assert len(index.addresses) == 4
    for address in index.addresses:
        page = Links((tmp_path / "report" / address).read_text(encoding="utf-8"))
        assert page.addresses == ["index.html"]
        assert "svg" in page.tags
        assert "script" not in page.tags
    with (tmp_path / "report" / "grades.csv").open(newline="") as file:
        assert [(row["rank"], row["name"]) for row in csv.DictReader(file)] == [
            *(("1", "ben"), ("2", "cleo"), ("3", "ada"), ("3", "dan"))
        ]


def test_names_of_files_are_shown_and_never_obeyed(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    names = ["<script>alert(1)<", "=1+1", "x../up", "a&b \"c\" 'd'", "<b>bad"]
    for name in names:
        text = "turn <" if "bad" in name else "turn < 5"
        (folder / f"{name.replace('/', chr(0x2215))}.txt").write_text(text)
    told = json.loads(grade(tmp_path, "pig:goal=12", "--folder", "class", "--html", "report", "--json"))
    assert len(told["grades"]) == 4
    assert [refusal["name"] for refusal in told["refused"]] == ["<b>bad.txt"]
    written = sorted(path.name for path in (tmp_path / "report").iterdir())
    assert len(written) == 6
    assert all(re.fullmatch(r"[0-9A-Za-z-]+\.(html|csv)", name) for name in written)
    for path in (tmp_path / "report").glob("*.html"):
        assert not {"script", "b"} & Links(path.read_text(encoding="utf-8")).tags
    words = Links((tmp_path / "report" / "index.html").read_text(encoding="utf-8")).words
    assert {"<script>alert(1)<", "a&b \"c\" 'd'", "<b>bad.txt"} <= set(words)
    assert "'=1+1" in (tmp_path / "report" / "grades.csv").read_text()


def test_a_class_of_refused_files_is_an_error(tmp_path):
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "a.txt").write_text("turn <")
    assert grade(tmp_path, "pig:goal=12", "--folder", "class", code=2) == ""
