"""How the games of one family are told: in words, to whom, at the table and on the page.

The answers here serve any game that answers the seven questions; a family overrides those it knows better.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from ..core.errors import RulesError, name_of
from ..core.game import CHANCE, Action, Outcome, State, View, WrittenGame, eye_of, sees
from ..core.solution import Solution
from ..core.themes import Deed, Theme
from .menu import Menu, Sight
from .picture import Picture
from .spoken import hand
from .told import OTHER, Listener, RecordPly, Sentence, Thing, Word, as_data

G = TypeVar("G", bound=WrittenGame)  # the games of a family
BIDS: Mapping[str, str] = {
    "bids": "bids",
    "bluffs": "bluffs",
    "caught": "bluffs caught",
    "calls": "calls",
    "right_calls": "right calls",
    "over_calls": "calls of what was true",
    "taken_in": "false bids believed",
}
PLAIN = "plain"  # the part of the page that draws what `position` says lies on the table


class Telling(Generic[G]):
    """A game as it writes itself, with what lies on the table as one sentence."""

    page: str = PLAIN  # the part of the page that shows them
    keys: Mapping[str, Action] = MappingProxyType({})  # letters for actions, the usual one of each first
    end_hidden: bool = False  # whether hidden dice decide if an action ends the game
    at: str = "at"  # between a decision and its place
    are_at: str = "are at"  # between "you" and the place
    usual: tuple[str, ...] = ()  # actions that advice as data names even where they are not allowed
    tells_kept: bool = False  # whether advice as data says that the solution was kept
    covered: bool = True  # whether something is hidden that later choices may uncover
    pictures: Mapping[str, Picture] = MappingProxyType({})  # of its strategies, for the page
    talks: bool = False  # whether bids and calls are made, true ones and false ones
    counts: Mapping[str, str] = MappingProxyType({})  # what is counted, where not bids and calls
    captions: Mapping[str, str] = BIDS  # of those counts, for the page
    secret: str = "what is hidden"  # and known to the analysis
    careful: tuple[str, ...] = ()  # actions that end the risk: a hold, a call
    themes: Mapping[str, Theme] = MappingProxyType({})  # the kinds of places that `theme` names
    deeds: Mapping[str, Deed] = MappingProxyType({})  # the kinds of actions that `deed` names
    menu: Menu = Menu()
    designs: Mapping[str, str] = MappingProxyType(
        {}
    )  # games drawn up on the page, and the script that does it
    sights: Mapping[str, Sight] = MappingProxyType({})  # ways of looking at its strategies, for the page

    # In words

    def short(self, game: G) -> str:
        """The game as a menu names it, whatever its fields are."""
        return name_of(game).partition(":")[0].replace("-", " ").capitalize()

    def title(self, game: G) -> str:
        """The game as a heading."""
        return self.short(game)

    def rules(self, game: G) -> tuple[str, ...]:
        """The rules in a few short sentences, spoken to a player."""
        return (f"This is {name_of(game)}.",)

    def say(self, game: G, choice: Action | Outcome) -> str:
        """An action or an outcome in words."""
        return str(game.show_choice(choice))

    def doing(self, game: G, action: Action) -> str:
        """An action as a verb: `holding`, `bidding 2x5`."""
        return str(getattr(game, "show_choice", str)(action))

    def place(self, game: G, view: View) -> str:
        """What a player saw, as people read it; it follows `at`, or `are_at` after the player."""
        return str(getattr(game, "show_view", str)(view))

    def acting(self, game: G, action: Action) -> str:
        """An action as a verb with nothing but words in it: `bidding two fives`."""
        return self.doing(game, action)

    def seen(self, game: G, view: View) -> str:
        """What a player saw, in words alone."""
        return self.place(game, view)

    def decision(self, game: G, view: View, action: Action) -> str:
        """A decision and where it was made: `bidding two fives with a two, opening`."""
        return f"{self.acting(game, action)} {self.at} {self.seen(game, view)}"

    def why(self, game: G, solution: Solution, view: View, choice: Action, best: Action) -> str:
        """Why a choice lost something against the best one, in a sentence that is true; nothing if none is known."""
        return ""

    def theme(self, game: G, view: View) -> str:
        """Which of the themes a decision belongs to; nothing if to none."""
        return ""

    def deed(self, game: G, view: View, action: Action) -> str:
        """Which of the deeds an action is; nothing if none."""
        return ""

    def faces(self, game: G, choice: Action | Outcome) -> tuple[int, ...]:
        """The die faces that a choice shows or claims, where the rules determine them; () otherwise."""
        return ()

    def on_table(self, game: G, choice: Action | Outcome) -> tuple[int, ...]:
        """The faces as far as they are certain, 0 for a die of which nothing is known.

        Nothing is ever shown that may not have been rolled.
        """
        return self.faces(game, choice)

    # Who sees what

    @property
    def at_table(self) -> bool:
        """Whether they are played at a table: their family says who sees what."""
        return Telling.roller is not type(self).roller and Telling.uncover is not type(self).uncover

    def roller(self, game: G, state: State) -> int:
        """The player whose dice are rolled at this state of CHANCE."""
        raise self._unseen(game)

    def onlookers(self, game: G, state: State) -> int:
        """The eyes that see the dice which are rolled at this state of CHANCE: their owner's."""
        return eye_of(self.roller(game, state))

    def uncover(self, game: G, eyes: list[int], before: State, choice: Action) -> bool:
        """Let `eyes` say who sees earlier choices now that this action was taken; whether more are seen."""
        raise self._unseen(game)

    def _unseen(self, game: G) -> RulesError:
        from .catalog import played

        return RulesError(f"nothing says who sees what in {name_of(game)}; {played()} are allowed")

    # At the table

    def tell(self, game: G, to: Listener, before: State, choice: Action | Outcome, after: State) -> list[str]:
        """One choice in sentences, with nothing in them that the listener may not see."""
        who, said = game.mover(before), self.say(game, choice)
        if who != CHANCE:
            return [f"{to.does(who, 'choose')} {said}."]
        roller = self.roller(game, before)
        if not sees(self.onlookers(game, before), to.me):
            return [f"{to.does(roller, 'roll')} in secret."]
        return [f"{to.does(roller, 'roll')}: {said}."]

    def ask(self, game: G, to: Listener, view: View) -> list[str]:
        """What there is to know when the listener has to choose."""
        return [f"You {self.are_at} {self.place(game, view)}."]

    def lay(
        self, game: G, to: Listener, state: State, turn: Sequence[Action | Outcome], over: bool
    ) -> list[Thing]:
        """What lies on the table after these choices of the turn, as the listener sees it; at the end, all of it."""
        return [Sentence(self.place(game, game.view(state, to.me)))]

    def offer(self, game: G, action: Action, view: View) -> str:
        """An action as it is offered: short, or in words if it has a key."""
        return self.say(game, action) if action in self.keys.values() else str(game.show_choice(action))

    def cell(self, action: Action) -> tuple[int, int] | None:
        """Row and column of an action among those that are offered in rows and columns."""
        return None

    # Bids and calls

    def said(self, game: G, plies: Iterable[RecordPly]) -> Iterator[Word]:
        """Everything that was said, in order; raising a bid is an answer to it and a bid."""
        return iter(())

    def is_bluff(self, game: G, view: View, action: Action) -> bool:
        """Whether an action says what its player knows or believes to be false."""
        return False

    def is_call(self, game: G, view: View, action: Action) -> bool:
        """Whether an action doubts what the other said."""
        return False

    def odds(self, game: G, view: View) -> Mapping[Action, float]:
        """How likely each action is right as the own dice alone tell it, exactly: a bid true, a call of a false one."""
        return {}

    # On the page

    def position(self, game: G, state: State, seat: int | None, over: bool) -> dict[str, Any]:
        """The table as the seat (None: a spectator) sees it: nothing that it may not know.

        What lies there is spoken to the player; a spectator gets nothing but the choices that all may see.
        """
        if seat is None or not self.at_table:
            return {"view": None if seat is None else game.show_view(game.view(state, seat))}
        to, view = Listener(seat, OTHER), game.view(state, seat)
        return {
            "view": game.show_view(view),
            "table": as_data(self.lay(game, to, state, (), over)),
            "ask": self.asks(game, state, seat),
            "keys": {letter: game.show_choice(action) for letter, action in self.keys.items()},
        }

    def asks(self, game: G, state: State, seat: int | None) -> list[str]:
        """What the seat is told if it has to choose now."""
        if seat is None or game.mover(state) != seat:
            return []
        return self.ask(game, Listener(seat, OTHER), game.view(state, seat))

    def layout(self, game: G) -> dict[str, Any]:
        """What is the same on the table throughout the game."""
        return {}

    def scene(self, game: G, before: State, choice: Action | Outcome, after: State) -> dict[str, Any]:
        """What everybody sees on the table after this choice, beside the choice itself."""
        return {}

    def lie(
        self, game: G, before: State, choice: Action | Outcome, pick: Callable[[int], int]
    ) -> tuple[int, ...]:
        """The dice as they lie, where the outcome leaves that open and all may see them; `pick(n)` is below n."""
        return ()

    def may_lie(self, game: G, before: State, choice: Action | Outcome, lie: Sequence[int]) -> bool:
        """Whether dice may lie so after this choice, as a record says."""
        return False

    def lie_words(self, game: G, lie: Sequence[int]) -> str:
        """Dice as they lie, in words."""
        return hand(lie)

    def rule(self, game: G) -> str:
        """A strategy for it as one line of arithmetic, where a rule of one's own is asked for."""
        return self.menu.rule

    def looks(self, game: G) -> Collection[str]:
        """The sights that this game has."""
        return self.sights

    def spot(self, game: G, view: View) -> dict[str, Any] | None:
        """Where a view is found among the sights, as an address names it; None if it is not."""
        return None

    def drawn(self, game: G) -> Mapping[str, Picture]:
        """The pictures of its strategies."""
        return self.pictures

    def points(self, game: G) -> bool:
        """Whether the game pays points, so that its worth is a payoff and not a winning chance."""
        return True

    def charts(self) -> Mapping[str, Callable[..., Any]]:
        """Functions whose numbers are plotted or listed, by name: of a game and a strategy, or of a solution."""
        return {}
