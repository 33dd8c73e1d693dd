"""Strategies met and answered on the public tree in place, beside the same by plans."""

from pathlib import Path

import pytest

from dicewright.core.errors import TooLarge
from dicewright.families.bluff import rows_proof, streamed
from dicewright.families.bluff.cfr import solve_cfr
from dicewright.families.bluff.rules import Bluff
from dicewright.families.bluff.solve import best_response_bluff, evaluate_bluff, solve_bluff
from dicewright.families.bluff.strategies import CallBelow, RandomBluff, Truthful

ROUNDS = [Bluff(sides=3), Bluff(dice=(2, 1), sides=3, spot_on=True), Bluff(sides=4, wild_opens=False)]


def by_hand(strategy):
    """The same as a plain function, of which nothing is known but its answers."""
    return lambda view: strategy(view)


def numbers(evaluation):
    duels = (evaluation.a_first, evaluation.b_first)
    return [(duel.first_wins, duel.second_wins, duel.expected_turns, duel.payoff) for duel in duels]


@pytest.mark.slow
@pytest.mark.parametrize("game", ROUNDS, ids=lambda game: game.name)
def test_streamed_is_what_plans_say(game):
    optimal, rows = solve_bluff(game).player, solve_cfr(game, gap=0.1).player
    simple = (
        RandomBluff(game),
        Truthful(game),
        CallBelow(game, 0.4),
        by_hand(RandomBluff(game)),
        optimal,
        rows,
    )
    for one in simple:
        planned, found = best_response_bluff(game, one), streamed.best_response(game, one)
        assert found.first_payoff == pytest.approx(planned.first_payoff, abs=1e-12)
        assert found.second_payoff == pytest.approx(planned.second_payoff, abs=1e-12)
        answered = streamed.evaluate(game, found.strategy, one)
        assert answered.a_first.payoff == pytest.approx(found.first_payoff, abs=1e-12)
        assert answered.b_first.payoff == pytest.approx(-found.second_payoff, abs=1e-12)
        for two in (RandomBluff(game), by_hand(Truthful(game)), optimal):
            met = zip(
                numbers(streamed.evaluate(game, one, two)),
                numbers(evaluate_bluff(game, one, two)),
                strict=True,
            )
            for streaming, planning in met:
                assert streaming == pytest.approx(planning, abs=1e-12)


def test_where_plans_do_not_fit_they_are_not_made(monkeypatch):
    game = Bluff(sides=3)
    planned = best_response_bluff(game, Truthful(game))
    monkeypatch.setattr("dicewright.families.bluff.plans.MOST_BYTES", 10)
    found = best_response_bluff(game, Truthful(game))
    assert (found.first_payoff, found.second_payoff) == pytest.approx(
        (planned.first_payoff, planned.second_payoff)
    )
    assert evaluate_bluff(game, Truthful(game), Truthful(game)).a_first.first_wins > 0


def test_what_would_take_hours_is_refused(monkeypatch):
    with pytest.raises(TooLarge, match=r"2\^30 histories; up to 2\^24 is allowed, such as bluff:dice=2v2"):
        streamed.best_response(Bluff(dice=(3, 2)), None)
    monkeypatch.setattr(streamed, "MOST_ASKED", 3)
    with pytest.raises(TooLarge, match="mixes in more than 3 views"):
        streamed.best_response(Bluff(sides=2), by_hand(RandomBluff(Bluff(sides=2))))


@pytest.mark.slow
def test_two_dice_each_are_answered():
    """Plans would take 22 GB. The truthful never bluff: who knows that wins seven of eight rounds."""
    game = Bluff(dice=(2, 2))
    found = best_response_bluff(game, Truthful(game))
    assert (found.first_payoff, found.second_payoff) == pytest.approx((61 / 81, 85 / 108), abs=1e-12)


def test_what_proves_rows_shares_no_code_with_the_solvers():
    """Of Bluff it knows the rules alone."""
    lines = Path(rows_proof.__file__).read_text().splitlines()
    inner = {line.split()[1] for line in lines if line.startswith("from .")}
    assert inner == {"...core.game", "...core.results", "..compiled", ".rules"}
