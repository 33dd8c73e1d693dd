"""Train rounds anew and put them where they ship: python -m benchmarks.five_dice_ship perudo 1v4 5v5 --iterations 60

Without rounds: all of the match. What there is of a round that was stopped is gone on from.
"""

import argparse

import dicewright
from dicewright.families import catalog, family
from dicewright.storage import solution_file, trained
from dicewright.storage.store import SHIPPED


def main() -> None:
    """Print what was reached of each round, and the bytes of its file."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("match")
    ask.add_argument("rounds", nargs="*", help="such as 5v5, the opener's dice first")
    ask.add_argument("--iterations", type=int, default=None)
    asked = ask.parse_args()
    game = catalog.parse(asked.match)
    lessons = family(game).lessons(game, asked.iterations)
    run = trained.folder()
    run.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate(lessons.parts):
        one, two = part.dice
        if asked.rounds and (f"{one}v{two}" not in asked.rounds or part.order == "fixed"):
            continue
        taught = trained.teach(trained.Task(game.name, number, lessons.iterations, str(run)))
        header = {**taught.header, "version": dicewright.__version__}
        path = SHIPPED / "trained" / trained.path_of(part).name
        solution_file.write(path, header, taught.arrays, level=9)
        for left in trained.run_files(part):
            left.unlink(missing_ok=True)
        first, second = header["at_least"]
        print(f"{part.name}: at least {(first + second) / 2:.4f}, {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
