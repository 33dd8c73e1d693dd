"""The commands. Each reads its arguments, makes one call and shows the result.

Heavy modules are imported inside the commands, so that a solution kept on disk is shown at once.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

import dicewright

from .. import cli
from ..core.effort import Limits
from ..core.errors import DicewrightError, PrecisionError
from ..core.game import WrittenGame
from ..families import catalog, family
from ..storage.games import parse_game

if TYPE_CHECKING:
    from concurrent.futures import Executor

app = typer.Typer(
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Two-player dice games of chance and bluff: solved exactly, with proofs.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def games_begun(incomplete: str) -> Iterator[tuple[str, str]]:
    """The games whose names begin so, each with a line about it."""
    yield from _beginning(incomplete, catalog.GAMES)


def strategies_begun(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The strategies of the game given before, or of pig; of a game that has none, or is none, no names."""
    from ..families.catalog import known

    try:
        names = known(parse_game(context.params.get("game") or "pig"))
    except DicewrightError:
        return
    yield from _beginning(incomplete, names)


def _beginning(incomplete: str, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, builder in known.items():
        if name.startswith(incomplete):
            yield name, " ".join((builder.__doc__ or "").split("\n\n")[0].split())


def strategies_of(game: WrittenGame, *texts: str, program: Limits | None = None) -> tuple[Any, ...]:
    """The strategies for the game that these texts name; programs too, where their limits are given."""
    from ..storage.strategies import parse

    return tuple(parse(text, game, program=program) for text in texts)


def game_argument(about: str) -> Any:
    """An argument that names a game, as the shell completes it."""
    return Argument(metavar="GAME", help=about, autocompletion=games_begun)


def strategy_argument(metavar: str, about: str) -> Any:
    """An argument that names a strategy, as the shell completes it."""
    return Argument(metavar=metavar, help=about, autocompletion=strategies_begun)


GameText = Annotated[
    str, game_argument("A game, such as pig, pig:goal=200, race:+3/+4/bust or file:mine.toml.")
]
ANEW = "Solve anew: leave alone what is kept or came with the package."
Fresh = Annotated[bool, Option("--fresh", help=ANEW)]
Prove = Annotated[bool, Option("--prove", help="Insist on a proof, however long it takes.")]
Json = Annotated[bool, Option("--json", help="Print one JSON document and nothing else.")]
KEPT = "Where games are kept: a path or a URL; else $DICEWRIGHT_DATABASE."
Workers = Annotated[
    int | None, Option(metavar="N", help="Processes; all processors unless told. Results are the same.")
]
Dask = Annotated[
    str | None, Option(metavar="ADDRESS", help="A running Dask scheduler, such as tcp://10.0.0.5:8786.")
]
Seconds = Annotated[float, Option(min=0.05, help="Time a program, engine:CMD, has for an answer.")]
Megabytes = Annotated[int, Option(min=16, help="Memory that a program may take.")]
Place = Annotated[str | None, Option("--database", metavar="URL", help=KEPT)]

TOUR = """\
dicewright solves two-player dice games exactly, with proofs. Four commands to try:

  dicewright play pig                     play it here, and learn what each decision cost
  dicewright value pig                    the value of Pig, proved to more than 30 digits
  dicewright advise pig 41-49+27          roll or hold? both chances, and which is right
  dicewright evaluate pig optimal hold:20 two strategies against each other, exactly

More: value, values, solve, verify, evaluate, best-response, grade, best-rule, advise, games,
strategies, strategy export, ranges, match-table, simulate, fair-test, sprt, tournament,
plot, reproduce (each with --help).
In the browser: serve; verify-dice checks the dice of a game played there or with play.
Games that were played: analyse, decisions, games list, games show, games add, games export.
Programs in any language: engine, measure (docs/engine.md).
Many games: sweep (docs/sweeps.md). Large matches of Bluff: train. For Gambit: export (docs/bridges.md).
You, over all your games: me. People: study sample, study new (docs/studies.md).
"""


def _version(asked: bool) -> None:
    if asked:
        print(f"dicewright {dicewright.__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def tour(
    context: typer.Context,
    version: Annotated[
        bool, Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Two-player dice games of chance and bluff: solved exactly, with proofs."""
    if context.invoked_subcommand is None:
        print(TOUR, end="")


@contextmanager
def _crew(game: WrittenGame, number: int | None, cluster: str | None) -> Iterator["Executor | None"]:
    """Workers for a game that is made of others; what is one piece loads nothing for them."""
    if not family(game).needs(game):
        yield None
        return
    from ..core.spread import workers

    with workers(number, cluster) as executor:
        yield executor


@app.command()
def value(
    game: GameText,
    json: Json = False,
    prove: Prove = False,
    gap: Annotated[
        float | None,
        Option(min=0.0, help="Solve if what is kept is wider; fail (exit code 3) if the bounds are."),
    ] = None,
    fresh: Fresh = False,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """Solve GAME and print its value with proved bounds. Example: dicewright value pig:goal=200

    A solution that is kept from before, or came with the package, is shown at once.
    Anew: dicewright value pig --fresh
    The rounds of a match of Bluff are solved by the workers.
    """
    from ..storage.store import header_of

    rules = parse_game(game)
    told = f"solving {rules.name} and proving its value"
    with cli.working(told, json) as progress, _crew(rules, workers, dask) as executor:
        header = header_of(rules, prove, gap, progress, fresh, executor)
    if json:
        cli.document({key: header[key] for key in VALUE_KEYS})
    else:
        cli.value(header)
    name, wide = header["game"], header["gap"]
    if gap is not None and not wide <= gap:
        raise PrecisionError(f"the bounds of {name} are {wide:.3g} wide; {gap:g} was asked")
    if prove and not header["proved"]:
        raise PrecisionError(f"the value of {name} could not be proved")


VALUE_KEYS = ("game", "value", "first_wins", "lower", "upper", "exact", "proved", "method", "seconds")


@app.command()
def solve(
    game: GameText,
    output: Annotated[Path, Option("-o", "--output", metavar="FILE", help="Where to save it.")],
    json: Json = False,
    prove: Prove = False,
    gap: Annotated[float, Option(help="Bluff by CFR: stop when the bounds are this narrow.")] = 1e-3,
    checkpoint: Annotated[
        Path | None, Option(metavar="FILE", help="Bluff by CFR: keep the state there, and go on from it.")
    ] = None,
    fresh: Fresh = False,
) -> None:
    """Solve GAME and save the solution with its proof. Example: dicewright solve pig -o pig.npz

    What VALUE knows exactly is saved in fractions. A larger round of Bluff is solved by CFR until its bounds are
    GAP wide, and saved without what is hardly ever reached; the bounds shown are those of the file, measured
    again. Anew, whatever is kept: dicewright solve pig -o pig.npz --fresh
    """
    from ..storage.store import save_solution

    rules = parse_game(game)
    with cli.working(f"solving {rules.name}", json) as progress:
        header = save_solution(rules, output, prove, gap, checkpoint, progress, fresh=fresh)
    if json:
        cli.document({**{key: header[key] for key in VALUE_KEYS}, "file": str(output)})
    else:
        cli.value(header)
        how = "" if header["proved"] else " --estimate"
        cli.out.print(f"saved to {output}; check it with: dicewright verify {output}{how}")


@app.command()
def verify(
    file: Annotated[Path, Argument(metavar="FILE", help="A solution saved by solve.")],
    json: Json = False,
    estimate: Annotated[
        bool, Option("--estimate", help="Accept an estimate too; else it is exit code 3.")
    ] = False,
) -> None:
    """Check a saved solution anew, with code no solver shares. Example: dicewright verify pig.npz

    A value that the file only estimates is made again from the strategy, and must agree; but nothing is proved.
    """
    from ..storage.store import verify_solution

    started = time.perf_counter()
    with cli.working(f"proving {file} again", json):
        certificate = verify_solution(file)
    lower, upper = certificate.decimals()
    exact = None if certificate.exact is None else str(certificate.exact)
    if json:
        bounds, seconds = {"lower": lower, "upper": upper, "exact": exact}, time.perf_counter() - started
        proof = {"proved": certificate.proved, "method": certificate.method, "seconds": seconds}
        cli.document({"file": str(file), "verified": certificate.proved or estimate, **bounds, **proof})
    else:
        number = exact if exact is not None and len(exact) < len(lower) else f"{lower} to {upper}"
        how = "proved again by" if certificate.proved else "estimated again, not proved: it is an"
        cli.out.print(f"{file} holds: the value {number} is {how} {certificate.method}")
    if not certificate.proved and not estimate:
        raise PrecisionError(f"the value in {file} is an estimate, not proved; --estimate accepts one")


@app.command()
def evaluate(
    game: GameText,
    a: Annotated[str, strategy_argument("A", "A strategy, such as optimal or hold:20.")],
    b: Annotated[str, strategy_argument("B", "The other strategy.")],
    at: Annotated[
        str | None, Option(metavar="STATE", help="From here on, as the mover sees it: 34-27+12.")
    ] = None,
    csv: Annotated[Path | None, Option(metavar="FILE", help="Save every position of a race as CSV.")] = None,
    parquet: Annotated[Path | None, Option(metavar="FILE", help="The same as Parquet.")] = None,
    npy: Annotated[
        Path | None, Option(metavar="FILE", help="The same as an array [mover, mine, yours, turn].")
    ] = None,
    json: Json = False,
) -> None:
    """Play A against B exactly, either starting. Example: dicewright evaluate pig hold:20 hold:25

    From a position: dicewright evaluate pig hold:20 hold:25 --at 34-27+12
    The chance of the mover at every position: dicewright evaluate pig hold:20 hold:25 --parquet chances.parquet
    A rule of one's own: dicewright evaluate pig "expr:turn < 20 or yours >= 71" file:rule.py
    """
    from ..analysis import exact
    from .outlook import save_tables

    rules = parse_game(game)
    view = None if at is None else rules.read_view(at)
    if view is None:
        exact.check_size(rules)
    first, second = strategies_of(rules, a, b)
    saved = save_tables(rules, first, second, {"csv": csv, "parquet": parquet, "npy": npy})
    if view is None:
        result, where, starts = exact.evaluate(rules, first, second), "", "starts"
    else:
        result = exact.evaluate_at(rules, first, second, view)
        where, starts = f" from {rules.show_view(view)} on", "moves there"
    if json:
        duels = {"a_first": vars(result.a_first), "b_first": vars(result.b_first)}
        overall = {"a_overall": result.a_overall, "b_overall": result.b_overall}
        told = {"at": rules.show_view(view)} if view is not None else {}
        head = {"game": rules.name, "a": str(first), "b": str(second), **told}
        cli.document({**head, **duels, **overall, **({"saved": saved} if saved else {})})
        return
    lines = []
    for starter, duel in ((first, result.a_first), (second, result.b_first)):
        chances = map(cli.chance, (duel.first_wins, duel.second_wins, duel.stalemate))
        lines.append([str(starter), *chances, f"{duel.expected_turns:.4f}", f"{duel.payoff:+.6f}"])
    columns = [
        starts,
        "starter wins" if view is None else "wins",
        "other wins",
        "neither wins",
        "turns",
        "payoff",
    ]
    cli.rows(f"{rules.name}: {first} against {second}{where}, exactly", columns, lines, right=(1, 2, 3, 4, 5))
    cli.out.print(f"overall: {first} {cli.chance(result.a_overall)}, {second} {cli.chance(result.b_overall)}")
    for path in saved:
        cli.out.print(f"saved to {path}")


@app.command("best-response")
def best_response(
    game: GameText,
    b: Annotated[str, strategy_argument("B", "The strategy to answer, such as hold:20.")],
    json: Json = False,
) -> None:
    """Find the best strategy against B. Example: dicewright best-response pig hold:20

    Of a rule of one's own: dicewright best-response bluff "expr:chance < 0.3; own >= count"
    """
    from ..analysis import exact

    rules = parse_game(game)
    exact.check_size(rules)
    (opponent,) = strategies_of(rules, b)
    result = exact.best_response(rules, opponent)
    if json:
        wins = {"first_wins": result.first_wins, "second_wins": result.second_wins}
        payoffs = {"first_payoff": result.first_payoff, "second_payoff": result.second_payoff}
        cli.document({"game": rules.name, "b": str(opponent), **wins, **payoffs})
        return
    lines = [
        ["first", cli.chance(result.first_wins), f"{result.first_payoff:+.6f}"],
        ["second", cli.chance(result.second_wins), f"{result.second_payoff:+.6f}"],
    ]
    title = f"{rules.name}: the best response to {opponent}"
    cli.rows(title, ["the responder moves", "wins", "payoff"], lines, right=(1, 2))


@app.command()
def advise(
    game: GameText,
    state: Annotated[str, Argument(metavar="STATE", help="What you see, such as 41-49+27.")],
    json: Json = False,
    fresh: Fresh = False,
) -> None:
    """Say what each action is worth and which is right. Example: dicewright advise pig 41-49+27

    Solved anew: dicewright advise pig 41-49+27 --fresh
    """
    from ..analysis import exact
    from ..storage.store import is_kept, solution_of

    rules = parse_game(game)
    view = rules.read_view(state)
    kin, kept = family(rules), not fresh and is_kept(rules)
    with cli.working(f"solving {rules.name}", json):
        if fresh or kept:
            judge = solution_of(rules, fresh=fresh)
        else:
            from ..storage.trained import judge_for

            judge = judge_for(rules)
        advice = exact.advise(rules, view, judge)
    if json:
        worth = {rules.show_choice(action): number for action, number in advice.worth.items()}
        mix = {rules.show_choice(action): float(chance) for action, chance in advice.mix.items()}
        head = {"game": rules.name, "state": rules.show_view(view), **dict.fromkeys(kin.usual)}
        hidden = {"reached": advice.reached} if kin.covered else {}
        tail = {"kept": kept} if kin.tells_kept else {}
        cli.document({**head, **worth, "best": rules.show_choice(advice.best), "mix": mix, **hidden, **tail})
        return
    # where bluffing pays, how often matters more than which
    cli.advice(rules, advice, kin.points(rules), mixed=kin.covered)


@app.command()
def strategies(
    game: Annotated[str, game_argument("The game they are for.")] = "pig", json: Json = False
) -> None:
    """List the strategies for GAME, with their sources, and its levels. Example: dicewright strategies pig"""
    from ..families.catalog import known
    from .commands.games import list_catalog
    from .levels import levels_told, show_levels

    rules = parse_game(game)
    levels = levels_told(rules)
    list_catalog(f"strategy for {game}", known(rules), json, levels=levels)
    if levels and not json:
        show_levels(rules, levels)
