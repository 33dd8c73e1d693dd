"""Rules and choices in plain words, written from the rule data; the terminal and the page say the same.

>>> from dicewright.families.catalog import parse
>>> title(parse("pig")), title(parse("bluff:dice=2v2")), title(parse("mia"))
('Pig to 100', 'Bluff, two dice each', 'Mia')
>>> rules(parse("pig"))[1]
'A one loses the turn total and ends your turn.'
"""

from typing import Any

from ..core.game import Action, Outcome, View
from . import family


def title(game: Any) -> str:
    """The game as a heading."""
    return family(game).title(game)


def rules(game: Any) -> tuple[str, ...]:
    """The rules in a few short sentences, spoken to a player."""
    return family(game).rules(game)


def say(game: Any, choice: Action | Outcome) -> str:
    """An action or an outcome in words.

    >>> from dicewright.families.catalog import parse
    >>> pig, bluff = parse("pig"), parse("bluff:dice=2v2")
    >>> [say(pig, pig.read_choice(word)) for word in ("roll", "+5", "bust")]
    ['roll', 'a five: +5', 'a one: the turn is lost']
    >>> [say(bluff, bluff.read_choice(word)) for word in ("2x5", "call", "3,5")]
    ['two fives', 'call', 'a three and a five']
    """
    return family(game).say(game, choice)


def faces(game: Any, choice: Action | Outcome) -> tuple[int, ...]:
    """The die faces that a choice shows or claims, where the rule data determine them; () otherwise.

    >>> from dicewright.families.catalog import parse
    >>> faces(parse("mia"), parse("mia").read_choice("63")), faces(parse("pig"), parse("pig").read_choice("bust"))
    ((6, 3), (1,))
    """
    return family(game).faces(game, choice)


def on_table(game: Any, choice: Action | Outcome) -> tuple[int, ...]:
    """The faces as far as they are certain, 0 for a die of which nothing is known."""
    return family(game).on_table(game, choice)


def doing(game: Any, action: Action) -> str:
    """An action as a verb: `holding`, `rolling`, `bidding 2x5`, `accepting`, `calling 51`.

    >>> from dicewright.families.catalog import parse
    >>> doing(parse("bluff"), parse("bluff").read_choice("2x5"))
    'bidding 2x5'
    """
    return family(game).doing(game, action)


def place(game: Any, view: View) -> str:
    """What a player saw, as people read it: of a match the present round in words, else as `show_view` writes it.

    >>> from dicewright.families.catalog import parse
    >>> match = parse("bluff-match:dice=2v1")
    >>> place(match, match.read_view("5,5 | 1x3 2x5"))
    'two fives after one three, two fives; two dice against one'
    """
    return family(game).place(game, view)


def meaning(game: Any, view: View) -> str:
    """What the short form of a view means, in brackets; nothing where it is in words already.

    >>> from dicewright.families.catalog import parse
    >>> pig = parse("pig")
    >>> meaning(pig, pig.read_view("24-69+7"))
    ' (your score 24, theirs 69, turn total 7)'
    """
    return family(game).meaning(game, view)
