"""The study that a server holds: where each participant is, and who plays whom.

Everything is written down before it counts, and a participant's place follows from what is written: a reload, a second
tab and a new server find it again. Whoever asks for a game waits as long as they keep asking; the one who has met them
least often, and has waited longest, is their opponent.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any

from ...core.game import SEATS, WrittenGame
from ...core.tokens import digest
from ...study.plan import WITHDRAWN
from ...study.roster import STOPPED, Chair, Participant, Roster
from ..settings import NotNow, NotYours, Unknown
from .rooms import Rooms

WAITS = 6.0  # seconds after the last question: then somebody who waited is taken to have gone


class Hall:
    """The participants of a study, in memory as in the database."""

    def __init__(self, roster: Roster, rooms: Rooms, luck: Random) -> None:
        self.roster, self.rooms, self.luck, self.plan = roster, rooms, luck, roster.plan
        self.people = roster.people()
        self.by_key = {digest(roster.key(name)): person for name, person in self.people.items()}
        self.waiting: dict[str, float] = {}
        self.pairing = asyncio.Lock()
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.game: WrittenGame | None = None

    def who(self, key: str | None) -> Participant:
        """The participant whose link this is."""
        person = self.by_key.get(digest(key or ""))
        if person is None:
            raise NotYours("this link is not of this study; open the link that you were given")
        return person

    async def document(self, person: Participant, waiting: bool = False) -> dict[str, Any]:
        """What the page shows this participant, and nothing of anybody else."""
        plan, now = self.plan, await self._current(person)
        stage = person.stage(plan)
        found: dict[str, Any] = {
            "title": plan.title, "stage": stage, "played": person.played, "games": plan.games,
        }  # fmt: skip
        if stage in ("not begun", "on paper"):
            found["consent"] = plan.consent
        elif stage == "questions":
            found["questions"] = [question.document() for question in plan.questions]
        elif stage == "playing":
            found |= {"waiting": waiting, "game": now and self._seat(now)}
        elif stage in ("done", STOPPED):
            found["thanks"] = plan.thanks
        return found

    def _seat(self, sitting: Chair) -> dict[str, Any]:
        token = self.roster.token(sitting.game, sitting.seat)
        return {"id": sitting.game, "seat": SEATS[sitting.seat], "token": token}

    async def consent(self, person: Participant) -> None:
        """They agree to take part."""
        async with self.locks[person.name]:
            self._still_here(person)
            if person.consented is None:
                person.consented = await self._write(partial(self.roster.consent, person.name))

    async def answer(self, person: Participant, given: Mapping[str, Any]) -> None:
        """Their answers, all at once; said again they stay as they were."""
        async with self.locks[person.name]:
            self._still_here(person)
            if person.consented is None:
                raise NotNow("the questions come after the consent")
            unknown = given.keys() - {question.name for question in self.plan.questions}
            if unknown:
                raise NotNow(f"nobody asked {sorted(unknown)[0][:40]!r}")
            if person.stage(self.plan) == "questions":
                read = {each.name: each.read(given.get(each.name)) for each in self.plan.questions}
                await self._write(partial(self.roster.answer, person.name, read))
                person.answers = read

    async def next(self, person: Participant) -> bool:
        """Seat them at their next game; True if they wait for another participant."""
        async with self.pairing:
            self._still_here(person)
            if person.stage(self.plan) != "playing" or await self._current(person):
                return False
            if not self.plan.paired:
                await self._begin({self._chair(person): person})
                return False
            self.waiting[person.name] = time.monotonic()
            other = self._other(person)
            if other is None:
                return True
            pair = [person, other]
            self.luck.shuffle(pair)
            if self.plan.seats == "alternate":
                pair.sort(key=lambda one: sum(1 - 2 * sitting.seat for sitting in one.sittings))
            await self._begin({0: pair[0], 1: pair[1]})
            for one in pair:
                self.waiting.pop(one.name, None)
            return False

    async def stop(self, person: Participant) -> None:
        """They play no more; what they did is kept."""
        async with self.locks[person.name]:
            if person.ended is None and person.stage(self.plan) != "done":
                await self._write(partial(self.roster.end, person.name))
                person.ended = STOPPED
                self.waiting.pop(person.name, None)

    async def withdraw(self, person: Participant) -> None:
        """Delete what is kept of them; whoever plays with them gets another game."""
        async with self.locks[person.name], self.pairing:
            if person.ended == WITHDRAWN:
                return
            self.waiting.pop(person.name, None)
            for sitting in person.sittings:
                await self._unseat(sitting)
            gone: list[str] = await self._write(partial(self.roster.withdraw, person.name))
            for id in gone:
                self.rooms.forget(id)
            person.consented, person.ended, person.answers, person.sittings = None, WITHDRAWN, {}, []

    async def _unseat(self, sitting: Chair) -> None:
        try:
            await self.rooms.unseat(await self.rooms.find(sitting.game), sitting.seat)
        except Unknown:  # it is not there, so nobody sits at it
            return

    def _still_here(self, person: Participant) -> None:
        if person.ended == WITHDRAWN:
            raise NotNow("you have withdrawn, and what was kept of you is deleted")

    async def _current(self, person: Participant) -> Chair | None:
        """The game that they sit at, unless it is over or the other has left for good."""
        last = person.sittings[-1] if person.sittings else None
        if last is None or last.over:
            return None
        try:
            room = await self.rooms.find(last.game)
        except Unknown:
            return None
        last.over = room.over
        return None if last.over or self._left(last) else last

    def _left(self, mine: Chair) -> bool:
        """Whether the other participant of this game has stopped or withdrawn."""
        if not self.plan.paired:
            return False
        others = (each for each in self.people.values() for one in each.sittings[-1:] if _across(one, mine))
        return all(other.ended is not None for other in others)

    def _chair(self, person: Participant) -> int:
        if self.plan.seats == "random":
            return self.luck.randrange(2)
        return len(person.sittings) % 2 if self.plan.seats == "alternate" else SEATS.index(self.plan.seats)

    def _other(self, person: Participant) -> Participant | None:
        recent = time.monotonic() - WAITS
        met = [sitting.game for sitting in person.sittings]
        there = [
            (sum(sitting.game in met for sitting in self.people[name].sittings), place, name)
            for place, (name, asked) in enumerate(self.waiting.items())
            if name != person.name and asked >= recent
        ]
        return self.people[min(there)[2]] if there else None

    async def _begin(self, seated: Mapping[int, Participant]) -> None:
        """A new game is written down, then who sits there: a kill between leaves a game that is nobody's."""
        prepared = self.rooms.prepared
        self.game = self.game or await prepared.game(self.plan.game)
        strategies = [None if seat in seated else self.plan.opponent for seat in (0, 1)]
        room = await self.rooms.arrange(self.game, (strategies[0], strategies[1]), self.roster.token)
        names = {seat: person.name for seat, person in seated.items()}
        await self._write(partial(self.roster.sit, room.id, names))
        for seat, person in seated.items():
            person.sittings.append(Chair(room.id, seat))

    async def _write(self, work: Any) -> Any:
        """Do it in the thread that writes, and wait until it is on disk."""
        found: list[Any] = []
        await self.rooms.journal.write(lambda: found.append(work()))
        return found[0]


def _across(one: Chair, mine: Chair) -> bool:
    return one.game == mine.game and one.seat != mine.seat
