"""Train rounds anew and put them where they ship: python -m benchmarks.five_dice_ship perudo 1v4 5v5 --iterations 60

As `make trained` does for all, but for some rounds, and with what they remember told here if that is to be another.
What there is of a round that was stopped is gone on from.
"""

import argparse
from dataclasses import replace

import dicewright
from dicewright.families import catalog, family
from dicewright.families.bluff.large.lessons import memory_of, recipe_of, train
from dicewright.storage import solution_file, trained
from dicewright.storage.checkpoints import Checkpoint
from dicewright.storage.store import SHIPPED


def main() -> None:
    """Print what was reached of each round, and the bytes of its file."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("match")
    ask.add_argument("rounds", nargs="+", help="such as 5v5, the opener's dice first")
    ask.add_argument("--iterations", type=int, default=None)
    ask.add_argument("--face", action="store_true", help="the face of the bid before the last two as a hint")
    ask.add_argument("--least", type=float, default=None)
    asked = ask.parse_args()
    game = catalog.parse(asked.match)
    trained.folder().mkdir(parents=True, exist_ok=True)
    for part in family(game).lessons(game).parts:
        one, two = part.dice
        if f"{one}v{two}" not in asked.rounds or part.order == "fixed":
            continue
        memory = memory_of(part)
        if asked.face:
            memory = replace(memory, hint="face")
        if asked.least is not None:
            memory = replace(memory, least=asked.least)
        path = SHIPPED / "trained" / trained.path_of(part).name
        run = Checkpoint(trained.folder() / f"{path.stem}.run", every=trained.SAVED)
        heard = []

        def tell(done: int, at_least: float | None, heard: list = heard, name: str = part.name) -> None:
            if at_least is not None:
                heard.append([done, 0.0, at_least])
            print(f"{name}: {done} iterations, at least {at_least}", flush=True)

        taught = train(memory, recipe_of(memory, asked.iterations), tell, run)
        header = {**taught.header, "version": dicewright.__version__, "heard": heard}
        solution_file.write(path, header, taught.arrays, level=9)
        for left in (run.path, run.before):
            left.unlink(missing_ok=True)
        print(f"{part.name}: {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
