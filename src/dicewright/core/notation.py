"""One-line notation: `name`, `name:value` or `name:field=value,field=value`.

A builder is a plain function or class whose parameters are the fields; their annotations say what is
allowed and their defaults may be left out. A field without default is written without its name, so
`hold:20` and `pig:goal=200` are read by the same few lines; and so is a `bare` one, which takes all parts that have
no name, as in `race:+2/bust,goal=60`. Values given in Python pass the same gate: what cannot be written as text and
read back is refused (`settle`).
"""

import dataclasses
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, wraps
from inspect import getattr_static
from numbers import Rational
from operator import index
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from .errors import NotationError, RulesError, name_of, quoted

MOST_LETTERS = 1000  # of a game in one line: what databases, records and requests have room for
QUESTIONS = ("start", "mover", "view", "actions", "outcomes", "play", "payoff")  # of a game
T = TypeVar("T")
P = ParamSpec("P")


@runtime_checkable
class Notation(Protocol):
    """How a game of the catalog and its positions are written; reading what was shown gives it back."""

    @property
    def name(self) -> str:
        """The game itself in one line, such as `pig:goal=200`."""

    def show_state(self, state: Any) -> str:
        """A state in one line."""

    def read_state(self, text: str) -> Any:
        """The state that `show_state` wrote."""

    def show_view(self, view: Any) -> str:
        """A view in one line: what a user types after `advise`."""

    def read_view(self, text: str) -> Any:
        """The view that `show_view` wrote."""

    def show_choice(self, choice: Any) -> str:
        """An action or an outcome as one word."""

    def read_choice(self, text: str) -> Any:
        """The action or outcome that `show_choice` wrote."""


WORDS = frozenset(name for name in vars(Notation) if not name.startswith("_"))  # all that an heir may change
LOOKED_UP = ("__getattribute__", "__getattr__", "__class__")  # with these it could answer anything


@dataclass(frozen=True)
class Kind(Generic[T]):
    """How one kind of field is read and shown; `allowed` completes the sentence "... is allowed".

    What is wrong is a ValueError, KeyError or TypeError, or a NotationError that tells it itself.
    """

    read: Callable[[str], T]
    show: Callable[[T], str]
    allowed: str
    whole: bool = False  # whether it takes all that follows the colon, commas and all: the only field then
    bare: bool = False  # whether it is always written, without its name, and takes every part that has none


@dataclass(frozen=True)
class Field:
    """One field of a builder."""

    name: str
    kind: Kind[Any]
    default: Any = inspect.Parameter.empty

    @property
    def required(self) -> bool:
        """Whether the field has no default; such a field is written without its name."""
        return self.default is inspect.Parameter.empty


