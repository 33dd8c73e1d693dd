"""The solutions that come with the package, made again: python -m dicewright.storage.shipped [GAMES] (`make tables`).

Each family says which (`Family.shipped`) and how (`Family.to_ship`). A run that was stopped goes on where it was: long
ones are kept in the folder RUNS, some gigabytes each, which may be deleted when all is made.
"""

import sys
import time
from pathlib import Path
from typing import Any

from ..families import catalog, family, kins
from . import solution_file, store
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


if __name__ == "__main__":
    build(sys.argv[1:])
