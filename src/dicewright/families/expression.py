"""Lines of arithmetic over what a player sees, such as `turn < 20 or yours >= 71`.

The text is parsed by Python's own parser and then read node by node; nothing is compiled or run. Allowed: the names
that a family gives, numbers, True and False, + - * / // % and ** with a whole power up to 8, comparisons, and/or/not,
`a if c else b`, and calls of min, max, abs and round. Everything else is refused, and so is any number beyond 2^53, up
to which whole numbers are exact. An expression of p parts takes p steps for each view, on whole arrays of them.
"""

import ast
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, reduce
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import StrategyError
from ..core.notation import WORD, Kind

LONGEST = 2000  # characters
DEEPEST = 100  # nested parts
TOO_DEEP = f"the expression is nested deeper than {DEEPEST}"
LARGEST = 2.0**53
HIGHEST_POWER = 8
QUOTES = "\"'"

Values = npt.NDArray[Any]
Env = Mapping[str, Values]
Line = Annotated[str, Kind(WORD.read, WORD.show, "an expression", whole=True)]

ARITHMETIC: dict[type[ast.operator], Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
    ast.Pow: np.power,
}
COMPARISONS: dict[type[ast.cmpop], Callable[..., Any]] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
CALLS = {"min": np.minimum, "max": np.maximum, "abs": np.abs, "round": np.rint}


