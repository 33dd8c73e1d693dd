"""The command `tournament`: everybody against everybody."""

from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

from typer import Option
from typer.core import TyperCommand

from ... import cli
from ...core.effort import MEGABYTES, SECONDS, Limits
from ...core.errors import NotationError
from ...storage.games import parse_game
from ..app import Dask, GameText, Json, Workers, app, strategy_argument

OUTPUT = "-"
CSV = "Save the standings as CSV; without FILE, print only that."


class CsvCommand(TyperCommand):
    """A command whose `--csv` prints; a file after it ends in .csv, for strategies may follow it too."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words; a `--csv` without a file becomes `--csv=-`."""
        words = (
            f"--csv={OUTPUT}" if word == "--csv" and not _is_file(after) else word
            for word, after in zip_longest(args, args[1:], fillvalue="")
        )
        return super().parse_args(ctx, list(words))


def _is_file(word: str) -> bool:
    is_strategy = word.startswith(("table:", "file:", "best-response:", "engine:"))
    return word == OUTPUT or (word.lower().endswith(".csv") and not is_strategy)


@app.command(cls=CsvCommand)
def tournament(
    game: GameText,
    strategies: Annotated[
        list[str] | None, strategy_argument("STRATEGIES...", "Such as optimal, hold:1..100, hold:10..40..5.")
    ] = None,
    folder: Annotated[
        Path | None,
        Option(metavar="DIR", help="Also enter the .csv, .npz, .txt and .py files in this folder."),
    ] = None,
    games: Annotated[
        int | None, Option(min=2, help="Play so many games a pair instead of computing exactly.")
    ] = None,
    seed: Annotated[int, Option(min=0, help="Where the dice of --games and chance in .py files start.")] = 0,
    seconds: Annotated[float, Option(min=0.1, help="Time a .py file may take.")] = 20.0,
    megabytes: Annotated[int, Option(min=50, help="Memory a .py file may take.")] = 512,
    answer: Annotated[float, Option(min=0.05, help="Time engine:CMD has for an answer.")] = SECONDS,
    workers: Workers = None,
    dask: Dask = None,
    json: Json = False,
    csv: Annotated[str | None, Option("--csv", metavar="[FILE.csv]", help=CSV)] = None,
) -> None:
    """Let all strategies meet, rank them and look for circles. Example: dicewright tournament pig hold:1..100

    Rules of one's own: dicewright tournament pig hold:25 "expr:turn < 10..30..5" file:rule.py
    A .txt file is an expression that is true where it rolls, such as: turn < 21 + (yours - mine) / 8
    A .py file defines strategy(mine, yours, turn), which answers True or "roll" to roll, and runs in a process of its
    own. Programs that speak by lines (docs/engine.md) play: dicewright tournament pig engine:./bot hold:20 --games 100
    """
    from ...arena.ranking import find_cycles, hodge_split, nash_average, standings
    from ...arena.tournament import play_exactly, play_simulated
    from ...core.spread import workers as crew
    from ...storage.files import csv_text, whole_file
    from ...storage.strategies import gather

    only_csv = csv == OUTPUT
    if json and only_csv:
        raise NotationError("--json and --csv were both asked; one of them is allowed, or --csv FILE.csv")
    rules = parse_game(game)
    with cli.working(f"gathering strategies for {rules.name}", json or only_csv) as progress:
        limits = Limits(seconds, megabytes), Limits(answer, MEGABYTES)
        field = gather(rules, strategies or [], folder, limits[0], progress, seed, program=limits[1])
        if len(field.entrants) < 2:
            _tell_refused(cli.err, field.refusals)
        with crew(workers, dask) as executor:
            if games is None:
                played = play_exactly(rules, field.entrants, progress, executor)
            else:
                means: Any = {"progress": progress, "executor": executor}
                played = play_simulated(rules, field.entrants, games, seed, **means)
        table = standings(played)
    margins = played.margins
    cycles, split, nash = find_cycles(margins), hodge_split(margins), nash_average(margins)
    refused = [["", each.name, *[""] * (len(_COLUMNS) - 3), each.reason] for each in field.refusals]
    lines = [_COLUMNS, *map(_cells, table), *refused]
    if only_csv:
        _tell_refused(cli.err, field.refusals)
        print(csv_text(lines), end="")
    elif json:
        head = {"game": played.game, "games_a_pair": games, "exact": games is None}
        circles = [
            {"members": [played.names[n] for n in cycle.members], "margins": cycle.margins}
            for cycle in cycles.listed
        ]
        found = {
            "standings": [asdict(row) for row in table],
            **{"transitive": cycles.transitive, "triangles": cycles.triangles, "cycles": circles},
            "all_cycles_listed": cycles.complete,
            "hodge": {"transitive_energy": split.transitive_energy, "cyclic_energy": split.cyclic_energy},
            **{"nash_unique": nash.unique, "refused": [asdict(refusal) for refusal in field.refusals]},
        }
        if played.forfeits:
            found["forfeits"] = [lost._asdict() for lost in played.forfeits]
        cli.document({**head, **found, "names": played.names, "wins": played.wins.tolist()})
    else:
        _show(played, table, cycles, split, nash, field.refusals)
    if csv is not None and not only_csv:
        with whole_file(Path(csv)) as file:
            file.write(csv_text(lines).encode())
        if not json:
            cli.out.print(f"saved to {csv}")


