"""The page's files: what is vendored is what it says, nothing is inline, nothing comes from elsewhere."""

import hashlib
import re
from pathlib import Path

import pytest

import dicewright
from dicewright.families import own

STATIC = Path(dicewright.__file__).parent / "web" / "static"
VENDORED = {"lit.js": "281a6ef6608f03796dfb060def747d8e8e1055b377e7e71d946111e5d6a5f438"}
OURS = sorted(
    path
    for path in STATIC.rglob("*")
    if path.suffix in (".js", ".css", ".html") and "vendor" not in path.parts
)


@pytest.mark.parametrize("name", VENDORED)
def test_vendored_files_are_pinned(name):
    folder = STATIC / "vendor"
    assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == VENDORED[name]
    assert VENDORED[name] in (folder / "README.md").read_text(encoding="utf-8")
    assert "BSD 3-Clause" in (folder / name).with_suffix(".LICENSE").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_a_file_keeps_the_content_security_policy(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"""https?://(?!www\.w3\.org)""", text), "everything comes from our own server"
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=\"", text), "nothing is inline"
    assert text.count("\n") < 350, "a file does one thing"


@pytest.mark.parametrize("path", [path for path in OURS if path.suffix == ".js"], ids=lambda path: path.stem)
def test_every_import_leads_to_a_file(path):
    found = re.findall(r"""(?:from|import)\s*\(?\s*"(\.[^"]+)\"""", path.read_text(encoding="utf-8"))
    assert [name for name in found if not (path.parent / name).is_file()] == []


def test_the_document_names_files_that_exist():
    document = (STATIC / "index.html").read_text(encoding="utf-8")
    names = re.findall(r'(?:href|src)="/static/([^"]+)"', document)
    assert len(names) > 5
    assert [name for name in names if not (STATIC / name).is_file()] == []


# Names of games, fields, actions and players are the families' own. These are also plain English, or of the language.
ORDINARY = {
    *(
        "a",
        "accept",
        "alternate",
        "below",
        "call",
        "classic",
        "dice",
        "difference",
        "exact",
        "exactly",
        "face",
        "faces",
    ),
    *(
        "finish",
        "fixed",
        "give",
        "goal",
        "high",
        "keep",
        "loser",
        "loss",
        "match",
        "matrix",
        "no",
        "none",
        "one",
    ),
    *("ones", "opens", "optimal", "order", "payoff", "plain", "random", "reach", "reward", "roll", "scores"),
    *("sides", "skip", "title", "tree", "truth", "win", "winner", "yes"),
}


def their_words():
    """What the families call their kinds, games, fields, values, actions and players."""
    for kin in own():
        yield from (kin.key, kin.page, *kin.keys.values())
        yield from (name.partition(":")[0] for name in kin.menu.players)
        for field, saying in kin.menu.fields.items():
            yield from (field.partition("/")[0], *(saying.words if isinstance(saying.words, dict) else ()))
        for name, builder in kin.games.items():
            yield from (name, kin.short(builder()))
    yield from ("bid", "bids", "holding", "wild", "pigs", "turn total")


@pytest.mark.parametrize(
    "path",
    [path for path in OURS if path.suffix == ".js" and path.parent.name != "families"],
    ids=lambda path: path.stem,
)
def test_no_script_outside_the_families_names_one(path):
    words = {word.lower() for word in their_words() if not word[0].isdecimal()} - ORDINARY
    text = path.read_text(encoding="utf-8").lower()
    assert [word for word in sorted(words) if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)] == []


def test_every_script_that_the_server_names_is_there():
    for kin in own():
        assert (STATIC / "families" / f"{kin.page}.js").is_file()
        assert [s.script for s in kin.sights.values() if not (STATIC / f"{s.script}.js").is_file()] == []
