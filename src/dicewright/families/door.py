"""The door of a family's solvers: they read a game's fields and ask few of its methods, so others would be ignored."""

import dataclasses
from inspect import getattr_static
from typing import Any

from ..core.check import QUESTIONS, name_of
from ..core.errors import RulesError
from ..core.game import Notation
from ..core.shown import quoted

WORDS = frozenset(name for name in vars(Notation) if not name.startswith("_"))  # all that an heir may change
LOOKED_UP = ("__getattribute__", "__getattr__", "__class__")  # with these it could answer anything


def admit(game: Any, kind: Any) -> None:
    """RulesError unless this game of a class, or of one that inherits from it, has the rules of that class.

    An heir may have words of its own. Another part than words is refused, and so are fields that make no game.
    """
    if type(game) is kind:
        return
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for name in sorted({*dir(kind), *fields} - WORDS):
        own, inherited = (getattr_static(each, name, None) for each in (type(game), kind))
        default = name in fields and not hasattr(own, "__get__")
        if own is not inherited and not default and (name in LOOKED_UP or not name.startswith("__")):
            raise RulesError(
                f"{type(game).__name__} has its own {name}, which the solvers of {kind.__name__} may never ask; "
                f"a class of its own with the questions {', '.join(QUESTIONS)} is allowed"
            )
    values = {name: getattr(game, name) for name in fields if fields[name].init}
    settled = kind(**values)
    for name, value in values.items():
        if getattr(settled, name) != value:
            raise RulesError(
                f"{name} is {quoted(value)} in {name_of(game)}; {quoted(getattr(settled, name))} is allowed"
            )
