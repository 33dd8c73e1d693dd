"""Which update rule closes the bracket of a Bluff round first? Prints the table of docs/cfr.md.

python -m benchmarks.cfr_rules
"""

import sys

from dicewright.families import catalog
from dicewright.families.bluff.cfr import RULES, Progress, solve_cfr

GAPS = (1e-2, 1e-3, 1e-4)
ROUNDS = {  # the most iterations each rule is given
    "bluff": 2500,
    "bluff:dice=2v1,sides=4": 2500,
    "bluff:dice=2v1,sides=5": 1500,
    "bluff:dice=2v1": 700,
}


def first_within(seen: list[Progress], gap: float) -> str:
    """Iterations and seconds until the bracket was this narrow."""
    for progress in seen:
        if progress.upper - progress.lower <= gap:
            return f"{progress.iteration} ({progress.seconds:.2f} s)"
    return f"over {seen[-1].iteration}"


def main(names: list[str]) -> None:
    """Print one row for each round and rule: iterations (and seconds, brackets included) to each gap."""
    print("| round | rule |" + "".join(f" {gap:g} |" for gap in GAPS))
    print("|---|---|" + "---|" * len(GAPS))
    for name in names or list(ROUNDS):
        for rule in RULES:
            solve_cfr(catalog.parse("bluff:sides=2"), iterations=1, rule=rule)  # compiles
            seen: list[Progress] = []
            solve_cfr(catalog.parse(name), GAPS[-1], ROUNDS[name], rule, seen.append)
            cells = "".join(f" {first_within(seen, gap)} |" for gap in GAPS)
            print(f"| `{name}` | {rule} |{cells}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
