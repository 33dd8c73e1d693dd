"""Who takes part in a study and how far they are, in the database; every change is one transaction.

A participant's link and the tokens of games are made from the study's secret, so a list can be printed again and
nothing has to be remembered by a browser.
"""

import hmac
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ..core.errors import NotationError, StorageError
from ..storage.shelf.saved_game import SavedGame, now
from ..storage.shelf.shelf import Shelf
from ..storage.shelf.studies import answers, participants, sittings, studies, turns
from .forms import FormRow
from .plan import WITHDRAWN, Study
from .plan_file import check_plan
from .questions import Answer

STOPPED = "stopped"
FIXED = ("game", "opponent", "questions")  # what stays once somebody has begun


@dataclass
class Chair:
    """A seat of a participant in a game of the study, and what of the game is known: over, or broken off."""

    game: str
    seat: int
    over: bool = False


@dataclass
class Participant:
    """One participant; `ended` is how they left before their last game, if they did."""

    name: str
    consented: str | None = None
    ended: str | None = None
    answers: dict[str, Answer | None] = field(default_factory=dict)
    sittings: list[Chair] = field(default_factory=list)
    forms: int = 0  # games on paper

    def stage(self, plan: Study) -> str:
        """Where they are: not begun, on paper, questions, playing, done, stopped or withdrawn."""
        if self.ended:
            return self.ended
        if self.consented is None:
            return "on paper" if self.forms else "not begun"
        if any(question.name not in self.answers for question in plan.questions):
            return "questions"
        return "done" if self.played >= plan.games else "playing"

    @property
    def played(self) -> int:
        """Games that were played to their end."""
        return sum(sitting.over for sitting in self.sittings)


