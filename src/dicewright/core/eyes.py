"""Who may see a choice of a game under way: a sum of FIRST_EYE, SECOND_EYE and PUBLIC_EYE."""

from collections.abc import Sequence

FIRST_EYE, SECOND_EYE, PUBLIC_EYE = 1, 2, 4
ALL_EYES = FIRST_EYE + SECOND_EYE + PUBLIC_EYE

Eyes = Sequence[int]  # of each choice so far


def eye_of(player: int) -> int:
    """The eye of FIRST or SECOND."""
    return 1 << player


def sees(eyes: int, player: int | None) -> bool:
    """Whether this player (None: a spectator) may see a choice with these eyes."""
    return bool(eyes & (PUBLIC_EYE if player is None else eye_of(player)))
