"""Safe answers: what they lose to a best response, what they gain of a model, and that a family can send them."""

import io
from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from dicewright.core.game import CHANCE, OVER
from dicewright.core.solution import seats
from dicewright.core.strategy import decide
from dicewright.families import catalog, family
from dicewright.families.minds import Mind
from dicewright.families.safe import Scale, answer_within
from dicewright.storage.store import solution_of
from dicewright.storage.strategies import parse

MOST = 0.04  # payoff: two of a hundred games
CASES = [
    ("pig:goal=30", "hold:8"), ("pig:goal=40,payoff=margin", "hold:5"), ("two-dice-pig:goal=20", "hold:6"),
    ("hog:goal=20,dice=3", "random"), ("liars-die", "truthful"), ("mia:sides=4", "level:3"), ("mia", "truthful"),
    ("bluff:sides=4", "call-below:0.3"), ("bluff:sides=3,wild=none", "random"), ("bluff:dice=2v1,sides=2", "level:2"),
]  # fmt: skip


def setting(name, text):
    game = catalog.parse(name)
    return game, family(game), solution_of(game), parse(text, game)


@pytest.mark.parametrize(("name", "text"), CASES)
def test_an_answer_gains_and_nobody_gets_more_of_it_than_the_bound(name, text):
    game, kin, solution, person = setting(name, text)
    most = MOST * solution.stakes
    found = kin.answer_within(solution, person, most)
    assert found.gain > 0
    answered = kin.best_response(game, found.strategy)
    value = float(solution.certificate.value)
    assert max(answered.first_payoff - value, answered.second_payoff + value) <= most + 1e-9
    assert found.loss == pytest.approx(
        max(0, answered.first_payoff - value, answered.second_payoff + value), abs=1e-9
    )
    met, due = (kin.evaluate(game, each, person) for each in (found.strategy, solution.player))
    gained = [(each.a_first.payoff - each.b_first.payoff) / 2 for each in (met, due)]
    assert found.gain == pytest.approx(gained[0] - gained[1], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "text"),
    [("pig:goal=10", "hold:4"), ("liars-die:sides=4", "level:2"), ("bluff:sides=2", "random")],
)
def test_the_loss_is_the_best_that_anybody_can_do_by_the_rules_alone(name, text):
    """Against the answer one player of a small game is a decision problem: worked out state by state."""
    game, kin, solution, person = setting(name, text)
    found = kin.answer_within(solution, person, MOST)
    value = float(solution.certificate.value)
    best = max(
        best_by_rules(game, 0, seats(found.strategy)[1]) - value,
        best_by_rules(game, 1, seats(found.strategy)[0]) + value,
    )
    assert best == pytest.approx(found.loss, abs=1e-6)


def best_by_rules(game, seat, rival):
    """What the seat gets at best of a known rival: all states that it cannot tell apart are weighed together."""
    if hasattr(game, "goal"):
        return race_by_rules(game, seat, rival)
    sign = 1 if seat == 0 else -1

    def best(weights):
        total, views, todo = 0.0, {}, list(weights.items())
        while todo:
            state, weight = todo.pop()
            mover = game.mover(state)
            if mover == OVER:
                total += weight * sign * float(game.payoff(state))
            elif mover == seat:
                views.setdefault(game.view(state, seat), []).append((state, weight))
            else:
                mix = (
                    game.outcomes(state) if mover == CHANCE else decide(game, game.view(state, mover), rival)
                )
                todo += [(game.play(state, choice), weight * float(share)) for choice, share in mix.items()]
        for view, those in views.items():
            worths = []
            for action in game.actions(view):
                after = defaultdict(float)
                for state, weight in those:
                    after[game.play(state, action)] += weight
                worths.append(best(after))
            total += max(worths)
        return total

    return best({game.start(): 1.0})


