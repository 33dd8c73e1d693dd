"""Issue 16: rounds solved by CFR say what they believe after slips, and by that their mixes lose next to nothing."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import dicewright as dw
from dicewright.core.errors import VerificationError
from dicewright.core.game import FIRST, SECOND
from dicewright.core.results import SHARE
from dicewright.families.bluff.cfr import solve_cfr
from dicewright.families.bluff.plans import hand_numbers, node_of
from dicewright.families.bluff.rows_form import restore, rounded
from dicewright.families.bluff.rules import Bluff, BluffView
from dicewright.families.bluff.slips import Rare, Support, answered, supported
from dicewright.families.bluff.worth import believed
from dicewright.storage import solution_file

GAME = Bluff(dice=(1, 1), sides=4)
CLOSE = Support(least=1e-3, comes=1e-3, lost=5e-4, most=2000)
LEAST = 1e-7


@cache
def by_cfr():
    return solve_cfr(GAME, gap=1e-4, threads=1)


@cache
def told():
    return rounded(supported(by_cfr(), CLOSE), LEAST)


def views(game, most_said):
    """All views after at most so many bids."""
    waiting = [()]
    while waiting:
        said = waiting.pop()
        yield from (BluffView(hand, said) for hand in game.hands(len(said) % 2))
        if len(said) < most_said:
            actions = game.actions(BluffView((), said))
            waiting += [(*said, bid) for bid in actions if bid in game.bids]


def lost(solution, view):
    """What the worst action of the advised mix loses, in payoff."""
    advice = solution.advise(view)
    return 2 * (max(advice.worth.values()) - min(advice.worth[action] for action in advice.mix))


def test_no_mix_loses_more_than_the_slack_in_openings_and_answers():
    solution = told()
    assert solution.slack <= 2 * CLOSE.lost
    assert max(lost(solution, view) for view in views(GAME, 1)) <= solution.slack + 1e-9


def test_slips_keep_the_bracket():
    assert told().certificate.gap <= by_cfr().certificate.gap * 1.5
    lower, upper = told().certificate.lower, told().certificate.upper
    exact = dw.solve(GAME, fresh=True).certificate.exact
    assert lower <= exact <= upper


def guessed_lost(solution, view):
    """What the worst action that is one of the mix's own seems to lose where nothing is agreed yet, in payoff."""
    guess = solution._advise(view)
    taken = [guess.worth[action] for action, share in guess.mix.items() if share >= SHARE]
    return 2 * (max(guess.worth.values()) - min(taken))


def test_without_slips_dice_are_believed_as_rolled_and_no_action_is_better_than_the_mix():
    plain = rounded(by_cfr(), LEAST)
    assert plain.beliefs is None
    assert max(guessed_lost(plain, view) for view in views(GAME, 1)) > 0.1
    for view in views(GAME, 2):
        advice = plain.advise(view)
        least = min(advice.worth[action] for action, share in advice.mix.items() if share >= SHARE)
        assert max(advice.worth.values()) - least <= plain.slack / 2 + 1e-9
        assert advice.coarse == (guessed_lost(plain, view) > plain.slack + 2e-9)
        assert advice.best in advice.mix


def test_of_coarse_tables_openings_are_answered_and_rare_losses_dropped():
    """As the tables of four dice in all are made: from a rounded one, by one search after the other."""
    rare = Rare(share=5e-3, slip=5e-2, loss=5e-3, comes=1e-2)
    alone = CLOSE._replace(comes=1e-4, people=False)
    found = rounded(answered(rounded(by_cfr(), LEAST), (alone, CLOSE._replace(people=False)), rare), LEAST)
    assert found.certificate.gap <= by_cfr().certificate.gap * 2
    assert found.method == rounded(by_cfr(), LEAST).method
    mine, yours = found.beliefs
    assert (len(mine.nodes), mine.comes, yours.comes) == (0, rare.comes, rare.comes)
    assert len(yours.nodes) > 1
    assert found.slack < 0.01
    for view in views(GAME, 1):
        if believed(found, view.said).told:
            assert lost(found, view) <= found.slack + 1e-9
        else:
            assert not found.advise(view).reached


def test_after_a_slip_its_maker_is_believed_to_hold_what_loses_least():
    """The hands believed are those that lose least by the bid, and the other hands lose more."""
    solution, slips = told(), told().beliefs[SECOND]
    openings = {node_of(GAME, (bid,)): bid for bid in GAME.opening_bids}
    never = [node for node in slips.nodes.tolist() if node in openings]
    assert never
    for node in never:
        bid, chances = openings[node], slips.after(node)
        losses = {}
        for hand, number in hand_numbers(GAME, FIRST).items():
            worth = solution.advise(BluffView(hand, ())).worth
            losses[number] = max(worth.values()) - worth[bid]
        least = min(losses.values())
        assert all(losses[number] <= least + 0.01 for number in np.flatnonzero(chances > 0.05).tolist())


def test_solved_play_is_believed_where_it_comes_and_slips_elsewhere():
    solution = told()
    for seat in (FIRST, SECOND):
        slips = solution.beliefs[seat]
        for view in views(GAME, 2):
            if len(view.said) % 2 != seat or not view.said:
                continue
            sight = believed(solution, view.said)
            slipped = [slips.after(node_of(GAME, view.said[:k])) for k in range(1, len(view.said) + 1)]
            if any(row is not None for row in slipped):
                assert not sight.reached
            assert sight.reached == solution.advise(view).reached
            if sight.reached:
                assert sight.reach.sum() >= slips.comes
    assert slips.after(0) is None


def test_where_the_own_mix_never_comes_the_answer_is_a_best_reply():
    solution, found = told(), 0
    for view in views(GAME, 3):
        if not solution.rows[len(view.said) % 2].knows(view):
            advice, found = solution.advise(view), found + 1
            assert advice.mix == {advice.best: 1.0}
            assert advice.worth[advice.best] == max(advice.worth.values())
    assert found > 20


def test_slips_go_through_a_file(tmp_path):
    solution, path = told(), tmp_path / "told.npz"
    solution_file.save(path, solution, 1.0)
    again = solution_file.load(path)
    again.prove()
    for one, two in zip(solution.beliefs, again.beliefs, strict=True):
        assert np.array_equal(one.nodes, two.nodes)
        assert np.array_equal(one.hands, two.hands)
        assert (one.comes, one.lost) == (two.comes, two.lost)
    for view in list(views(GAME, 2))[::7]:
        assert again.advise(view) == solution.advise(view)


@pytest.mark.parametrize("change", ["lost", "hands"])
def test_a_file_that_believes_otherwise_is_refused(change):
    solution = told()
    slips = solution.beliefs[SECOND]
    if change == "lost":
        other_slips = replace(slips, lost=slips.lost / 2)
    else:
        other_slips = replace(slips, hands=np.roll(slips.hands, 1, axis=1))
    with pytest.raises(VerificationError, match="believes what makes"):
        replace(solution, beliefs=(solution.beliefs[FIRST], other_slips)).prove()


@pytest.mark.parametrize(
    ("name", "array"),
    [("second_sees_nodes", lambda nodes: nodes[::-1]), ("second_sees_hands", lambda hands: 0 * hands)],
)
def test_slips_that_are_none_are_refused(name, array):
    header, arrays = told().arrays()
    with pytest.raises(VerificationError, match="slips are none"):
        restore(GAME, header, {**arrays, name: array(arrays[name])})
