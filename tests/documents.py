"""JSON documents of commands checked against the schemas that are published."""

from functools import cache

from jsonschema import Draft202012Validator

from dicewright.cli.schemas import SHAPES, schema


def command_in(words):
    """The command that these words begin with, longest name first; None if it prints no document."""
    names = (" ".join(words[:count]) for count in (2, 1))
    return next((name for name in names if name in SHAPES), None)


def check(words, document):
    """An AssertionError with the place unless the document is what its command promises."""
    found = next(_validator(command_in(words)).iter_errors(document), None)
    assert found is None, f"{' '.join(map(str, words))}: {found.message[:300]} at {list(found.absolute_path)}"


@cache
def _validator(command):
    return Draft202012Validator(schema(command))
