"""What the services ask about the games of one family.

The answers here serve any finite game that answers the seven questions; a family overrides those it knows better,
its words first of all. Games are given with each question: a family has no state.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from ..core.crowd import Crowds
from ..core.effort import LITTLE, Effort, Engine
from ..core.errors import NotationError, RulesError, TooLarge, name_of
from ..core.game import CHANCE, Action, Checked, Outcome, State, View, WrittenGame, eye_of, sees
from ..core.lessons import Lessons
from ..core.losses import Losses, Slip
from ..core.results import Evaluation, Response
from ..core.solution import Certificate, Form, Header, Pair, Solution, certificate_of, seats
from ..core.strategy import AnyAction, Strategy
from ..core.themes import Deed, Theme
from .levels import Logit
from .menu import Menu, Sight
from .minds import Blend, Mind, Minded
from .picture import Picture
from .safe import Safe, answer_within
from .spoken import hand
from .told import OTHER, Listener, Ply, Sentence, Thing, Word, as_data

G = TypeVar("G", bound=WrittenGame)  # the games of a family
FEW_STATES = 100_000  # of a game whose tree is walked beside a simulation
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


class Family(Generic[G]):
    """Any finite game: solved on its tree, written as it writes itself."""

    key: str = "tree"
    kind: type | tuple[type, ...] = object  # the classes of its games
    games: Mapping[str, Callable[..., Any]] = MappingProxyType({})  # builders by name, for the catalog
    page: str = PLAIN  # the part of the page that shows them
    form_name: str = "tree-1"  # in which its solutions are written
    believing: tuple[str, ...] = ("tree-1",)  # forms whose headers tell of beliefs
    keys: Mapping[str, Action] = MappingProxyType({})  # letters for actions, the usual one of each first
    stand_in: str = "optimal"  # the strategy that plays where solving takes long
    reference: str = ""  # the strategy against which opponents are measured, if menus say how strong they are
    end_hidden: bool = False  # whether hidden dice decide if an action ends the game
    at: str = "at"  # between a decision and its place
    are_at: str = "are at"  # between "you" and the place
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
    usual: tuple[str, ...] = ()  # actions that advice as data names even where they are not allowed
    tells_kept: bool = False  # whether advice as data says that the solution was kept
    covered: bool = True  # whether something is hidden that later choices may uncover
    pictures: Mapping[str, Picture] = MappingProxyType({})  # of its strategies, for the page
    talks: bool = False  # whether bids and calls are made, true ones and false ones
    counts: Mapping[str, str] = MappingProxyType({})  # what is counted, where not bids and calls
    captions: Mapping[str, str] = BIDS  # of those counts, for the page
    secret: str = "what is hidden"  # and known to the analysis
    careful: tuple[str, ...] = ()  # actions that end the risk: a hold, a call
    crowds: Crowds[G] | None = None  # what models of people's choices ask, where a turn is rolled on or held
    themes: Mapping[str, Theme] = MappingProxyType({})  # the kinds of places that `theme` names
    deeds: Mapping[str, Deed] = MappingProxyType({})  # the kinds of actions that `deed` names
    menu: Menu = Menu()
    designs: Mapping[str, str] = MappingProxyType(
        {}
    )  # games drawn up on the page, and the script that does it
    sights: Mapping[str, Sight] = MappingProxyType({})  # ways of looking at its strategies, for the page

    def read_foreign(self, text: str) -> Any:
        """The game that a text names as another system does; None if it does not."""
        return None

    def admit(self, game: G) -> None:
        """RulesError unless this is a game whose rules the solvers will really ask for."""
        Checked(game)

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

    def meaning(self, game: G, view: View) -> str:
        """What the short form of a view means, in brackets; nothing where it is in words already."""
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
        return Family.roller is not type(self).roller and Family.uncover is not type(self).uncover

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

    def said(self, game: G, plies: Iterable[Ply]) -> Iterator[Word]:
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

    def form(self, game: G, header: Header) -> Form:
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

    def habit(self, game: G, slip: Slip) -> str:
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
