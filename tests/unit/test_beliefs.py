"""Issue 16: in every view the solved mix loses nothing by what the player believes, and mistakes are punished."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from benchmarks.bluff_people import FOUR, SAFE, chosen, won

import dicewright as dw
from dicewright.core.errors import VerificationError
from dicewright.core.game import CHANCE, OVER, other
from dicewright.families.bluff import people
from dicewright.families.bluff.beliefs import Weighed, after_slips
from dicewright.families.bluff.exact import as_fraction, movers, nodes_at, win_or_lose
from dicewright.families.bluff.match import MatchView
from dicewright.families.bluff.plans import plan_of
from dicewright.families.bluff.rules import Bid, Bluff
from dicewright.families.bluff.solve import solve_bluff
from dicewright.families.catalog import parse
from dicewright.families.tree.program import Search
from dicewright.families.tree.response import exact_weights, lost
from dicewright.families.tree.solve import solve_sequence_form

TODAY = (0.8104, 0.5655, 0.5209, 0.5425)  # what solved play won before, issue 16
MOST = (0.8540, 0.5693, 0.5300, 0.5505)  # that any equilibrium can win from each, issue 16
ALONE = (0.850, 0.566, 0.528, 0.549)  # at least, with the four alone as population, issue 16
NOW = (0.8434, 0.5673, 0.5297, 0.5501)


def every_view(game):
    """All views of a game in which somebody decides, the states being walked once."""
    seen, waiting, views = set(), [game.start()], {}
    while waiting:
        state = waiting.pop()
        mover = game.mover(state)
        if mover == OVER:
            continue
        if mover == CHANCE:
            choices = game.outcomes(state)
        else:
            view = game.view(state, mover)
            views[view] = None
            choices = game.actions(view)
        for choice in choices:
            after = game.play(state, choice)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return views


@pytest.fixture(scope="module")
def one_die():
    """As it comes with the package, which the long walk below solves again."""
    return dw.solve("bluff")


@cache
def solved(name):
    return dw.solve(name, fresh=True)


def lost_in_fractions(solution):
    """The most that an action of a mix loses by what its player believes."""
    rules, plans = win_or_lose(solution.game), [strategy.plan for strategy in solution.strategies]
    return max(
        as_fraction(
            Weighed(rules, seat, after_slips(plans[other(seat)], solution.beliefs[seat])).lost(plans[seat])
        )
        for seat in (0, 1)
    )


@pytest.mark.parametrize(
    ("name", "off_path"),
    [
        ("bluff:sides=3", 0.5),
        ("bluff:dice=2v1,sides=2", 0.5),
        ("bluff:dice=2v2,sides=2", 0.5),
        ("bluff:sides=3,order=fixed", 0),
        ("kuhn-poker", 0),
        pytest.param("bluff", 0.9, marks=pytest.mark.long),
        pytest.param("bluff:dice=2v1,sides=3", 0.5, marks=pytest.mark.long),
        pytest.param("bluff:dice=2v2,sides=3", 0.5, marks=pytest.mark.long),
    ],
)
def test_no_action_of_a_mix_loses_in_any_view(name, off_path):
    game, solution = parse(name), solved(name)
    assert solution.certificate.gap == 0
    count = slips = 0
    for view in every_view(game):
        advice = solution.advise(view)
        best = max(advice.worth.values())
        assert min(advice.worth[action] for action in advice.mix) == pytest.approx(best, abs=1e-9), view
        count, slips = count + 1, slips + (not advice.reached)
    assert count > 5
    assert slips >= count * off_path
    if name.startswith("bluff") and game.order != "fixed":
        assert lost_in_fractions(solution) == 0


@pytest.mark.parametrize(
    "name",
    [
        "bluff-match:dice=2v1,sides=2,loss=difference",
        "bluff-match:dice=2v1,sides=2,palifico=yes",
        "bluff-match:dice=2v1,sides=2,spot_on=yes,reward=regain",
        pytest.param("bluff-match:dice=2v1,sides=3,loss=difference", marks=pytest.mark.long),
        pytest.param("bluff-match:dice=2v1,sides=3,palifico=yes", marks=pytest.mark.long),
        pytest.param("bluff-match:dice=2v1,sides=3,spot_on=yes,reward=regain", marks=pytest.mark.long),
        pytest.param("bluff-match:dice=2v2,sides=2,spot_on=yes,reward=regain", marks=pytest.mark.long),
    ],
)
def test_no_action_of_a_mix_loses_in_any_round_of_a_match(name):
    """Where what follows has more than two values; the last one is bounded by sweeps."""
    solution, slips = solved(name), 0
    for standing in solution.plan.rounds:
        for now in every_view(solution.game.round_of(standing)):
            advice = solution._advise(MatchView(standing, (), now))  # however it came to this
            least = min(advice.worth[action] for action in advice.mix)
            assert least >= max(advice.worth.values()) - solution.certificate.gap / 2 - 1e-9, (standing, now)
            slips += not advice.reached
    assert slips > 5


@pytest.mark.parametrize("name", ["bluff:sides=3", "bluff:dice=2v1,sides=2", "bluff:dice=2v2,sides=2"])
def test_the_tree_agrees_and_loses_nothing_in_fractions(name):
    """Both ways to solve a round, by other programs of other sizes: each supports its own mixes exactly."""
    solution, tree = solved(name), solve_sequence_form(parse(name))
    assert solution.certificate.exact == tree.certificate.exact
    for seat in (0, 1):
        weights = exact_weights(tree.strategies[other(seat)])
        assert lost(tree.tree, seat, tree.strategies[seat].shares, [weights, *tree.beliefs[seat]]) == 0


def test_every_node_is_believed_to_be_reached_somehow(one_die):
    for seat in (0, 1):
        weighed = one_die.weighed[seat]
        for bid in range(12):
            nodes = nodes_at(bid)
            assert (weighed.mass[nodes][movers(12)[nodes] == seat] > 0).all()


@pytest.mark.parametrize(("name", "before", "now"), list(zip(FOUR, TODAY, NOW, strict=True)))
def test_mistakes_are_punished(one_die, name, before, now):
    """None of the four players of the issue loses less to it than to the play that was solved for before."""
    found = dw.evaluate("bluff", one_die, name).a_overall
    assert found >= before
    assert found == pytest.approx(now, abs=5e-5)


@pytest.mark.slow
def test_the_four_alone_are_punished_as_in_the_issue():
    solution = chosen(FOUR)
    assert solution.certificate.gap == 0
    assert all(won(solution, name) >= least for name, least in zip(FOUR, ALONE, strict=True))


@pytest.mark.parametrize(
    "name", ["bluff:sides=3,spot_on=yes", "bluff:dice=2v1,sides=2", "bluff:sides=3,wild_opens=no"]
)
def test_people_of_thumb_are_the_strategies_of_the_catalog(name):
    """Their table by the last bid makes the plans that asking them view by view makes."""
    game = parse(name)
    for seat in (0, 1):
        for takes, rule in zip(people.players_of(game, seat, True)[1:], people.SIMPLE, strict=True):
            asked = plan_of(game, seat, rule(game))
            plan = people.plan_of_table(win_or_lose(game), seat, takes)
            assert np.array_equal(plan.reach, asked.reach)
            assert np.array_equal(plan.ends, asked.ends)


@pytest.mark.long
@pytest.mark.parametrize(("name", "most"), list(zip(FOUR, MOST, strict=True)))
def test_the_most_that_play_without_risk_wins_from_each(name, most):
    """The optimum of one program for each, which the issue found by programs of its own; not always in fractions."""
    solution = chosen((name,))
    assert solution.certificate.proved
    assert solution.certificate.gap < SAFE
    assert won(solution, name) == pytest.approx(most, abs=5e-5)


def test_the_position_of_the_issue(one_die):
    """After the opening one one, with a one: two ones is played, and no longer called a loss of a third."""
    advice = one_die.advise("1 | 1x1")
    assert advice.mix[Bid(2, 1)] > 0.5
    assert advice.worth[Bid(2, 1)] == pytest.approx(max(advice.worth.values()), abs=1e-9)


def test_rounded_plans_go_out_with_beliefs_that_hold_for_them_or_none(monkeypatch):
    """Where a basis gives no fractions; what is believed was found for other weights."""
    monkeypatch.setattr(Search, "_exact", lambda self: None)
    solution = solve_bluff(Bluff(sides=4))
    assert solution.certificate.exact is None
    solution.prove()
    monkeypatch.setattr(Weighed, "lost", lambda self, plan: 1)
    assert solve_bluff(Bluff(sides=4)).beliefs is None


def test_beliefs_that_support_nothing_are_refused():
    """The file of a solution whose beliefs were exchanged proves its value, and is refused all the same."""
    solution = solve_bluff(Bluff(sides=3))
    assert solution.prove().exact == Fraction(1, 9)
    forged = []
    for slips in solution.beliefs:  # the hands exchanged
        plan = replace(slips.plan, reach=slips.plan.reach[:, ::-1], ends=slips.plan.ends[:, :, ::-1])
        forged.append(replace(slips, plan=plan))
    vars(solution)["beliefs"] = tuple(forged)
    with pytest.raises(VerificationError, match="believes what makes an action"):
        solution.prove()
