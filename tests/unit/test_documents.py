"""Every JSON document of the command line has a schema, and what the net recorded keeps to it.

What the other tests make commands print is checked where it is printed: tests/forked.py.
"""

import json
import re
import shlex
from pathlib import Path

import pytest
import typer
from jsonschema import Draft202012Validator
from tests import forked
from tests.documents import check

from dicewright.cli import commands  # noqa: F401 (register)
from dicewright.cli.app import app
from dicewright.cli.schemas import SHAPES, schema
from dicewright.core.errors import NotationError

CAUGHT = sorted((Path(__file__).parents[1] / "net" / "caught" / "commands").glob("*.txt"))
SECONDS = re.compile(r'("seconds": )SECONDS')


def with_documents(command, path=""):
    """The commands that have the option --json."""
    if any("--json" in getattr(option, "opts", ()) for option in command.params):
        yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from with_documents(below, f"{path} {name}".strip())


def test_every_document_has_a_schema():
    assert sorted(with_documents(typer.main.get_command(app))) == sorted(SHAPES)


@pytest.mark.parametrize("command", SHAPES)
def test_schemas_are_schemas(command):
    Draft202012Validator.check_schema(schema(command))
    assert json.loads(json.dumps(schema(command))) == schema(command)


@pytest.mark.parametrize("file", CAUGHT, ids=lambda path: path.stem)
def test_what_was_recorded_keeps_to_the_schemas(file):
    for printed in re.split(r"^\$ ", file.read_text(), flags=re.MULTILINE)[1:]:
        line, _, rest = printed.partition("\n")
        words = shlex.split(line)[1:]
        output, code = re.match(r"(.*?)^= (\d+)$", rest, re.DOTALL | re.MULTILINE).groups()
        if "--json" in words and code == "0":
            document = "\n".join(one for one in output.split("\n") if not one.startswith("! "))
            check(words, json.loads(SECONDS.sub(r"\g<1>1.0", document)))


@pytest.mark.parametrize(
    ("words", "document"),
    [
        (["games", "add"], {"added": ["a"]}),
        (["games", "add"], {"added": ["a"], "there": [1]}),
        (["games", "add"], {"added": ["a"], "there": [], "more": 1}),
        (["advise"], {"game": "pig", "state": "0-0", "best": "roll", "mix": {}, "roll": "0.5"}),
        (["store", "list"], {}),
    ],
)
def test_documents_that_are_none_are_found(words, document):
    with pytest.raises(AssertionError):
        check(words, document)


def test_a_command_without_a_document_is_named():
    with pytest.raises(NotationError, match="'serve' prints no JSON document; value, solve"):
        schema("serve")


@pytest.mark.parametrize(
    "line",
    [
        "export kuhn-poker -o kuhn.efg",
        "strategy export pig:goal=3 hold:2 --csv table.csv",
        "study check study.toml",
    ],
)
def test_documents_that_no_other_test_prints(line, tmp_path):
    forked.run(["study", "new", "study.toml"], cwd=tmp_path, check=True)
    forked.run([*line.split(), "--json"], cwd=tmp_path, check=True)  # which checks what it prints


def test_the_command_prints_the_schema():
    printed = forked.run(["schema", "games", "list"], text=True, check=True).stdout
    assert json.loads(printed) == schema("games list")
    assert forked.run(["schema"], text=True, check=True).stdout.split("\n")[0] == "value"
