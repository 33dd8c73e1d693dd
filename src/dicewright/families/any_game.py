"""The strategy that can play any game."""

from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.game import View
from ..core.notation import Named
from ..core.strategy import Mix


@dataclass(frozen=True)
class AnyAction(Named):
    """Every allowed action alike."""

    game: Any
    key: ClassVar[str] = "random"

    def __call__(self, view: View) -> Mix:
        """Equal shares."""
        actions = self.game.actions(view)
        return {action: 1.0 / len(actions) for action in actions}
