"""The table as a screen: dice, scores, what was said, and the keys; for any size from 40 columns by 16 rows."""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from rich.console import Group
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from ... import cli
from ...core.errors import DicewrightError, IllegalAction
from ...core.game import CHANCE
from ...families import family
from .table import Sitting
from .told import MINE, QUIET, THEIRS, Adviser, Scene, staged, summary, table_text
from .tutor import Tutor
from .widgets import STYLE, Buttons, RulesSheet, TalkLog, cell_of, packed, rows_of

PACE = 0.8  # seconds between the opponent's moves
SPARE = 17  # rows of everything but the head and the choices, with dice drawn large and some lines of talk
Part = TypeVar("Part", bound=Widget)
Line = tuple[
    str, str
]  # a text and what it is: "left", "right" (said by the one or the other), "own", "quiet", ...


class GameApp(App[None]):
    """One game at the table."""

    ENABLE_COMMAND_PALETTE = False
    CSS = STYLE
    BINDINGS: ClassVar = [
        Binding("q,ctrl+c", "leave", "quit", priority=True),
        Binding("question_mark", "hint", "hint"),
        Binding("i,f1", "rules", "rules"),
        Binding("u", "undo", "undo"),
        Binding("pageup", "scroll(-1)", "earlier"),
        Binding("pagedown", "scroll(1)", "later"),
    ]

    def __init__(
        self,
        table: Sitting,
        adviser: Adviser,
        hints: bool = False,
        resumed: bool = False,
        pace: float = PACE,
        tutor: Tutor | None = None,
        news: str = "",
    ) -> None:
        super().__init__()
        self.tutor, self.news = tutor, news
        self.table, self.adviser, self.hints = table, adviser, hints
        self.resumed, self.pace = resumed, pace
        self.lines: list[Line] = []
        self.shown = table.game.start()
        self.turn: list[Scene] = []
        self.waiting: deque[Scene] = deque()
        self.finished = self.ready = False
        self.room, self.rows = Size(80, 24), 1  # of the window, of the choices at their most
        self.loop: asyncio.AbstractEventLoop | None = None
        self.leaving = False  # a signal said so: signals.py
        self.failure: DicewrightError | None = None
        self.outcome: list[str] = []  # the result and the analysis, for the terminal below

    def compose(self) -> ComposeResult:
        """Head, table, talk, offer, keys."""
        yield Static(id="head")
        yield Static(id="table")
        with TalkLog(id="talk", can_focus=False):
            yield Static(id="lines")
        yield Static(id="said", markup=False)
        with VerticalScroll(id="offer", can_focus=False):
            yield Buttons()
        yield Static(id="keys")

    def on_mount(self) -> None:
        """The game as far as it has come, then the first question."""
        self.loop = asyncio.get_running_loop()
        if self.leaving:
            self.exit()
        self._write(f"Commitment of the dice: {self.table.setup.dice.commitment}")
        if self.news:
            self._write(self.news)
        self.ready, self.room = True, self.size
        self.waiting = deque(staged(self.table.scenes(), self.shown))
        while self.resumed and self.waiting:
            self._play(self.waiting.popleft())
        self._next()

    def on_resize(self, event: events.Resize) -> None:
        """Everything is drawn for the new size."""
        self.room = event.size
        self._draw()

    def on_key(self, event: events.Key) -> None:
        """A key shows the rest of the opponent's moves at once."""
        if self.waiting:
            event.stop()
            self._hurry()

    def on_buttons_taken(self, event: Buttons.Taken) -> None:
        """The person has decided; a key pressed twice in haste may come too late to count."""
        if self.finished or self.waiting or event.action not in self.table.actions:
            return
        if self.tutor is not None and (doubt := self.tutor.asks(self.table, event.action)):
            self._write_all([(doubt, "quiet")])
            return
        try:
            scenes = self.table.choose(event.action)
        except DicewrightError as error:  # such as a strategy of a file that answers nonsense
            self.failure = error
            self.exit()
            return
        self._part(Buttons).offer(())
        self.waiting = deque(staged(scenes, self.shown))
        self._play(self.waiting.popleft())
        if self.waiting and self.waiting[0].who == CHANCE and self.waiting[0].by == self.table.me:
            self._play(self.waiting.popleft())  # the own roll needs no waiting
        self._next()

    def on_buttons_pointed(self, event: Buttons.Pointed) -> None:
        """What stands in brackets, in words, unless the offer has gone since."""
        if event.cell in self._part(Buttons).cells:
            self._part("#said", Static).update(f"Enter says: {event.cell.words}")

    def _part(self, which: type[Part] | str, kind: type[Part] | None = None) -> Part:
        """A part of the table, also while the rules lie on top of it."""
        below = self.screen_stack[0]
        return below.query_one(which) if kind is None else below.query_one(which, kind)  # type: ignore

    def _next(self) -> None:
        """The next scene after a while; a question or the end after the last."""
        self._draw()
        if self.pace <= 0:
            self._hurry()
        elif not self.waiting and self.table.over:
            self.set_timer(self.pace, self._ask)  # the verdict by itself
        elif not self.waiting:
            self._ask()
        else:
            self._part("#said", Static).update(f"{self.table.teller.other} plays. Any key: faster.")
            self.set_timer(self.pace, self._tick)

    def _tick(self) -> None:
        if self.waiting:
            self._play(self.waiting.popleft())
            self._next()

    def _hurry(self) -> None:
        while self.waiting:
            self._play(self.waiting.popleft())
        self._ask()

    def _play(self, scene: Scene) -> None:
        """One scene on the table and in the talk."""
        if self.turn and scene.who >= 0 and scene.who != self.turn[0].who:
            self.turn = []
        if not scene.more:
            self.turn.append(scene)
        self.shown = scene.state
        own = "right" if scene.spoken else "own"
        for number, line in enumerate(scene.lines, start=int(scene.more)):
            self._write(line, "quiet" if number else own if scene.by == self.table.me else "left")

    def _ask(self) -> None:
        """Offer what may be done, or tell how it ended."""
        if complaint := self.table.keeper.take_complaint():
            self._write(complaint)
        if self.table.over:
            self._end()
        else:
            view = self.table.view
            cells = [cell_of(self.table.game, action, view) for action in self.table.actions]
            self._part(Buttons).offer(cells)
            self.table.asked()
            if self.hints:
                self.action_hint()
        self._draw()

    def _end(self) -> None:
        if self.finished:
            return
        self.finished = True
        self._part(Buttons).offer(())
        self.outcome = [self.table.result()]
        self._write(self.table.result(), "end")
        self._write(f"Server seed of the dice: {self.table.setup.server_seed}")
        self._part("#said", Static).update("The game is over. Q leaves.")
        if not self.adviser.ready:
            self._write("Working out the analysis ...")
        self._later(self._analysed, "No analysis")

    def _analysed(self) -> list[Line]:
        analysis = self.adviser.analysis(self.table.record())
        chances = analysis.own_chances(self.table.me)
        bars = cli.sparkline(chances, max(8, self.room.width - 4), analysis.points)
        told = summary(analysis, self.table.me)
        told += self.adviser.learned(self.table.record(), self.table.me)
        self.outcome += told
        return [(bars, "bars"), *((line, "own") for line in told)]

    def _later(self, work: Callable[[], list[Line]], sorry: str) -> None:
        """Lines that take long to find, found beside the screen; leaving never waits for them."""

        def run() -> None:
            try:
                found = work()
            except DicewrightError as error:
                found = [(f"{sorry}: {error}.", "quiet")]
            if self.is_running:
                self.call_from_thread(self._write_all, found)

        threading.Thread(target=run, daemon=True).start()

    def action_hint(self) -> None:
        """What each action is worth."""
        if self.table.setup.rated:
            self._write_all([("A rated game has no hints.", "quiet")])
        elif not self.finished and not self.waiting:
            view = self.table.view
            if not self.adviser.ready:
                self._write_all([("Working out the hint ...", "quiet")])
            self._later(lambda: self._hinted(view), "No hint")

    def _hinted(self, view: Any) -> list[Line]:
        found = self.adviser.hint(view)
        return [("\n".join(["Hint:", *(f"{action}: {worth}" for action, worth in found)]), "hint")]

    def action_rules(self) -> None:
        """The rules on a sheet."""
        self.push_screen(RulesSheet(self.table.game))

    def action_undo(self) -> None:
        """Take back the last own decision."""
        if self.waiting:
            self._hurry()
        try:
            self.table.undo()
        except IllegalAction as error:
            self._write_all([(f"Not undone: {error}.", "quiet")])
            return
        self.lines, self.turn, self.shown = self.lines[:1], [], self.table.game.start()
        for scene in self.table.scenes():
            self._play(scene)
        self._write("Your last decision is taken back.")
        self._ask()

    def action_scroll(self, pages: int) -> None:
        """Read what was said before."""
        talk = self._part(TalkLog)
        talk.scroll_relative(y=pages * max(1, talk.size.height - 1), animate=False)

    def action_leave(self) -> None:
        """Leave; the game is saved already."""
        self.exit()

    def _write(self, text: str, place: str = "quiet") -> None:
        self.lines.append((text, place))

    def _write_all(self, lines: list[Line]) -> None:
        self.lines += lines
        self._draw()

    def _draw(self) -> None:
        """Everything for the present size."""
        if not self.ready:
            return
        width, height = self.room.width - 2, self.room.height
        setup = self.table.setup
        title, rest = family(self.table.game).title(self.table.game), f"against {setup.opponent}"
        rest += ", rated" if setup.rated else ""
        if self.finished:
            title, rest = self.table.result(), f"{title} {rest}"
        gap = width - len(title) - len(rest)
        head = Text(title, "bold").append(" " * gap if gap >= 2 else "\n").append(rest, QUIET)
        self._part("#head", Static).update(head)
        self.rows = max(self.rows, len(rows_of(self._part(Buttons).cells, width)))
        low = SPARE + (1 if gap >= 2 else 2) + min(self.rows, 2 * height // 5) > height
        self.set_class(low, "low")
        drawn = table_text(self.table.teller, self.shown, self.turn, width, low, self.finished)
        self._part("#table", Static).update(drawn)
        self._part("#lines", Static).update(Group(*(self._line(*line) for line in self.lines)))
        self._part(TalkLog).scroll_end(animate=False)
        keys = (
            ["I rules", "Q quit"]
            if setup.rated or self.finished
            else ["? hint", "I rules", "U undo", "Q quit"]
        )
        self._part("#keys", Static).update("   ".join(keys))

    def _line(self, text: str, place: str) -> Text:
        style = {"left": THEIRS, "right": MINE, "quiet": QUIET, "end": "bold", "bars": MINE}.get(place, "")
        if os.environ.get("NO_COLOR"):
            style = "bold" if place == "end" else ""
        if place == "hint":
            text = packed(text.split("\n"), self.room.width - 4)
        return Text(text, style, justify="right" if place == "right" else "left")
