"""Analysis: 10,000 games of Pig weighed, and their decisions written, beside the generic path in the same run."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from dicewright.analysis.analyse import analyse, analyse_many
from dicewright.analysis.decisions import Decision, decision_columns
from dicewright.analysis.exact import judge_of
from dicewright.arena.review import review
from dicewright.arena.table import play_match
from dicewright.core.solution import Solution
from dicewright.families.catalog import parse as game
from dicewright.families.catalog import strategy
from dicewright.storage.decisions import frame, save_decisions
from dicewright.storage.records.files import load_records, save_records
from dicewright.storage.store import solution_of

from .timing import best_of, line, once

GAMES = 10_000  # no two the same
LIMIT = 10.0  # seconds for all of them, reading included


def run() -> bool:
    """Print all lines; whether every limit was kept."""
    rules = game("pig")
    judge = judge_of(rules, solution_of(rules))
    players = (strategy("hold:20", rules), strategy("hold:25", rules))
    tags = (("First", "Ada"), ("Second", "Bob"))
    played = [replace(play_match(rules, players, Random(n)), tags=tags) for n in range(GAMES)]
    generic = once(lambda: [analyse(record, judge) for record in played[:50]]) * GAMES / 50
    line("generic path, ply by ply through the rules (baseline)", generic, None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.txt"
        save_records(path, played)
        reading = best_of(2, lambda: sum(1 for _ in load_records(path)))
        whole = best_of(2, lambda: review(analyse_many(load_records(path), lambda _: judge)))
        table = Path(folder) / "decisions.csv"
        rows = best_of(2, lambda: save_decisions(table, _decisions(path, judge), "csv"))
        frames = best_of(2, lambda: frame(_decisions(path, judge)))
    line("reading 10,000 games of Pig, checked by the rules", reading, None)
    kept = line("reading, weighing and reviewing 10,000 games of Pig", whole, LIMIT, generic)
    kept &= line("their decisions as CSV, reading included", rows, LIMIT, generic)
    return line("their decisions as a DataFrame, reading included", frames, LIMIT, generic) and kept


def _decisions(path: Path, judge: Solution) -> Iterator[Decision]:
    return decision_columns(enumerate(load_records(path), start=1), lambda _: judge)
