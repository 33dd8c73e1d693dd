"""Which games and opponents strangers may ask for: only those of the catalogs, and of bounded size."""

from typing import Any

from ..core.errors import DicewrightError, NotationError, TooLarge
from ..core.notation import fields
from ..games import catalog
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.calling_keep import KeepGame
from ..games.race import RaceGame
from ..solvers.match import standings
from ..storage.store import is_kept
from ..strategies.catalog import known
from ..strategies.catalog import parse as parse_strategy
from ..strategies.read_off import read_off
from .settings import GAME_LETTERS

MOST_GOAL = 500
MOST_RANKS = 300
MOST_SEQUENCES = 120_000  # of a round that is solved while people wait
MOST_MATCH_DICE = 4
FEW_RANKS = 30  # of a calling game that is solved in a moment
PERSON, OPTIMAL = "person", "optimal"
EXAMPLES = {"hold": "hold:20", "call-below": "call-below:0.3"}  # where a field has no default
SOLVED = ("optimal", "fewest-turns", "max-difference")  # making these takes solving


def family(game: Any) -> str:
    """`race`, `bluff` or `calling`."""
    match game:
        case RaceGame():
            return "race"
        case Bluff() | BluffMatch():
            return "bluff"
        case CallingGame() | KeepGame():
            return "calling"
    raise NotationError(f"{game.name} is not played here; race games, bluff and calling games are")


def playable(text: str) -> Any:
    """The game that a stranger's text names; NotationError, RulesError or TooLarge says what is wrong."""
    if len(text) > GAME_LETTERS or not text.isprintable():
        raise NotationError(f"a game is written in up to {GAME_LETTERS} letters, such as pig:goal=50")
    game = catalog.parse(text)
    family(game)
    if isinstance(game, RaceGame) and game.goal > MOST_GOAL:
        raise TooLarge(f"goal is {game.goal} in {game.name}; up to {MOST_GOAL} is allowed here")
    if isinstance(game, CallingGame) and len(game.labels) > MOST_RANKS:
        raise TooLarge(f"{game.name} has {len(game.labels)} ranks; up to {MOST_RANKS} is allowed here")
    return game


def solvable(game: Any) -> bool:
    """Whether the solved strategy may be asked for here: it is kept, or found in reasonable time."""
    match game:
        case Bluff():
            return is_kept(game) or _is_small(game)
        case BluffMatch():
            return all(map(solvable, _rounds(game)))
    return True


def at_hand(game: Any) -> bool:
    """Whether the solution is there without solving anything."""
    if isinstance(game, BluffMatch):
        return game.palifico is False and game.loss == "one" and all(map(is_kept, _rounds(game)))
    return is_kept(game) or (isinstance(game, CallingGame) and len(game.labels) <= FEW_RANKS)


def _rounds(game: BluffMatch) -> list[Bluff]:
    """The different rounds a match may come to; those with the most dice come first."""
    if sum(game.dice) > MOST_MATCH_DICE:
        return [Bluff((5, 5))]
    return sorted(
        {game.round_of(standing) for standing in standings(game)}, key=lambda rules: -sum(rules.dice)
    )


def _is_small(game: Bluff) -> bool:
    if game.order == "fixed":
        return sum(game.dice) <= 4
    hands = len(game.hands(0)) + len(game.hands(1))
    return hands << len(game.bids) <= MOST_SEQUENCES


def check_opponent(game: Any, text: str) -> str:
    """The opponent as it is written; NotationError or TooLarge if it is none of the catalog."""
    if text == PERSON:
        return text
    if text == OPTIMAL:
        if not solvable(game):
            raise TooLarge(
                f"{game.name} is too large to be solved here; choose another opponent or smaller rules"
            )
        return text
    if len(text) > GAME_LETTERS or not text.isprintable():
        raise NotationError(f"an opponent is written in up to {GAME_LETTERS} letters, such as hold:20")
    return str(make(game, text)) if text.partition(":")[0] not in SOLVED else _known(game, text)


def _known(game: Any, text: str) -> str:
    if text.partition(":")[0] not in known(game):
        raise NotationError(
            f"unknown strategy {text!r} for {game.name}; allowed are {', '.join(known(game))}"
        )
    return text


def make(game: Any, text: str) -> Any:
    """The strategy of the catalog, never one of a file; asked once, so that it fails now or never."""
    strategy = parse_strategy(text, game)
    return read_off(game, strategy) if isinstance(game, RaceGame) else strategy


def opponents(game: Any) -> list[dict[str, str]]:
    """Every opponent the catalog offers for this game, with a sentence about it."""
    found = []
    try:
        names: Any = known(game)
    except DicewrightError:
        names = {OPTIMAL: None}
    for name, builder in names.items():
        text = EXAMPLES.get(name, name)
        if name not in EXAMPLES and builder is not None and any(field.required for field in fields(builder)):
            continue
        try:
            check_opponent(game, text)
        except DicewrightError:
            continue
        about = (builder.__doc__ if builder is not None else None) or "The solution of the game itself."
        found.append({"strategy": text, "about": " ".join(about.strip().split("\n\n")[0].split())})
    return found
