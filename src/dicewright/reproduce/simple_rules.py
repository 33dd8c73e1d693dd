"""The best simple rule of Pig for each number of parameters, from hold-at-n to keep-pace and beyond.

Every rule of a grid is met with perfect play, exactly but for rounding of 1e-13, where the best two are 1e-6 apart or
more: for the grid that is a proof by exhaustion. Of numbers off the grid it says nothing.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial

from ..families.catalog import parse as game
from ..families.race.simple_rules import FORMS, Best, best_rules
from .claims import Finding, Verdict


@cache
def found() -> dict[str, Best]:
    """The best rule of each form, all of its grid tried."""
    return {best.form: best for best in best_rules(game("pig"))}


def claims() -> Iterator[tuple[str, str, Callable[[], Finding]]]:
    """A place, what is asked and how it is found, for each form."""
    for form in FORMS:
        plural = "s" * (form.size > 1)
        what = f"the best rule of {form.size} number{plural}: {form.name}"
        yield "simple rules", what, partial(_best, form.name)


def _best(form: str) -> Finding:
    best = found()[form]
    text = (
        f"{best.words}: loses {100 * best.loss:.4f} % to perfect play (the next {100 * best.next_loss:.4f} %)"
    )
    grid = f"all {best.tried:,} rules with numbers of {', '.join(best.grid)} were met exactly, and none loses less"
    return Finding(f"{text}; {grid}", Verdict.NEW)
