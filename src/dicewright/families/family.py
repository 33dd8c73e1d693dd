"""What the services ask about the games of one family.

How its games are told is asked in `telling.py`, what they are worth here. The answers serve any finite game that
answers the seven questions; a family overrides those it knows better, its words first of all. Games are given with
each question: a family has no state.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from ..core.crowd import Crowds
from ..core.effort import LITTLE, Effort, Engine
from ..core.errors import NotationError, RulesError, TooLarge, name_of
from ..core.game import CHANCE, Action, Checked, Outcome, State, View
from ..core.lessons import Lessons
from ..core.losses import Losses, Mistake
from ..core.results import Evaluation, Response
from ..core.solution import Certificate, Header, Pair, Restoring, Solution, certificate_of, seats
from ..core.strategy import AnyAction, Strategy
from .levels import Logit
from .minds import Blend, Mind, Minded
from .safe import Safe, answer_within
from .telling import G, Telling

FEW_STATES = 100_000  # of a game whose tree is walked beside a simulation


class Way(NamedTuple):
    """How games of a family are solved, and what may be asked for."""

    methods: Collection[str]
    options: Collection[str]
    solve: Callable[..., Solution]  # of a game, a method and options
    chained: bool = False  # whether it also takes a `solver` of the games that it needs, such as the store
    heard: Callable[[Any], str] = str  # what `progress` is told, in words
    exact: bool = False  # whether the value of the game is found as a fraction
    to_file: Callable[..., Solution] | None = (
        None  # for users' files: of a game, `gap`, `progress`, `checkpoint`
    )


def by_name(*builders: Callable[..., Any]) -> Mapping[str, Callable[..., Any]]:
    """Builders by the names of their games."""
    return {builder.__name__.replace("_", "-"): builder for builder in builders}


class Gain(NamedTuple):
    """Points that a player gained in a turn."""

    player: int
    points: int


class Family(Telling[G]):
    """Any finite game: solved on its tree, written as it writes itself."""

    key: str = "tree"
    kind: type | tuple[type, ...] = object  # the classes of its games
    games: Mapping[str, Callable[..., Any]] = MappingProxyType({})  # builders by name, for the catalog
    form_name: str = "tree-1"  # in which its solutions are written
    believing: tuple[str, ...] = ("tree-1",)  # forms whose headers tell of beliefs
    stand_in: str = "optimal"  # the strategy that plays where solving takes long
    reference: str = ""  # the strategy against which opponents are measured, if menus say how strong they are
    shipped: tuple[str, ...] = ()  # names of games whose solutions come with the package
    cited: Mapping[str, float | None] = MappingProxyType(
        {}
    )  # games whose values are listed, and the gap asked for
    keeps_optimal: bool = False  # whether the strategy `optimal` is what is kept, or kept once it is solved
    by_solving: tuple[str, ...] = ("optimal",)  # names of strategies that are made by solving
    by_training: tuple[str, ...] = ()  # names of strategies that are trained, and read from files
    taught: Mapping[str, int] = MappingProxyType(
        {}
    )  # games whose trained players come with the package: iterations
    built: tuple[str, ...] = ()  # names of strategies that are nothing but tables, and take long to make
    rehearses: bool = True  # whether a strategy plays a few games before it is quick
    compiled_hints: bool = True  # whether advice needs compiled code from the first on
    crowds: Crowds[G] | None = None  # what models of people's choices ask, where a turn is rolled on or held

    def read_foreign(self, text: str) -> Any:
        """The game that a text names as another system does; None if it does not."""
        return None

    def admit(self, game: G) -> None:
        """RulesError unless this is a game whose rules the solvers will really ask for."""
        Checked(game)

    # What work takes, and whether it can be done, before any of it is begun

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

    def handicaps(
        self, game: G, solution: Solution, solve: Callable[[G], Solution]
    ) -> Iterator[tuple[int, Certificate]]:
        """What SECOND may be given at the start (below 0: FIRST), each with the value then; none here."""
        return iter(())

    def turns(self, movers: Iterable[int]) -> int:
        """How many turns a game has taken in which these chose, one after the other: here, every action is one."""
        return sum(who != CHANCE for who in movers)

    # Solved, met, answered

    def way(self, game: G) -> Way:
        """How this game is solved."""
        from .tree.solve import solve_sequence_form

        return Way(("auto", "sequence-form"), (), lambda game, method: solve_sequence_form(game))

    def to_ship(self, game: G, **options: Any) -> Solution:
        """The solution of a game that is shipped; options are `progress` and `checkpoint`, for those who take long."""
        return self.way(game).solve(game, "auto")

    def lessons(self, game: G, iterations: int | None = None) -> Lessons:
        """How a player is trained where the game is too large to be solved; RulesError where none is."""
        raise RulesError(f"nothing is trained for {name_of(game)}; matches of Bluff are")

    # Written and read

    def all_rules(self, game: G) -> Any:
        """All rules as plain data, under which the game is kept; None where only a name of the catalog says them."""
        return None

    def form_of(self, game: G) -> str:
        """The form in which its solutions are written."""
        return self.form_name

    def outdated(self, header: Header) -> bool:
        """Whether a header is from before exact solutions told beliefs, so that what was kept is solved again."""
        parts = header.get("rounds", [header])
        return any(part.get("format") in self.believing and "beliefs" not in part for part in parts)

    def claimed(self, game: G, header: Header) -> Certificate:
        """What the header of a file says is proved of this game; nothing that solves is loaded.

        KeyError, TypeError, ValueError or ZeroDivisionError if it is not about this game.
        """
        if header["format"] != self.form_of(game):
            raise ValueError(f"format {header['format']} of {name_of(game)}; {self.form_of(game)} is allowed")
        return certificate_of(header)

    def form(self, game: G, header: Header) -> Restoring:
        """How the rest of such a file is read."""
        from .tree.solution import FORM

        return FORM

    def evaluate(self, game: G, a: Any, b: Any) -> Evaluation:
        """A against B, exactly, with either of them starting."""
        from .tree.response import evaluate_tree

        return evaluate_tree(game, a, b)

    def evaluate_at(self, game: G, a: Any, b: Any, view: View) -> Evaluation:
        """A against B, exactly, from a view on: with A in the place of who sees it, and with B there."""
        from .tree.outlook import evaluate_from

        places: Any = partial(self.places, game)
        return evaluate_from(game, a, b, view, places, self.is_turn)

    def places(
        self, game: G, view: View, rivals: tuple[Strategy, Strategy]
    ) -> tuple[int, Mapping[State, float]]:
        """The seat that decides in this view, and the states it may be, weighed by dice and what the rival does."""
        from .tree.outlook import places_by_walk

        return places_by_walk(game, view, rivals, FEW_STATES)

    def is_turn(self, action: Action) -> bool:
        """Whether an action counts where the length of a game is told."""
        return True

    def best_response(self, game: G, b: Any) -> Response:
        """The best strategy against B from either seat, and what it gets."""
        from .tree.response import best_response_tree

        return best_response_tree(game, b)

    def critic(self, game: G, rival: Any) -> Callable[[Any], Losses]:
        """Tells what a strategy gives away to the rival, place by place; made once, asked about many strategies."""
        from .tree.critic import TreeCritic

        return TreeCritic(game, rival, partial(self.habit, game), partial(self.stage, game))

    def check_grade(self, game: G) -> None:
        """RulesError or TooLarge for a game whose strategies are not graded, before anything is solved."""

    def habit(self, game: G, slip: Mistake) -> str:
        """What is wrong with a choice, in a few words that others share."""
        return f"{self.doing(game, slip.did)} for {self.doing(game, slip.best)}"

    def stage(self, game: G, view: View) -> str:
        """Which part of the game a view belongs to."""
        return "anywhere"

    def answer(self, game: G, strategy: Strategy, seat: int) -> type[Solution]:
        """The class of solutions in which a strategy is known, and the player in `seat` answers it."""
        from .tree.solution import TreeAnswer

        return TreeAnswer

    def quick_player(self, game: G, strategy: Any) -> Any:
        """The strategy in the form that answers many players soonest."""
        return strategy

    def warm(self, solution: Solution) -> None:
        """Let advice be given by compiled code from now on, also where a piece of it can do without."""

    def engine(self, game: G, a: Any, b: Any) -> Engine | None:
        """The compiled way to play many games between A and B; None if there is none."""
        return None

    def adjusted_engine(self, game: G, a: Any, b: Any) -> Any:
        """As `engine`, adding up payoffs without the luck of the dice too; asked where `check_luck` allows it."""

    def entries(self) -> Mapping[str, Callable[..., Any]]:
        """Readers of strategies in files by their endings: `.csv` of lines, a name and a game; others of a name, a
        text, a game, limits and a seed."""
        return {}

    def columns(self, game: G, strategy: Any) -> Mapping[str, Any]:
        """The table of a strategy as columns: where it chooses, what, and how often; TooLarge if it is too long."""
        raise RulesError(
            f"tables are of strategies for race, bluff and calling games; {name_of(game)} is none"
        )

    def exactly(self, game: G, a: Any, b: Any) -> Evaluation | None:
        """A against B exactly; None where that would take longer than playing some thousands of games."""
        from .tree.arrays import build_tree
        from .tree.response import meet_on

        return meet_on(build_tree(game, FEW_STATES), a, b)

    def matrix(self, game: G, strategies: Sequence[Any]) -> Any:
        """[a, b]: how often a beats b, either starting equally often; None if pairs are to be met one by one."""
        return None

    def tabled(self, game: G, strategy: Any, name: str) -> Any:
        """The strategy in the form that is fastest to play many games with."""
        return strategy

    def sent(self, game: G, strategy: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """A player as another process gets it: plain data and arrays."""
        told, arrays = strategy.arrays()
        return told, arrays

    def player(self, game: G, told: Mapping[str, Any], arrays: Mapping[str, Any]) -> Any:
        """The player that another process sent."""
        raise RulesError(f"players of {name_of(game)} are not sent; those of race games are")

    def last_state(self, game: G, choices: Sequence[Action | Outcome]) -> State | None:
        """The state after these choices, by compiled code; None if there is none, or the rules refuse them."""
        return None

    def gained(self, game: G, before: State, after: State) -> Gain | None:
        """What the turn gained that ended between these states, for players who remember it."""
        return None

    def returns(self, game: G) -> bool:
        """Whether a state may come again with no dice between."""
        return True

    def solved(self, game: G) -> Pair:
        """The solution of the game itself."""
        return self.way(game).solve(game, "auto").player

    def check_levels(self, game: G) -> None:
        """TooLarge for a game whose levels would take minutes to find."""

    def levels_apart(self, game: G) -> bool:
        """Whether a level takes so much to be made that another process makes and sends it."""
        return False

    def levels_slow(self, game: G) -> bool:
        """Whether levels take minutes to find, so that only those that come with the package are there."""
        return False

    def loss_of(self, game: G, strategy: Any) -> float | None:
        """What a level gives away in a decision, where that is known without grading; None elsewhere."""
        return None

    def leveled(self, solution: Solution, precision: float, name: str) -> Any:
        """The logit player of this precision on the worths of a solution; TooLarge where there is none."""
        return Logit(solution, precision, name)

    # Somebody who is learned

    def check_learner(self, game: G) -> None:
        """TooLarge for a game in which nobody is learned: where a player cannot be weighed and answered in a moment."""
        self.check_levels(game)
        if not self.soon_answered(game):
            raise TooLarge(f"nobody is learned in {name_of(game)}: an answer to a player takes long there")

    def traits(self, game: G, view: View, action: Action) -> Mapping[str, float]:
        """What may move people toward an action beside its worth: the deed, and the deed in this kind of place."""
        deed = self.deed(game, view, action)
        return {deed: 1.0, f"{deed} {self.theme(game, view)}": 1.0} if deed else {}

    def begun(self, game: G, view: View) -> View | None:
        """Where deeds are a matter of when, what the player saw as this turn began."""
        return None

    def along(self, game: G, begun: View) -> Sequence[tuple[int, View]]:
        """The views to which a turn that began so comes, by what it has gained by then, as far as there is a choice."""
        return ()

    def minded(self, solution: Solution, mind: Mind, name: str) -> Any:
        """Somebody with this mind as a strategy."""
        one = Minded(self, solution, mind, name)
        return Pair(one, one, solution.seat_of, name)

    def blended(self, game: G, one: Any, two: Any, share: float) -> Any:
        """The second of two strategies with this chance, else the first, at each view."""
        (a, b), (c, d) = seats(one), seats(two)
        if a is b and c is d:
            return Blend(a, c, share, "a blend")
        seat_of = getattr(one, "seat_of", None) or getattr(two, "seat_of", None)
        return Pair(Blend(a, c, share, "a blend"), Blend(b, d, share, "a blend"), seat_of, "a blend")

    def answer_within(self, solution: Solution, model: Any, most: float) -> Safe:
        """A strategy that gains of this player and loses at most so much payoff to anybody, both measured exactly."""
        return answer_within(self, solution, model, most)

    def strategies(self, game: G) -> Mapping[str, Callable[..., Any]]:
        """The strategies that have names, by name."""
        if self.at_table:
            return {"optimal": self.solved, AnyAction.key: AnyAction}
        from .catalog import played

        raise NotationError(f"no strategies are named for {name_of(game)}; they are for {played()}")
