"""What a study has found, as tables: participants, answers, decisions, turns from paper, and the records."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..analysis.decisions import Decision, decision_columns
from ..core.errors import NotationError
from ..core.game import SEATS
from ..core.record import TAGS, Record
from ..storage.decisions import save_decisions
from ..storage.files import csv_text, whole_file, written
from ..storage.records.files import save_records
from ..storage.shelf.saved_game import exported, hidden
from ..storage.trained import judge_for
from .plan import WITHDRAWN, Study
from .roster import Participant, Roster

FORMS = ("csv", "jsonl")


def records_of(roster: Roster) -> dict[str, Record]:
    """The games by id, players named as participants; games that go on and hide dice are left out."""
    found = {}
    for saved, names in roster.games():
        if hidden(record := saved.record()):
            continue
        tags = dict(record.tags)
        for tag, seat in zip(TAGS, (0, 1), strict=True):
            if f"{tag}Strategy" not in tags:
                tags[tag] = names.get(seat, WITHDRAWN)
        found[saved.id] = replace(exported(saved, unfinished=True), tags=tuple(tags.items()))
    return found


def decisions_of(records: Mapping[str, Record]) -> Iterator[Decision]:
    """The decisions of participants, block by block; none of strategies and of those who withdrew."""
    for block in decision_columns(records.items(), judge_for):
        kept = [
            row
            for row in zip(*block, strict=True)
            if not (named := Decision(*row)).strategy and named.player != WITHDRAWN
        ]
        if kept:
            yield Decision(*map(list, zip(*kept, strict=True)))


def export(roster: Roster, folder: Path, form: str = "csv") -> dict[str, int]:
    """Write all tables into the folder, each whole or not at all; how many rows each has, by file."""
    if form not in FORMS:
        raise NotationError(f"the form {form!r} is unknown; {', '.join(FORMS)} are allowed")
    with written(folder):
        folder.mkdir(parents=True, exist_ok=True)
    people, records = roster.people(), records_of(roster)
    tables: dict[str, Sequence[Mapping[str, Any]]] = {
        "participants": [_participant(person, roster.plan) for person in people.values()],
        "answers": list(_answers(people.values())),
        "turns": [
            {
                "game": turn.game,
                "player": turn.player,
                "seat": SEATS[turn.seat],
                "turn": turn.turn,
                "rolls": turn.rolls,
                "banked": turn.banked,
            }
            for turn in roster.forms()
        ],
    }
    counts = {}
    for name, rows in tables.items():
        path = folder / f"{name}.{form}"
        with whole_file(path) as stream:
            stream.write((_jsonl(rows) if form == "jsonl" else _csv(rows, COLUMNS[name])).encode())
        counts[path.name] = len(rows)
    path = folder / f"decisions.{form}"
    counts[path.name] = save_decisions(path, decisions_of(records), form)
    save_records(folder / "games.dwr", iter(records.values()), "text")
    counts["games.dwr"] = len(records)
    return counts


COLUMNS = {
    "participants": ("participant", "stage", "consented", "games"),
    "answers": ("participant", "question", "answer"),
    "turns": ("game", "player", "seat", "turn", "rolls", "banked"),
}


def _participant(person: Participant, plan: Study) -> dict[str, Any]:
    return {
        "participant": person.name,
        "stage": person.stage(plan),
        "consented": person.consented,
        "games": person.played,
    }


def _answers(people: Iterable[Participant]) -> Iterator[dict[str, Any]]:
    for person in people:
        for question, answer in person.answers.items():
            yield {"participant": person.name, "question": question, "answer": answer}


def _csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    return csv_text([columns, *([row.get(name) for name in columns] for row in rows)])


def _jsonl(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
