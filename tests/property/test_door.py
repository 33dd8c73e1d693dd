"""Whatever is handed in as a game is proved only if it is one; else RulesError says what is wrong, and nothing else."""

from contextlib import suppress
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.broken import BAD, Broken, breakages
from tests.reference.levels import CHANCE, OVER, Levels

from dicewright.analysis.exact import advise, best_response, evaluate
from dicewright.arena.table import play_match
from dicewright.core.errors import RulesError
from dicewright.core.notation import WORDS
from dicewright.families import solve
from dicewright.families.catalog import parse
from dicewright.families.tree.solution import Expected


@st.composite
def games(draw):
    """Up to four levels of two or three choices, with hidden moves."""
    movers = tuple(draw(st.lists(st.sampled_from([0, 1, CHANCE]), min_size=1, max_size=4)))
    widths = tuple(draw(st.lists(st.integers(1, 3), min_size=len(movers), max_size=len(movers))))
    hidden = tuple(draw(st.frozensets(st.integers(0, 3))) for _ in range(2))
    return Levels(movers, widths, hidden, draw(st.integers(0, 99)))


@st.composite
def broken_games(draw):
    """A sound game and one of its answers replaced by what is no answer."""
    game = draw(games())
    question, place = draw(st.sampled_from([*breakages(game)]))
    return Broken(game, question, place, draw(st.sampled_from(BAD[question])))


def uniform(view):
    raise AssertionError("no strategy is asked about a game that is none")


def entries(game, strategy):
    """Every public way to hand in a game that asks about all of it."""
    yield lambda: solve(game)
    yield lambda: evaluate(game, strategy, strategy)
    yield lambda: best_response(game, strategy)
    yield lambda: advise(game, ("nowhere",))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(broken_games())
def test_broken_games_are_refused_at_the_door(game):
    for entry in entries(game, uniform):
        with pytest.raises(RulesError) as caught:
            entry()
        message = str(caught.value)
        assert caught.value.exit_code == 2
        assert "broken" in message
        assert f"{game.question}(" in message or "chance" in message, message
        assert "allowed" in message or "raised" in message, message


@settings(max_examples=150, deadline=None, derandomize=True)
@given(games())
def test_sound_games_are_proved_and_their_strategies_get_the_value(game):
    solution = solve(game)
    value = solution.certificate.value
    assert solution.certificate.proved
    assert solution.game is game

    def solved(view):
        return solution.strategies[game.movers[len(view)]](view)

    assert evaluate(game, solved, solved).a_first.payoff == pytest.approx(value, abs=1e-9)
    assert Expected(game, (solved, solved))(game.start()) == pytest.approx(value, abs=1e-9)
    assert best_response(game, solved).first_payoff == pytest.approx(value, abs=1e-9)
    assert best_response(game, solved).second_payoff == pytest.approx(-value, abs=1e-9)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(broken_games(), st.randoms(use_true_random=False))
def test_a_match_of_a_broken_game_ends_in_a_sentence(game, rng):
    """Play meets only some states; what it meets and cannot use is a RulesError."""

    def anything(view):
        allowed = game.game.actions(view)
        return dict.fromkeys(allowed, 1 / len(allowed))

    with suppress(RulesError):
        record = play_match(game, (anything, anything), rng)
        assert record.ended == "over"
        assert abs(record.payoff) <= 3


class Box:
    """A state without a value of its own: two that hold the same moves are different."""

    def __init__(self, moves):
        self.moves = tuple(moves)


@dataclass(frozen=True)
class Boxed:
    """A game on boxes; `leaks` are the places where play changes the box it was given as well."""

    game: Levels
    leaks: frozenset[int] = frozenset()
    name: str = "boxed"

    def start(self):
        return Box(())

    def mover(self, state):
        return self.game.mover(state.moves)

    def view(self, state, player):
        return self.game.view(state.moves, player)

    def actions(self, view):
        return self.game.actions(view)

    def outcomes(self, state):
        return self.game.outcomes(state.moves)

    def play(self, state, choice):
        after = self.game.play(state.moves, choice)
        if len(state.moves) in self.leaks:
            state.moves = after
        return Box(after)

    def payoff(self, state):
        return self.game.payoff(state.moves)


@settings(max_examples=75, deadline=None, derandomize=True)
@given(games(), st.data())
def test_a_play_that_changes_its_state_is_refused(game, data):
    assert solve(Boxed(game)).certificate.exact == solve(game).certificate.exact
    level = data.draw(st.integers(0, len(game.movers) - 1))
    after = game.movers[level + 1] if level + 1 < len(game.movers) else OVER
    for entry in entries(Boxed(game, frozenset({level})), uniform):
        if after != CHANCE or game.movers[level] != CHANCE:  # else what is said may be the same for two dice
            with pytest.raises(RulesError, match=r"play\(.*\) of boxed changed the state before"):
                entry()


OTHER = {
    "mover": lambda mover: 1 if mover == 0 else 0,
    "view": lambda view: ("again", *view),
    "outcomes": lambda chances: {len(chances): Fraction(1)},
    "payoff": lambda payoff: payoff + 1,
}


@dataclass(frozen=True)
class Restless(Broken):
    """A game whose answer at one place is another one from the second time on."""

    def _or(self, question, place, right):
        if question != self.question or place != self.place:
            return right()
        self.answer.append(right())
        return OTHER[question](right()) if len(self.answer) > 1 else right()


@settings(max_examples=200, deadline=None, derandomize=True)
@given(games(), st.data())
def test_answers_that_differ_when_asked_again_are_refused(game, data):
    places = [(question, place) for question, place in breakages(game) if question in OTHER]
    question, place = data.draw(st.sampled_from(places))
    for solver in range(4):
        entry = [*entries(Restless(game, question, place, [], "restless"), uniform)][solver]
        with pytest.raises(RulesError, match="equal values each time are allowed"):
            entry()


KINDS: list[Any] = [np.int8, np.int16, np.int64, np.float16, np.float32, np.float64, Fraction, int, float]


@dataclass(frozen=True)
class Paid(Levels):
    """Payoffs of one type, 30 times as large: a sum of some of them is more than 8 bits hold."""

    kind: Any = float

    def payoff(self, state):
        return self.kind(30 * int(super().payoff(state)))


@settings(max_examples=75, deadline=None, derandomize=True)
@given(games(), st.sampled_from(KINDS))
def test_payoffs_of_every_type_prove_the_same(game, kind):
    fields = (game.movers, game.widths, game.hidden, game.seed)
    found = solve(Paid(*fields, kind=kind)).certificate
    assert found.proved
    assert found.exact == solve(Paid(*fields, kind=Fraction)).certificate.exact
    assert found.exact == 30 * solve(game).certificate.exact


SMALL = [
    "piglet:goal=2",
    "bluff:sides=2",
    "bluff-match:dice=1v1,sides=2",
    "liars-die:sides=2",
    "mia:sides=2,keep=yes",
]
PARTS = [
    (name, part)
    for name, family in ((name, type(parse(name))) for name in SMALL)
    for part in sorted(vars(family))
    if callable(getattr(family, part)) and not part.startswith("__") and part not in WORDS
]


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_no_part_of_a_family_s_rules_can_be_replaced(name, part):
    """Also one that does the same: no solver says which of them it asks."""
    game = parse(name)
    heir = type("Heir", (type(game),), {part: lambda *about: getattr(type(game), part)(*about)})
    values = {field.name: getattr(game, field.name) for field in fields(game)}
    for entry in entries(heir(**values), uniform):
        with pytest.raises(RulesError, match=f"Heir has its own {part}, which"):
            entry()
