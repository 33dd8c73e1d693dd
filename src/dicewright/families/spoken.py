"""Numbers and dice as people say them."""

from collections import Counter
from collections.abc import Sequence

ROUNDING = 1e-9  # chances that differ by less are one chance
SINGLE = "a single one"
COUNT = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def count(number: int) -> str:
    """A number as a word, as far as people write it so.

    >>> count(3), count(12)
    ('three', '12')
    """
    return COUNT[number] if 0 <= number < len(COUNT) else str(number)


def kind(name: str) -> str:
    """The name of a game without its fields."""
    return name.partition(":")[0]


def dice(number: int) -> str:
    """So many dice.

    >>> dice(1), dice(2)
    ('one die', 'two dice')
    """
    return f"{count(number)} {'die' if number == 1 else 'dice'}"


def an(side: int) -> str:
    """A side of a die with its article.

    >>> an(1), an(8), an(12)
    ('a one', 'an eight', 'a 12')
    """
    return f"{'an' if side in (8, 11, 18) else 'a'} {count(side)}"


def side(face: int, number: int = 1) -> str:
    """A side of a die as a word, in the plural if there are several.

    >>> side(6), side(6, 2), side(12, 2)
    ('six', 'sixes', '12s')
    """
    word = count(face)
    return word if number == 1 else f"{word}{'es' if word.endswith('x') else 's'}"


def some(number: int, face: int) -> str:
    """So many dice that show this side.

    >>> some(2, 5), some(1, 3), some(1, 1), some(0, 6)
    ('two fives', 'one three', 'a single one', 'no sixes')
    """
    return SINGLE if number == face == 1 else f"{count(number)} {side(face, number)}"


def heard(words: str) -> str:
    """What people type, as it is said here.

    >>> heard("one one"), heard("two fives")
    ('a single one', 'two fives')
    """
    return SINGLE if words == "one one" else words


def hand(dice_shown: Sequence[int]) -> str:
    """Dice in words: `a three and two fives`.

    >>> hand((3, 5, 5)), hand((1, 2, 2, 6))
    ('a three and two fives', 'a one, two twos and a six')
    """
    parts = [
        an(face) if number == 1 else f"{count(number)} {side(face, number)}"
        for face, number in sorted(Counter(dice_shown).items())
    ]
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else "no dice"


def percent(chance: float) -> str:
    """A chance in whole percent; what is neither certain nor impossible is not said to be.

    >>> percent(0.214), percent(0.001), percent(0.9999), percent(1.0)
    ('21 %', 'under 1 %', 'over 99 %', '100 %')
    """
    if ROUNDING < chance < 0.005:
        return "under 1 %"
    return "over 99 %" if 0.995 <= chance < 1 - ROUNDING else f"{100 * chance:.0f} %"


def reads_less(one: float, two: float) -> bool:
    """Whether a chance is less than another, also as people read it.

    >>> reads_less(0.2, 0.3), reads_less(0.301, 0.302)
    (True, False)
    """
    return one < two and percent(one) != percent(two)


def in_round(why: str) -> str:
    """A reason told of a round that does not decide the game: its chances are those of the round.

    >>> in_round("They call it in 60 % of cases.")
    'In this round: they call it in 60 % of cases.'
    """
    return f"In this round: {why[0].lower()}{why[1:]}" if why else why
