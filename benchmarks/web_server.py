"""The server of the benchmarks: as `dicewright serve` runs it, but for limits that one machine would meet at once.

With `limits` after the port and the database it has those too; with the file of a study it holds that, with its limits.
"""

import sys
from pathlib import Path

from dicewright.study.plan_file import load_plan, load_text
from dicewright.web.run import run
from dicewright.web.settings import NO_LIMITS, Allowance, Settings, limits_for


def main() -> None:
    """Serve on the port and the database that the command line names."""
    port, database = int(sys.argv[1]), sys.argv[2]
    limits = Allowance() if "limits" in sys.argv[3:] else NO_LIMITS
    settings = Settings(database=database, limits=limits)
    for file in (Path(word) for word in sys.argv[3:] if word.endswith(".toml")):
        plan = load_plan(file)
        limits = limits_for(len(plan.participants))
        settings = Settings(database=database, limits=limits, warm=(), study=(plan, load_text(file)))
    run(settings, "127.0.0.1", port, browser=False)


if __name__ == "__main__":
    main()
