"""The games from which an opponent learns a person: finished, by the same rules, theirs by code or by token alone."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from ..core.errors import DicewrightError
from ..core.game import SEATS
from ..core.record import Record
from ..people.learner import MOST_GAMES
from .shelf.mine import player_here
from .shelf.players import Player, Players
from .shelf.saved_game import SavedGame
from .shelf.shelf import Shelf

Seats = Sequence[tuple[str, int]]  # games by their ids, with the person's seat; the oldest first


def seats_of(players: Players, player: Player, game: str) -> Seats:
    """The newest games of a player by these rules."""
    mine = players.shelf.all(ended="finished", player=player.number, game=game)
    ids = [saved.id for saved in islice((saved for saved in mine if _counts(saved, game)), MOST_GAMES)]
    held = players.seats_in(player, ids)
    return [(id, SEATS.index(held[id])) for id in reversed(ids)]


def seats_proved(players: Players, tokens: Mapping[str, str], game: str) -> Seats:
    """Those of the games whose tokens somebody holds."""
    held = sorted(players.proved(tokens), key=lambda each: each[0].date)
    return [(saved.id, seat) for saved, seat in held if _counts(saved, game)][-MOST_GAMES:]


def seats_here(shelf: Shelf, game: str, where: str) -> Seats:
    """Those of whoever plays on this machine: of their name, else all that were played `where` they play now."""
    if (player := player_here(shelf)) is not None:
        return seats_of(Players(shelf), player, game)
    there = (saved for saved in shelf.all(ended="finished", game=game) if saved.secret.get("where") == where)
    mine = list(islice((saved for saved in there if _counts(saved, game)), MOST_GAMES))
    return [(saved.id, int(saved.secret["seat"])) for saved in reversed(mine)]


def _counts(saved: SavedGame, game: str) -> bool:
    return saved.game == game and saved.ended != "unfinished" and not saved.secret.get("private")


def played(shelf: Shelf, seats: Iterable[tuple[str, int]]) -> list[tuple[Record, int]]:
    """The records of these games that are still there, with the person's seat."""
    found = []
    for id, seat in seats:
        try:
            found.append((shelf.get(id).record(), seat))
        except DicewrightError:  # deleted since, or of other rules than today's
            continue
    return found
