"""Values with their proof, as an answer to a claim."""

from typing import Any

from ..families import solve
from ..families.catalog import parse as game
from .claims import Answer, Verdict

SHORT = 40  # letters of a fraction that is shown whole


def proved_value(name: str, **options: Any) -> Answer:
    """The value of a game with its proof; a value without one is a failure."""
    certificate = solve(game(name), **options).certificate
    verdict = Verdict.NEW if certificate.proved else Verdict.DIFFERS
    if certificate.exact is not None and len(str(certificate.exact)) < SHORT:
        return Answer(f"{certificate.exact} to the first player, proved exactly", verdict)
    lower, upper = certificate.decimals()
    return Answer(f"{lower} to {upper}, proved", verdict)
