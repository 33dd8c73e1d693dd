"""The forms in which rounds of Bluff are written, and what the header of each says; no solver is loaded for that."""

from ...core.solution import Certificate, Header, certificate_of, read_fraction
from .rules import CALL, SPOT_ON, Bluff

PLANS, WEIGHTS, ROWS = "bluff-plans-1", "bluff-weights-1", "bluff-rows-4"
OLD_ROWS = "bluff-rows-3"  # shares in 255ths
MEASURED = "best responses on the public tree"


def endings(game: Bluff) -> Header:
    """What a header says of endings that the name of a round does not tell: rows that somebody has added."""
    added = [word for word in game.endings if word not in (CALL, SPOT_ON)]
    return {"endings": added} if added else {}


def check_endings(game: Bluff, header: Header) -> None:
    """ValueError unless the header is about rounds that end as this one."""
    if header.get("endings") != endings(game).get("endings"):
        raise ValueError(f"the endings of {game.name} are {', '.join(game.endings)}; the file has others")


def said(game: Bluff, header: Header) -> Certificate:
    """What a header says is proved of this round; KeyError or ValueError if it is not about it."""
    check_endings(game, header)
    allowed = (WEIGHTS,) if game.order == "fixed" else (PLANS, ROWS, OLD_ROWS)
    if header["format"] not in allowed:
        raise ValueError(f"format {header['format']} of {game.name}; {' or '.join(allowed)} is allowed")
    return said_of_rows(header) if header["format"] in (ROWS, OLD_ROWS) else certificate_of(header)


def said_of_rows(header: Header) -> Certificate:
    """The bounds in the header of rows, which were measured when they were written."""
    lower, upper = (read_fraction(header[bound]) for bound in ("lower", "upper"))
    how = f"{MEASURED} to {header['method']}, least {float(header['least'])}"
    return Certificate(lower, upper, True, how)