@dataclass(frozen=True)
class Expression:
    """A checked expression: true or false, or a number, in each view of an array of them."""

    tree: ast.expr

    def __str__(self) -> str:
        return ast.unparse(self.tree)

    @cached_property
    def truth(self) -> bool:
        """Whether it answers True or False, and no number."""
        return _is_truth(self.tree)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that it uses."""
        return frozenset(n.id for n in ast.walk(self.tree) if isinstance(n, ast.Name)) - frozenset(CALLS)

    @cached_property
    def parts(self) -> int:
        """How many steps it takes for a view."""
        return sum(isinstance(node, ast.expr) for node in ast.walk(self.tree))

    def __call__(self, env: Mapping[str, Any]) -> Values:
        """The answer in each view; StrategyError if a number grows too large or is undefined.

        >>> parse("turn < 20", ("turn",))({"turn": np.array([19, 20])}).tolist()
        [True, False]
        """
        columns = np.broadcast_arrays(*env.values())
        seen = {name: column.astype(float) for name, column in zip(env, columns, strict=True)}
        with np.errstate(all="ignore"):
            found = (_truth if self.truth else _number)(self.tree, seen, DEEPEST)
        return np.broadcast_to(found, columns[0].shape)


def plain(text: str) -> str:
    """The text of an expression without comments, ends of lines and the quotes around it.

    Nothing in an expression has a # but a comment: texts in quotes do not exist.

    >>> plain('"turn < 20"'), plain("turn < 20  # Knizia\\n or goal < 9")
    ('turn < 20', 'turn < 20 or goal < 9')
    """
    line = " ".join(part for line in text.splitlines() if (part := line.partition("#")[0].strip()))
    quoted = len(line) > 1 and line[0] in QUOTES and line[0] == line[-1]
    return line[1:-1].strip() if quoted else line


def parse(text: str, names: Collection[str], number: bool = False) -> Expression:
    """The expression over these names in this text; StrategyError names the part that is not allowed, and its place.

    It is true or false; with `number` it may be a number too.
    """
    if len(text) > LONGEST:
        raise StrategyError(f"the expression has {len(text)} characters; {LONGEST} is allowed")
    try:
        with warnings.catch_warnings():  # the parser warns of what is refused below
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = _why(error) if text.strip() else "it is empty"
        raise StrategyError(f"{_short(text)} is no expression: {why}") from None
    nobody = {name: np.empty(0) for name in names}
    ask = _number if number and not _is_truth(tree) else _truth
    try:
        ask(tree, nobody, DEEPEST)  # every part is read, though for no view
    except RecursionError:  # a part that is refused is quoted, however deep it is
        raise StrategyError(TOO_DEEP) from None
    return Expression(tree)


class Two(NamedTuple):
    """The rule of a player who doubts what was said, or says more: when to doubt, and what to say otherwise.

    To doubt is True or False, or its chance. What is said is the lowest claim of which the second part is True, or,
    if that is a number, the claim of which it is greatest, the lowest of several.
    """

    doubt: Expression
    claim: Expression

    def show(self, usual: str) -> str:
        """Both in one line, `;` between them; the second is left out if it is the usual one."""
        return str(self.doubt) if str(self.claim) == usual else f"{self.doubt}; {self.claim}"

    def doubts(self, env: Mapping[str, Any], place: str) -> float:
        """The chance to doubt; StrategyError, with the place, if it is none."""
        chance = float(self.doubt({name: np.asarray(value) for name, value in env.items()}))
        if not 0.0 <= chance <= 1.0:
            raise StrategyError(f"{_short(str(self.doubt))} is {chance:g} at {place}; 0 to 1 is allowed")
        return chance

    def check(self, doubting: Mapping[str, Any], claiming: Mapping[str, Any]) -> None:
        """StrategyError if a number is undefined in one of these views, or no chance to doubt.

        Asked before play: a strategy that fails with some dice and not with others would show them.
        """
        found = self.doubt(doubting).astype(float)
        if (wrong := ~((found >= 0.0) & (found <= 1.0))).any():
            columns = zip(doubting, np.broadcast_arrays(*doubting.values()), strict=True)
            place = ", ".join(f"{name} {column[wrong][0]:.6g}" for name, column in columns)
            raise StrategyError(
                f"{_short(str(self.doubt))} is {found[wrong][0]:g} at {place}; 0 to 1 is allowed"
            )
        self.claim(claiming)

    def claims(self, env: Mapping[str, Any]) -> int | None:
        """Which of the claims, lowest first, is made; None if none of them is right."""
        found = self.claim(env)
        return None if self.claim.truth and not found.any() else int(np.argmax(found))


def parse_two(text: str, doubting: Collection[str], claiming: Collection[str], usual: str) -> Two:
    """The rule in this text, `;` between its parts; the second may be left out. StrategyError as of `parse`."""
    doubt, *claim = plain(text).split(";")
    if len(claim) > 1:
        raise StrategyError(
            f"{_short(text)} has {1 + len(claim)} parts; up to two, with ; between, are allowed"
        )
    return Two(parse(doubt, doubting, True), parse(claim[0] if claim else usual, claiming, True))


def _why(error: Exception) -> str:
    if not isinstance(error, SyntaxError):
        return str(error)
    return f"{error.msg} at letter {error.offset}" if error.offset else error.msg


def _is_truth(node: ast.expr) -> bool:
    match node:
        case ast.BoolOp() | ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
            return True
        case ast.IfExp(body=body):
            return _is_truth(body)
    return False


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _refuse(node: ast.AST, allowed: str) -> StrategyError:
    place = f" at letter {node.col_offset + 1}" if isinstance(node, ast.expr) else ""
    return StrategyError(f"{_short(ast.unparse(node))}{place} is not allowed in an expression; {allowed}")


def _shape(env: Env) -> tuple[int, ...]:
    return next(iter(env.values())).shape


def _truth(node: ast.expr, env: Env, depth: int) -> Any:
    """The truth in each view of a comparison, True, False, or such joined by and, or, not; all else is refused.

    As in Python, a part behind and/or is asked only where it matters.
    """
    deeper = _deeper(depth)
    match node:
        case ast.BoolOp(op=op, values=parts):
            stop = isinstance(op, ast.Or)
            found = np.array(np.broadcast_to(_truth(parts[0], env, deeper), _shape(env)))
            for part in parts[1:]:
                asked = found != stop
                found[asked] = _truth(part, _where(asked, env), deeper)
            return found
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return np.logical_not(_truth(part, env, deeper))
        case ast.IfExp():
            return _either(node, env, _truth, deeper)
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(type(op) in COMPARISONS for op in ops):
            sides = [_number(part, env, deeper) for part in (left, *rest)]
            pairs = zip(ops, sides, sides[1:], strict=False)
            return np.logical_and.reduce([COMPARISONS[type(op)](a, b) for op, a, b in pairs])
        case ast.Constant(value=bool() as value):
            return np.full(_shape(env), value)
    raise _refuse(node, f"a comparison such as {next(iter(env))} < 20 is needed here")


def _deeper(depth: int) -> int:
    if depth == 0:
        raise StrategyError(TOO_DEEP)
    return depth - 1


def _where(asked: Values, env: Env) -> Env:
    return {name: column[asked] for name, column in env.items()}


def _either(node: ast.IfExp, env: Env, ask: Callable[[ast.expr, Env, int], Any], deeper: int) -> Any:
    """One part where the test is true and the other elsewhere, each asked only there."""
    test = np.broadcast_to(_truth(node.test, env, deeper), _shape(env))
    found: Values = np.empty(test.shape, np.bool_ if ask is _truth else np.float64)
    for part, asked in ((node.body, test), (node.orelse, ~test)):
        found[asked] = ask(part, _where(asked, env), deeper)
    return found


def _number(node: ast.expr, env: Env, depth: int) -> Any:
    """The number in each view of arithmetic on numbers and names; all else is refused."""
    deeper = _deeper(depth)
    match node:
        case ast.Name(id=name) if name in env:
            return env[name]
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            if not abs(number) <= LARGEST:
                raise StrategyError(f"{_short(str(number))} is too large for an expression; 2^53 is allowed")
            return np.full(_shape(env), float(number))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=part):
            inner = _number(part, env, deeper)
            return -inner if isinstance(op, ast.USub) else inner
        case ast.IfExp():
            return _either(node, env, _number, deeper)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC and _is_power(op, right):
            result = ARITHMETIC[type(op)](_number(left, env, deeper), _number(right, env, deeper))
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in CALLS and _fits(
            name, parts
        ):
            result, *others = (_number(part, env, deeper) for part in parts)
            return reduce(CALLS[name], others, result) if others else CALLS[name](result)
        case _:
            raise _refuse(node, _allowed(node, env))
    wrong = ~(np.abs(result) <= LARGEST)
    if wrong.any():
        where = ", ".join(f"{name} {column[wrong][0]:.6g}" for name, column in env.items())
        raise StrategyError(f"{_short(ast.unparse(node))} is undefined or beyond 2^53 at {where}")
    return result


def _allowed(node: ast.expr, env: Env) -> str:
    near = get_close_matches(node.id, (*env, *CALLS), n=1) if isinstance(node, ast.Name) else []
    hint = f"did you mean {near[0]!r}? " if near else ""
    names = ", ".join((*env, *CALLS))
    return f"{hint}numbers, + - * / // %, powers up to {HIGHEST_POWER}, a if c else b and {names} are allowed"


def _is_power(op: ast.operator, right: ast.expr) -> bool:
    """Whether a power is one that is allowed; other arithmetic is."""
    power = right.value if isinstance(right, ast.Constant) else None
    return not isinstance(op, ast.Pow) or (type(power) is int and 0 <= power <= HIGHEST_POWER)


def _fits(name: str, parts: list[ast.expr]) -> bool:
    return len(parts) == 1 if name in ("abs", "round") else len(parts) >= 2
