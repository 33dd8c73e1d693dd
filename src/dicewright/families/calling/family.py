"""Calling games: one cup, a call that is true or a lie; all dice are rolled again, or some are kept in the open."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from ...core.effort import LITTLE, Effort, Engine
from ...core.errors import IllegalAction, NotationError, RulesError, TooLarge
from ...core.game import ALL_EYES, CHANCE, FIRST, SEATS, SECOND, Action, Outcome, View, eye_of, other
from ...core.losses import Losses, Mistake
from ...core.notation import check_heir
from ...core.results import Evaluation, Response
from ...core.solution import Header, Restoring, Solution, seats
from ...core.strategy import Mix, Strategy, decide
from ..catalog import answered, met, seated
from ..family import Way, by_name
from ..levels import Logit
from ..lives.game import with_lives
from ..picture import HAND, Hands, Picture, ranges, table_of
from ..safe import Safe
from ..view_table import ViewTable, check_views, columns_of, reader
from .cups import liars_dice_poker, liars_die, mia
from .menu import SIGHTS
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingState, CallingView
from .themes import DEEDS, THEMES, theme, traits
from .words import CallingWords

RANKS = 100.0  # solved in a second
MOST_RANKS = 300  # while somebody waits
KEEP_SECONDS = 7.0  # for six sides
FEW_RANKS = 30  # of a game whose strategy is chosen among all optimal ones, in 2 s
MOST_ANSWERED = 60  # ranks of a game that is answered in a moment
MOST_LEVELED = 300  # of one whose levels are found: half a second for each that is tried
MOST_TABLED = 128  # ranks whose tables of mixes, cubes, fit


class CallingFamily(CallingWords):
    """Closed forms, and chains of linear programs; of all optimal strategies one that wins most against people."""

    key, kind, page = "calling", CallingGame, "calling"
    careful = (CHALLENGE,)
    themes, deeds, traits = THEMES, DEEDS, staticmethod(traits)
    games = with_lives(by_name(liars_die, mia, liars_dice_poker))
    shipped = ("liars-die", "mia")
    cited: Mapping[str, float | None] = dict.fromkeys(
        ("liars-die", "liars-die:truth=at-least", "mia", "mia:sides=3", "liars-dice-poker")
    )
    compiled_hints, sights, keeps_optimal = False, SIGHTS, True

    def admit(self, game: CallingGame) -> None:
        """RulesError for an heir that plays by other rules than its fields say."""
        check_heir(game, CallingGame)

    def roller(self, game: CallingGame, state: CallingState) -> int:
        """Who has the cup."""
        return state.cup

    def uncover(self, game: CallingGame, eyes: list[int], before: CallingState, choice: Action) -> bool:
        """A challenge shows the dice to everybody; an accept shows them to nobody, or to who may keep some."""
        more = ALL_EYES if choice == CHALLENGE else 0
        if game.keep and choice == ACCEPT:
            more = eye_of(other(before.cup))
        for ply in (
            range(len(eyes) - 1, -1, -1) if more else ()
        ):  # the latest roll is two choices ago or further
            if eyes[ply] != ALL_EYES:
                eyes[ply] |= more
                return True
        return False

    def points(self, game: CallingGame) -> bool:
        """Games are won or lost."""
        return False

    def theme(self, game: CallingGame, view: CallingView) -> str:
        """By what is asked."""
        return theme(view)

    def deed(self, game: CallingGame, view: CallingView, action: Action) -> str:
        """Challenges and lies."""
        if action == CHALLENGE:
            return "challenge"
        return "lie" if self.is_bluff(game, view, action) else ""

    def why(
        self, game: CallingGame, solution: Solution, view: CallingView, choice: Action, best: Action
    ) -> str:
        """Whether calls are true, and what the rival makes of them."""
        from .why import calling_why

        return calling_why(game, solution, view, choice, best)

    def position(
        self, game: CallingGame, state: CallingState, seat: int | None, over: bool
    ) -> dict[str, Any]:
        """The calls, and the roll for who has the cup, or for everybody at the end; and the dice seen and kept."""
        view = game.view(state, state.cup if over else other(state.cup) if seat is None else seat)

        def label(rank: int | None) -> str | None:
            return None if rank is None or rank == NOTHING else game.labels[rank]

        seen = None if seat is None and not over else view.seen
        dice = () if seen is None else self.faces(game, seen)
        kept = {"seen": label(seen), "seen_dice": dice, "kept": view.kept}
        loses = f"Nothing beats {label(game.top)}: accepting it loses."
        return {
            "labels": list(game.labels),
            "cup": SEATS[state.cup],
            "accepted": label(view.accepted),
            "roll": label(view.roll),
            "call": label(view.call),
            "ask": self.asks(game, state, seat),
            "note": loses if view.call == game.top else None,
            **(kept if game.keep else {}),
        }

    def layout(self, game: CallingGame) -> dict[str, Any]:
        """How many dice are under the cup, and what is said before the first call."""
        return {
            "dice": max(1, len(self.faces(game, game.top))),
            "start": "No call yet: anything may be called.",
            "groups": [{"words": words, "labels": labels} for words, labels in self.groups(game)],
        }

    def scene(
        self, game: CallingGame, before: CallingState, choice: Action | Outcome, after: CallingState
    ) -> dict[str, Any]:
        """Who has the cup and what was called; a challenge shows the dice, and the highest call ends the game too."""
        calls = {
            name: None if rank is None or rank == NOTHING else self.say(game, rank)
            for name, rank in (("accepted", after.accepted), ("call", after.call))
        }
        found = {"cup": SEATS[after.cup], **calls}
        if choice == CHALLENGE and after.roll is not None and after.call is not None:
            true = game.true(after.roll, after.call)
            words = f"Under the cup: {self.say(game, after.roll)}. The call of {calls['call']} was"
            winner = SEATS[after.cup if true else other(after.cup)]
            return {**found, "end": {"words": f"{words} {'true' if true else 'a bluff'}.", "winner": winner}}
        if after.accepted == game.top:
            words = f"{calls['accepted']} was accepted, which nothing beats."
            caller = SEATS[before.cup]
            return {**found, "cup": caller, "end": {"words": words, "winner": caller}}
        return found

    def looks(self, game: CallingGame) -> Collection[str]:
        """None yet where dice may be kept."""
        return () if game.keep else self.sights

    def spot(self, game: CallingGame, view: CallingView) -> dict[str, Any] | None:
        """Among the ranges after the same calls, with the roll if it is seen."""
        if not self.looks(game):
            return None
        accepted = [] if view.accepted == NOTHING else [game.show_choice(view.accepted)]
        if view.roll is not None:
            return {"view": "ranges", "said": " ".join(accepted), "hand": game.labels[view.roll]}
        return {"view": "ranges", "said": " ".join([*(accepted or ["-"]), game.show_choice(view.call or 0)])}

    def turns(self, movers: Iterable[int]) -> int:
        """One for each roll."""
        return sum(who == CHANCE for who in movers)

    def returns(self, game: CallingGame) -> bool:
        """Calls rise, and dice are rolled before each."""
        return False

    def drawn(self, game: CallingGame) -> Mapping[str, Picture]:
        """What each roll does after the same calls; none yet where dice may be kept."""
        return {} if game.keep else {"ranges": ranges(_ranges, hands_after, _seconds)}

    def soon_answered(self, game: CallingGame) -> bool:
        """With few ranks."""
        return not game.keep and len(game.labels) <= MOST_ANSWERED

    def check_here(self, game: CallingGame) -> None:
        """Up to MOST_RANKS."""
        if len(game.labels) > MOST_RANKS:
            raise TooLarge(f"{game.name} has {len(game.labels)} ranks; up to {MOST_RANKS} is allowed here")

    def effort(self, game: CallingGame) -> Effort:
        """By its ranks."""
        if game.keep:
            return Effort(KEEP_SECONDS)
        ranks = len(game.labels)
        few = ranks <= FEW_RANKS
        return Effort((2 * ranks if few else ranks) / RANKS, LITTLE, ranks <= MOST_RANKS, few)

    def form_of(self, game: CallingGame) -> str:
        """The closed form or, if it was chosen among many, a table; and tables where dice may be kept."""
        return "keep-1" if game.keep else "calling-1"

    def form(self, game: CallingGame, header: Header) -> Restoring:
        """Likewise."""
        from .solution import FORM, KEEP_FORM

        return KEEP_FORM if game.keep else FORM

    def rolls_tried(self, game: CallingGame) -> int:
        """What was accepted is never shown, unless dice may be kept."""
        return 0 if game.keep else len(game.labels)

    def way(self, game: CallingGame) -> Way:
        """The closed form, or a chain of linear programs."""
        if game.keep:
            from .keep_solve import solve_keep as solve
        else:
            from .solve import solve_calling as solve

        return Way(("auto",), (), lambda game, method: solve(game))

    def evaluate(self, game: CallingGame, a: Any, b: Any) -> Evaluation:
        """Backward over the call that stands, and the dice kept."""
        if game.keep:
            from .keep_response import duel_keep

            return met(duel_keep, game, a, b)
        from .response import evaluate_calling

        if self.levels_slow(game):
            from .leveled import check_met, meets_solved

            if (found := meets_solved(game, a, b)) is not None:
                return found
            check_met(game, a, b)
        return seated(evaluate_calling, game, a, b)

    def places(
        self, game: CallingGame, view: CallingView, rivals: tuple[Strategy, Strategy]
    ) -> tuple[int, Mapping[CallingState, float]]:
        """Whoever calls knows the dice; whoever answers weighs the rolls that the rival calls so."""
        if game.keep:
            raise RulesError(f"positions of {game.name} are not evaluated; where no dice are kept they are")
        if not game.actions(view):
            raise IllegalAction(f"nothing to decide at {game.show_view(view)!r}; a roll or a call is needed")
        if view.roll is not None:
            return FIRST, {CallingState(FIRST, view.accepted, view.roll): 1.0}
        call, found = view.call, {}
        for roll, chance in enumerate(game.chances):
            if call is not None and call >= game.lowest_call(view.accepted, roll):
                share = decide(game, CallingView(view.accepted, roll), rivals[FIRST]).get(call, 0.0)
                found[CallingState(FIRST, view.accepted, roll, call)] = float(chance) * share
        return SECOND, found

    def is_turn(self, action: Action) -> bool:
        """A roll with its call is a turn."""
        return not isinstance(action, str)

    def best_response(self, game: CallingGame, b: Any) -> Response:
        """Likewise."""
        if self.levels_slow(game):
            from .leveled import check_met

            check_met(game, b)
        if game.keep:
            from .keep_response import best_response_keep as respond
        else:
            from .response import best_response_calling as respond

        return answered(respond, game, b)

    def meets(self, game: CallingGame) -> bool:
        """Two strategies take seconds where dice may be kept."""
        return not game.keep

    def critic(self, game: CallingGame, rival: Any) -> Callable[[Any], Losses]:
        """Call by call."""
        from .critic import CallingCritic

        return CallingCritic(game, rival, partial(self.habit, game), partial(self.stage, game))

    def check_grade(self, game: CallingGame) -> None:
        """No kept dice, and ranks whose cube is gone through in a second or two."""
        if game.keep:
            raise RulesError(f"strategies of {game.name} are not graded; where no dice are kept they are")
        if len(game.labels) > MOST_ANSWERED:
            raise TooLarge(f"{game.name} has {len(game.labels)} ranks; up to {MOST_ANSWERED} is graded")

    def check_levels(self, game: CallingGame) -> None:
        """Few enough ranks; fewer where dice may be kept."""
        most = MOST_ANSWERED if game.keep else MOST_LEVELED
        if len(game.labels) > most:
            raise TooLarge(f"{game.name} has {len(game.labels)} ranks; levels are found of up to {most}")

    def levels_slow(self, game: CallingGame) -> bool:
        """With more ranks than are answered in a moment."""
        return len(game.labels) > MOST_ANSWERED

    def loss_of(self, game: CallingGame, strategy: Any) -> float | None:
        """Of levels in games of many ranks, which are not graded."""
        if not self.levels_slow(game):
            return None
        from .leveled import level_in, lost_each

        level = level_in(strategy)
        return None if level is None else lost_each(level)

    def sent(self, game: CallingGame, strategy: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The mix in every view."""
        actions = [*range(game.top + 1), ACCEPT, CHALLENGE]
        one = seats(strategy)[FIRST]
        shares = [[float(mix.get(each, 0.0)) for each in actions] for mix in map(one, all_views(game))]
        return {}, {"shares": shares}

    def player(self, game: CallingGame, told: Mapping[str, Any], arrays: Mapping[str, Any]) -> Any:
        """Likewise."""
        actions = [*range(game.top + 1), ACCEPT, CHALLENGE]
        mixes: dict[View, Mix] = {
            view: {action: share for action, share in zip(actions, line, strict=True) if share > 0.0}
            for view, line in zip(all_views(game), arrays["shares"].tolist(), strict=True)
        }
        return ViewTable(game, mixes, "a table")

    def answer_within(self, solution: Solution, model: Any, most: float) -> Safe:
        """By linear programs, decision by decision."""
        from .safe_calls import answer_within

        return answer_within(self, solution, model, most)

    def leveled(self, solution: Solution, precision: float, name: str) -> Logit:
        """Weighed in every view before it plays, unless dice may be kept or ranks are many: then where it comes."""
        player: Logit = super().leveled(solution, precision, name)
        game: Any = solution.game
        for view in () if game.keep or self.levels_slow(game) else all_views(game):
            player(view)
        return player

    def habit(self, game: CallingGame, slip: Mistake) -> str:
        """Too high, too low, too soon, too late."""
        from .critic import habit

        return habit(slip)

    def stage(self, game: CallingGame, view: CallingView) -> str:
        """By the call that stands."""
        from .critic import stage

        return stage(game, view)

    def check_player(self, game: CallingGame, strategy: Any) -> None:
        """An expression is tried with all rolls and calls."""
        from .expressed import CallingRule

        if isinstance(strategy, CallingRule):
            strategy.check()

    def answer(self, game: CallingGame, strategy: Strategy, seat: int) -> type[Solution]:
        """Whoever answers weighs the rolls that are called so; where dice may be kept, not yet."""
        if game.keep:
            raise RulesError(
                f"there is no best response in {game.name}; race, bluff and calling games have one"
            )
        from .solution import CallingAnswer

        return CallingAnswer

    def engine(self, game: CallingGame, a: Any, b: Any) -> Engine | None:
        """Tables of mixes, for players who play alike in either seat and ranks whose cubes fit."""
        (one, one_second), (two, two_second) = seats(a), seats(b)
        alike = one is one_second and two is two_second
        if game.keep or not alike or len(game.labels) > MOST_TABLED:
            return None
        from .play_kernels import calling_engine

        return calling_engine(game, one, two)

    def exactly(self, game: CallingGame, a: Any, b: Any) -> Evaluation | None:
        """Evaluation takes a moment, unless dice may be kept or a level is asked in very many views."""
        if game.keep:
            return super().exactly(game, a, b)
        try:
            return self.evaluate(game, a, b)
        except TooLarge:
            return None

    def entries(self) -> Mapping[str, Callable[..., Any]]:
        """Tables of views and expressions."""
        from .expressed import from_expression

        return {".csv": reader(all_views), ".txt": from_expression}

    def columns(self, game: CallingGame, strategy: Any) -> Mapping[str, Any]:
        """Every roll and every call, after each call that may stand."""
        return columns_of(game, strategy, all_views(game))

    def strategies(self, game: CallingGame) -> Mapping[str, Callable[..., Any]]:
        """Those of strategies.py; where dice may be kept, the solved one."""
        if game.keep:
            return {"optimal": self.solved}
        from .expressed import CallingRule
        from .strategies import CALLING

        return {**CALLING, CallingRule.key: CallingRule}


