"""Rules and choices in plain words, written from the rule data; the terminal and the page say the same.

>>> from dicewright.games.catalog import parse
>>> title(parse("pig")), title(parse("bluff:dice=2v2")), title(parse("mia"))
('Pig to 100', 'Bluff, two dice each', 'Mia')
>>> rules(parse("pig"))[1]
'A one loses the turn total and ends your turn.'
"""

from typing import Any

from ..core.game import Action, Outcome
from .bluff import Bid, Bluff
from .bluff_match import BluffMatch
from .calling import CallingGame
from .calling_keep import KEEP, KeepGame
from .race import RaceGame
from .spoken import hand, kind
from .words_bidding import bluff_rules, bluff_title, calling_rules, calling_title, match_rules, say_bid
from .words_race import certain_faces, race_faces, race_rules, race_say, race_title

CLASSICS = {
    "rock-paper-scissors": (
        "Both choose rock, paper or scissors at once.",
        "Paper beats rock, scissors beat paper, rock beats scissors; the same twice is a draw.",
    ),
    "kuhn-poker": (
        "There are three cards, J below Q below K; each player gets one and puts one coin in the pot.",
        "Check, or bet one more coin; a bet is answered by fold or call.",
        "Whoever folds loses one coin; else the higher card wins what the other put in.",
    ),
    "textbook-tree": (
        "Chance sends you left or right.",
        "On the left the first player stops (l) or goes on (r); then the second chooses p or q, and the first,"
        " not knowing it, L or R.",
        "On the right the second chooses s or t, and the first, not knowing it, c or d.",
        "A table says what the second player then pays the first.",
    ),
}


def title(game: Any) -> str:
    """The game as a heading."""
    match game:
        case RaceGame():
            return race_title(game)
        case Bluff() | BluffMatch():
            return bluff_title(game)
        case CallingGame() | KeepGame():
            return calling_title(game)
    return kind(game.name).replace("-", " ").capitalize()


def rules(game: Any) -> tuple[str, ...]:
    """The rules in a few short sentences, spoken to a player."""
    match game:
        case RaceGame():
            return race_rules(game)
        case Bluff():
            return bluff_rules(game)
        case BluffMatch():
            return match_rules(game)
        case CallingGame() | KeepGame():
            return calling_rules(game)
    return CLASSICS.get(kind(game.name), (f"This is {game.name}.",))


def say(game: Any, choice: Action | Outcome) -> str:
    """An action or an outcome in words.

    >>> from dicewright.games.catalog import parse
    >>> pig, bluff = parse("pig"), parse("bluff:dice=2v2")
    >>> [say(pig, pig.read_choice(word)) for word in ("roll", "+5", "bust")]
    ['roll', 'a five: +5', 'a one: the turn is lost']
    >>> [say(bluff, bluff.read_choice(word)) for word in ("2x5", "call", "3,5")]
    ['two fives', 'call', 'a three and a five']
    """
    match game:
        case RaceGame():
            return race_say(game, choice)
        case Bluff() | BluffMatch():
            if isinstance(choice, Bid):
                return say_bid(choice)
            return choice.replace("-", " ") if isinstance(choice, str) else hand(choice)
        case KeepGame() if isinstance(choice, str) and choice.startswith(KEEP):
            kept = choice.removeprefix(KEEP)
            return f"keep {' and '.join(kept)}" if kept else "keep nothing, roll both dice"
        case CallingGame() | KeepGame() if not isinstance(choice, str):
            return _pair(game).labels[choice]
    return str(game.show_choice(choice))


def faces(game: Any, choice: Action | Outcome) -> tuple[int, ...]:
    """The die faces that a choice shows or claims, where the rule data determine them; () otherwise.

    >>> from dicewright.games.catalog import parse
    >>> faces(parse("mia"), parse("mia").read_choice("63")), faces(parse("pig"), parse("pig").read_choice("bust"))
    ((6, 3), (1,))
    """
    match game:
        case RaceGame():
            return race_faces(game, choice)
        case Bluff() | BluffMatch():
            shown = isinstance(choice, tuple) and not isinstance(choice, Bid)
            return tuple(choice) if shown else ()
        case CallingGame() | KeepGame() if not isinstance(choice, str):
            return _rank_faces(_pair(game), choice)
        case _:
            return ()


def on_table(game: Any, choice: Action | Outcome) -> tuple[int, ...]:
    """The faces as far as they are certain: those of `faces`, or of two dice of which only the sum is noted.

    A 0 is a die of which nothing is known. Nothing is ever shown that may not have been rolled.
    """
    return certain_faces(game, choice) if isinstance(game, RaceGame) else faces(game, choice)


def _pair(game: CallingGame | KeepGame) -> CallingGame:
    return game.pair if isinstance(game, KeepGame) else game


def _rank_faces(game: CallingGame, rank: int) -> tuple[int, ...]:
    label = game.labels[rank]
    match kind(game.name):
        case "liars-die":
            return (int(label),)
        case "mia":
            return tuple(map(int, label.split("-") if "-" in label else label))
        case "liars-dice-poker":  # without kickers only the combination is known
            return tuple(map(int, label)) if len(label) == max(map(len, game.labels)) else ()
    return ()
