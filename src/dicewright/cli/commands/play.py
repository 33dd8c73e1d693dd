"""`play`: a game against a strategy, in the terminal."""

import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from shlex import quote
from typing import Annotated, Any

from typer import Option

from ... import cli
from ...core.effort import MEGABYTES, SECONDS, Limits
from ...core.errors import NotationError
from ...core.game import WrittenGame
from ...families import catalog, family
from ...families.minds import LEARNER
from ...storage.games import parse_game
from ..app import Megabytes, Place, Seconds, app, game_argument, strategies_begun

AGAINST = "The opponent, such as hold:20 (else optimal)."
TUTOR = "Ask before a decision that gives away so many percent (points in games for points) or more."
RESUME = "Go on with the newest unfinished game, or with GAME."
ENGINE = "engine:"
LEAVE_SECONDS = 15  # to end in order after a signal: more than a database that others write to may take
# Not every system has all of them.
ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
TEXTUALS = [getattr(signal, name) for name in ("SIGTSTP", "SIGCONT") if hasattr(signal, name)]


@app.command()
def play(
    game: Annotated[str | None, game_argument("A game, such as pig; with --resume a game or an id.")] = None,
    against: Annotated[
        str | None, Option(metavar="STRATEGY", help=AGAINST, autocompletion=strategies_begun)
    ] = None,
    first: Annotated[bool, Option("--first", help="You begin (else it is drawn who does).")] = False,
    second: Annotated[bool, Option("--second", help="The opponent begins.")] = False,
    hints: Annotated[bool, Option("--hints", help="Show all chances at every decision.")] = False,
    tutor: Annotated[float | None, Option(metavar="PERCENT", min=0.0, max=100.0, help=TUTOR)] = None,
    seed: Annotated[int | None, Option(metavar="N", help="Dice that fall the same every time.")] = None,
    rated: Annotated[bool, Option("--rated", help="No hints and no undo.")] = False,
    plain: Annotated[bool, Option("--plain", help="Lines only: for screen readers and pipes.")] = False,
    no_save: Annotated[bool, Option("--no-save", help="Do not keep the game.")] = False,
    resume: Annotated[bool, Option("--resume", help=RESUME)] = False,
    name: Annotated[str | None, Option(metavar="NAME", help="Your name in the record.")] = None,
    seconds: Seconds = SECONDS,
    megabytes: Megabytes = MEGABYTES,
    database: Place = None,
) -> None:
    """Play GAME against a strategy in the terminal. Example: dicewright play pig --against hold:20

    Every decision is saved at once: leave with Q or Ctrl-C whenever you like, and go on with --resume. After the
    game you see what each decision cost and how much was luck.
    Against a program of your own (docs/engine.md): dicewright play pig --against engine:./bot
    """
    from ...storage.strategies import line
    from ..play.plain import say
    from ..play.table import Saver, Sitting
    from ..play.told import Adviser, in_background

    keeper = Saver(database, save=not no_save)
    if resume:
        named = against if against is None or not against.startswith(ENGINE) else None
        given = {"--against": named, "--first": first or None, "--second": second or None, "--seed": seed}
        given |= {"--name": name, "--rated": rated or None, "--no-save": no_save or None}
        if refused := [option for option, value in given.items() if value is not None]:
            raise NotationError(f"{refused[0]} is not allowed here; --resume takes the game as it was")
        setup, choices = _taken_up(keeper, game)
        _check_program(setup, against)
        news = ""
    else:
        setup, news = _agreed(game, against, _seat(first, second), seed, rated, name or keeper.player())
        choices = ()
    if hints and setup.rated:
        raise NotationError("--hints is not allowed in a rated game")
    if tutor is not None and setup.rated:
        raise NotationError("--tutor is not allowed in a rated game")
    limits = Limits(seconds, megabytes) if against else None
    adviser = Adviser(setup.game, patient=setup.opponent == "optimal")
    with cli.working(f"preparing {setup.opponent} for {setup.game.name}", quiet=False) as progress:
        opponent = in_background(lambda: _opponent(adviser, keeper, setup, progress, limits))
        asks = None if tutor is None else in_background(lambda: _tutor(adviser, tutor, progress))
    setup = replace(setup, opponent=line(setup.opponent, opponent))
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, _leave)
    table = Sitting(setup, opponent, keeper, choices)
    by_lines = plain or not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb"
    more: list[str] = []
    try:
        _sit(table, adviser, hints, by_lines, resume, more, asks, news)
    finally:
        with suppress(OSError):  # the terminal may be gone
            say(*_farewell(table, more))
        keeper.close()


def _opponent(adviser: Any, keeper: Any, setup: Any, progress: Any, limits: Limits | None) -> Any:
    """Who plays; one that learns the person does so from their games."""
    if setup.opponent != LEARNER:
        return adviser.opponent(setup.opponent, 1 - setup.seat, progress, limits)
    return adviser.learner(keeper.games(setup.game, setup.date), 1 - setup.seat, progress)


def _tutor(adviser: Any, above: float, progress: Any) -> Any:
    """The tutor, once what it needs is solved."""
    from ..play.tutor import Tutor

    adviser.solution(progress)
    return Tutor(adviser, above)


def _sit(
    table: Any,
    adviser: Any,
    hints: bool,
    by_lines: bool,
    resumed: bool,
    more: list[str],
    tutor: Any,
    news: str,
) -> None:
    """Play; `more` gets what the screen said of the end, since that goes away with it.

    The screen hides what was said before it: `news` is said there again.
    """
    if by_lines:
        from ..play.plain import Plain

        Plain(table, adviser, hints, tutor).run(resumed)
    else:
        from ..play.screen import GameApp

        screen = GameApp(table, adviser, hints, resumed, tutor=tutor, news=news)
        with _heard(screen):
            screen.run()
        more += screen.outcome
        if screen.failure is not None:
            raise screen.failure


