"""Numbers and dice as people say them."""

from collections import Counter
from collections.abc import Sequence

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
