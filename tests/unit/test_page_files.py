"""The page's files: what is vendored is what it says, nothing is inline, nothing comes from elsewhere."""

import hashlib
import re
from pathlib import Path

import pytest

import dicewright

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
