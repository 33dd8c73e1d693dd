"""The table a person sits at in the terminal: the game under way, its opponent, and the copy on the shelf.

Every own decision is saved with all that follows it before it is shown, so leaving at any moment loses nothing.
"""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Any

from ...arena.dice import FairDice
from ...arena.table import Table
from ...core.errors import IllegalAction, NotationError, StorageError, StrategyError
from ...core.game import CHANCE, Action, Outcome, State, WrittenGame, other, sees
from ...core.lies import Lie
from ...core.record import TAGS, Record
from ...core.strategy import only_plays
from ...core.times import Times, Watch, with_times
from ...families import catalog, family
from ...families.hidden import all_eyes, taken_back
from ...storage.games import parse_game
from ...storage.learned import played, seats_here
from ...storage.shelf.mine import known_code, player_here
from ...storage.shelf.players import Players
from ...storage.shelf.saved_game import SavedGame, new_id, now
from ...storage.shelf.shelf import Shelf
from .told import Scene, Teller

HERE = "terminal"  # games of the page stand on the same shelf
AGREED = ("seat", "opponent", "name", "rated", "undone")


def seed_of(number: int | None) -> str:
    """A fresh server seed, or the one that a number stands for."""
    known = sha256(f"dicewright play {number}".encode()).hexdigest()
    return secrets.token_hex(32) if number is None else known


def drawn_seat(server_seed: str) -> int:
    """The seat of a person who left it to chance."""
    return sha256(f"seat {server_seed}".encode()).digest()[0] & 1


@dataclass(frozen=True)
class Setup:
    """What is agreed before a game; with the choices made it is all that resuming needs."""

    game: WrittenGame
    opponent: str
    seat: int
    server_seed: str = field(repr=False)
    name: str = "you"
    rated: bool = False
    undone: bool = False
    id: str = field(default_factory=new_id)
    date: str = field(default_factory=now)

    @property
    def dice(self) -> FairDice:
        """The dice, fixed by the seed."""
        return FairDice(self.server_seed)

    @property
    def draws(self) -> int:
        """Where what a program may draw starts; nothing of the dice can be told from it."""
        return int.from_bytes(sha256(f"program {self.server_seed}".encode()).digest()[:4], "big")

    def tags(self, over: bool) -> dict[str, str]:
        """What the record says beside the choices; the seed only once the game has ended."""
        tags = {TAGS[self.seat]: self.name, TAGS[1 - self.seat]: self.opponent}
        tags[f"{TAGS[1 - self.seat]}Strategy"] = self.opponent
        tags |= {"Date": self.date, "Rated": "yes" if self.rated else "no"}
        tags |= {"Commitment": self.dice.commitment, "ClientSeed": self.dice.client_seed}
        return {**tags, "ServerSeed": self.server_seed} if over else tags

    def secret(self) -> dict[str, Any]:
        """What resuming needs and nobody else may see."""
        return {"where": HERE, "seed": self.server_seed, **{key: getattr(self, key) for key in AGREED}}

    @classmethod
    def of(cls, saved: SavedGame) -> "Setup":
        """What was agreed for a saved game."""
        secret: Mapping[str, Any] = saved.secret
        try:
            if secret.get("where") != HERE:
                raise KeyError("where")
            fields = {key: secret[key] for key in AGREED}
            seed = bytes.fromhex(secret["seed"]).hex()
        except (KeyError, TypeError, ValueError):
            why = f"game {saved.id} was not played in the terminal; it cannot go on here"
            raise StorageError(why) from None
        return cls(catalog.parse(saved.game), server_seed=seed, id=saved.id, date=saved.date, **fields)


