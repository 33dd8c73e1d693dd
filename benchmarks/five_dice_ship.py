"""Train rounds anew and put them where they ship: python -m benchmarks.five_dice_ship perudo 1v4 5v5 --iterations 60

As `make trained` does for all, but for some rounds, and with what they remember told here if that is to be another.
What there is of a round that was stopped is gone on from. With --again nothing is trained: what ships is
packed again, with hands that hardly ever come to a place doing what is likeliest there, unless that makes it weaker.
"""

import argparse
from dataclasses import replace
from typing import Any

import dicewright
from dicewright.families import catalog, family
from dicewright.families.bluff.large.lessons import memory_of, packed_again, recipe_of, train
from dicewright.storage import solution_file, trained
from dicewright.storage.checkpoints import Checkpoint
from dicewright.storage.store import SHIPPED

WORSE = 0.002  # what a best response may get more, by mean of both seats, of a file that is packed again


def again(part: Any, lessons: Any) -> None:
    """Pack the file that ships of a round again, and say what that does to its bytes and its strength."""
    path = SHIPPED / "trained" / trained.path_of(part).name
    before, old = path.stat().st_size, trained.read(part, lessons)
    taught = packed_again(part, old)
    was, now = (sum(each.header["at_least"]) / 2 for each in (old, taught))
    reached = f"at least {was:.4f}, then {now:.4f}"
    if now > was + WORSE:
        print(f"{part.name}: {reached}; left as it was", flush=True)
        return
    *begun, (iterations, seconds, _) = old.header["heard"]
    header = {**old.header, **taught.header, "heard": [*begun, [iterations, seconds, now]]}
    solution_file.write(path, header, taught.arrays, level=9)
    print(f"{part.name}: {before:,} bytes, then {path.stat().st_size:,}; {reached}", flush=True)


def main() -> None:
    """Print what was reached of each round, and the bytes of its file."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("match")
    ask.add_argument("rounds", nargs="+", help="such as 5v5, the opener's dice first")
    ask.add_argument("--iterations", type=int, default=None)
    ask.add_argument("--face", action="store_true", help="the face of the bid before the last two as a hint")
    ask.add_argument("--least", type=float, default=None)
    ask.add_argument("--again", action="store_true", help="pack what ships again, and train nothing")
    asked = ask.parse_args()
    game = catalog.parse(asked.match)
    trained.folder().mkdir(parents=True, exist_ok=True)
    lessons = family(game).lessons(game)
    for part in lessons.parts:
        one, two = part.dice
        if f"{one}v{two}" not in asked.rounds or part.order == "fixed":
            continue
        if asked.again:
            again(part, lessons)
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
