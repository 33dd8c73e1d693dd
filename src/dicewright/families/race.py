"""Race games: Pig and its relatives."""

from collections.abc import Callable, Mapping
from typing import Any

from ..core.errors import RulesError
from ..core.eyes import ALL_EYES
from ..core.form import Form
from ..core.game import Action, Outcome
from ..core.results import Evaluation, Response
from ..core.solution import Certificate, Header, Solution
from ..core.strategy import Strategy
from ..games.race import RaceGame, RaceState
from ..games.words_race import certain_faces, race_faces, race_rules, race_say, race_title
from ..solvers import door, race_form
from .family import Family, Way
from .seating import answered, seated


class RaceFamily(Family):
    """Everything lies open: dice are seen by all."""

    key, kind, page = "race", RaceGame, "race"

    def admit(self, game: RaceGame) -> None:
        """RulesError for an heir that plays by other rules than its fields say."""
        door.admit(game, RaceGame)

    def title(self, game: RaceGame) -> str:
        """Such as `Pig to 100`."""
        return race_title(game)

    def rules(self, game: RaceGame) -> tuple[str, ...]:
        """From the table of faces."""
        return race_rules(game)

    def say(self, game: RaceGame, choice: Action | Outcome) -> str:
        """`a five: +5`."""
        return race_say(game, choice)

    def faces(self, game: RaceGame, choice: Action | Outcome) -> tuple[int, ...]:
        """The side that the one die shows."""
        return race_faces(game, choice)

    def on_table(self, game: RaceGame, choice: Action | Outcome) -> tuple[int, ...]:
        """Also of two dice, where the sum tells them."""
        return certain_faces(game, choice)

    def roller(self, game: RaceGame, state: RaceState) -> int:
        """Whose turn it is."""
        return int(state.mover)

    def onlookers(self, game: RaceGame, state: RaceState) -> int:
        """Everybody."""
        return ALL_EYES

    def uncover(self, game: RaceGame, eyes: list[int], before: RaceState, choice: Action) -> bool:
        """Nothing was covered."""
        return False

    def way(self, game: RaceGame) -> Way:
        """Pairs of scores, with a certificate of the method that is asked for."""
        from ..solvers.race_certificate import METHODS, solve_race

        return Way(METHODS, (), solve_race)

    def all_rules(self, game: RaceGame) -> Any:
        """The table of faces and the fields; a name is no part of them."""
        return race_form.rules(game)

    def said(self, game: RaceGame, header: Header) -> Certificate:
        """The rules stand in the header."""
        return race_form.said(game, header)

    def form(self, game: RaceGame, header: Header) -> Form:
        """Tables and runs."""
        return race_form.FORM

    def evaluate(self, game: RaceGame, a: Any, b: Any) -> Evaluation:
        """By tables of whole turns."""
        from ..solvers.duel import evaluate_race

        return seated(evaluate_race, game, a, b)

    def best_response(self, game: RaceGame, b: Any) -> Response:
        """By the solver with one side's turns fixed."""
        from ..solvers.duel import best_response_race

        return answered(best_response_race, game, b)

    def answer(self, game: RaceGame, strategy: Strategy, seat: int) -> type[Solution]:
        """A strategy that remembers cannot be answered: a record's states do not tell its memory."""
        from ..solvers.answer import RaceAnswer

        if getattr(strategy, "memories", 1) > 1:
            raise RulesError(f"{strategy} remembers, and a record's states do not; others can be answered")
        return RaceAnswer

    def strategies(self, game: RaceGame) -> Mapping[str, Callable[..., Any]]:
        """Rules of thumb and solved ones."""
        from ..strategies.race import RACE

        return RACE


FAMILY = RaceFamily()
