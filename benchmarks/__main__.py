"""`make bench`: every figure that an issue names, beside its baseline in the same run."""

import sys

from . import (
    analysis_bench,
    arena_bench,
    bluff_bench,
    bluff_people,
    bluff_tables,
    learner_bench,
    levels_bench,
    people_bench,
    race_bench,
    sweep_bench,
)

PARTS = {
    "race": race_bench.run,
    "bluff": bluff_bench.run,
    "arena": arena_bench.run,
    "analysis": analysis_bench.run,
    "levels": levels_bench.run,
    "people": people_bench.run,
    "sweep": sweep_bench.run,
}
LONG = {  # only when named
    "bluff-large": bluff_bench.run_large,
    "bluff-people": bluff_people.run,
    "bluff-tables": bluff_tables.run,
    "learner": learner_bench.run,
    "overhead": sweep_bench.run_overhead,
}


def main() -> None:
    """Run the parts named on the command line, or all."""
    chosen = sys.argv[1:] or list(PARTS)
    results = []
    for name in chosen:
        print(f"== {name}")
        results.append((PARTS | LONG)[name]())
    if not all(results):
        sys.exit("a limit was missed (a loaded machine misses some: run it again alone)")


main()
