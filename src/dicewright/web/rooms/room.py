"""One game of the server: who sits there, what has been played, and how it is written down."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ...arena.dice import Dice, FairDice
from ...arena.table import Player, Table
from ...core.errors import StrategyError
from ...core.game import CHANCE, SEATS, Action, Outcome, State, View, sees
from ...core.lies import Lie, lies_of
from ...core.record import Ending, Record
from ...core.times import Times, Watch, with_times
from ...core.tokens import matches
from ...families import family
from ...families.hidden import all_eyes, possible, see
from ...families.minds import LEARNER
from ...storage.learned import Seats
from ...storage.shelf.saved_game import SavedGame
from ..rooms import views
from ..settings import MOST_PLIES, NO_GAME, NotNow, Settings, Unknown
from .views import Event, Speech, dumps, page_of, playable

if TYPE_CHECKING:
    from ..sockets import SocketGuest

KEPT_IDS = 16  # move ids that are remembered, the latest
BEGIN: Ending = "unfinished"
# what is kept of a game played here
PAGE = {"hints", "seed", "tokens", "invite", "seeds", "ids", "from", "prefix", "begun"}
OVER: Ending = "over"
COMPUTER = {"strategy": "computer", "called": "the computer"}  # what participants are told of any strategy
NULL, SEAT_TEXTS = "null", [dumps(seat) for seat in SEATS]


def absent(view: View) -> Any:
    """The strategy of a player who has not come yet; nobody asks it."""
    raise StrategyError("the opponent is not ready yet")


@dataclass(eq=False)
class Room:
    """A game under way or finished, as the server remembers it."""

    id: str
    speech: Speech
    names: list[str]
    strategies: tuple[str | None, str | None]
    hints: bool
    server_seed: str
    date: str
    tokens: list[str | None] = field(default_factory=lambda: [None, None])  # digests
    invite: str | None = None  # digest
    seeds: list[str | None] = field(default_factory=lambda: [None, None])
    ids: list[str] = field(default_factory=list)
    origin: str | None = None  # "ID@ply" of the game this one was forked from
    prefix: tuple[Action | Outcome, ...] = ()  # the choices taken over from there
    given: Record | None = None  # a finished game that was not played here
    undone: bool = False  # whether a decision was taken back
    learns: Seats = ()  # the person's games that an opponent learns from
    learned: Any = None  # what it has told of them, once it has come
    private: bool = False  # of a study: nobody watches, and nobody is told who the other is

    sitting: Table | None = None
    players: list[Player | None] = field(default_factory=lambda: [None, None])
    events: list[Event] = field(default_factory=list)
    eyes: list[int] = field(default_factory=list)
    text: str = ""  # the choices as they are written
    times: dict[int, Times] = field(default_factory=dict)  # of people's decisions, by ply
    watch: Watch | None = None  # of the decision that its player was shown last
    fresh: int = 0  # the first event that the latest change added or uncovered
    guests: set["SocketGuest"] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    used: float = field(default_factory=time.monotonic)
    progress: str | None = None  # of the opponent's preparation
    solution: Any = None  # what hints and chances are read from, once it is there
    solvable: bool = True  # where it is not there are no hints, even if they are allowed
    advised: bool = False  # whether hints are prepared, as far as there are any
    tasks: set[asyncio.Task[None]] = field(default_factory=set)  # what is under way for it
    hopeless: bool = False  # the opponent will never come; `progress` says why
    judged: bool = False  # whether the figures of its analysis are on the shelf
    stood: tuple[Any, ...] = ()  # what `slow` was made from
    slow: str = ""

    def __post_init__(self) -> None:
        self.game = self.speech.game
        self.hidden = family(self.game).covered  # whether later choices may uncover earlier ones
        given = self.given
        self.told = given is not None  # what is seen of dice is what the record says
        self.lies: dict[int, Lie] = lies_of(given.notes) if given else {}
        self.commitment = given.tag("Commitment") if given else FairDice(self.server_seed).commitment
        self.players = [absent if text else None for text in self.strategies]

    @property
    def ended(self) -> Ending:
        """How the game ended, or `unfinished`."""
        return self.sitting.ended if self.sitting else BEGIN

    @property
    def over(self) -> bool:
        """Whether the game has ended in any way."""
        return self.ended != BEGIN

    @cached_property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat in (0, 1) if self.strategies[seat] is None]

    @property
    def client_seed(self) -> str | None:
        """All people's seeds, once everybody has given one."""
        if self.given is not None:
            return self.given.tag("ClientSeed")
        seeds = [self.seeds[seat] for seat in self.people]
        return None if None in seeds else "/".join(seed or "" for seed in seeds)

    @property
    def takes_back(self) -> bool:
        """Whether decisions may be taken back: against a strategy, where nothing is studied."""
        return len(self.people) == 1 and not self.private

    @property
    def ready(self) -> bool:
        """Whether the opponent can be asked."""
        return absent not in self.players

    def beat(self) -> float | None:
        """When the beat begins on which an answer to what is asked now leaves; None where no computer hides dice."""
        return asyncio.get_running_loop().time() if self.hidden and self.strategies != (None, None) else None

    @property
    def at_table(self) -> tuple[Player | None, Player | None]:
        """Who is asked: like a person, an opponent that has not come yet is waited for."""
        first, second = (None if player is absent else player for player in self.players)
        return first, second

    def seat_of(self, token: str | None) -> int | None:
        """The seat that the token proves, or None."""
        found = [seat for seat in self.people if token is not None and matches(token, self.tokens[seat])]
        return found[-1] if found else None

    def take(self, sitting: Table) -> None:
        """The table after a step: events and eyes grow by what was chosen."""
        old = self.sitting
        if old is not None and sitting.choices[: len(old.choices)] == old.choices:
            known = len(old.choices)
        else:
            known = 0
            self.events, self.eyes, self.text = [], [], ""
        self.fresh = known
        self.lies = {ply: lie for ply, lie in self.lies.items() if ply < known or self.told}
        self.lies |= self._fallen(sitting, known)
        for state, choice, after in _steps(sitting, known):
            if see(self.game, self.eyes, state, choice):
                self.fresh = 0
            lie = self.lies.get(len(self.events), Lie())
            if self.told and lie and not family(self.game).may_lie(self.game, state, choice, lie):
                lie = Lie()  # a record may say anything
            self.events.append(self.speech.event(state, choice, after, lie))
        self.text = self._written(sitting.choices[known:])
        self.sitting = sitting
        if self.hidden and self.over:
            self.fresh = 0

    def _fallen(self, sitting: Table, known: int) -> dict[int, Lie]:
        """The dice as they lie after the choices that are known, where that is open; no others than were seen there
        where this game was taken up from another."""
        if self.told:
            return {}
        kin, begun = family(self.game), int((self.origin or "@0").partition("@")[2])
        rolls = [
            (ply, kin.lie(self.game, state, choice, partial(sitting.dice.pick, ply)))
            for ply, (state, choice, _) in enumerate(_steps(sitting, known), known)
            if ply >= begun and self.game.mover(state) == CHANCE
        ]
        return {ply: Lie(faces) for ply, faces in rolls if faces}

    def document(self, seat: int | None, since: int = 0, kind: str = "", whole: bool = True) -> str:
        """The view document of a seat (None: a spectator) as JSON text, with its events from `since` on.

        What never changes once there are events is left out unless the `whole` document is asked for.
        """
        table, over = self.sitting, self.over
        mover = table.waits_for if table else None
        asked = table is not None and seat is not None and seat == mover
        stands = (
            f'"ply":{len(table.choices) if table else 0},'
            f'"to_move":{NULL if mover is None else SEAT_TEXTS[mover]},'
            f'"position":{dumps(family(self.game).position(self.game, table.state, seat, over)) if table else NULL},'
            f'"chance":{dumps(self._chance())},"since":{since}'
        )
        events = views.events_text(self.events, self.eyes, seat, over, since)
        actions = self.speech.actions(table.actions) if table and asked else "[]"
        fixed = self._fixed(seat) if whole else ""
        return f'{{{kind}{fixed}{self._slow()},{stands},"actions":{actions},"events":{events}}}'

    def _slow(self) -> str:
        """What seldom changes: made when it does."""
        over = self.over
        stands = (*self.names, self._here(0), self._here(1), self.progress, over)
        if self.stood != stands:
            rest = {
                "players": [self._player(seat) for seat in (0, 1)],
                "progress": self.progress,
                "ended": self.ended if over else None,
                "payoff": self.payoff if over else None,
                "server_seed": self.server_seed or None if over else None,
            }
            self.stood, self.slow = stands, dumps(rest)[1:-1]
        return self.slow

    def _fixed(self, seat: int | None) -> str:
        rest = {
            "seat": None if seat is None else SEATS[seat],
            "hints": self.hints,
            "begun": self.sitting is not None,
            "commitment": self.commitment,
            "client_seed": self.client_seed,
            "from": self.origin,
            "takes_back": self.takes_back,
        }
        return f'"id":"{self.id}",{self.speech.head},{dumps(rest)[1:-1]},'

    def _player(self, seat: int) -> dict[str, Any]:
        text = self.strategies[seat]
        found = {"name": self.names[seat], "strategy": text, "here": self._here(seat)}
        if self.private and text is not None:
            return {**found, "name": "", **COMPUTER}
        if text is None:
            return found
        menu = family(self.game).menu
        found["called"] = menu.called(text)
        return {**found, "learns": menu.tells(text)} if text == LEARNER else found

    def _here(self, player: int) -> bool:
        return self.strategies[player] is not None or any(guest.seat == player for guest in self.guests)

    @property
    def payoff(self) -> float:
        """What SECOND pays FIRST, 0 before the end."""
        if self.given is not None:
            return self.given.payoff
        table = self.sitting
        return float(self.game.payoff(table.state)) if table and table.ended == OVER else 0.0

    def record(self) -> Record:
        """The game as it is taken home and analysed; NotNow before its end."""
        if self.sitting is None or not self.over:
            raise NotNow("the game goes on; its record and analysis come when it has ended")
        if self.given is not None:
            return self.given
        record = self.sitting.record(self.tags())
        return replace(record, notes=with_times(record.notes, {**self.times, **self.lies}))

    def _chance(self) -> dict[str, float] | None:
        """The winning chance of FIRST against perfect play, where nothing is hidden and the solution looks it up."""
        table, solution = self.sitting, self.solution if self.hints and not self.hidden else None
        if table is None or solution is None or family(self.game).points(self.game):
            return None
        if table.ended == OVER:
            return {"first": (1.0 + self.payoff) / 2.0}
        mover, worth = table.mover, getattr(solution.strategies[0], "best_worth", None)
        if mover not in (0, 1) or worth is None:
            return None
        best = worth(table.view(mover))
        return {"first": best if mover == 0 else 1.0 - best}

    def broadcast(self, mover: int | None = None, applied: str | None = None) -> None:
        """Tell everyone at the table; the mover's own sockets also which move was applied."""
        frames: dict[tuple[int | None, int, bool], str] = {}
        for guest in self.guests:
            since = 0 if guest.sent is None else min(guest.sent, self.fresh, len(self.events))
            mine = applied is not None and guest.seat == mover
            key = (guest.seat, since, mine)
            if key not in frames:
                frames[key] = self.state_frame(guest.seat, since, applied if mine else None, since == 0)
            self._send(guest, frames[key], applied if mine else None)

    def tell(self, guest: "SocketGuest", applied: str | None = None) -> None:
        """Tell one guest the present state: all of it where dice are uncovered later, else what it has not seen."""
        since = 0 if self.hidden else min(guest.sent or 0, len(self.events))
        self._send(guest, self.state_frame(guest.seat, since, applied), applied)

    def _send(self, guest: "SocketGuest", frame: str, applied: str | None) -> None:
        """Send the state; of a decision that its player is shown for the first time, the time runs from now on."""
        table = self.sitting
        if table is not None and guest.seat is not None and table.waits_for == guest.seat:
            ply = len(table.choices)
            if self.watch is None or self.watch.ply != ply:
                self.watch = Watch.start(ply)
        if guest.sent is not None:
            guest.sent = len(self.events)
        guest.send(frame, applied)

    def state_frame(self, seat: int | None, since: int, applied: str | None, whole: bool = True) -> str:
        """A `state` frame."""
        return self.document(seat, since, f'"type":"state","applied":{dumps(applied)},', whole)

    def tags(self) -> dict[str, str]:
        """What the record says beside the choices; the server's seed only once the game has ended."""
        found = {"First": self.names[0], "Second": self.names[1]}
        named = zip(("FirstStrategy", "SecondStrategy"), self.strategies, strict=True)
        found |= {name: text for name, text in named if text}
        found |= {"Date": self.date, "Commitment": self.commitment or ""}
        if self.client_seed is not None:
            found["ClientSeed"] = self.client_seed
        if self.over:
            found["ServerSeed"] = self.server_seed
        if self.origin:
            found["From"] = self.origin
        if self.undone:
            found["Undo"] = "yes"
        return found

    @cached_property
    def _settled(self) -> dict[str, str]:
        """The tags between the first choice and the last: names and seeds are there and stay."""
        return self.tags()

    def timed(self, ply: int) -> dict[int, Times]:
        """The times of the decision at this ply, which is made now; none if its player was not shown it."""
        return {ply: self.watch.stop()} if self.watch and self.watch.ply == ply else {}

    def saved(
        self, sitting: Table | None, ids: list[str], times: Mapping[int, Times] | None = None
    ) -> SavedGame:
        """The game with this sitting as it is written down, before it counts; with the times of new decisions."""
        show = self.game.show_choice
        ended: Ending = sitting.ended if sitting else BEGIN
        secret: dict[str, Any] = {
            "seed": self.server_seed,
            "tokens": self.tokens,
            "invite": self.invite,
            "seeds": self.seeds,
            "hints": self.hints,
            "ids": ids,
            "begun": sitting is not None,
            "from": self.origin,
            "prefix": [] if sitting else [show(choice) for choice in self.prefix],
        }
        if self.private:
            secret["private"] = True
        if self.learns:
            secret["learns"] = [list(each) for each in self.learns]
        tags = self.tags() if self.sitting is None or ended != BEGIN or self.undone else self._settled
        if ended != BEGIN:
            tags["ServerSeed"] = self.server_seed
        payoff = float(self.game.payoff(sitting.state)) if sitting and ended == OVER else 0.0
        text = self._written(sitting.choices[len(self.events) :] if sitting else ())
        if sitting is not None and len(sitting.choices) < len(self.events):  # a decision was taken back
            text = " ".join(map(show, sitting.choices))
        head = (self.id, self.game.name, tuple(tags.items()), text, ended, payoff, self.date, secret)
        lies = {**self.lies, **self._fallen(sitting, len(self.events))} if sitting and ended != BEGIN else {}
        return SavedGame(*head, times=times or {}, notes=with_times((), lies))

    def _written(self, new: Iterable[Action | Outcome]) -> str:
        """The choices with new ones after them."""
        return " ".join(filter(None, (self.text, *map(self.game.show_choice, new))))

    def deal(self, dice: Dice) -> Table:
        """The table at its first decision of a person, or of an opponent that has not come yet.

        Of the choices taken over from another game, dice that the person could not see there are rolled anew.
        """
        choices, (person, *_) = list(self.prefix), self.people
        eyes = all_eyes(self.game, choices)
        for ply in range(len(choices)):
            if not sees(eyes[ply], person):
                choices[ply] = dice.roll(ply, possible(self.game, choices, ply))
        return Table.begin(self.game, self.at_table, dice, choices, MOST_PLIES)