def _read_int(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise ValueError(text)
    return int(text)


def show_int(value: int) -> str:
    """A whole number as text; TypeError for a bool, a float or text, which only look like one."""
    if isinstance(value, bool):
        raise TypeError(value)
    return str(index(value))


def _show_word(value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return str(value)


INTEGER = Kind(_read_int, show_int, "a whole number")
YES_NO = Kind({"yes": True, "no": False}.__getitem__, {True: "yes", False: "no"}.__getitem__, "yes or no")
WORD: Kind[str] = Kind(str, _show_word, "a word")


def _kind(annotation: Any) -> Kind[Any] | None:
    if get_origin(annotation) is Annotated:
        return next(part for part in get_args(annotation) if isinstance(part, Kind))
    if get_origin(annotation) is Literal:
        words = get_args(annotation)
        return Kind({word: word for word in words}.__getitem__, _show_word, " or ".join(words))
    kinds: dict[Any, Kind[Any]] = {int: INTEGER, bool: YES_NO, str: WORD}
    return kinds.get(annotation)


@cache
def fields(builder: Callable[..., Any]) -> tuple[Field, ...]:
    """The fields of a builder, in order; what no text is read as, such as the `game` at hand, is no field."""
    builder = inspect.unwrap(builder)
    hints = get_type_hints(builder.__init__ if inspect.isclass(builder) else builder, include_extras=True)
    return tuple(
        Field(name, kind, parameter.default)
        for name, parameter in inspect.signature(builder).parameters.items()
        if (kind := _kind(hints[name])) is not None
    )


def settle(place: str, built: Any) -> None:
    """Put the fields of a frozen dataclass that is being made as their notation would read them."""
    builder: Callable[..., Any] = type(built)
    for field in fields(builder):
        object.__setattr__(built, field.name, _settle(place, field, getattr(built, field.name)))


def _settle(place: str, field: Field, value: Any) -> Any:
    try:
        return field.kind.read(field.kind.show(value))
    except NotationError as error:
        raise RulesError(f"{error} in {place}") from error
    except (ValueError, KeyError, TypeError):
        raise RulesError(f"{field.name} is {value!r} in {place}; {field.kind.allowed} is allowed") from None


def exact_chance(value: Any, what: str) -> Fraction:
    """The value as a Fraction if it is one, or a whole number; RulesError for a float, which is neither."""
    if isinstance(value, bool) or not isinstance(value, Rational):
        raise RulesError(f"{what} is {quoted(value)}; a Fraction, such as Fraction(1, 6), is allowed")
    return Fraction(int(value.numerator), int(value.denominator))


def check_heir(game: object, kind: Any) -> None:
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


def notation(name: str, builder: Callable[..., Any], values: Mapping[str, Any]) -> str:
    """The one-line text of these field values, defaults left out."""
    parts = []
    for field in fields(builder):
        if field.required or field.kind.bare:
            parts.append(field.kind.show(values.get(field.name, field.default)))
        elif values.get(field.name, field.default) != field.default:
            parts.append(f"{field.name}={field.kind.show(values[field.name])}")
    return f"{name}:{','.join(parts)}" if parts else name


def named(build: Callable[P, T]) -> Callable[P, T]:
    """Give the built game its one-line notation as `name`: `pig(goal=200).name == "pig:goal=200"`."""
    name = build.__name__.replace("_", "-")

    @wraps(build)
    def build_named(*args: P.args, **kwargs: P.kwargs) -> T:
        values = inspect.signature(build).bind(*args, **kwargs).arguments
        known = [field for field in fields(build) if field.name in values]
        given = {field.name: _settle(name, field, values[field.name]) for field in known}
        line = notation(name, build, given)
        if len(line) > MOST_LETTERS:
            raise RulesError(f"{line[:20]!r}... has {len(line)} letters; up to {MOST_LETTERS} is allowed")
        return replace(build(**given), name=line)  # type: ignore

    return build_named


def widened(
    name: str, build: Callable[..., Any], field: str, usual: int, wrap: Callable[[Any, int], Any]
) -> Callable[..., Any]:
    """A builder of this name with one field more, a number: with another than the usual one what is built is wrapped.

    >>> more = widened("pair", lambda: 1, "times", 1, lambda built, times: (built,) * times)
    >>> more(), more(times=2), [field.name for field in fields(more)]
    (1, (1, 1), ['times'])
    """

    def made(*given: Any, **values: Any) -> Any:
        number = values.pop(field, usual)
        found = build(*given, **values)
        return found if number == usual else wrap(found, number)

    plain: Any = inspect.unwrap(build)
    known = inspect.signature(build)
    last = inspect.Parameter(field, inspect.Parameter.KEYWORD_ONLY, default=usual, annotation=int)
    hints = get_type_hints(plain.__init__ if inspect.isclass(plain) else plain, include_extras=True)
    made.__name__, made.__qualname__ = name, name
    made.__doc__, made.__module__ = build.__doc__, build.__module__
    made.__annotations__ = {**hints, field: int}
    signature: Any = known.replace(parameters=[*known.parameters.values(), last])
    made.__signature__ = signature  # type: ignore[attr-defined]
    return made


class Named:
    """A frozen dataclass that shows itself in one-line notation under its `key`."""

    key: ClassVar[str]

    def __post_init__(self) -> None:
        settle(self.key, self)

    def __str__(self) -> str:
        return notation(self.key, type(self), vars(self))


def build(what: str, text: str, known: Mapping[str, Callable[..., Any]], **context: Any) -> Any:
    """Build what the text names; `context` goes to builders that ask for it (such as `game`).

    NotationError says which part of the text is wrong and what is allowed there.
    """
    name, _, rest = text.strip().partition(":")
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise NotationError(f"unknown {what} {name!r}; {hint}allowed are {', '.join(known)}")
    builder = known[name]
    asked = {key: value for key, value in context.items() if key in inspect.signature(builder).parameters}
    return builder(**asked, **_read_values(what, text, rest, builder))


def split(text: str) -> list[str]:
    """The parts of a text between commas; those inside brackets part nothing.

    >>> split("base=expr:turn < min(20, goal),more=1")
    ['base=expr:turn < min(20, goal)', 'more=1']
    """
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _read_values(what: str, text: str, rest: str, builder: Callable[..., Any]) -> dict[str, Any]:
    """The field values in the part after the colon; NotationError names what is wrong with them."""
    known = {field.name: field for field in fields(builder)}
    required = [field for field in known.values() if field.required]
    if rest and required and required[0].kind.whole:
        return {required[0].name: required[0].kind.read(rest)}
    unnamed = [field.name for field in required]
    bare = next((field.name for field in known.values() if field.kind.bare), None)
    words: dict[str, str] = {}
    for part in split(rest) if rest else []:
        key, equals, word = (piece.strip() for piece in part.partition("="))
        if not equals:
            if not unnamed and bare is None:
                raise NotationError(f"{part!r} in {what} {text!r} is not field=value{_fields_text(known)}")
            key, word = unnamed.pop(0) if unnamed else str(bare), key
        if key not in known:
            raise NotationError(f"{what} {text!r} has no field {key!r}{_fields_text(known)}")
        if key == bare and not equals and bare in words:
            word = f"{words.pop(bare)},{word}"
        if key in words:
            raise NotationError(f"{what} {text!r} gives the field {key!r} twice; once is allowed")
        words[key] = word
    values: dict[str, Any] = {}
    for key, word in words.items():
        try:
            values[key] = known[key].kind.read(word)
        except NotationError as error:
            raise NotationError(f"{error} in {what} {text!r}") from error
        except (ValueError, KeyError):
            allowed = known[key].kind.allowed
            raise NotationError(f"{key} is {word!r} in {what} {text!r}; {allowed} is allowed") from None
    for field in known.values():
        if field.required and field.name not in values:
            raise NotationError(f"{what} {text!r} lacks {field.name}: {field.kind.allowed} is allowed")
    return values


def _fields_text(known: Mapping[str, Field]) -> str:
    if not known:
        return "; it has no fields"
    return "; allowed are " + ", ".join(f"{name} ({field.kind.allowed})" for name, field in known.items())
