"""A strategy as one line of arithmetic: `turn < 21 + (yours - mine) / 8 or yours >= 71` rolls where it is true.

The text is parsed by Python's own parser and then read node by node; nothing is compiled or run. Allowed:
the names mine, yours, turn and goal, numbers, True and False, + - * / // % and ** with a whole power up to 8,
comparisons, and/or/not, `a if c else b`, and calls of min, max, abs and round. Everything else is refused, and so is
any number beyond 2^53, up to which whole numbers are exact.
"""

import ast
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import StrategyError
from ..rules import RaceGame
from ..tabled import TableStrategy, check_one_roll, table_of_rolls

NAMES = ("mine", "yours", "turn", "goal")
LONGEST = 2000  # characters
DEEPEST = 100  # nested parts
LARGEST = 2.0**53
HIGHEST_POWER = 8

Values = npt.NDArray[Any]
Env = Mapping[str, Values]

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


def from_expression(name: str, text: str, game: RaceGame, *asked: object) -> TableStrategy:
    """The strategy that rolls where the expression is true; # begins a comment in each of its lines."""
    check_one_roll(game, "it")
    # Nothing in an expression has a # but a comment: texts in quotes do not exist.
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    goal, first, rule = game.goal, 0 if game.skip else 1, parse(" ".join(lines))
    rolls = np.ones((goal,) * 3, np.bool_)
    for mine in range(goal):
        yours, turn = np.mgrid[:goal, first : goal - mine]
        rolls[mine, :, first : goal - mine] = rule.rolls(np.array(mine), yours, turn, goal)
    return TableStrategy(game, table_of_rolls(game, rolls), name)


@dataclass(frozen=True)
class Expression:
    """A checked expression that is true where it rolls; `rolls` answers for whole arrays of views."""

    tree: ast.expr

    def rolls(self, mine: Values, yours: Values, turn: Values, goal: int) -> npt.NDArray[np.bool_]:
        """Whether to roll in each of these views; StrategyError if a number grows too large or is undefined.

        >>> parse("turn < 20").rolls(np.zeros(2), np.zeros(2), np.array([19, 20]), 100).tolist()
        [True, False]
        """
        columns = np.broadcast_arrays(mine, yours, turn, goal)
        env = {name: column.astype(float) for name, column in zip(NAMES, columns, strict=True)}
        with np.errstate(all="ignore"):
            return np.broadcast_to(_truth(self.tree, env, DEEPEST), columns[0].shape)


def parse(text: str) -> Expression:
    """The expression in this text; StrategyError names the part that is not allowed."""
    if len(text) > LONGEST:
        raise StrategyError(f"the expression has {len(text)} characters; {LONGEST} is allowed")
    try:
        with warnings.catch_warnings():  # the parser warns of what is refused below
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = error.msg if isinstance(error, SyntaxError) else error
        raise StrategyError(
            f"{_short(text)} is no expression: {why if text.strip() else 'it is empty'}"
        ) from None
    _truth(tree, {name: np.empty(0) for name in NAMES}, DEEPEST)  # every part is read, though for no view
    return Expression(tree)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _refuse(node: ast.AST, allowed: str) -> StrategyError:
    return StrategyError(f"{_short(ast.unparse(node))} is not allowed in an expression; {allowed}")


def _truth(node: ast.expr, env: Env, depth: int) -> Any:
    """The truth in each view of a comparison, True, False, or such joined by and, or, not; all else is refused.

    As in Python, a part behind and/or is asked only where it matters.
    """
    deeper = _deeper(depth)
    match node:
        case ast.BoolOp(op=op, values=parts):
            stop = isinstance(op, ast.Or)
            found = np.array(np.broadcast_to(_truth(parts[0], env, deeper), env["turn"].shape))
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
            return np.full(env["turn"].shape, value)
    raise _refuse(node, "a comparison such as turn < 20 is needed here")


def _deeper(depth: int) -> int:
    if depth == 0:
        raise StrategyError(f"the expression is nested deeper than {DEEPEST}")
    return depth - 1


def _where(asked: Values, env: Env) -> Env:
    return {name: column[asked] for name, column in env.items()}


def _either(node: ast.IfExp, env: Env, ask: Callable[[ast.expr, Env, int], Any], deeper: int) -> Any:
    """One part where the test is true and the other elsewhere, each asked only there."""
    test = np.broadcast_to(_truth(node.test, env, deeper), env["turn"].shape)
    found: Values = np.empty(test.shape, np.bool_ if ask is _truth else np.float64)
    for part, asked in ((node.body, test), (node.orelse, ~test)):
        found[asked] = ask(part, _where(asked, env), deeper)
    return found


def _number(node: ast.expr, env: Env, depth: int) -> Any:
    """The number in each view of arithmetic on numbers and the four names; all else is refused."""
    deeper = _deeper(depth)
    match node:
        case ast.Name(id=name) if name in NAMES:
            return env[name]
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            if not abs(number) <= LARGEST:
                raise StrategyError(f"{_short(str(number))} is too large for an expression; 2^53 is allowed")
            return np.full(env["turn"].shape, float(number))
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
            names = ", ".join((*NAMES, *CALLS))
            what = f"numbers, + - * / // %, powers up to {HIGHEST_POWER}, a if c else b and {names} are"
            raise _refuse(node, what)
    wrong = ~(np.abs(result) <= LARGEST)
    if wrong.any():
        where = ", ".join(f"{name} {int(column[wrong][0])}" for name, column in env.items())
        raise StrategyError(f"{_short(ast.unparse(node))} is undefined or beyond 2^53 at {where}")
    return result


def _is_power(op: ast.operator, right: ast.expr) -> bool:
    """Whether a power is one that is allowed; other arithmetic is."""
    power = right.value if isinstance(right, ast.Constant) else None
    return not isinstance(op, ast.Pow) or (type(power) is int and 0 <= power <= HIGHEST_POWER)


def _fits(name: str, parts: list[ast.expr]) -> bool:
    return len(parts) == 1 if name in ("abs", "round") else len(parts) >= 2
