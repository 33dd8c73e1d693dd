"""Parts of the screen: the actions as cells to be chosen by key, arrows, digits or mouse, the rules, the talk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from rich.console import Group
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.geometry import Region, Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from ...core.game import Action, WrittenGame
from ...families import family
from .told import QUIET


class ActionCell(NamedTuple):
    """One action: its label, its own key if it has one, the digits that select it, and its row and column."""

    action: Action
    label: str
    words: str
    key: str = ""
    digits: str = ""
    at: tuple[int, int] | None = None


def cell_of(game: WrittenGame, action: Action, view: Any) -> ActionCell:
    """How an action is shown."""
    kin = family(game)
    said, text = kin.say(game, action), kin.offer(game, action, view)
    key = next((key for key, meant in kin.keys.items() if meant == action), "")
    if key:
        return ActionCell(action, f"{key.upper()} {text.capitalize()}", said, key)
    return ActionCell(action, text, said, "", "".join(filter(str.isdigit, text)), kin.cell(action))


def rows_of(cells: Sequence[ActionCell], width: int) -> list[list[ActionCell | None]]:
    """Cells in their rows and columns if that fits, else as they come; cells with keys in the last row."""
    plain = [cell for cell in cells if not cell.key]
    keyed: list[ActionCell | None] = [cell for cell in cells if cell.key]
    wide = _wide(plain)
    rows: list[list[ActionCell | None]] = []
    placed = {cell.at: cell for cell in plain if cell.at is not None}
    columns = sorted({column for _, column in placed})
    if plain and len(placed) == len(plain) and len(columns) * wide <= width:
        for row in sorted({row for row, _ in placed}):
            rows.append([placed.get((row, column)) for column in columns])
    else:
        many = max(1, width // wide) if plain else 1
        rows += [list(plain[at : at + many]) for at in range(0, len(plain), many)]
    return [*rows, keyed] if keyed else rows


def _wide(cells: Sequence[ActionCell]) -> int:
    return max((len(cell.label) for cell in cells), default=0) + 2


class Buttons(Widget, can_focus=True):
    """The legal actions; Enter takes the one in brackets, a key takes its own at once."""

    @dataclass
    class Taken(Message):
        """An action was chosen."""

        action: Action

    @dataclass
    class Pointed(Message):
        """The brackets stand elsewhere."""

        cell: ActionCell

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[ActionCell] = []
        self.at = 0
        self._typed = ""

    def offer(self, cells: Sequence[ActionCell]) -> None:
        """Show these actions."""
        self.cells, self.at, self._typed = list(cells), 0, ""
        self.refresh(layout=True)
        if self.cells:
            self.focus()
            self._move(0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A line a row."""
        return max(1, len(rows_of(self.cells, width)))

    def render(self) -> Text:
        """All rows, the chosen cell in brackets."""
        lines = []
        for row in rows_of(self.cells, self.size.width):
            line = Text()
            wide = self._wide_of(row)
            for cell in row:
                if cell is None:
                    line.append(" " * wide)
                elif cell is self.cells[self.at]:
                    line.append(f"[{cell.label}]", "bold reverse").append(" " * (wide - len(cell.label) - 2))
                else:
                    line.append(f" {cell.label} ".ljust(wide))
            lines.append(line)
        return Text("\n").join(lines)

    def _wide_of(self, row: Sequence[ActionCell | None]) -> int:
        """How wide the cells of a row are: alike in all rows, but for the last one of cells with keys."""
        keyed = any(cell is not None and cell.key for cell in row)
        return _wide([cell for cell in self.cells if bool(cell.key) == keyed])

    def _places(self) -> list[tuple[int, int, ActionCell]]:
        """Row, column and cell of every cell."""
        rows = rows_of(self.cells, self.size.width or 80)
        return [(r, c, cell) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell is not None]

    def _move(self, number: int) -> None:
        self.at = number
        self.refresh()
        self.post_message(self.Pointed(self.cells[number]))
        row = next((r for r, _, cell in self._places() if cell is self.cells[number]), 0)
        self.call_after_refresh(self._show_row, row)

    def _show_row(self, row: int) -> None:
        parent = self.parent
        if isinstance(parent, Widget):
            parent.scroll_to_region(Region(0, row, 1, 1), animate=False)

    def on_key(self, event: events.Key) -> None:
        """Keys of actions, digits, arrows and Enter."""
        if not self.cells:
            return
        key = event.character.lower() if event.character else event.key
        keyed = next((cell for cell in self.cells if cell.key and cell.key == key), None)
        if keyed is not None:
            self.post_message(self.Taken(keyed.action))
        elif event.key == "enter":
            self.post_message(self.Taken(self.cells[self.at].action))
        elif event.key in ("left", "right", "up", "down"):
            self._arrow(event.key)
        elif key.isdecimal():
            self._digit(key)
        else:
            return
        event.stop()

    def _arrow(self, key: str) -> None:
        places = self._places()
        row, column = next((r, c) for r, c, cell in places if cell is self.cells[self.at])
        if key in ("left", "right"):
            order = [cell for _, _, cell in places]
            step = 1 if key == "right" else -1
            cell = order[(order.index(self.cells[self.at]) + step) % len(order)]
        else:
            rows = sorted({r for r, _, _ in places if (r > row) == (key == "down") and r != row})
            if not rows:
                return
            goal = rows[0] if key == "down" else rows[-1]
            cell = min((p for p in places if p[0] == goal), key=lambda p: abs(p[1] - column))[2]
        self._move(self.cells.index(cell))

    def _digit(self, digit: str) -> None:
        """Digits typed one after another select the cell that they spell."""
        for typed in (self._typed + digit, digit):
            starts = [cell for cell in self.cells if cell.digits.startswith(typed)]
            if starts:
                self._typed = typed
                exact = [cell for cell in starts if cell.digits == typed]
                self._move(self.cells.index((exact or starts)[0]))
                return
        self._typed = ""

    def on_click(self, event: events.Click) -> None:
        """A click takes the cell under it."""
        rows = rows_of(self.cells, self.size.width)
        if not 0 <= event.y < len(rows):
            return
        row = rows[event.y]
        column = event.x // self._wide_of(row)
        cell = row[column] if column < len(row) else None
        if cell is not None:
            self.post_message(self.Taken(cell.action))


