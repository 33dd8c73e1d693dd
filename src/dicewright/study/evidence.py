"""What a study has to say, as arrays for the models: decisions of participants, their turns, and forms from paper."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..analysis.decisions import Decision
from ..core.arrays import Floats, Ints
from ..core.crowd import Steps, Turns
from ..core.errors import RulesError
from ..core.game import WrittenGame
from ..core.record import Record
from ..families import family
from ..people.choices import Choices, from_rows
from ..people.curves import tracks
from ..people.forms import Forms
from ..people.games import choices_of, crowds_of
from .export import decisions_of, records_of
from .forms import whole_games
from .roster import Participant, Roster


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything that was kept of a study."""

    game: WrittenGame
    people: Mapping[str, Participant]
    records: Mapping[str, Record]
    paper: tuple[Turns, Sequence[tuple[str, str]]]  # forms that have both players

    @property
    def raced(self) -> bool:
        """Whether turns are rolled on or held, so that attitudes and Exeter's terms are defined."""
        return family(self.game).crowds is not None

    @cached_property
    def rows(self) -> list[Decision]:
        """One row a decision of a participant."""
        return [Decision(*row) for block in decisions_of(self.records) for row in zip(*block, strict=True)]

    @cached_property
    def _watched(self) -> tuple[Steps, Turns, Ints, tuple[str, ...]]:
        records = list(self.records.values())
        seen = crowds_of(self.game).watch(self.game, [record.choices for record in records])
        players = tuple(dict.fromkeys(name for record in records for name in record.players))
        number = {name: place for place, name in enumerate(players)}
        pairs = np.array([[number[name] for name in record.players] for record in records], np.int64)
        return *seen, pairs.reshape(-1, 2), players

    def choices(self, names: Collection[str] | None = None) -> Choices:
        """The decisions of these participants, else of all who made one; a RulesError if there is none."""
        wanted = self.people.keys() if names is None else names
        if not self.raced:
            rows = [row._replace(worths=dict(row.worths)) for row in self.rows if row.player in wanted]
            _some(rows)
            return from_rows(rows, ())
        steps, _, pairs, players = self._watched
        who = pairs[steps.match, steps.seat]
        kept = np.array([name in wanted and name in self.people for name in players], np.bool_)[who]
        left = np.unique(who[kept])
        _some(left)
        fresh = np.zeros(len(players), np.int64)
        fresh[left] = np.arange(len(left))
        some = Steps._make(column[kept] for column in steps)
        chosen = tuple(players[n] for n in left)
        return choices_of(self.game, some, fresh[pairs], chosen)

    @cached_property
    def forms(self) -> Forms | None:
        """The paper forms, if there are any."""
        turns, named = self.paper
        if not named:
            return None
        players = tuple(dict.fromkeys(name for pair in named for name in pair))
        number = {name: place for place, name in enumerate(players)}
        pairs = np.array([[number[name] for name in pair] for pair in named], np.int64)
        return Forms(self.game, turns, pairs, players)

    def totals(self, names: Collection[str]) -> Floats:
        """The total score by turn of these participants, a row for each game of each, from pages and paper."""
        parts = []
        if self.records:
            _, turns, pairs, players = self._watched
            parts.append((turns, pairs, players))
        if self.forms is not None:
            parts.append((self.forms.turns, self.forms.pairs, self.forms.players))
        found = []
        for turns, pairs, players in parts:
            each = tracks(turns, pairs)
            found += [
                track for who, track in zip(each.player, each.totals, strict=True) if players[who] in names
            ]
        width = max((len(track) for track in found), default=0)
        rows = [np.pad(track, (0, width - len(track)), constant_values=np.nan) for track in found]
        return np.array(rows).reshape(len(rows), width)

    def won(self) -> dict[str, Floats]:
        """Of each participant and game on a page what was won: 1, 0, or a half where nobody has."""
        found: dict[str, list[float]] = {}
        for record in self.records.values():
            for name, gain in zip(record.players, (record.payoff, -record.payoff), strict=True):
                found.setdefault(name, []).append((1 + gain) / 2)
        return {name: np.array(each) for name, each in found.items()}

    @property
    def first(self) -> tuple[tuple[str, str], Floats] | None:
        """The first game: its players, and their total scores by turn."""
        if not self.records or not self.raced:
            return None
        _, turns, pairs, players = self._watched
        names = (players[pairs[0, 0]], players[pairs[0, 1]])
        return names, tracks(turns, pairs).totals[:2]


def _some(found: Collection[object]) -> None:
    if not len(found):
        raise RulesError("no participant has made a decision yet; at least one is needed")


def gather(roster: Roster) -> Evidence:
    """What the database holds of a study."""
    game = roster.plan.rules
    turns = whole_games(roster.forms()) if family(game).crowds is not None else whole_games(())
    return Evidence(game, roster.people(), records_of(roster), turns)
