"""What comes with the package, made again; a run that was stopped goes on where it was.

python -m dicewright.storage.shipped [GAMES]             the solutions (`make tables`)
python -m dicewright.storage.shipped --trained [GAMES]   the trained players (`make trained`)

Each family says which (`Family.shipped`, `Family.taught`) and how (`Family.to_ship`, `Family.lessons`). What is under
way is kept in the folder RUNS, some gigabytes, which may be deleted when all is made.
"""

import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from ..core.spread import workers
from ..families import catalog, family, kins
from . import solution_file, store, trained
from .checkpoints import Checkpoint

RUNS = Path("build/tables")


def build(names: list[str]) -> None:
    """Solve these games, or all that are shipped, and write their files."""
    RUNS.mkdir(parents=True, exist_ok=True)
    for name in names or [name for kin in kins() for name in kin.shipped]:
        game, started, worked = catalog.parse(name), time.perf_counter(), time.process_time()
        path = store.shipped(game)
        assert path is not None, f"{name} is not shipped"
        run = Checkpoint(RUNS / f"{path.stem}.run", every=600.0)
        solution = family(game).to_ship(game, progress=_told(name), checkpoint=run)
        seconds = min(
            time.perf_counter() - started, time.process_time() - worked
        )  # others may keep it waiting
        path.parent.mkdir(exist_ok=True)
        solution_file.save(path, solution, seconds)
        lower, upper = solution_file.read_claim(path).certificate.decimals()
        print(f"{name}: {lower} to {upper}, {path.stat().st_size:,} bytes, {seconds:.0f} s", flush=True)


def _told(name: str) -> Any:
    def tell(step: Any) -> None:
        print(f"  {name}: {step}, {time.process_time():.0f} s of processor", flush=True)

    return tell


def teach(names: list[str]) -> None:
    """Train the players of these games, or all that come with the package, and put their files there.

    Rounds are trained in a store of its own below RUNS, spread over the processors; every round is kept at once.
    """
    os.environ["DICEWRIGHT_STORE"] = str(RUNS.absolute())
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    place = store.SHIPPED / "trained"
    place.mkdir(exist_ok=True)
    for name, iterations in ((name, number) for kin in kins() for name, number in kin.taught.items()):
        if names and name not in names:
            continue
        game = catalog.parse(name)
        with workers(None, None) as executor:
            found = trained.train(game, iterations, executor, _heard, anew=True)
        for part in family(game).lessons(game).parts:
            shutil.copyfile(trained.path_of(part), place / trained.path_of(part).name)
        size = sum(file.stat().st_size for file in place.iterdir())
        seconds = sum(each.seconds for each in found)
        print(
            f"{name}: {len(found)} rounds, {seconds / 60:.0f} min of processor, {size:,} bytes in all",
            flush=True,
        )


def _heard(news: Any) -> None:
    if news.at_least is not None:
        print(
            f"  {news.part}: {news.iterations} iterations, {news.seconds:.0f} s, at least {news.at_least:.4f}",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--trained"]:
        teach(sys.argv[2:])
    else:
        build(sys.argv[1:])
