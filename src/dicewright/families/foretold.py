"""What a family knows of work on a game before any of it is begun: what it takes, and whether it can be done."""

from collections.abc import Callable, Collection
from typing import Any, Generic, TypeVar

from ..core.effort import LITTLE, Effort
from ..core.errors import RulesError, name_of
from ..core.game import View, WrittenGame

G = TypeVar("G", bound=WrittenGame)  # the games of a family


class Foretold(Generic[G]):
    """Any finite game."""

    def effort(self, game: G) -> Effort:
        """What solving this game takes: the one place of its size limits."""
        return Effort()

    def needs(self, game: G) -> Collection[Any]:
        """The games whose solutions the solution of this one is made of."""
        return ()

    def at_once(self, game: G) -> bool:
        """Whether solving it takes a moment only, so that nothing need be kept."""
        return False

    def chains(self, game: G) -> bool:
        """Whether its solution follows at once from those that it `needs`."""
        return False

    def check_here(self, game: G) -> None:
        """TooLarge for a game that is larger than strangers may have on a server."""

    def here(self, sentence: str) -> str:
        """A sentence about what is allowed, as it is told on a server."""
        return sentence

    def check_player(self, game: G, strategy: Any) -> None:
        """StrategyError for a strategy that cannot play this game, as far as a quick look tells."""

    def built_on(self, game: G, text: str, check: Callable[[str], str]) -> str | None:
        """A strategy that is built on another, written with the other as `check` has it; None if it is not."""
        return None

    def player_effort(self, game: G, solves: bool) -> Effort:
        """What a player takes beside the solution of its game; `solves` if it is made of another solution."""
        return Effort(0.0, LITTLE)

    def rolls_tried(self, game: G) -> int:
        """How many rolls are tried for each that stays hidden for the rest of a game; 0 if none does."""
        return 0

    def meets(self, game: G) -> bool:
        """Whether all its strategies can meet within some ten seconds; TooLarge where more can be said."""
        return True

    def soon_answered(self, game: G) -> bool:
        """Whether `best_response` takes a moment only, whatever the strategy is."""
        return False

    def check_entry(self, game: G) -> None:
        """TooLarge for a game whose strategies are too large for files that enter a tournament."""

    def check_size(self, game: G) -> None:
        """TooLarge if `evaluate` and `best_response` would refuse the game whatever the strategies are."""

    def check_luck(self, game: G) -> None:
        """RulesError or TooLarge unless `adjusted_engine` can take the luck of the dice out of payoffs."""
        raise RulesError(f"luck is taken out of race games; {name_of(game)} is none")

    def check_advice(self, game: G, view: View) -> None:
        """TooLarge or IllegalAction, before the work of solving, where there would be no advice."""
