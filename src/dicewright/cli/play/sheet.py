"""How the screen of the terminal looks, and the sheet with the rules that lies on top of it."""

from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from ...core.game import WrittenGame
from ...families import family
from .dice import QUIET

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
Choices { height: auto; width: 1fr; }
Rules { align: center middle; background: #211a14 60%; padding: 0; }
#sheet { width: 100%; max-width: 76; height: auto; max-height: 100%; background: #2e251c; padding: 0 1;
         border: round #6b5740; border-title-color: #e8dcc8; border-subtitle-color: #a5937b; }
#sheet Static { height: auto; }
.low #table, .low #talk, .low #keys { margin: 0; }
"""


class Rules(ModalScreen[None]):
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


class Talk(VerticalScroll):
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