def _steps(sitting: Table, known: int) -> Iterator[tuple[State, Action | Outcome, State]]:
    """The choices after those that are known, with the states before and after them."""
    new = sitting.choices[known:]
    way = (*sitting.way[len(sitting.way) - len(new) :], sitting.state)
    return zip(way, new, way[1:], strict=False)


def restored(saved: SavedGame, speech: Callable[[Any], Speech], settings: Settings) -> Room:
    """The room of a saved game; Unknown if it goes on elsewhere: its dice and its seed are nobody's here."""
    if bool(saved.secret.get("private")) != (settings.study is not None):
        raise Unknown(
            NO_GAME
        )  # games of a study are shown to its participants alone, and nothing else is there
    if not saved.secret.keys() >= PAGE:
        if saved.ended == BEGIN:
            raise Unknown(NO_GAME)
        return _visited(saved, speech, settings)
    game, tags, secret = playable(saved.game), dict(saved.tags), saved.secret
    names, players = [tags.get("First", ""), tags.get("Second", "")], ("FirstStrategy", "SecondStrategy")
    strategies = (tags.get(players[0]), tags.get(players[1]))
    room = Room(saved.id, speech(game), names, strategies, secret["hints"], secret["seed"], saved.date)
    for name in ("tokens", "invite", "seeds", "ids"):
        setattr(room, name, secret[name])
    room.private, room.undone = settings.study is not None, tags.get("Undo") == "yes"
    room.origin, room.prefix = secret["from"], tuple(map(game.read_choice, secret["prefix"]))
    room.judged, room.times = bool(saved.figures), dict(saved.times)
    room.learns = [(str(id), int(seat)) for id, seat in secret.get("learns", ())]
    if secret["begun"]:
        choices = tuple(map(game.read_choice, saved.choices.split()))
        # the opponent comes later, and is not asked again
        table = replayed(room, settings, [None, None], choices)
        if saved.ended != BEGIN:
            room.told, room.lies = True, lies_of(saved.notes)
        room.take(replace(table, ended=saved.ended))
    return room


def replayed(room: Room, settings: Settings, players: list[Any], choices: tuple[Any, ...]) -> Table:
    """The table after these choices, with these players at it."""
    dice = settings.dice(room.server_seed, room.client_seed or "")
    return Table.begin(room.game, (players[0], players[1]), dice, choices, MOST_PLIES)


def _visited(saved: SavedGame, speech: Callable[[Any], Speech], settings: Settings) -> Room:
    """A finished game of the terminal or of a file: nobody sits there, everybody may look.

    However it ended, it stands where its choices led; no dice fall and nobody is asked.
    """
    record = saved.record()
    game = record.game
    page_of(game)
    *way, state = record.states()
    seed, names = record.tag("ServerSeed") or "", list(record.players)
    room = Room(saved.id, speech(game), names, record.strategies, False, seed, saved.date, given=record)
    room.judged = bool(saved.figures)
    dice = settings.dice("", "")
    room.take(Table(game, (None, None), dice, state, record.choices, ended=record.ended, way=tuple(way)))
    return room
