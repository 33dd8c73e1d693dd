"""The tutor asks before a decision that gives much away, and says nothing else."""

from typing import Any

from ...analysis.sentences import figure
from ...core.errors import DicewrightError
from ...families import family
from .table import Sitting
from .told import TIE, Adviser


class Tutor:
    """Asks once about each decision that gives away so much or more: percent of winning chance, or points."""

    def __init__(self, adviser: Adviser, above: float) -> None:
        self.adviser, self.above = adviser, above
        self.asked: tuple[int, Any] | None = None  # the ply and the action that it has asked about
        self.silent = ""  # why it cannot say anything

    def asks(self, table: Sitting, action: Any) -> str:
        """What it asks before this action; nothing if it gives away little, or was chosen once more."""
        about = (len(table.sitting.choices), action)
        if self.silent or about == self.asked or len(table.actions) < 2:
            return ""
        try:
            worth = self.adviser.advice(table.view).worth
        except DicewrightError as error:
            self.silent = str(error)
            return f"The tutor is silent: {error}. Say it again to do it."
        points = family(table.game).points(table.game)
        loss = (max(worth.values()) - worth[action]) * (1 if points else 100)
        if loss < max(self.above, TIE):
            return ""
        self.asked = about
        told = f"{figure(loss, 2)} points" if points else f"{figure(loss, 1)} %"
        return f"Sure? That gives away {told}. Say it again to do it."