STYLE = """
Screen { background: #211a14; color: #e8dcc8; padding: 0 1; overflow: hidden; }
#head { height: auto; color: #e8dcc8; }
#table { height: auto; margin: 1 0 0 0; }
#talk { height: 1fr; min-height: 2; margin: 1 0; scrollbar-size-vertical: 1; scrollbar-background: #211a14;
        scrollbar-color: #4a3b2d; }
#offer { height: auto; max-height: 40%; scrollbar-size-vertical: 1; scrollbar-background: #211a14;
         scrollbar-color: #4a3b2d; }
#said { height: 1; color: #a5937b; }
#keys { height: auto; margin: 1 0 0 0; color: #a5937b; }
Buttons { height: auto; width: 1fr; }
RulesSheet { align: center middle; background: #211a14 60%; padding: 0; }
#sheet { width: 100%; max-width: 76; height: auto; max-height: 100%; background: #2e251c; padding: 0 1;
         border: round #6b5740; border-title-color: #e8dcc8; border-subtitle-color: #a5937b; }
#sheet Static { height: auto; }
.low #table, .low #talk, .low #keys { margin: 0; }
"""


class RulesSheet(ModalScreen[None]):
    """The rules of the game and the keys, in one screen."""

    BINDINGS: ClassVar = [Binding("escape,enter,space,i,f1", "dismiss", "back")]

    def __init__(self, game: WrittenGame) -> None:
        super().__init__()
        self.game = game

    def compose(self) -> ComposeResult:
        """A sheet of paper."""
        lines = [Text(f"· {line}") for line in family(self.game).rules(self.game)]
        how = "Enter takes what stands in brackets; arrows, digits and a click choose. PgUp shows what was said."
        with VerticalScroll(id="sheet") as sheet:
            sheet.border_title, sheet.border_subtitle = family(self.game).title(self.game), "Esc: back"
            yield Static(Group(*lines, Text(how, QUIET)))


class TalkLog(VerticalScroll):
    """What was said, always shown to its end when it or the window changes its size."""

    def on_resize(self) -> None:
        """Only now it is known where the end is."""
        self.scroll_end(animate=False)


def packed(parts: list[str], width: int) -> str:
    """Parts side by side in lines of this width, none of them broken.

    >>> packed(["roll: 85.0 % best", "hold: 42.8 %"], 24).splitlines()
    ['roll: 85.0 % best', 'hold: 42.8 %']
    """
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 3 + len(part) <= width:
            lines[-1] += f"   {part}"
        else:
            lines.append(part)
    return "\n".join(lines)