class Saver:
    """Saves a game after every decision, and says once if that fails."""

    def __init__(self, url: str | None = None, save: bool = True) -> None:
        self.url, self.wanted = url, save
        self.shelf: Shelf | None = None
        self.failed = False  # whether the newest state of the game is not on the shelf
        self.complaint: str | None = None  # said once, then None again
        self._complained = False
        self.saved: SavedGame | None = None  # the game as it stands on the shelf

    def player(self) -> str | None:
        """The name of whoever plays in this terminal, as the shelf knows them."""
        if not self.wanted or known_code() is None:
            return None
        try:
            self.shelf = self.shelf or Shelf.open(self.url)
            found = player_here(self.shelf)
        except (StorageError, OSError):  # told when the game is to be saved
            return None
        return found.name if found else None

    def save(self, record: Record, setup: Setup, times: Mapping[int, Times]) -> None:
        """Put the game as it stands on the shelf, with its times, unless it has gone on there from another terminal."""
        if not self.wanted:
            return
        try:
            self.shelf = self.shelf or Shelf.open(self.url)
            game = replace(SavedGame.of(record, setup.id, setup.secret()), times=dict(times))
            self.shelf.go_on(game, self.saved)
            if self.saved is None and (player := player_here(self.shelf)):
                Players(self.shelf).sit(player, [(game.id, setup.seat)])
            self.saved, self.failed = game, False
        except (StorageError, OSError) as error:
            self.failed = True
            if not self._complained:
                self._complained = True
                self.complaint = f"The game is not saved: {error}. You can play on."

    def games(self, game: WrittenGame, before: str) -> list[tuple[Record, int]]:
        """The finished games by these rules of whoever plays here, begun before then, with their seats."""
        if not self.wanted:
            return []
        try:
            self.shelf = self.shelf or Shelf.open(self.url)
            found = played(self.shelf, seats_here(self.shelf, game.name, HERE))
        except (StorageError, OSError):  # told when the game is to be saved
            return []
        return [(record, seat) for record, seat in found if (record.tag("Date") or "") < before]

    def take_complaint(self) -> str | None:
        """What has to be said now, if anything."""
        said, self.complaint = self.complaint, None
        return said

    def close(self) -> None:
        """Give back the database."""
        if self.shelf is not None:
            self.shelf.close()


def unfinished(shelf: Shelf, which: str | None) -> SavedGame:
    """The newest unfinished game of the terminal, the newest of a game, or the one whose id begins so."""
    open_games = shelf.all(ended="unfinished", timed=True)
    mine = (saved for saved in open_games if saved.secret.get("where") == HERE)
    wanted, name = "unfinished game", "pig"
    if which is not None:
        try:
            name = parse_game(which).name
        except NotationError:
            saved = shelf.match(which)
            if saved.ended != "unfinished":
                raise StorageError(f"game {saved.id} has ended; analyse it, or play a new one") from None
            return saved
        wanted = f"unfinished game of {name}"
    found = next((saved for saved in mine if which is None or saved.game == name), None)
    if found is None:
        there = f"there is no {wanted} on the shelf {shelf.database.place}"
        raise StorageError(f"{there}; begin one with: dicewright play {name}")
    return found


