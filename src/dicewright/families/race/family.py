"""Race games: Pig and its relatives."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core.effort import LITTLE, Effort
from ...core.engine import Engine
from ...core.errors import RulesError, TooLarge
from ...core.eyes import ALL_EYES
from ...core.form import Form
from ...core.game import FIRST, Action, Outcome
from ...core.results import Evaluation, Response
from ...core.solution import Certificate, Header, Solution, seats
from ...core.strategy import Strategy, line_of
from .. import door
from ..family import Gain, Way, by_name
from ..seating import answered, seated
from . import form as race_form
from . import pig
from .pictures import PICTURES, check_goal, has
from .rules import GOALS, HOLD, ROLL, Effect, RaceGame, RaceState
from .table import RaceTable
from .words import certain_faces, race_faces, race_name, race_rules, race_say, race_title

STEPS = 1e8  # in a second
BRIEF = 0.3  # seconds
ROUNDS = 50  # how often a game without turn totals is gone through
PAIR = 40  # bytes that a pair of scores takes in the solution and in its player
MOST_GOAL = 500  # while somebody waits
GOALS_HERE = f"{GOALS[0]} to {MOST_GOAL} is allowed here"
MOST_RUIN = 25  # the goal of a game in which all points can be lost, likewise, if its strategies meet


class RaceFamily(RaceTable):
    """Everything lies open: dice are seen by all."""

    key, kind, page, covered = "race", RaceGame, "race", False
    usual = (ROLL, HOLD)
    built = ("optimal", "fewest-turns", "max-difference", "skip-when-equal")
    shipped = ("pig", "piglet")
    rehearses = compiled_hints = False
    pictures = PICTURES
    games = by_name(pig.pig, pig.piglet, pig.two_dice_pig, pig.big_pig, pig.hog, pig.pass_the_pigs)

    def admit(self, game: RaceGame) -> None:
        """RulesError for an heir that plays by other rules than its fields say."""
        door.admit(game, RaceGame)

    def short(self, game: RaceGame) -> str:
        """Such as `Two-Dice Pig`."""
        return race_name(game)

    def title(self, game: RaceGame) -> str:
        """Such as `Pig to 100`."""
        return race_title(game)

    def rules(self, game: RaceGame) -> tuple[str, ...]:
        """From the table of faces."""
        return race_rules(game)

    def say(self, game: RaceGame, choice: Action | Outcome) -> str:
        """`a five: +5`."""
        return race_say(game, choice)

    def doing(self, game: RaceGame, action: Action) -> str:
        """`holding`, `rolling`, `rolling 4`."""
        return {HOLD: "holding", ROLL: "rolling"}.get(action, f"rolling {super().doing(game, action)}")

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

    def points(self, game: RaceGame) -> bool:
        """Unless a win is all that counts."""
        return game.payoff_rule != "win"

    def charts(self) -> Mapping[str, Callable[..., Any]]:
        """Of a game and a strategy."""
        from . import maps

        return {
            "map": maps.roll_map,
            "surface": maps.hold_surface,
            "reachable": maps.reachable,
            "convergence": maps.convergence,
        }

    def effort(self, game: RaceGame) -> Effort:
        """By the chances that are looked at: scores, turn totals and faces."""
        faces = [effect for _, roll in game.rolls for _, effect, _ in roll]
        steps = game.goal**2 * len(faces) * (game.goal if Effect.ADD in faces else ROUNDS)
        size = LITTLE + PAIR * game.goal**2
        return Effort(steps / STEPS, size, game.goal <= MOST_GOAL, steps <= BRIEF * STEPS)

    def way(self, game: RaceGame) -> Way:
        """Pairs of scores, with a certificate of the method that is asked for."""
        from .certificate import METHODS, solve_race

        return Way(METHODS, (), solve_race)

    def all_rules(self, game: RaceGame) -> Any:
        """The table of faces and the fields; a name is no part of them."""
        return race_form.rules(game)

    def claimed(self, game: RaceGame, header: Header) -> Certificate:
        """The rules stand in the header."""
        return race_form.said(game, header)

    def form(self, game: RaceGame, header: Header) -> Form:
        """Tables and runs."""
        return race_form.FORM

    def evaluate(self, game: RaceGame, a: Any, b: Any) -> Evaluation:
        """By tables of whole turns."""
        from .duel import evaluate_race

        return seated(evaluate_race, game, a, b)

    def best_response(self, game: RaceGame, b: Any) -> Response:
        """By the solver with one side's turns fixed."""
        from .duel import best_response_race

        return answered(best_response_race, game, b)

    def answer(self, game: RaceGame, strategy: Strategy, seat: int) -> type[Solution]:
        """A strategy that remembers cannot be answered: a record's states do not tell its memory."""
        from .answer import RaceAnswer

        if getattr(strategy, "memories", 1) > 1:
            raise RulesError(
                f"{line_of(strategy)} remembers, and a record's states do not; others can be answered"
            )
        return RaceAnswer

    def check_here(self, game: RaceGame) -> None:
        """Goals up to MOST_GOAL."""
        if game.goal > MOST_GOAL:
            raise TooLarge(f"goal is {game.goal} in {game.name}; {GOALS_HERE}")

    def here(self, sentence: str) -> str:
        """Of goals only those are named that are played there."""
        return sentence.replace(f"{GOALS[0]} to {GOALS[-1]} is allowed", GOALS_HERE)

    def check_player(self, game: RaceGame, strategy: Any) -> None:
        """A rule is tried where the other's score is least and most."""
        from .tabled import check_thresholds

        if hasattr(strategy, "hold_at"):
            check_thresholds(game, strategy, (0, game.goal - 1))

    def quick_player(self, game: RaceGame, strategy: Any) -> Any:
        """Read off its table."""
        from .read_off import read_off

        return read_off(game, seats(strategy)[FIRST])

    def warm(self, solution: Solution) -> None:
        """Turns are rebuilt."""
        from .kernels import rebuild_turn

        rebuild_turn.prefer()

    def engine(self, game: RaceGame, a: Any, b: Any) -> Engine | None:
        """Whole turns, or die by die; none for a player of two minds, or with too many views to ask before play."""
        from .engine import race_engine
        from .tabled import tabulate

        (one, one_second), (two, two_second) = seats(a), seats(b)
        if one is not one_second or two is not two_second:
            return None
        try:
            return race_engine(game, tabulate(game, one), tabulate(game, two))
        except TooLarge:
            return None

    def exactly(self, game: RaceGame, a: Any, b: Any) -> Evaluation | None:
        """A duel takes milliseconds."""
        return self.evaluate(game, a, b)

    def matrix(self, game: RaceGame, strategies: Sequence[Any]) -> Any:
        """Where somebody always wins, only the chances of the starters are needed."""
        from .duel import win_matrix
        from .solve import rules_of

        if not rules_of(game).decisive:
            return None
        starters = win_matrix(game, strategies)
        return (starters + 1.0 - starters.T) / 2

    def meets(self, game: RaceGame) -> bool:
        """Where all points can be lost, games take long."""
        check_goal(game)
        return game.goal <= MOST_RUIN or not has(game, Effect.RUIN)

    def tabled(self, game: RaceGame, strategy: Any, name: str) -> Any:
        """As its table, made once for all games."""
        from .tabled import TableStrategy, tabulate

        return TableStrategy(game, tabulate(game, strategy), name)

    def player(self, game: RaceGame, told: Mapping[str, Any], arrays: Mapping[str, Any]) -> Any:
        """Read off its table."""
        from .read_off import from_arrays

        return from_arrays(game, told, arrays)

    def player_effort(self, game: RaceGame, solves: bool) -> Effort:
        """Its table."""
        return Effort(self.effort(game).seconds if solves else 0.0, LITTLE + PAIR * game.goal**2)

    def gained(self, game: RaceGame, before: RaceState, after: RaceState) -> Gain | None:
        """The points that were banked, unless they have won."""
        points = after.yours - before.mine
        if before.mover == after.mover or points <= 0 or after.yours >= game.goal:
            return None
        return Gain(before.mover, points)

    def returns(self, game: RaceGame) -> bool:
        """Only if turns may be skipped."""
        return game.skip

    def strategies(self, game: RaceGame) -> Mapping[str, Callable[..., Any]]:
        """Rules of thumb and solved ones."""
        from .strategies import RACE

        return RACE


FAMILY = RaceFamily()
