"""Calling games with kept dice played out and answered, against slow twins that know only the seven questions."""

from random import Random

import pytest
from tests.reference.play_out import payoff_by_the_book
from tests.reference.recall import Remembering
from tests.reference.walk import met_by_the_book

from dicewright.core.errors import StrategyError
from dicewright.core.game import CHANCE, FIRST, SECOND
from dicewright.families import solve
from dicewright.families.calling.keep_response import best_response_keep, duel_keep
from dicewright.families.catalog import answered, parse
from dicewright.families.tree.arrays import build_tree
from dicewright.families.tree.response import best_value, weights_of

approx = pytest.approx

TINY = ["mia:sides=2,keep=yes", "mia:sides=2,keep=yes,truth=at-least", "mia:sides=2,keep=yes,below=no"]
SMALL = [*TINY, "mia:sides=3,keep=yes", "mia:sides=3,keep=yes,below=no,truth=at-least"]
LARGER = [*SMALL, "mia:sides=4,keep=yes", pytest.param("mia:keep=yes", marks=pytest.mark.long)]


def answer(game, first, second):
    """The best answers: in FIRST's place to `second`, in SECOND's to `first`."""
    return answered(best_response_keep, game, (first, second))


def random_caller(game, seed, asked=None):
    """A mix of its own for each view, some actions left out; what it is asked is written down."""

    def strategy(view):
        if asked is not None:
            asked.append(view)
        rng = Random(f"{seed} {view}")
        allowed = list(game.actions(view))
        some = rng.sample(allowed, rng.randint(1, len(allowed)))
        weights = [rng.random() + 0.05 for _ in some]
        return {action: weight / sum(weights) for action, weight in zip(some, weights, strict=True)}

    return strategy


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", [1, 2])
def test_random_strategies_meet_as_the_rules_say(name, seed):
    """A turn is one roll with its call, so rolls are counted."""
    game = parse(name)
    first, second = random_caller(game, seed), random_caller(game, seed + 10)
    duel = duel_keep(game, first, second)
    won, lost, rolls = met_by_the_book(game, first, second, lambda state, mover: mover == CHANCE)
    assert (duel.first_wins, duel.second_wins) == approx((won, lost), abs=1e-12)
    assert duel.expected_turns == approx(rolls, abs=1e-12)
    assert (duel.stalemate, duel.payoff) == (0.0, approx(won - lost, abs=1e-12))
    if name in TINY:
        assert duel.payoff == approx(payoff_by_the_book(game, first, second), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGER)
def test_solved_strategies_reproduce_the_certificate(name):
    game = parse(name)
    solution = solve(game)
    lower, upper = float(solution.certificate.lower), float(solution.certificate.upper)
    assert lower - 1e-12 <= duel_keep(game, *solution.strategies).payoff <= upper + 1e-12
    response = answer(game, *solution.strategies)
    assert response.first_payoff == approx(upper, abs=1e-12)
    assert response.second_payoff == approx(-lower, abs=1e-12)


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("seed", [3, 4])
def test_best_answers_are_those_of_the_whole_tree(name, seed):
    """On the tree of the game with views that remember everything, where an answer could use more."""
    game = parse(name)
    first, second = random_caller(game, seed), random_caller(game, seed + 10)
    response = answer(game, first, second)
    tree = build_tree(Remembering(game))
    for player, rival, payoff in (
        (FIRST, second, response.first_payoff),
        (SECOND, first, response.second_payoff),
    ):
        against = weights_of(tree, 1 - player, lambda view, rival=rival: rival(view[0]))
        assert payoff == approx(best_value(tree, player, against)[0], abs=1e-12)


@pytest.mark.parametrize("name", LARGER)
def test_best_answers_get_what_they_promise_and_more_than_others(name):
    game = parse(name)
    first, second = random_caller(game, 5), random_caller(game, 6)
    response = answer(game, first, second)
    one, two = response.strategy
    assert duel_keep(game, one, second).first_wins == approx(response.first_wins, abs=1e-12)
    assert duel_keep(game, first, two).second_wins == approx(response.second_wins, abs=1e-12)
    assert response.first_payoff == approx(2 * response.first_wins - 1, abs=1e-12)
    assert response.second_payoff == approx(2 * response.second_wins - 1, abs=1e-12)
    duel, solved = duel_keep(game, first, second), solve(game).certificate.value
    assert response.first_payoff > max(duel.payoff, solved) + 0.01
    assert response.second_payoff > max(-duel.payoff, -solved) + 0.01
    assert str(one) == f"the best answer to one opponent in {game.name}"


@pytest.mark.parametrize("name", SMALL)
def test_each_view_that_can_occur_is_asked_about_at_most_once(name):
    game = parse(name)
    possible = {
        game.view(state, game.mover(state)) for state in states(game) if game.mover(state) in (FIRST, SECOND)
    }
    free = {view for view in possible if len(game.actions(view)) > 1}
    mine, yours = [], []
    duel_keep(game, random_caller(game, 7, mine), random_caller(game, 8, yours))
    for asked in (mine, yours):
        assert len(asked) == len(set(asked))
        assert set(asked) <= free
    answered = []
    response = answer(game, rival := random_caller(game, 9, answered), rival)
    assert sorted(map(str, answered)) == sorted(map(str, free))
    assert set(response.strategy.actions) == possible


def states(game):
    """Every state that can occur, once."""
    found, todo = {game.start()}, [game.start()]
    while todo:
        state = todo.pop()
        mover = game.mover(state)
        if mover not in (CHANCE, FIRST, SECOND):
            continue
        choices = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
        new = {game.play(state, choice) for choice in choices} - found
        found |= new
        todo += new
    return found


def test_a_faulty_strategy_is_named():
    game = parse("mia:sides=2,keep=yes")

    class Mute:
        def __str__(self):
            return "mute"

        def __call__(self, view):
            return {}

    for call in (duel_keep, answer):
        with pytest.raises(StrategyError, match=r"mute at .* answered chances that sum to 0"):
            call(game, Mute(), Mute())
