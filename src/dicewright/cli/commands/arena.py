"""The commands that play: simulate, fair-test, sprt."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer import Option

from ... import cli
from ...arena.margin import LEVEL, MARGIN, check_chance, fair_games
from ...core.effort import MEGABYTES, SECONDS, Limits
from ...core.game import WrittenGame
from ...storage.games import parse_game
from ..app import (
    Dask,
    GameText,
    Json,
    Megabytes,
    Seconds,
    Workers,
    app,
    strategies_of,
    strategy_argument,
)

StrategyA = Annotated[str, strategy_argument("A", "A strategy, such as hold:20.")]
StrategyB = Annotated[str, strategy_argument("B", "Its opponent, such as optimal.")]
Seed = Annotated[int, Option(help="The same seed gives the same games.")]
Level = Annotated[float, Option(help="The confidence of the intervals.")]
INTERRUPTED = 130
HEARD, LONG = 2.0, 60.0  # seconds of play that tell how long it takes, and that are long


@app.command()
def simulate(
    game: GameText,
    a: StrategyA,
    b: StrategyB,
    games: Annotated[int, Option(help="How many games; every other one is started by A.")] = 1_000_000,
    seed: Seed = 0,
    workers: Workers = None,
    dask: Dask = None,
    level: Level = LEVEL,
    luck: Annotated[bool, Option("--luck", help="Also take out the luck of the dice (race games).")] = False,
    seconds: Seconds = SECONDS,
    megabytes: Megabytes = MEGABYTES,
    json: Json = False,
) -> None:
    """Play A against B and say what it proves. Example: dicewright simulate pig hold:20 hold:25 --games 1000000

    Rules may remember: dicewright simulate pig "expr:turn < 20 + busts" hold:20 --games 1000
    A program of your own: dicewright simulate pig engine:./bot hold:20 --games 200
    Ctrl-C shows what has been played so far.
    """
    from ...arena.report import exact_beside, luck_report, tally_report
    from ...arena.simulate import simulate as play
    from ...core.spread import cores
    from ...core.spread import workers as crew

    check_chance("level", level)
    rules = parse_game(game)
    one, two = strategies_of(rules, a, b, program=Limits(seconds, megabytes))
    if luck:
        from ...arena.statistics import check_luck, luck_adjusted

        check_luck(rules, games, seed, level)
    exact = exact_beside(rules, one, two)  # before play: who interrupts it waits a second at most
    with crew(workers, dask) as executor, bar(json, games) as progress:
        threads = cores() if workers is None else workers
        tally = play(rules, one, two, games, seed, threads, progress, executor)
    if tally.games == 0:
        raise KeyboardInterrupt
    report = {**_head(rules, one, two, seed), **tally_report(tally, level, exact)}
    if luck and not tally.interrupted:
        report["luck_adjusted"] = luck_report(luck_adjusted(rules, one, two, games, seed, level))
    if json:
        cli.document(report)
    else:
        _show_tally(report, "simulated")
        if "luck_adjusted" in report:
            found = report["luck_adjusted"]
            times = found["variance_reduction"]
            cli.out.print(f"without the luck of the dice: payoff {_span(found['adjusted'])}")
            cli.out.print(f"  (plain {_span(found['plain'])}; variance {times:,.0f} times smaller)")
    _leave(tally.interrupted)


@app.command("fair-test")
def fair_test(
    game: GameText,
    a: StrategyA,
    b: StrategyB,
    games: Annotated[int, Option(help=f"Games of a series; the interval needs {fair_games()}.")] = 3000,
    repeats: Annotated[int, Option(help="How many series.")] = 100,
    margin: Annotated[float, Option(help="Better is above 0.5 + margin.")] = MARGIN,
    seed: Seed = 0,
    level: Level = LEVEL,
    workers: Workers = None,
    dask: Dask = None,
    seconds: Seconds = SECONDS,
    megabytes: Megabytes = MEGABYTES,
    json: Json = False,
) -> None:
    """Put A and B to Exeter's fair test: is A better? Example: dicewright fair-test pig optimal hold:20"""
    from ...arena.report import exact_beside, fair_report
    from ...arena.statistics import fair_test as test
    from ...core.spread import workers as crew

    rules = parse_game(game)
    one, two = strategies_of(rules, a, b, program=Limits(seconds, megabytes))
    needed, exact = fair_games(margin, level), exact_beside(rules, one, two)
    with crew(workers, dask) as executor, bar(json, games * repeats) as progress:
        means: Any = {"seed": seed, "progress": progress, "executor": executor}
        found = test(rules, one, two, games, repeats, margin, level, **means)
    report = {**_head(rules, one, two, seed), "games_needed_for_margin": needed}
    report |= fair_report(found, exact)
    if json:
        cli.document(report)
    else:
        word = "from" if report["verdict"] == "inseparable" else "than"
        verdict = f"{report['a']} is {report['verdict']} {word} {report['b']}"
        cli.out.print(f"[bold]{escape(verdict)}[/bold] by the fair test", markup=True)
        series = f"{report['series']} series of {games} games (an interval of {margin:g} needs {needed})"
        cli.out.print(f"  {series}: mean {cli.chance(report['mean'])}")
        beyond = report["series_outside_margin"]
        cli.out.print(f"  {beyond} series beyond {0.5 - margin:g} to {0.5 + margin:g}")
        _show_tally(report, "in all")
    _leave(found.tally.interrupted)


