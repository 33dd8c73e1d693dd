"""How lucky somebody was: chance that sums of what dice changed come out lower, and words for it.

What dice change has mean 0 given all before, so the sum over many rolls is about normal, and its variance is about the
sum of the squares, the `swing`.
"""

from math import erfc, sqrt

ORDINARY = 0.15  # of all players on either side of the middle: nobody is called lucky there
RARE = 0.05  # of all games on either side: there luck is called great


def luck_share(luck: float, swing: float) -> float:
    """The share of players who have less luck.

    >>> luck_share(0.0, 1.0), round(luck_share(-1.0, 1.0), 3), luck_share(0.0, 0.0)
    (0.5, 0.159, 0.5)
    """
    return 0.5 * erfc(-luck / sqrt(2 * swing)) if swing > 0 else 0.5


def favour(luck: float, swing: float) -> str:
    """How something stood to a player in one game, where few dice allow no rank.

    >>> favour(0.1, 1.0), favour(-0.5, 0.2), favour(0.9, 0.2)
    ('favoured nobody', 'went against you', 'went very much your way')
    """
    share = luck_share(luck, swing)
    if abs(share - 0.5) <= ORDINARY:
        return "favoured nobody"
    much = "very much " if min(share, 1 - share) < RARE else ""
    return f"went {much}{'your way' if share > 0.5 else 'against you'}"
