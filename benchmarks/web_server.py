"""The server of the benchmarks: as `dicewright serve` runs it, but for limits that one machine would meet at once.

With `limits` after the port and the database it has those too.
"""

import sys

from dicewright.web.run import run
from dicewright.web.settings import NO_LIMITS, Allowance, Settings


def main() -> None:
    """Serve on the port and the database that the command line names."""
    port, database = int(sys.argv[1]), sys.argv[2]
    limits = Allowance() if "limits" in sys.argv[3:] else NO_LIMITS
    run(Settings(database=database, limits=limits), "127.0.0.1", port, browser=False)


if __name__ == "__main__":
    main()