_COLUMNS = [
    *("place", "name", "beaten", "lost", "score", "elo"),
    *("elo_low", "elo_high", "nash_weight", "nash_margin", "refused"),
]


def _cells(row: Any) -> list[Any]:
    low, high = row.elo_interval or ("", "")
    return [
        *(row.place, row.name, row.beaten, row.lost, row.score, row.elo),
        *(low, high, row.nash_weight, row.nash_margin, ""),
    ]


def _tell_refused(where: cli.Terminal, refusals: Any) -> None:
    for refusal in refusals:
        where.print(f"refused {refusal.name}: {refusal.reason}", soft_wrap=True)


def _show(played: Any, table: Any, cycles: Any, split: Any, nash: Any, refusals: Any) -> None:
    """The standings, and what they mean, for people."""
    how = "exactly" if played.games is None else f"{played.games:,} games a pair, Elo with 95 % intervals"
    lines = []
    for row in table:
        weight = f"{row.nash_weight:.4f}" if row.nash_weight else "-"
        margin = f"{row.nash_margin:+.4f}" if abs(row.nash_margin) >= 5e-5 else "0"
        chance, elo = cli.chance(row.score), f"{row.elo:+.1f}"
        if row.elo_interval is not None:
            elo += f" ± {row.elo_interval[1] - row.elo:.1f}"
        lines.append([row.place, row.name, row.beaten, row.lost, chance, elo, weight, margin])
    columns = ["", "strategy", "beats", "loses to", "mean chance", "Elo", "Nash weight", "Nash margin"]
    title = f"{played.game}: {len(played.names)} strategies, {how}"
    cli.rows(title, columns, lines, right=(0, 2, 3, 4, 5, 6, 7))
    cli.out.print(_circles(played, cycles))
    for cycle in cycles.listed:
        names = [played.names[n] for n in cycle.members]
        steps = (f"{name} (+{margin:.4f})" for name, margin in zip(names, cycle.margins, strict=True))
        cli.out.print(f"  {' > '.join(steps)} > {names[0]}")
    cli.out.print(
        f"margins split (least squares): {100 * split.transitive_energy:.2f} % transitive, "
        f"{100 * split.cyclic_energy:.2f} % cyclic; "
        f"Nash average {'unique' if nash.unique else 'one of several'}, margins are chances of winning minus losing"
    )
    _tell_refused(cli.out, refusals)
    for lost in played.forfeits:
        cli.out.print(f"{lost.name} forfeited {lost.games:,} games:")
        for why in lost.why:
            cli.out.print(f"  {why}")


def _circles(played: Any, cycles: Any) -> str:
    leader = "in this sample " if played.games is not None else ""
    if cycles.transitive:
        return f"{leader}transitive: nobody in a circle"
    shown = "" if cycles.complete else f", the strongest {len(cycles.listed)} of the smallest here"
    return f"{leader}not transitive: {cycles.triangles} circle{'s' * (cycles.triangles != 1)} of three{shown}"