def _taken_up(keeper: Any, which: str | None) -> tuple[Any, tuple[Any, ...]]:
    """The saved game that goes on."""
    from ...storage.shelf.shelf import Shelf
    from ..play.table import Setup, unfinished

    keeper.shelf = Shelf.open(keeper.url)
    saved = keeper.saved = unfinished(keeper.shelf, which)
    return Setup.of(saved), saved.record().choices


def _check_program(setup: Any, against: str | None) -> None:
    """NotationError unless a program of a saved game is named anew: what a database says is never run."""
    if against is not None and against != setup.opponent:
        raise NotationError(f"{against} is not allowed here; {setup.opponent} plays the game {setup.id}")
    if against is None and setup.opponent.startswith(ENGINE):
        again = f"dicewright play --resume {setup.id} --against {quote(setup.opponent)}"
        raise NotationError(f"{setup.opponent} is a program, run only when it is named; go on with: {again}")


def _agreed(
    game: str | None, against: str | None, seat: int | None, seed: int | None, rated: bool, name: str | None
) -> tuple[Any, str]:
    """A new game, and what is said of a training that begins with it."""
    from ...storage.growing import begin
    from ...storage.trained import is_trained
    from ..play.table import Setup, drawn_seat, seed_of
    from ..play.told import default_opponent

    if game is None:
        raise NotationError(
            "which game? dicewright play pig, bluff:dice=2v2 or mia; dicewright games lists all"
        )
    rules = parse_game(game)
    check_table(rules)
    opponent, why = (against, "") if against else default_opponent(rules)
    news = begin(rules) if opponent in family(rules).by_training and not is_trained(rules) else ""
    if said := news or why:
        cli.err.print(said, soft_wrap=True)
    server_seed = seed_of(seed)
    seat = drawn_seat(server_seed) if seat is None else seat
    return Setup(rules, opponent, seat, server_seed, (name or "you").strip()[:60] or "you", rated), news


def check_table(game: WrittenGame) -> None:
    """NotationError if the game is none that is played at a table here."""
    if not family(game).at_table:
        raise NotationError(f"{game.name} is not played here; {catalog.played()} are")


def _seat(first: bool, second: bool) -> int | None:
    if first and second:
        raise NotationError("--first and --second were both given; one of them is allowed")
    return 0 if first else 1 if second else None


def _leave(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _farewell(table: Any, more: list[str]) -> list[str]:
    """Where the game is now, how it ended, and how to go on with it."""
    from ...storage.records.text import write_records
    from ...storage.shelf.saved_game import hidden

    record, id = table.record(), table.setup.id
    if table.keeper.failed:
        if hidden(record):
            why = "The game is not saved, and it hides dice; what you have seen of it:"
            return [why, f"{table.game.name}: {' '.join(table.seen())}"]
        return [*more, "The game is not saved. Its record:", *write_records([record]).splitlines()]
    if not table.keeper.wanted:
        return more
    if not table.over:
        return [f"Saved as {id}. Go on with: dicewright play --resume {id}"]
    saved, analysed = f"Saved as {id}.", f"More: dicewright analyse {id}"
    return [saved, *more, analysed] if more else [f"{saved} {analysed}"]


@contextmanager
def _heard(screen: Any) -> Iterator[None]:
    """The screen ends when a signal says so or the terminal goes away, whatever the program waits for.

    Python runs its handlers in the main thread, between two of its steps. A signal that another thread receives, or
    that comes just when the main thread begins to wait, is not noticed before that wait ends, which may be never. The
    system writes the signal's number to a pipe at once, and a thread that waits for nothing else reads it there.
    """
    before = {number: signal.getsignal(number) for number in (*ENDING, *TEXTUALS)}
    for number in ENDING:
        signal.signal(number, lambda number, _: _tell(screen, number))
    try:
        if hasattr(select, "poll"):
            with _listener(screen):
                yield
        else:
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _listener(screen: Any) -> Iterator[None]:
    news, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    before = signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    thread = threading.Thread(target=_listen, args=(news, screen), daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(wakeup)
        thread.join()
        os.close(news)


def _listen(news: int, screen: Any) -> None:
    """Tell what comes until nobody can write news any more."""
    poll = select.poll()
    poll.register(news, select.POLLIN)
    terminal = sys.stdin.fileno()
    poll.register(terminal, 0)  # nothing but its end
    while True:
        for file, event in poll.poll():
            if file == terminal:
                poll.unregister(terminal)
                if event & select.POLLHUP:
                    _tell(screen, signal.SIGHUP)
            elif numbers := os.read(news, 64):
                for number in numbers:
                    _tell(screen, number)
            else:
                return


def _tell(screen: Any, number: int) -> None:
    """End in order, or at all: what is to be drawn can wait for ever for a terminal that is gone.

    After any other signal the loop wakes, and the main thread runs its handler.
    """
    if number in ENDING:
        screen.leaving = True  # first, since a screen that begins looks at this last
        if hasattr(signal, "alarm"):
            signal.alarm(LEAVE_SECONDS)  # then the system ends this process, whatever it waits for
    if screen.loop is not None:
        with suppress(RuntimeError):  # it has closed
            screen.loop.call_soon_threadsafe(screen.exit if number in ENDING else lambda: None)
