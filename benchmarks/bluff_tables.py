"""The tables of Bluff that ship, measured: bounds, what mixes lose by belief, what they win from people."""

import dicewright as dw
from dicewright.core.game import SECOND
from dicewright.core.results import SHARE
from dicewright.core.solution import Solution
from dicewright.families.bluff.rules import BluffView
from dicewright.families.bluff.shipped import RECIPES
from dicewright.families.bluff.worth import believed
from dicewright.storage.store import shipped

from .bluff_people import FOUR

DOUBTED = 0.05  # of winning chance


def run() -> bool:
    """A line for each table, its answers to openings, and its winning chances in the first seat and the second."""
    kept = True
    for name in RECIPES:
        game = dw.game(name)
        solution, path = dw.solve(game), shipped(game)
        assert path is not None
        (lower, upper), size = solution.certificate.decimals(), path.stat().st_size
        lost = ", ".join(f"{slips.lost:.5f}" for slips in solution.beliefs)
        print(f"{name}: {lower} to {upper}, gap {solution.certificate.gap:.1e}, {size:,} bytes")
        print(f"  openings and answers lose at most {lost} of payoff")
        kept &= answers(solution)
        won = (dw.evaluate(game, solution, player) for player in FOUR)
        pairs = (f"{found.a_first.first_wins:.4f} / {found.b_first.second_wins:.4f}" for found in won)
        print("  wins " + ", ".join(pairs), flush=True)
    return kept


def answers(solution: Solution) -> bool:
    """Print how many answers to openings have an action that seems to lose; whether none does as it is advised."""
    game, views, guessed, doubted, losing = solution.game, 0, 0, 0, 0
    for bid in game.opening_bids:
        if bid == game.bids[-1]:  # it can only be called
            continue
        told = believed(solution, (bid,)).told
        for hand in game.hands(SECOND):
            view = BluffView(hand, (bid,))
            advice, guess = solution.advise(view), solution._advise(view)
            taken = [action for action, share in advice.mix.items() if share >= SHARE]
            seems, loses = (
                max(one.worth.values()) - min(one.worth[action] for action in taken)
                for one in (guess, advice)
            )
            views, guessed, doubted = views + 1, guessed + (not told), doubted + (seems > DOUBTED)
            losing += loses > solution.slack / 2 + 1e-9
    print(f"  {views} answers to openings, {guessed} without a stated belief")
    print(f"  {doubted} had an action that seems to lose over 5 points if a guess is taken for a belief")
    print(f"  {losing} lose more than the slack as advised", flush=True)
    return losing == 0
