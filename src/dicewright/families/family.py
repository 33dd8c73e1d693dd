"""What the services ask about the games of one family.

The answers here serve any finite game that answers the seven questions; a family overrides those it knows better,
its words first of all. Games are given with each question: a family has no state.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from ..core.check import Checked, name_of
from ..core.errors import NotationError, RulesError
from ..core.eyes import eye_of
from ..core.form import Form, certificate_of
from ..core.game import Action, Outcome, State, View
from ..core.results import Evaluation, Response
from ..core.solution import Certificate, Header, Solution
from ..core.strategy import Strategy


class Way(NamedTuple):
    """How games of a family are solved, and what may be asked for."""

    methods: Collection[str]
    options: Collection[str]
    solve: Callable[..., Solution]  # of a game, a method and options


class Family:
    """Any finite game: solved on its tree, written as it writes itself."""

    key: str = "tree"
    kind: type | tuple[type, ...] = object  # the classes of its games
    page: str | None = None  # the part of the page that shows them
    form_name: str = "tree-1"  # in which its solutions are written

    def admit(self, game: Any) -> None:
        """RulesError unless this is a game whose rules the solvers will really ask for."""
        Checked(game)

    # In words

    def title(self, game: Any) -> str:
        """The game as a heading."""
        return name_of(game).partition(":")[0].replace("-", " ").capitalize()

    def rules(self, game: Any) -> tuple[str, ...]:
        """The rules in a few short sentences, spoken to a player."""
        return (f"This is {name_of(game)}.",)

    def say(self, game: Any, choice: Action | Outcome) -> str:
        """An action or an outcome in words."""
        return str(game.show_choice(choice))

    def faces(self, game: Any, choice: Action | Outcome) -> tuple[int, ...]:
        """The die faces that a choice shows or claims, where the rules determine them; () otherwise."""
        return ()

    def on_table(self, game: Any, choice: Action | Outcome) -> tuple[int, ...]:
        """The faces as far as they are certain, 0 for a die of which nothing is known.

        Nothing is ever shown that may not have been rolled.
        """
        return self.faces(game, choice)

    # Who sees what

    def roller(self, game: Any, state: State) -> int:
        """The player whose dice are rolled at this state of CHANCE."""
        raise RulesError(
            f"nothing says who sees what in {name_of(game)}; race, bluff and calling games are allowed"
        )

    def onlookers(self, game: Any, state: State) -> int:
        """The eyes that see the dice which are rolled at this state of CHANCE: their owner's."""
        return eye_of(self.roller(game, state))

    def uncover(self, game: Any, eyes: list[int], before: State, choice: Action) -> bool:
        """Let `eyes` say who sees earlier choices now that this action was taken; whether more are seen."""
        raise RulesError(
            f"nothing says who sees what in {name_of(game)}; race, bluff and calling games are allowed"
        )

    # Solved, met, answered

    def way(self, game: Any) -> Way:
        """How this game is solved."""
        from ..solvers.sequence_form import solve_sequence_form

        return Way(("auto", "sequence-form"), (), lambda game, method: solve_sequence_form(game))

    # Written and read

    def all_rules(self, game: Any) -> Any:
        """All rules as plain data, under which the game is kept; None where only a name of the catalog says them."""
        return None

    def said(self, game: Any, header: Header) -> Certificate:
        """What the header of a file says is proved of this game; nothing that solves is loaded.

        KeyError, TypeError, ValueError or ZeroDivisionError if it is not about this game.
        """
        if header["format"] != self.form_name:
            raise ValueError(f"format {header['format']} of {name_of(game)}; {self.form_name} is allowed")
        return certificate_of(header)

    def form(self, game: Any, header: Header) -> Form:
        """How the rest of such a file is read."""
        from ..solvers.tree_solution import FORM

        return FORM

    def check_size(self, game: Any) -> None:
        """TooLarge if `evaluate` and `best_response` would refuse the game whatever the strategies are."""

    def check_advice(self, game: Any, view: View) -> None:
        """TooLarge or IllegalAction, before the work of solving, where there would be no advice."""

    def evaluate(self, game: Any, a: Any, b: Any) -> Evaluation:
        """A against B, exactly, with either of them starting."""
        from ..solvers.best_response import evaluate_tree

        return evaluate_tree(game, a, b)

    def best_response(self, game: Any, b: Any) -> Response:
        """The best strategy against B from either seat, and what it gets."""
        from ..solvers.best_response import best_response_tree

        return best_response_tree(game, b)

    def answer(self, game: Any, strategy: Strategy, seat: int) -> type[Solution]:
        """The class of solutions in which a strategy is known, and the player in `seat` answers it."""
        from ..solvers.answer import TreeAnswer

        return TreeAnswer

    def strategies(self, game: Any) -> Mapping[str, Callable[..., Any]]:
        """The strategies that have names, by name."""
        raise NotationError(
            f"no strategies are named for {name_of(game)}; they are for race, bluff and calling games"
        )
