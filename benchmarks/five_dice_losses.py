"""How far losses told by a trained table are off, where exact ones are known: python -m benchmarks.five_dice_losses 2v2

Games of rules of thumb against the exact solution are judged twice: by a table that remembers two bids, as that of 5v5
does, and by the exact solution. Told is the error of a decision's loss that nine of ten do not exceed.
"""

import argparse
from random import Random
from statistics import fmean, quantiles

from dicewright.arena.table import play_game
from dicewright.core.game import CHANCE
from dicewright.families.bluff.large.memory import Memory
from dicewright.families.bluff.large.table import Shares, as_bytes, from_bytes
from dicewright.families.bluff.large.training import Schedule, Training
from dicewright.families.bluff.large.worth import TrainedRound
from dicewright.families.bluff.rules import Bluff
from dicewright.families.bluff.strategies import CallBelow, RandomBluff, Truthful
from dicewright.storage.store import solution_of

SHARE = 0.01  # of the mix, from which on nothing is lost, as in analysis/analyse.py


def loss(judge, view, choice, mixes: bool) -> float:
    """What the choice loses in winning chance, as an analysis tells it."""
    advice = judge.advise(view)
    if mixes and advice.mix.get(choice, 0.0) >= SHARE:
        return 0.0
    return max(0.0, max(advice.worth.values()) - advice.worth[choice])


def main() -> None:
    """Print the mean error, that of nine in ten, and the mean loss."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("dice", help="such as 2v2, up to four in all")
    ask.add_argument("--games", type=int, default=400)
    ask.add_argument("--iterations", type=int, default=100)
    asked = ask.parse_args()
    one, two = map(int, asked.dice.split("v"))
    game = Bluff((one, two))
    training = Training(memory := Memory(game, 2), Schedule(asked.iterations))
    training.run()
    judge = TrainedRound(from_bytes(memory, as_bytes(Shares(memory, training.average()))), 0.0)
    exact = solution_of(game)
    for player in (Truthful(game), CallBelow(game, 0.3), CallBelow(game, 0.5), RandomBluff(game)):
        errors, losses = [], []
        for number in range(asked.games):
            pair = (player, exact.player) if number % 2 else (exact.player, player)
            state = game.start()
            for choice in play_game(game, pair, Random(number)).choices:
                mover = game.mover(state)
                if (
                    mover != CHANCE
                    and pair[mover] is player
                    and len(game.actions(game.view(state, mover))) > 1
                ):
                    view = game.view(state, mover)
                    lost = loss(exact, view, choice, False)
                    errors.append(abs(loss(judge, view, choice, True) - lost))
                    losses.append(lost)
                state = game.play(state, choice)
        nine = quantiles(errors, n=10)[-1]
        print(
            f"{game.name} {player}: {len(errors)} decisions, mean loss {fmean(losses):.4f}, mean error "
            f"{fmean(errors):.4f}, nine in ten within {nine:.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
