"""A strategy as one line of arithmetic: `turn < 21 + (yours - mine) / 8 or yours >= 71` rolls where it is true.

The text is parsed by Python's own parser and then read node by node; nothing is compiled or executed. Allowed:
the names mine, yours, turn and goal, numbers, True and False, + - * / // % and ** with a whole power up to 8,
comparisons, and/or/not, `a if c else b`, and calls of min, max, abs and round. Everything else is refused, and so is
any number beyond 2^53, up to which whole numbers are exact.
"""

import ast
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import StrategyError

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


@dataclass(frozen=True)
class Expression:
    """A checked expression that is true where it rolls; `rolls` answers for whole arrays of views."""

    text: str
    tree: ast.expr

    def rolls(self, mine: Values, yours: Values, turn: Values, goal: int) -> npt.NDArray[np.bool_]:
        """Whether to roll in each of these views; StrategyError if a number grows too large or is undefined.

        >>> parse("turn < 20").rolls(np.zeros(2), np.zeros(2), np.array([19, 20]), 100).tolist()
        [True, False]
        """
        columns = np.broadcast_arrays(mine, yours, turn, goal)
        env = {name: column.astype(float) for name, column in zip(NAMES, columns, strict=True)}
        with np.errstate(all="ignore"):
            return np.broadcast_to(_truth(self.tree, env), columns[0].shape)


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
    _check_truth(tree, DEEPEST)
    return Expression(text.strip(), tree)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _refuse(node: ast.AST, allowed: str) -> StrategyError:
    return StrategyError(f"{_short(ast.unparse(node))} is not allowed in an expression; {allowed}")


def _check_truth(node: ast.expr, depth: int) -> None:
    """Refuse anything that is not a comparison, True, False, or such joined by and, or, not."""
    if depth == 0:
        raise StrategyError(f"the expression is nested deeper than {DEEPEST}")
    match node:
        case ast.BoolOp(values=parts):
            for part in parts:
                _check_truth(part, depth - 1)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            _check_truth(part, depth - 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            for part in (test, body, orelse):
                _check_truth(part, depth - 1)
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(type(op) in COMPARISONS for op in ops):
            for part in (left, *rest):
                _check_number(part, depth - 1)
        case ast.Constant(value=bool()):
            pass
        case _:
            raise _refuse(node, "a comparison such as turn < 20 is needed here")


def _check_number(node: ast.expr, depth: int) -> None:
    """Refuse anything that is not arithmetic on numbers and the four names."""
    if depth == 0:
        raise StrategyError(f"the expression is nested deeper than {DEEPEST}")
    match node:
        case ast.Name(id=name) if name in NAMES:
            pass
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            if not abs(number) <= LARGEST:
                raise StrategyError(f"{_short(str(number))} is too large for an expression; 2^53 is allowed")
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=part):
            _check_number(part, depth - 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            _check_truth(test, depth - 1)
            for part in (body, orelse):
                _check_number(part, depth - 1)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)) if (
            not isinstance(power, bool) and 0 <= power <= HIGHEST_POWER
        ):
            _check_number(left, depth - 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC and not isinstance(
            op, ast.Pow
        ):
            _check_number(left, depth - 1)
            _check_number(right, depth - 1)
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in CALLS and _fits(
            name, parts
        ):
            for part in parts:
                _check_number(part, depth - 1)
        case _:
            names = ", ".join((*NAMES, *CALLS))
            raise _refuse(
                node, f"numbers, + - * / // %, powers up to {HIGHEST_POWER}, a if c else b and {names} are"
            )


def _fits(name: str, parts: list[ast.expr]) -> bool:
    return len(parts) == 1 if name in ("abs", "round") else len(parts) >= 2


def _truth(node: ast.expr, env: Env) -> Any:
    """The truth in each view; as in Python, a part behind and/or is asked only where it matters."""
    match node:
        case ast.BoolOp(op=op, values=parts):
            stop = isinstance(op, ast.Or)
            found = np.array(np.broadcast_to(_truth(parts[0], env), env["turn"].shape))
            for part in parts[1:]:
                asked = found != stop
                found[asked] = _truth(part, {name: column[asked] for name, column in env.items()})
            return found
        case ast.UnaryOp(operand=part):
            return np.logical_not(_truth(part, env))
        case ast.IfExp():
            return _either(node, env, _truth, np.bool_)
        case ast.Compare(left=left, ops=ops, comparators=rest):
            sides = [_number(part, env) for part in (left, *rest)]
            pairs = zip(ops, sides, sides[1:], strict=False)
            return np.logical_and.reduce([COMPARISONS[type(op)](a, b) for op, a, b in pairs])
        case ast.Constant(value=value):
            return np.full(env["turn"].shape, value)
    raise TypeError(node)


def _either(node: ast.IfExp, env: Env, ask: Callable[[ast.expr, Env], Any], kind: Any) -> Any:
    """One part where the test is true and the other elsewhere, each asked only there."""
    test = np.broadcast_to(_truth(node.test, env), env["turn"].shape)
    found = np.empty(test.shape, kind)
    for part, asked in ((node.body, test), (node.orelse, ~test)):
        found[asked] = ask(part, {name: column[asked] for name, column in env.items()})
    return found


def _number(node: ast.expr, env: Env) -> Any:
    match node:
        case ast.Name(id=name):
            return env[name]
        case ast.Constant(value=int() | float() as value):
            return np.full(env["turn"].shape, float(value))
        case ast.UnaryOp(op=op, operand=part):
            inner = _number(part, env)
            return -inner if isinstance(op, ast.USub) else inner
        case ast.IfExp():
            return _either(node, env, _number, np.float64)
        case ast.BinOp(left=left, op=op, right=right):
            result = ARITHMETIC[type(op)](_number(left, env), _number(right, env))
        case ast.Call(func=ast.Name(id=name), args=parts):
            result = _number(parts[0], env)
            for part in parts[1:]:
                result = CALLS[name](result, _number(part, env))
            return result if len(parts) > 1 else CALLS[name](result)
        case _:
            raise TypeError(node)
    wrong = ~(np.abs(result) <= LARGEST)
    if wrong.any():
        at = {name: int(column[wrong][0]) for name, column in env.items()}
        where = ", ".join(f"{name} {value}" for name, value in at.items())
        raise StrategyError(f"{_short(ast.unparse(node))} is undefined or beyond 2^53 at {where}")
    return result
