"""The grammar of expressions: what it accepts agrees with Python, what lies outside is refused, never run."""

import ast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicewright.core.errors import StrategyError
from dicewright.families.expression import CALLS
from dicewright.families.expression import parse as parse_over

NAMES = ("mine", "yours", "turn", "goal")


def parse(text):
    return parse_over(text, NAMES)


def rolls(text, *seen):
    return parse(text)(dict(zip(NAMES, seen, strict=True)))


NUMBERS = st.one_of(
    st.sampled_from(NAMES), st.integers(0, 200).map(str), st.sampled_from(["0.5", "2.25", "1e3"])
)
SUMS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, st.sampled_from(["/", "//", "%"]), st.integers(1, 9)).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        st.tuples(inner, st.integers(0, 2)).map(lambda t: f"({t[0]} ** {t[1]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        st.tuples(st.sampled_from(["abs", "round", "-", "+"]), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(inner, inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} < {t[2]} else {t[3]})"),
    ),
    max_leaves=4,
)
COMPARED = st.tuples(SUMS, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), SUMS).map(" ".join)
TRUTHS = st.recursive(
    st.one_of(COMPARED, st.sampled_from(["True", "False", "0 < mine <= turn < goal"])),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        inner.map(lambda t: f"(not {t})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
    ),
    max_leaves=4,
)


@given(text=TRUTHS, mine=st.integers(0, 99), yours=st.integers(0, 99), turn=st.integers(0, 99))
def test_expressions_mean_what_they_mean_in_python(text, mine, yours, turn):
    allowed = {"min": min, "max": max, "abs": abs, "round": round, "__builtins__": {}}
    expected = eval(text, allowed, {"mine": mine, "yours": yours, "turn": turn, "goal": 100})
    try:
        found = rolls(text, np.array([mine]), np.array([yours]), np.array([turn]), 100)
    except StrategyError:
        return  # a number beyond 2^53: the only reason left, for no divisor is 0
    assert found.tolist() == [expected]


@given(text=TRUTHS)
def test_what_is_shown_is_read_back_and_shown_again_the_same(text):
    shown = str(parse(text))
    assert str(parse(shown)) == shown
    assert ast.dump(parse(shown).tree) == ast.dump(parse(text).tree)
    assert not set(shown) & set("\"'`$\\;|&")  # one pair of quotes is enough in any shell


@given(text=st.one_of(st.text(max_size=60), st.text("mineyoursturngoal<>=+-*/()[]{}.,:_'0123 ", max_size=60)))
def test_any_text_is_an_allowed_expression_or_refused(text):
    try:
        tree = parse(text).tree
    except StrategyError:
        return
    for node in ast.walk(tree):
        assert not isinstance(node, (ast.Attribute, ast.Subscript, ast.Lambda, ast.NamedExpr, ast.JoinedStr))
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            assert node.func.id in CALLS


@given(
    inside=st.sampled_from(["mine", "(1)", "turn"]),
    name=st.from_regex(r"[a-z_]{1,8}", fullmatch=True),
    shape=st.sampled_from([
        "{0}.{1} < 1", "{1}({0}) < 1", "{0}[{1}] < 1", "turn < 1 and {0}.{1}() == 2", "({1} := 1) < 1",
        "(lambda: {0})() < 1", "[{0} for {1} in {0}] == 1", "f'{0}' == 1", "min({0}, *{0}) < 1",
        "round({0}, ndigits={0}) < 1", "{0} << {0} < 1", "{0} ** turn < 1", "{0} ** 9 < 1", "{0} is {0}",
        "{0} in ({0},)", "{0} if {0} else {0}", "turn < (1 if {0} else 2)", "{0} if turn < 1 else True",
        "turn < (True if turn < 1 else 2)", "turn < (1 if turn < 1 else {0}.{1})", "min({0}) < 1", "{0}", "1j < 2",
    ]),
)  # fmt: skip
def test_attributes_other_calls_and_statements_are_refused(inside, name, shape):
    if name in (*CALLS, "in", "is", "if", "or", "as"):
        name = "eval"
    with pytest.raises(StrategyError):
        parse(shape.format(inside, name))


def test_and_and_or_guard_what_follows_as_in_python():
    found = rolls("turn > 0 and 12 / turn >= 3 or turn == 0", np.zeros(6), np.zeros(6), np.arange(6), 100)
    assert found.tolist() == [True, True, True, True, True, False]


def test_if_and_else_guard_both_parts_as_in_python():
    zeros = np.zeros(4)
    for text in (
        "12 / turn >= 6 if turn > 0 else 1 / (turn - 1) < 0",
        "turn == 0 or turn < (4 if turn > 1 else 1 + turn)",
    ):
        turns = np.arange(4)
        expected = [bool(eval(text, {"turn": int(turn)})) for turn in turns]
        assert rolls(text, zeros, zeros, turns, 100).tolist() == expected


@pytest.mark.parametrize(
    "text", ["turn < 20 if mine > yours else turn < 25", "turn < (20 if mine > yours else 25)"]
)
def test_a_condition_may_choose_a_rule_or_a_number(text):
    mine, yours, turn = np.array([5, 5, 3, 3]), np.array([3, 3, 5, 5]), np.array([19, 20, 24, 25])
    assert rolls(text, mine, yours, turn, 100).tolist() == [True, False, True, False]


def test_the_parser_warns_nobody_of_a_text_that_is_refused(recwarn):
    for text in (r"'\d' == 1", "1 is 1", "1if turn<2else 0"):
        with pytest.raises(StrategyError):
            parse(text)
    assert len(recwarn) == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("10 / turn > 1", "undefined or beyond 2^53 at mine 0, yours 0, turn 0, goal 100"),
        ("goal ** 8 > 1", "undefined or beyond"),
        ("(goal ** 8) ** 8 > 1", "undefined or beyond"),
        ("9" * 30 + " > 1", "too large"),
        ("1" + " + 1" * 600 + " > 1", "characters"),
        ("(" * 300 + "1" + ")" * 300 + " > 1", "no expression"),
        ("not " * 200 + "turn > 1", "nested deeper"),
        ("-" * 200 + "1 > 1", "nested deeper"),
        ("import os", "no expression"),
        ("", "no expression"),
    ],
)
def test_numbers_and_texts_are_bounded(text, reason):
    with pytest.raises(StrategyError) as error:
        rolls(text, np.zeros(1), np.zeros(1), np.zeros(1), 100)
    assert reason in str(error.value)