class Roster:
    """The participants of one study in one database."""

    def __init__(self, shelf: Shelf, plan: Study, number: int, secret: str) -> None:
        self.shelf, self.plan, self.number, self.secret = shelf, plan, number, secret

    @classmethod
    def open(cls, shelf: Shelf, plan: Study, text: str) -> "Roster":
        """The study of this title, begun now if it is not there; its file may change as far as nobody is hurt by it."""
        with shelf.database.writing() as connection:
            row = (
                connection.execute(sa.select(studies).where(studies.c.title == plan.title)).mappings().first()
            )
            if row is None:
                secret = secrets.token_hex(32)
                values = {"title": plan.title, "plan": text, "secret": secret, "date": now()}
                connection.execute(sa.insert(studies).values(values))
                mine = sa.select(studies.c.number).where(studies.c.title == plan.title)
                number = connection.execute(mine).scalar_one()
            else:
                number, secret = row["number"], row["secret"]
                if row["plan"] != text:
                    _check_change(connection, plan, row["plan"], number)
                    change = sa.update(studies).where(studies.c.number == number).values(plan=text)
                    connection.execute(change)
            there = set(connection.scalars(_of(participants, number, participants.c.name)))
            new = [{"study": number, "name": name} for name in plan.participants if name not in there]
            if new:
                connection.execute(sa.insert(participants), new)
        return cls(shelf, plan, number, secret)

    @classmethod
    def find(cls, shelf: Shelf, plan: Study) -> "Roster":
        """The study of this title as it is; a StorageError if nobody has begun it here."""
        with shelf.database.reading() as connection:
            there = sa.inspect(connection).has_table(studies.name)
            row = (
                connection.execute(sa.select(studies).where(studies.c.title == plan.title)).mappings().first()
                if there
                else None
            )
        if row is None:
            raise StorageError(
                f"there is no study {plan.title!r} in {shelf.database.place}; study serve or study import begins it"
            )
        return cls(shelf, plan, row["number"], row["secret"])

    def key(self, name: str) -> str:
        """What a participant's link ends in."""
        return self._made("link", name)

    def token(self, game: str, seat: int) -> str:
        """What proves a participant's seat in a game."""
        return self._made("seat", game, str(seat))

    def _made(self, *words: str) -> str:
        return hmac.new(bytes.fromhex(self.secret), "\0".join(words).encode(), sha256).hexdigest()[:48]

    def people(self) -> dict[str, Participant]:
        """Everybody, by name, in the order of the file."""
        number, games = self.number, sa.table("games", sa.column("id"), sa.column("ended"))
        with self.shelf.database.reading() as connection:
            rows = connection.execute(_of(participants, number)).mappings().all()
            given = connection.execute(_of(answers, number)).mappings().all()
            joined = sittings.outerjoin(games, games.c.id == sittings.c.game)
            sat = connection.execute(
                sa.select(sittings.c.participant, sittings.c.game, sittings.c.seat, games.c.ended)
                .select_from(joined)
                .where(sittings.c.study == number)
                .order_by(sittings.c.number)
            ).all()
            typed = sa.select(turns.c.participant, sa.func.count(sa.distinct(turns.c.game)))
            forms = connection.execute(
                typed.where(turns.c.study == number).group_by(turns.c.participant)
            ).all()
        found = {row["name"]: Participant(row["name"], row["consented"], row["ended"]) for row in rows}
        for row in given:
            found[row["participant"]].answers[row["question"]] = json.loads(row["answer"])
        for name, game, seat, ended in sat:
            over = ended not in (None, "unfinished")
            found[name].sittings.append(Chair(game, seat, over))
        for name, count in forms:
            found[name].forms = count
        order = {name: place for place, name in enumerate(self.plan.participants)}
        return dict(sorted(found.items(), key=lambda pair: order.get(pair[0], len(order))))

    def consent(self, name: str) -> str:
        """Note that they agreed; when that was."""
        when = now()
        self._change(name, {"consented": when}, participants.c.consented.is_(None))
        return when

    def answer(self, name: str, given: Mapping[str, Answer | None]) -> None:
        """Keep the answers, all or none; those that were given before stay as they were."""
        with self.shelf.database.writing() as connection:
            self._answer(connection, name, given)

    def _answer(self, connection: Connection, name: str, given: Mapping[str, Answer | None]) -> None:
        mine = answers.c.participant == name
        there = set(connection.scalars(_of(answers, self.number, answers.c.question).where(mine)))
        row = {"study": self.number, "participant": name, "date": now()}
        new = [
            {**row, "question": question, "answer": json.dumps(answer, ensure_ascii=False)}
            for question, answer in given.items()
            if question not in there
        ]
        if new:
            connection.execute(sa.insert(answers), new)

    def sit(self, game: str, names: Mapping[int, str]) -> None:
        """Note who sits where in a game, by seat."""
        rows = [
            {"study": self.number, "participant": name, "game": game, "seat": seat}
            for seat, name in names.items()
        ]
        with self.shelf.database.writing() as connection:
            connection.execute(sa.insert(sittings), rows)

    def end(self, name: str) -> None:
        """Note that they stop here; what they did stays."""
        self._change(name, {"ended": STOPPED}, participants.c.ended.is_(None))

    def withdraw(self, name: str) -> list[str]:
        """Delete what is kept of them but for their name on the list; the games that were theirs alone, which go too.

        A game with another participant is also the other's and stays, without this one's name and times.
        """
        people = self.people()
        mine = people.pop(name).sittings
        others = {sitting.game for person in people.values() for sitting in person.sittings}
        alone = [sitting.game for sitting in mine if sitting.game not in others]
        times = [place for sitting in mine if sitting.game in others for place in self._decided(sitting)]
        games, events = sa.table("games", sa.column("id")), _EVENTS
        with self.shelf.database.writing() as connection:
            for table in (answers, sittings, turns):
                gone = (table.c.study == self.number) & (table.c.participant == name)
                connection.execute(sa.delete(table).where(gone))
            for id in alone:
                connection.execute(sa.delete(events).where(events.c.game == id))
                connection.execute(sa.delete(games).where(games.c.id == id))
            for id, ply in times:
                connection.execute(sa.delete(events).where((events.c.game == id) & (events.c.ply == ply)))
            one = (participants.c.study == self.number) & (participants.c.name == name)
            connection.execute(sa.update(participants).where(one).values(consented=None, ended=WITHDRAWN))
        return alone

    def _decided(self, sitting: Chair) -> Iterator[tuple[str, int]]:
        """The game with the plies of this seat's choices."""
        record = self.shelf.get(sitting.game).record()
        for ply, state in enumerate(record.states()):
            if int(record.game.mover(state)) == sitting.seat:
                yield sitting.game, ply

    def games(self) -> Iterator[tuple[SavedGame, dict[int, str]]]:
        """The games that were begun, in order, each with its participants by seat; a withdrawn one is left out."""
        names: dict[str, dict[int, str]] = {}
        for person in self.people().values():
            for sitting in person.sittings:
                names.setdefault(sitting.game, {})[sitting.seat] = person.name
        for id in names:
            saved = self.shelf.get(id)
            if saved.choices:
                yield saved, names[id]

    def add_forms(self, typed: Sequence[FormRow], given: Mapping[str, Mapping[str, Answer]]) -> None:
        """Keep forms and answers from paper, all or none; a form that is there already is refused."""
        if not typed:
            return
        known = self.people()
        for turn in typed:
            if turn.player not in known:
                allowed = ", ".join(list(known)[:5])
                raise NotationError(
                    f"row {turn.row}: player is {turn.player!r}; participants of the file are allowed: {allowed}, ..."
                )
        with self.shelf.database.writing() as connection:
            there = set(connection.scalars(_of(turns, self.number, turns.c.game)))
            for turn in typed:
                if turn.game in there:
                    raise StorageError(f"row {turn.row}: form {turn.game!r} is in the study already")
            rows = [
                {
                    "study": self.number, "participant": turn.player, "game": turn.game, "seat": turn.seat,
                    "turn": turn.turn, "rolls": turn.rolls, "banked": turn.banked,
                }
                for turn in typed
            ]  # fmt: skip
            connection.execute(sa.insert(turns), rows)
            for name, each in given.items():
                self._answer(connection, name, each)

    def forms(self) -> tuple[FormRow, ...]:
        """The turns from paper, in order of play within each form."""
        query = _of(turns, self.number)
        with self.shelf.database.reading() as connection:
            rows = connection.execute(query).mappings().all()
        names = ("number", "game", "participant", "seat", "turn", "rolls", "banked")
        return tuple(FormRow._make([*(row[name] for name in names), None]) for row in rows)

    def _change(self, name: str, values: Mapping[str, Any], still: Any) -> None:
        one = (participants.c.study == self.number) & (participants.c.name == name) & still
        with self.shelf.database.writing() as connection:
            connection.execute(sa.update(participants).where(one).values(values))


_EVENTS = sa.table("events", sa.column("game"), sa.column("ply"))


def _of(table: sa.Table, study: int, *columns: Any) -> Any:
    return sa.select(*(columns or (table,))).where(table.c.study == study).order_by(table.c.number)


def _check_change(connection: Connection, plan: Study, before: str, number: int) -> None:
    """A NotationError if what participants have begun with would change under them."""
    begun = connection.scalars(
        _of(participants, number, participants.c.name).where(participants.c.consented.is_not(None))
    ).all()
    old, _ = check_plan(before)
    if not begun or old is None:
        return
    for name in FIXED:
        if getattr(old, name) != getattr(plan, name):
            raise NotationError(
                f"{name} has changed since {len(begun)} participants began; another title makes another study"
            )
    if missing := [name for name in begun if name not in plan.participants]:
        raise NotationError(
            f"participant {missing[0]!r} has begun and is no longer in the file; keep the id there"
        )
