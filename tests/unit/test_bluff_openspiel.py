"""OpenSpiel, where it is installed, measures our strategies for one die each as we do."""

from itertools import combinations

import pytest

from dicewright.families.bluff.cfr import solve_cfr
from dicewright.families.bluff.rules import CALL, Bluff, BluffView

pyspiel = pytest.importorskip("pyspiel")


def test_openspiel_finds_the_same_gap():
    """NashConv is what both players could gain together: the width of our bracket."""
    game = Bluff(sides=4)
    solution = solve_cfr(game, gap=0.01)
    numbers = {action: number for number, action in enumerate((*game.bids, CALL))}
    policy = {}
    for length in range(len(game.bids) + 1):
        for said in combinations(game.bids, length):
            for hand in game.hands(0):
                view = BluffView(hand, said)
                mix = solution.strategies[length % 2](view)
                name = " ".join([str(hand[0]), *(f"{bid.quantity}-{bid.face}" for bid in said)])
                policy[name] = [(numbers[action], mix.get(action, 0.0)) for action in game.actions(view)]
    theirs = pyspiel.load_game("liars_dice(numdice=1,dice_sides=4)")
    found = pyspiel.nash_conv(theirs, pyspiel.TabularPolicy(policy))
    assert found == pytest.approx(solution.certificate.gap, abs=1e-9)
