"""The solutions that come with the package, made again: python -m dicewright.storage.shipped [GAMES] (`make tables`).

Each family says which (`Family.shipped`) and how (`Family.to_ship`). Minutes for most of them, an hour for the largest.
"""

import sys
import time

from ..families import catalog, family, kins
from . import solution_file, store


def build(names: list[str]) -> None:
    """Solve these games, or all that are shipped, and write their files."""
    for name in names or [name for kin in kins() for name in kin.shipped]:
        game, started, worked = catalog.parse(name), time.perf_counter(), time.process_time()
        solution = family(game).to_ship(game)
        seconds = min(
            time.perf_counter() - started, time.process_time() - worked
        )  # others may keep it waiting
        path = store.shipped(game)
        assert path is not None, f"{name} is not shipped"
        path.parent.mkdir(exist_ok=True)
        solution_file.save(path, solution, seconds)
        lower, upper = solution_file.read_claim(path).certificate.decimals()
        print(f"{name}: {lower} to {upper}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    build(sys.argv[1:])
