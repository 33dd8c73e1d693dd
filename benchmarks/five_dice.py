"""One row of docs/five-dice.md: train a round and measure it. Example: python -m benchmarks.five_dice 5v5 --whole 3"""

import argparse
import time

from dicewright.families.bluff.large.memory import HINTS, WHOLE, Memory
from dicewright.families.bluff.large.table import EXACT, Shares
from dicewright.families.bluff.large.training import OWN, Schedule, Training
from dicewright.families.bluff.rules import Bluff

MOST_EXACT = 4  # dice in all


def main() -> None:
    """Print iterations, seconds of processor time, the lower bound, and the exact figure where there is one."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("dice", help="the dice of each, such as 5v5")
    ask.add_argument("--whole", type=int, default=3, help=f"bids remembered whole, to {WHOLE}")
    ask.add_argument("--jump", type=int, default=WHOLE)
    ask.add_argument("--least", type=float, default=0.002)
    ask.add_argument("--hint", choices=HINTS, default="none", help="of the bid before the last two")
    ask.add_argument("--average", type=float, default=2.0, help="power of the average's weights")
    ask.add_argument("--iterations", type=int, default=200)
    ask.add_argument("--every", type=int, default=50, help="iterations between measurements")
    ask.add_argument("--own", choices=OWN, default="even")
    ask.add_argument("--perudo", action="store_true", help="wild=ones,order=dudo")
    asked = ask.parse_args()
    one, two = map(int, asked.dice.split("v"))
    game = Bluff((one, two), wild="ones", order="dudo") if asked.perudo else Bluff((one, two))
    memory = Memory(game, asked.whole, asked.jump, asked.least, asked.hint)
    training = Training(memory, Schedule(asked.iterations, average=asked.average, own=asked.own))
    print(f"{game.name}: {memory.size} bids, {memory.entries:,} entries", flush=True)
    spent, begun = 0.0, time.process_time()

    def tell(done: int) -> None:
        nonlocal spent, begun
        if done % asked.every and done != asked.iterations:
            return
        spent += time.process_time() - begun
        table = Shares(memory, training.average())
        found = table.strength()
        text = f"{done} iterations, {spent:.0f} s: at least {found.exploitability:.4f}"
        if one + two <= MOST_EXACT and done == asked.iterations:
            text += f", exactly {table.strength(EXACT).exploitability:.4f}"
        print(text, flush=True)
        begun = time.process_time()

    training.run(tell)


if __name__ == "__main__":
    main()