def hands_after(game: CallingGame, said: str) -> Hands:
    """Every roll with what is seen then; NotationError if this cannot have been said.

    That is nothing, the accepted call, or the accepted call (`-` for none) and a call to answer.
    """
    words = said.split()
    if len(words) > 2:
        raise NotationError(f"{' '.join(words)!r} is more than an accepted call and a call to answer")
    ranks = [NOTHING if word == "-" else game.read_choice(word) for word in words]
    if any(rank in (ACCEPT, CHALLENGE) for rank in ranks):
        raise NotationError(f"{' '.join(words)!r} names no calls of {game.name}")
    accepted = int(ranks[0]) if ranks else NOTHING
    if accepted == game.top or (len(ranks) == 2 and int(ranks[1]) <= accepted):
        raise NotationError(f"{' '.join(words)!r} cannot be: a call is higher than the accepted one")
    if len(ranks) == 2:
        return Hands(["-"], [CallingView(accepted, None, int(ranks[1]))])
    return Hands(list(game.labels), [CallingView(accepted, roll) for roll in range(game.top + 1)])


def all_views(game: CallingGame) -> Iterator[CallingView]:
    """Every view in which there is a choice; TooLarge if they are too many, RulesError where dice may be kept."""
    if game.keep:
        raise RulesError(f"dice may be kept in {game.name}; tables are of calling games where none is")
    check_views(game, len(game.labels) ** 2)
    for accepted in range(NOTHING, game.top):
        views = [CallingView(accepted, roll) for roll in range(game.top + 1)]
        views += [CallingView(accepted, None, call) for call in range(accepted + 1, game.top + 1)]
        yield from (view for view in views if len(game.actions(view)) > 1)


def _ranges(game: CallingGame, strategy: Any, solution: Solution, said: str) -> Mapping[str, Any]:
    """Calls from the lowest, then the answers."""

    def place(action: Any) -> tuple[bool, int, str]:
        return isinstance(action, str), action if isinstance(action, int) else 0, str(action)

    def label(text: str) -> str:
        return "no call" if text == "-" else text

    return table_of(game, strategy, solution, said, hands_after, place, label)


def _seconds(game: CallingGame) -> float:
    return HAND * len(game.labels) ** 2


FAMILY = CallingFamily()