@app.command()
def sprt(
    game: GameText,
    a: StrategyA,
    b: StrategyB,
    p0: Annotated[float, Option(help="A winning chance up to this is not better.")] = 0.5,
    p1: Annotated[float, Option(help="A winning chance from this on is better.")] = 0.5 + MARGIN,
    alpha: Annotated[float, Option(help="Most chance to call a p0 player better.")] = 0.05,
    beta: Annotated[float, Option(help="Most chance to call a p1 player not better.")] = 0.05,
    cap: Annotated[int, Option(help="Most games, an even number; then it is undecided.")] = 1_000_000,
    seed: Seed = 0,
    seconds: Seconds = SECONDS,
    megabytes: Megabytes = MEGABYTES,
    json: Json = False,
) -> None:
    """Play until it is clear whether A is better. Example: dicewright sprt pig optimal hold:20"""
    from ...arena.report import exact_beside, sequential_report
    from ...arena.statistics import sprt as test

    rules = parse_game(game)
    one, two = strategies_of(rules, a, b, program=Limits(seconds, megabytes))
    exact = exact_beside(rules, one, two)
    with bar(json, cap) as progress:
        found = test(rules, one, two, p0, p1, alpha, beta, cap, seed=seed, progress=progress)
    report = {**_head(rules, one, two, seed), **sequential_report(found, exact)}
    if json:
        cli.document(report)
    else:
        verdict = f"{report['a']} is {report['verdict']}" if report["verdict"] != "undecided" else "undecided"
        after = f"after {report['games']:,} games (cap {found.cap:,})"
        cli.out.print(f"[bold]{escape(verdict)}[/bold] {after}", markup=True)
        cli.out.print(f"  better: wins at least {p1:g}, wrongly said with a chance of {alpha:g} at most")
        cli.out.print(f"  not better: wins at most {p0:g}, wrongly said with a chance of {beta:g} at most")
        _show_tally(report, "until then")
    _leave(found.tally.interrupted)


def _head(rules: WrittenGame, a: Any, b: Any, seed: int) -> dict[str, Any]:
    return {"game": rules.name, "a": str(a), "b": str(b), "seed": seed}


def _points(number: float) -> str:
    return f"{round(number, 6) + 0.0:+.6f}"  # no minus before a zero


def _span(found: dict[str, Any]) -> str:
    mean, low, high = (_points(found[key]) for key in ("estimate", "low", "high"))
    return f"{mean}, {100 * found['level']:g} % interval {low} to {high}, {found['games']:,} games"


def _show_tally(report: dict[str, Any], how: str) -> None:
    """The games by starter, with intervals and exact values."""
    a, b = report["a"], report["b"]
    stopped, lines = ", interrupted" if report["interrupted"] else "", []
    for key, name in (("a_first", f"{a} (A)"), ("b_first", f"{b} (B)"), ("both", "either")):
        if (part := report.get(key)) is not None:
            share = part["wilson"]
            around = f"{cli.chance(share['low'])} to {cli.chance(share['high'])}"
            count, won, exact = f"{part['games']:,}", cli.chance(share["estimate"]), cli.chance(part["exact"])
            lines.append([name, count, won, around, exact])
    columns = ["starts", "games", "A wins", f"{100 * report['level']:g} % interval (Wilson)", "exactly"]
    head = f"{report['game']}: {a} against {b}, {report['games']:,} games {how}"
    cli.rows(f"{head} (seed {report['seed']}{stopped})", columns, lines, right=(1, 2, 3, 4))
    wider = report["both"]["clopper_pearson"]
    low, high = cli.chance(wider["low"]), cli.chance(wider["high"])
    cli.out.print(f"exact interval (Clopper-Pearson) {low} to {high}")
    cli.out.print(f"payoff to A {_span(report['payoff'])}")
    for key, words in (
        ("stalemates", "never ended or were drawn"),
        ("cut_offs", "were cut off for their length"),
    ):
        if report["both"][key]:
            cli.out.print(f"{report['both'][key]:,} games {words}; nobody won them")
    if (lost := report.get("forfeits")) is not None:
        cli.out.print(f"forfeited: {lost['a']:,} games by A, {lost['b']:,} by B")
        for why in lost["why"]:
            cli.out.print(f"  {why}")
    if not report["simulation_needed"]:
        payoff = _points(report["exact_payoff"])
        cli.out.print(f"simulation was not needed: the payoff is exactly {payoff} (see evaluate)")
        if (needed := report["games_to_tell_apart"]) is not None:
            cli.out.print(f"to tell them apart by play alone takes {needed:,} games (error 5 %, power 80 %)")


@contextmanager
def bar(quiet: bool, games: int) -> Iterator[Callable[[int, int], object] | None]:
    """A progress bar on stderr, elsewhere than on a terminal a sentence if it takes long; nothing with --json."""
    if quiet:
        yield None
    elif not cli.err.is_terminal:
        yield _Patience(games)
    else:
        from rich.progress import Progress

        with Progress(console=cli.err, transient=True) as bar:
            task = bar.add_task("games", total=games)
            yield lambda played, _: bar.update(task, completed=played)


class _Patience:
    """Says once how long it will take, if that is long: a game that no compiled code plays may take hours."""

    def __init__(self, games: int) -> None:
        self.games, self.told = games, False
        self.first: tuple[float, int] | None = (
            None  # when games were heard of first: nothing is compiled from then on
        )

    def __call__(self, played: int, _: int) -> None:
        now = time.monotonic()
        began, before = self.first = self.first or (now, played)
        left = (self.games - played) * (now - began) / max(1, played - before)
        if not self.told and now - began > HEARD and left > LONG:
            self.told = True
            cli.err.print(
                f"{played:,} of {self.games:,} games are played, the others take some {left / 60:,.0f} minutes; "
                "Ctrl-C shows those played so far",
                soft_wrap=True,
            )


def _leave(interrupted: bool) -> None:
    if interrupted:
        raise typer.Exit(INTERRUPTED)