def race_by_rules(game, seat, rival, sweeps=400):
    sign = 1 if seat == 0 else -1
    states, todo = [], [game.start()]
    known = set(todo)
    while todo:
        state = todo.pop()
        states.append(state)
        if (mover := game.mover(state)) != OVER:
            choices = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
            for after in (game.play(state, choice) for choice in choices):
                if after not in known:
                    known.add(after)
                    todo.append(after)
    worth = dict.fromkeys(states, 0.0)
    for _ in range(sweeps):
        moved = 0.0
        for state in reversed(states):
            mover = game.mover(state)
            if mover == OVER:
                new = sign * float(game.payoff(state))
            elif mover == CHANCE:
                new = sum(float(p) * worth[game.play(state, o)] for o, p in game.outcomes(state).items())
            else:
                view = game.view(state, mover)
                actions = game.actions(view)
                if mover == seat:
                    new = max(worth[game.play(state, action)] for action in actions)
                else:
                    mix = decide(game, view, rival)
                    new = sum(share * worth[game.play(state, action)] for action, share in mix.items())
            moved, worth[state] = max(moved, abs(new - worth[state])), new
        if moved < 1e-9:
            break
    return worth[game.start()]


def test_the_program_of_a_round_gains_more_than_any_of_the_usual_candidates():
    game, kin, solution, person = setting("bluff:sides=4", "call-below:0.3")
    best, plain = kin.answer_within(solution, person, MOST), answer_within(kin, solution, person, MOST)
    assert plain.loss <= MOST
    assert 0 < plain.gain < best.gain / 2
    whole = Scale(kin, solution, person)
    bold = whole.safe(kin.best_response(game, person).strategy)
    assert best.gain < bold.gain
    assert kin.answer_within(solution, person, 2.0).gain == pytest.approx(bold.gain, abs=1e-6)


@pytest.mark.parametrize("name", ["pig:goal=20", "mia:sides=3", "bluff:sides=2"])
def test_whoever_plays_perfectly_is_answered_by_perfect_play(name):
    _, kin, solution, _ = setting(name, "optimal")
    found = kin.answer_within(solution, solution.player, MOST)
    assert found.gain == pytest.approx(0, abs=1e-7)
    assert found.loss <= MOST + 1e-9


@pytest.mark.parametrize(("name", "text"), CASES[:1] + CASES[4:6] + CASES[7:8])
def test_an_answer_is_the_same_after_it_was_sent(name, text):
    game, kin, solution, person = setting(name, text)
    found = kin.answer_within(solution, person, MOST)
    told, arrays = kin.sent(game, found.strategy)
    body = io.BytesIO()
    np.savez(body, **arrays)
    body.seek(0)
    with np.load(body, allow_pickle=False) as sent:
        again = kin.player(game, told, sent)
    one, two = (kin.evaluate(game, each, person) for each in (found.strategy, again))
    assert (one.a_first, one.b_first) == (two.a_first, two.b_first)


def test_a_race_player_of_a_mind_is_the_generic_one():
    """The table of all states at once, and the same worked out view by view."""
    game, kin, solution, _ = setting("pig:goal=25", "optimal")
    mind = Mind(12.0, {"hold": -0.5, "hold ahead": 0.7, "hold turn": 1.5, "hold lead": -0.8})
    table, plain = kin.minded(solution, mind, "one"), super(type(kin), kin).minded(solution, mind, "two")
    for mine, yours, turn in product(range(0, 25, 4), range(0, 25, 5), (2, 5, 9)):
        view = type(game.view(game.start(), 0))(mine, yours, turn)
        if mine + turn < 25:
            assert table(view) == pytest.approx(dict(plain(view)), abs=1e-4)


@pytest.mark.parametrize(
    "name",
    ["pig:goal=400", "pig:skip=yes", "bluff:dice=2v2", "mia:keep=yes", "bluff:order=fixed", "bluff-match"],
)
def test_nobody_is_learned_where_that_takes_long(name):
    game = catalog.parse(name)
    with pytest.raises(Exception, match=r"learned|levels|is_allowed|MB"):
        family(game).check_learner(game)
