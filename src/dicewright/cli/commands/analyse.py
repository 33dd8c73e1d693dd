"""`dicewright analyse`: what each decision of recorded games cost, and how much was luck."""

from collections import deque
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ... import cli
from ...core.errors import RulesError
from ...core.game import WrittenGame
from ..app import Json, Place, app, strategies_of

MOST_NAMES = 12


@app.command()
def analyse(
    file: Annotated[str, Argument(metavar="FILE", help="A file of records, or a saved game's id.")],
    game: Annotated[int | None, Option("--game", min=1, help="Only the Nth game of the file.")] = None,
    json: Json = False,
    html: Annotated[Path | None, Option(metavar="FILE", help="Write one game as a web page.")] = None,
    player: Annotated[str | None, Option(metavar="NAME", help="Only this player, or their seat.")] = None,
    learn: Annotated[bool, Option("--learn", help="Be asked the costliest decisions again.")] = False,
    every: Annotated[bool, Option("--all", help="Show every decision, and every game.")] = False,
    exploit: Annotated[
        bool, Option("--exploit", help="Measure against the best answer to the known opponent.")
    ] = False,
    against: Annotated[
        str | None, Option("--against-strategy", metavar="S", help="The opponent's strategy, if known.")
    ] = None,
    database: Place = None,
) -> None:
    """Say what each decision cost and how much was luck. Example: dicewright analyse games.txt --game 3

    One game is shown ply by ply; a file of many games as one line each and sums for each player.
    """
    from ...storage.records.files import records_from

    records = records_from(file, database)
    if game is not None:
        records = islice(records, game - 1, game)
    first = list(islice(records, 2))
    if not first:
        raise RulesError(f"{file} has no game {game}" if game else f"{file} has no games")
    judges = Judges(json, against, exploit, player)
    if len(first) == 1:
        _one(first[0], judges, json, html, player, learn, every)
        return
    if html or learn:
        raise RulesError(f"{file} has several games; choose one with --game")
    _many(chain(first, records), judges, json, player, every)


class Judges:
    """The judge of each game, made when it is first met."""

    def __init__(self, quiet: bool, against: str | None, exploit: bool, player: str | None) -> None:
        self.quiet, self.against, self.player = quiet, against, player
        self.answering = bool(exploit or against)
        self._answers: dict[tuple[str, str, int], Any] = {}

    def __call__(self, game: WrittenGame) -> Any:
        """The judge of perfect play."""
        from ...storage.trained import judge_for

        with cli.working(f"solving {game.name}", self.quiet):
            return judge_for(game)

    def analyse(self, record: Any) -> Any:
        """One record judged, by perfect play or by the best answer to the known opponent."""
        from ...analysis.analyse import analyse, known_opponent
        from ...analysis.exact import judge_against

        if not self.answering:
            return analyse(record, self(record.game))
        seat, text = known_opponent(record, self.against, self.player)
        if self.against is None and "file:" in text:
            raise RulesError(
                f"the record names {text}, and no file is read because a record says so; "
                "give it with --against-strategy"
            )
        key = (record.game.name, text, seat)
        if key not in self._answers:
            (opponent,) = strategies_of(record.game, text)
            with cli.working(f"answering {text}", self.quiet):
                self._answers[key] = judge_against(record.game, opponent, seat)
        return analyse(record, self._answers[key], text)


def _one(
    record: Any, judges: Judges, json: bool, html: Path | None, player: str | None, learn: bool, every: bool
) -> None:
    from .. import analysis_report

    found = judges.analyse(record)
    seat = found.seat_of(player)
    if html is not None:
        from ...analysis.page import page
        from ...storage.files import save_page

        save_page(html, page(found, seat))
        if not json:
            cli.out.print(f"written to {html}")
    if json:
        cli.document(found.document(seat))
    elif learn:
        analysis_report.learn(found, found.person if seat is None else seat)
    elif html is None:
        analysis_report.one(found, seat, every)


def _many(records: Iterator[Any], judges: Judges, json: bool, player: str | None, every: bool) -> None:
    from ...analysis.analyse import analyse_many
    from ...analysis.moments import Analysis
    from ...arena.review import HabitCounter, Reviewer
    from ...storage.store import solution_of
    from .. import analysis_report

    reviewer, counter, rows = Reviewer(), HabitCounter(solution_of), []
    names: dict[str, None] = {}
    numbers: deque[int] = deque()  # in the file, of the games that are analysed next

    def chosen() -> Iterator[Any]:
        for number, record in enumerate(records, start=1):
            names.update(dict.fromkeys(record.players))
            if player is None or player in record.players:
                numbers.append(number)
                yield record

    def answered(record: Any) -> Any:
        try:
            return judges.analyse(record)
        except RulesError as error:
            raise RulesError(f"game {numbers[0]}: {error}") from error

    outlines: Iterator[Any] = map(answered, chosen()) if judges.answering else analyse_many(chosen(), judges)
    with cli.working("analysing", json) as progress:
        for done, outline in enumerate(outlines, start=1):
            number = numbers.popleft()
            reviewer.add(outline)
            if isinstance(outline, Analysis):
                counter.add(outline)
            if json:
                rows.append({"number": number, **outline.summary()})
            elif every or len(rows) < analysis_report.MOST_ROWS:
                rows.append({"number": number, "outline": outline})
            if progress and done % 1000 == 0:
                progress(f"analysing: {done:,} games")
    if player is not None and player not in names:
        listed = ", ".join(list(names)[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
        raise RulesError(f"nobody is called {player!r} in these games; {listed} play in them")
    reviews = [each for each in reviewer.reviews() if player in (None, each.player)]
    found = [(each, _exploit(each, json)) for each in counter.habits() if player in (None, each.player)]
    if json:
        habits = [
            {**each.document(), "exploit": gain and {**vars(gain), "gain": gain.gain}} for each, gain in found
        ]
        players = [each.document() for each in reviews]
        cli.document({"games": rows, "players": players, "habits": habits})
    else:
        analysis_report.many(rows, reviews)
        for each, gain in found:
            analysis_report.habits(each, gain)


def _exploit(habits: Any, quiet: bool) -> Any:
    from ...arena.review import exploit
    from ...storage.store import solution_of

    with cli.working(f"answering {habits.player}", quiet):
        return exploit(habits, solution_of(habits.game))