class Sitting:
    """One game between a person and a strategy, told scene by scene."""

    def __init__(self, setup: Setup, opponent: Any, keeper: Saver, choices: tuple[Any, ...] = ()) -> None:
        self.setup, self.keeper = setup, keeper
        self.game, self.me = setup.game, setup.seat
        self.teller = Teller(self.me, setup.opponent, self.game)
        if only_plays(opponent):
            opponent = opponent.begin(other(self.me), setup.draws)
        self.players = (None, opponent) if self.me == 0 else (opponent, None)
        with self._discreet():
            self.sitting = Table.begin(self.game, self.players, setup.dice, choices)
        self.times = dict(keeper.saved.times) if keeper.saved else {}
        self.watch: Watch | None = None  # of the decision that the person was asked last
        self._save()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.sitting.ended != "unfinished"

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the person may do now; empty at the end."""
        return () if self.over else self.sitting.actions

    @property
    def view(self) -> Any:
        """What the person knows."""
        return self.sitting.view(self.me)

    def asked(self) -> None:
        """The person is shown the decision: the first time it is, the time runs from now on."""
        ply = len(self.sitting.choices)
        if self.watch is None or self.watch.ply != ply:
            self.watch = Watch.start(ply)

    def choose(self, action: Action) -> list[Scene]:
        """The person does this; everything up to their next decision is saved, with its time, then told."""
        ply = len(self.sitting.choices)
        times = self.watch.stop() if self.watch and self.watch.ply == ply else None
        with self._discreet():
            self.sitting = self.sitting.choose(action)
        if times is not None:
            self.times[ply] = times
        self.watch = None
        self._save()
        return self.scenes(ply)

    def undo(self) -> None:
        """Take back the person's last decision; the dice stay what they are."""
        ply = self._last_decision()
        self.setup = replace(self.setup, undone=True)
        with self._discreet():
            self.sitting = Table.begin(self.game, self.players, self.setup.dice, self.sitting.choices[:ply])
        self.times, self.watch = {then: self.times[then] for then in self.times if then < ply}, None
        self._save()

    @property
    def may_undo(self) -> bool:
        """Whether there is something that may be taken back."""
        try:
            return self._last_decision() >= 0
        except IllegalAction:
            return False

    def _last_decision(self) -> int:
        """The ply of the decision that may be taken back; none if dice were shown since that it hid."""
        if self.setup.rated:
            raise IllegalAction("a rated game has no undo")
        if self.over:
            raise IllegalAction("there is no decision of yours to take back")
        return taken_back(self.game, self.sitting.choices, self.me)

    def scenes(self, since: int = 0) -> list[Scene]:
        """What happened after so many choices."""
        steps = enumerate(self._steps())
        return [self.teller.scene(*step, self._lie(ply, *step[:2])) for ply, step in steps if ply >= since]

    def _steps(self) -> list[tuple[State, Action | Outcome, State]]:
        states = list(self._bare().states())
        return list(zip(states, self.sitting.choices, states[1:], strict=False))

    def _lie(self, ply: int, before: State, choice: Action | Outcome) -> Lie:
        """The dice as they lie, if their outcome leaves that open."""
        if self.game.mover(before) != CHANCE:
            return Lie()
        return Lie(family(self.game).lie(self.game, before, choice, partial(self.setup.dice.pick, ply)))

    def record(self) -> Record:
        """The game so far, with the times of the person's decisions."""
        record = self._with_lies(self._bare())
        return replace(record, notes=with_times(record.notes, self.times))

    def _with_lies(self, record: Record) -> Record:
        found = {ply: self._lie(ply, *step[:2]) for ply, step in enumerate(self._steps())}
        lies = {ply: lie for ply, lie in found.items() if lie}
        return replace(record, notes=with_times(record.notes, lies))

    def _bare(self) -> Record:
        tags = self.setup.tags(self.over)
        return self.sitting.record({**tags, "Undo": "yes"} if self.setup.undone else tags)

    def seen(self) -> list[str]:
        """The choices that the person may see, for one who cannot have the record yet."""
        eyes = all_eyes(self.game, self.sitting.choices)
        shown = zip(self.sitting.choices, eyes, strict=True)
        return [self.game.show_choice(choice) if sees(eye, self.me) else "hidden" for choice, eye in shown]

    def result(self) -> str:
        """How it ended, in a sentence."""
        record = self.record()
        if record.forfeit is not None:
            return f"You win, for your opponent forfeits: {record.forfeit.why}."
        return self.teller.end(record.ended, record.payoff)

    @contextmanager
    def _discreet(self) -> Iterator[None]:
        """A fault of the opponent is told without its place, which would show its dice."""
        try:
            yield
        except StrategyError:
            if not family(self.game).covered:
                raise
            told = f"{self.setup.opponent} cannot answer what it sees; where that is would show its dice"
            raise StrategyError(told) from None

    def _save(self) -> None:
        self.keeper.save(self._with_lies(self._bare()) if self.over else self._bare(), self.setup, self.times)
