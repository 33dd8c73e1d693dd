"""Games with lives: what the family of a round says of it, with the lives beside it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast

from ...core.effort import Effort
from ...core.errors import RulesError, TooLarge
from ...core.game import FIRST, OVER, SEATS, SECOND, Action, Outcome, other
from ...core.lessons import Lessons
from ...core.results import Evaluation, Response
from ...core.solution import Certificate, Header, Pair, Restoring, Solution
from ...core.strategy import Strategy
from ..family import Family, Gain, Way
from ..spoken import count, in_round
from ..told import Listener, RecordPly, Sentence, Thing, Word
from .game import KEY, LivesGame, LivesState, LivesView

# what is said of all games of a family
ALIKE = (
    "page", "keys", "stand_in", "at", "are_at", "rehearses", "compiled_hints", "usual",
    "covered", "talks", "counts", "captions", "secret", "careful", "themes", "deeds", "menu",
)  # fmt: skip

WINS = ("You win the round.", "{} wins the round.")


@dataclass(frozen=True)
class _RoundPly:
    """One choice, as it was seen in its round."""

    who: int
    choice: Any
    view: Any


def lives(number: int) -> str:
    """`one life`, `three lives`."""
    return f"{count(number)} {'life' if number == 1 else 'lives'}"


class LivesFamily(Family[LivesGame]):
    """Asks the family of the rounds."""

    kind, form_name = LivesGame, "lives-1"

    def __init__(self, of: Family[Any]) -> None:
        self.of, self.key = of, f"{KEY}{of.key}"
        for name in ALIKE:
            setattr(self, name, getattr(of, name))
        self.end_hidden = of.covered  # they decide whose life is lost, and so whether it was the last
        self.menu = of.menu._replace(says={**of.menu.says, "wins": WINS}, meetings=())

    def admit(self, game: LivesGame) -> None:
        """The rounds must be games that the solvers ask for."""
        self.of.admit(game.round)

    # In words

    def short(self, game: LivesGame) -> str:
        """As a round is called."""
        return self.of.short(game.round)

    def title(self, game: LivesGame) -> str:
        """The round, and how many lives there are."""
        return f"{self.of.title(game.round)}, {lives(game.lives)} each"

    def rules(self, game: LivesGame) -> tuple[str, ...]:
        """Those of a round, and what it costs."""
        best = f"it is the best of {count(2 * game.lives - 1)}"
        return (
            *self.of.rules(game.round),
            f"Each player has {lives(game.lives)}: {best}. Whoever loses a round loses a life and begins the next.",
            "Whoever has no lives left has lost.",
        )

    def say(self, game: LivesGame, choice: Action | Outcome) -> str:
        """As in the round."""
        return self.of.say(game.round, choice)

    def doing(self, game: LivesGame, action: Action) -> str:
        """As in the round."""
        return self.of.doing(game.round, action)

    def acting(self, game: LivesGame, action: Action) -> str:
        """As in the round."""
        return self.of.acting(game.round, action)

    def place(self, game: LivesGame, view: LivesView) -> str:
        """In the round, with the lives of both."""
        return f"{self.of.place(game.round, view.now)}; {_against(view)}"

    def seen(self, game: LivesGame, view: LivesView) -> str:
        """Likewise."""
        return f"{self.of.seen(game.round, view.now)}; {_against(view)}"

    def decision(self, game: LivesGame, view: LivesView, action: Action) -> str:
        """As in the round."""
        return self.of.decision(game.round, view.now, action)

    def why(self, game: LivesGame, solution: Solution, view: LivesView, choice: Action, best: Action) -> str:
        """As in the round, whose chances it tells: while a round may be lost, they are not those of the game."""
        why = self.of.why(game.round, cast("Any", solution).solved, view.now, choice, best)
        return why if view.mine == view.yours == 1 else in_round(why)

    def theme(self, game: LivesGame, view: LivesView) -> str:
        """As in the round."""
        return self.of.theme(game.round, view.now)

    def deed(self, game: LivesGame, view: LivesView, action: Action) -> str:
        """As in the round."""
        return self.of.deed(game.round, view.now, action)

    def faces(self, game: LivesGame, choice: Action | Outcome) -> tuple[int, ...]:
        """As in the round."""
        return self.of.faces(game.round, choice)

    def on_table(self, game: LivesGame, choice: Action | Outcome) -> tuple[int, ...]:
        """As in the round."""
        return self.of.on_table(game.round, choice)

    # Who sees what

    @property
    def at_table(self) -> bool:
        """As in the round."""
        return self.of.at_table

    def roller(self, game: LivesGame, state: LivesState) -> int:
        """As in the round."""
        return self.of.roller(game.round, state.now)

    def onlookers(self, game: LivesGame, state: LivesState) -> int:
        """As in the round."""
        return self.of.onlookers(game.round, state.now)

    def uncover(self, game: LivesGame, eyes: list[int], before: LivesState, choice: Action) -> bool:
        """As in the round: it uncovers the latest dice first, and all dice of earlier rounds stay as they are."""
        return self.of.uncover(game.round, eyes, before.now, choice)

    # At the table

    def tell(
        self, game: LivesGame, to: Listener, before: LivesState, choice: Action | Outcome, after: LivesState
    ) -> list[str]:
        """The end of a round also says who won it, and how many lives are left."""
        lines = self.of.tell(game.round, to, before.now, choice, game.round.play(before.now, choice))
        if after.left == before.left:
            return lines
        winner = SECOND if after.left[FIRST] < before.left[FIRST] else FIRST
        mine, theirs = after.left[to.me], after.left[other(to.me)]
        left = f"You have {_left(mine)}, {to.name} has {_left(theirs)}."
        return [*lines, f"{to.does(winner, 'win')} the round.", left]

    def ask(self, game: LivesGame, to: Listener, view: LivesView) -> list[str]:
        """As in the round."""
        return self.of.ask(game.round, to, view.now)

    def lay(
        self, game: LivesGame, to: Listener, state: LivesState, turn: Sequence[Action | Outcome], over: bool
    ) -> list[Thing]:
        """The lives, and what lies there in the round."""
        mine, theirs = state.left[to.me], state.left[other(to.me)]
        score = Sentence(f"Lives: you {mine}, {to.name} {theirs}")
        ended = game.round.mover(state.now) == OVER
        return [score, *self.of.lay(game.round, to, state.now, turn, over and ended)]

    def offer(self, game: LivesGame, action: Action, view: LivesView) -> str:
        """As in the round."""
        return self.of.offer(game.round, action, view.now)

    def cell(self, action: Action) -> tuple[int, int] | None:
        """As in the round."""
        return self.of.cell(action)

    # Bids and calls

    def said(self, game: LivesGame, plies: Iterable[RecordPly]) -> Iterator[Word]:
        """As in the rounds."""
        return self.of.said(game.round, (_RoundPly(ply.who, ply.choice, _now(ply.view)) for ply in plies))

    def is_bluff(self, game: LivesGame, view: LivesView, action: Action) -> bool:
        """As in the round."""
        return self.of.is_bluff(game.round, view.now, action)

    def is_call(self, game: LivesGame, view: LivesView, action: Action) -> bool:
        """As in the round."""
        return self.of.is_call(game.round, view.now, action)

    def odds(self, game: LivesGame, view: LivesView) -> Mapping[Action, float]:
        """As in the round."""
        return self.of.odds(game.round, view.now)

    # On the page

    def position(self, game: LivesGame, state: LivesState, seat: int | None, over: bool) -> dict[str, Any]:
        """The round, and the lives."""
        return {**self.of.position(game.round, state.now, seat, over), "lives": list(state.left)}

    def layout(self, game: LivesGame) -> dict[str, Any]:
        """That of a round, and how many lives there are."""
        return {**self.of.layout(game.round), "lives": game.lives}

    def scene(
        self, game: LivesGame, before: LivesState, choice: Action | Outcome, after: LivesState
    ) -> dict[str, Any]:
        """Of the round in which the choice was made; the lives since, and who won the round if it has ended."""
        found = self.of.scene(game.round, before.now, choice, game.round.play(before.now, choice))
        found["lives"] = list(after.left)
        if after.left != before.left:
            found["won"] = SEATS[SECOND if after.left[FIRST] < before.left[FIRST] else FIRST]
        return found

    def lie(
        self, game: LivesGame, before: LivesState, choice: Action | Outcome, pick: Callable[[int], int]
    ) -> tuple[int, ...]:
        """As in the round."""
        return self.of.lie(game.round, before.now, choice, pick)

    def may_lie(
        self, game: LivesGame, before: LivesState, choice: Action | Outcome, lie: Sequence[int]
    ) -> bool:
        """As in the round."""
        return self.of.may_lie(game.round, before.now, choice, lie)

    def lie_words(self, game: LivesGame, lie: Sequence[int]) -> str:
        """As in the round."""
        return self.of.lie_words(game.round, lie)

    def rule(self, game: LivesGame) -> str:
        """As in the round."""
        return self.of.rule(game.round)

    def looks(self, game: LivesGame) -> Collection[str]:
        """None of its own."""
        return ()

    def spot(self, game: LivesGame, view: LivesView) -> dict[str, Any] | None:
        """Among the sights of the round."""
        found = self.of.spot(game.round, view.now)
        return found and {"game": game.round.name, **found}

    def points(self, game: LivesGame) -> bool:
        """Rounds are won or lost."""
        return False

    # What work takes

    def effort(self, game: LivesGame) -> Effort:
        """That of a round."""
        return self.of.effort(game.round)

    def needs(self, game: LivesGame) -> Collection[Any]:
        """A round."""
        return (game.round,)

    def at_once(self, game: LivesGame) -> bool:
        """If a round is."""
        return self.of.at_once(game.round)

    def chains(self, game: LivesGame) -> bool:
        """By a recursion over the lives."""
        return True

    def check_here(self, game: LivesGame) -> None:
        """As for a round."""
        self.of.check_here(game.round)

    def check_player(self, game: LivesGame, strategy: Any) -> None:
        """As in a round."""
        if hasattr(strategy, "rule"):
            self.of.check_player(game.round, strategy.rule)

    def player_effort(self, game: LivesGame, solves: bool) -> Effort:
        """That of a round's player."""
        return self.of.player_effort(game.round, solves)

    def rolls_tried(self, game: LivesGame) -> int:
        """As in the round."""
        return self.of.rolls_tried(game.round)

    def meets(self, game: LivesGame) -> bool:
        """No tournaments of many are offered."""
        return False

    def check_advice(self, game: LivesGame, view: LivesView) -> None:
        """As in the round."""
        self.of.check_advice(game.round, view.now)

    def check_size(self, game: LivesGame) -> None:
        """As in the round."""
        self.of.check_size(game.round)

    def turns(self, movers: Iterable[int]) -> int:
        """As in the rounds."""
        return self.of.turns(movers)

    # Solved, met, answered

    def way(self, game: LivesGame) -> Way:
        """The round, chained."""
        from .solution import solve_lives

        way = self.of.way(game.round)
        options = tuple(option for option in ("gap",) if option in way.options)

        def solve(game: LivesGame, method: str, **options: Any) -> Solution:
            from ..catalog import solve as anew

            solver = options.pop("solver", None) or (lambda round: anew(round, **options))
            return solve_lives(game, solver)

        return Way(("auto",), options, solve, chained=True, exact=way.exact)

    def lessons(self, game: LivesGame, iterations: int | None = None) -> Lessons:
        """None."""
        raise RulesError(f"nothing is trained for {game.name}; matches of Bluff are")

    def claimed(self, game: LivesGame, header: Header) -> Certificate:
        """What the header of the round claims, chained."""
        from .solution import chained

        said = super().claimed(game, header)
        found = chained(game, self.of.claimed(game.round, header["round"]))
        if (said.lower, said.upper, said.proved) != (found.lower, found.upper, found.proved):
            raise ValueError("its bounds are not those that its round gives")
        return said

    def form(self, game: LivesGame, header: Header) -> Restoring:
        """That of the round."""
        from .solution import form_of

        return form_of(self.of.form(game.round, header["round"]))

    def evaluate(self, game: LivesGame, a: Any, b: Any) -> Evaluation:
        """Both meetings of a round, chained."""
        from .solution import evaluate_lives

        return evaluate_lives(game, lambda one, two: self.of.evaluate(game.round, one, two), a, b)

    def exactly(self, game: LivesGame, a: Any, b: Any) -> Evaluation | None:
        """None: a simulation plays."""
        return None

    def best_response(self, game: LivesGame, b: Any) -> Response:
        """The best answer in every round."""
        from .solution import respond_lives

        return respond_lives(game, lambda one: self.of.best_response(game.round, one), b)

    def places(
        self, game: LivesGame, view: LivesView, rivals: tuple[Strategy, Strategy]
    ) -> tuple[int, Mapping[LivesState, float]]:
        """Not yet."""
        raise RulesError(f"positions of {game.name} are not evaluated; those of {game.round.name} are")

    def check_grade(self, game: LivesGame) -> None:
        """Not yet."""
        raise RulesError(f"strategies of {game.name} are not graded; those of {game.round.name} are")

    def answer(self, game: LivesGame, strategy: Strategy, seat: int) -> type[Solution]:
        """Not yet."""
        raise RulesError(
            f"there is no best response in {game.name} to judge by; in {game.round.name} there is"
        )

    def warm(self, solution: Solution) -> None:
        """As in the round."""
        self.of.warm(cast("Any", solution).solved)

    def gained(self, game: LivesGame, before: LivesState, after: LivesState) -> Gain | None:
        """Nobody remembers."""
        return None

    def returns(self, game: LivesGame) -> bool:
        """As in the round."""
        return self.of.returns(game.round)

    def check_levels(self, game: LivesGame) -> None:
        """As in the round, if its levels are found soon."""
        self.of.check_levels(game.round)
        if self.of.levels_slow(game.round):
            raise TooLarge(
                f"levels of {game.name} take minutes to find; those of {game.round.name} are known"
            )

    def leveled(self, solution: Solution, precision: float, name: str) -> Any:
        """By the chance to win the round."""
        from .solution import EachRound

        found = self.of.leveled(cast("Any", solution).solved, precision, name)
        return EachRound(found.named(name) if isinstance(found, Pair) else found)

    def strategies(self, game: LivesGame) -> Mapping[str, Callable[..., Any]]:
        """Those of a round, round by round, but for players who remember more than a view shows."""
        builders = self.of.strategies(game.round)
        return {name: _each(build) for name, build in builders.items() if not hasattr(build, "remember")}


def _each(build: Callable[..., Any]) -> Callable[..., Any]:
    """The builder of who plays each round so."""
    from .solution import EachRound

    @wraps(build)
    def built(game: LivesGame, *given: Any, **fields: Any) -> Any:
        return EachRound(build(game.round, *given, **fields))

    return built


def _now(view: Any) -> Any:
    return view.now if isinstance(view, LivesView) else view


def _left(number: int) -> str:
    return "no lives left" if not number else f"{lives(number)} left"


def _against(view: LivesView) -> str:
    return f"{lives(view.mine)} against {count(view.yours)}"
