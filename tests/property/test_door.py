"""Whatever is handed in as a game is proved only if it is one; else RulesError says what is wrong, and nothing else."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.broken import BAD, Broken, breakages
from tests.reference.levels import CHANCE, Levels

from dicewright.analysis.exact import advise, best_response, evaluate
from dicewright.arena.play import play_match
from dicewright.core.errors import RulesError
from dicewright.solvers.expected import Expected
from dicewright.solvers.front import solve


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
