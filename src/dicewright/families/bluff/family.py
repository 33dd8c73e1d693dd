"""Rounds of Bluff: hidden dice of one's own, bids on all of them; what the services ask about them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, get_args

from ...core.effort import Effort, Engine
from ...core.errors import NotationError, TooLarge
from ...core.game import FIRST, SECOND, Action, Outcome, other
from ...core.losses import Losses, Mistake
from ...core.results import Evaluation, Response
from ...core.solution import Certificate, Header, Restoring, Solution
from ...core.strategy import Strategy
from ..family import Way
from ..lives.game import with_lives
from ..picture import HAND, Hands, Picture, ranges, table_of
from ..safe import Safe
from ..told import Listener, Thing
from ..view_table import check_views, columns_of, reader
from . import form as bluff_form
from .menu import SIGHTS
from .rules import CALL, Bid, Bluff, BluffState, BluffView, Order
from .words import BiddingFamily, bluff_rules, lay_round, page_round, page_scene, reveal, tell_round

SEQUENCES = 20_000.0  # solved in a second
MOST_SECONDS = 30.0  # that are foretold: what takes longer is not begun while somebody waits
MOST_SEQUENCES = 120_000  # while somebody waits: some seconds
MOST_DICE = 4  # likewise, of a match or where the tree itself is solved
FEW_BIDS = 8  # of a round that is solved in a moment
MOST_GRADED = 18  # bids of a round whose views are listed: two dice against one with six sides
MOST_MET = 13  # bids of a round whose strategies all meet within seconds, and that is answered in a moment


def hands_after(game: Bluff, said: str) -> Hands:
    """Every hand with what it sees after these bids; NotationError if they cannot have been made."""
    words = said.split()
    bids = tuple(map(game.read_choice, words))
    for place, bid in enumerate(bids):
        if bid not in game.actions(BluffView((), bids[:place])):  # type: ignore[arg-type]
            raise NotationError(f"{words[place]!r} may not follow {' '.join(words[:place])!r} in {game.name}")
    if bids and isinstance(bids[-1], str):
        raise NotationError(f"{' '.join(words)!r} has ended the round; bids alone are allowed")
    views = [BluffView(hand, bids) for hand in game.hands(len(bids) % 2)]  # type: ignore[arg-type]
    return Hands([game.show_choice(view.mine) for view in views], views)


def all_views(game: Bluff) -> Iterator[BluffView]:
    """Every view in which there is a choice; TooLarge if they are too many."""
    if game.order != "fixed":
        check_views(game, sum(len(game.hands(seat)) << len(game.bids) >> 1 for seat in (FIRST, SECOND)))
    todo: list[tuple[Bid | str, ...]] = [()]
    for said in todo:
        actions = game.actions(BluffView((), said))
        if len(actions) > 1:
            yield from (BluffView(hand, said) for hand in game.hands(len(said) % 2))
        todo += ((*said, action) for action in actions if isinstance(action, Bid))


def _ranges(game: Bluff, strategy: Any, solution: Solution, said: str) -> Mapping[str, Any]:
    """Bids from the lowest, then what ends the round."""
    places = {bid: place for place, bid in enumerate(game.bids)}

    def place(action: Any) -> tuple[int, str]:
        return places.get(action, len(places)), str(action)

    def label(text: str) -> str:
        return text.replace("x", "×").replace("-", " ")

    return table_of(game, strategy, solution, said, hands_after, place, label)


def _seconds(game: Bluff) -> float:
    return 50 * HAND * len(game.hands(0)) * len(game.bids)


PICTURES: Mapping[str, Picture] = MappingProxyType({"ranges": ranges(_ranges, hands_after, _seconds)})


ORDERS: dict[str, Order] = {"reset-face": "face", "reset-quantity": "quantity"}
FIELDS = {"players": "2", "numdice": "1", "dice_sides": "6", "bidding_rule": "reset-face"}


def read_open_spiel(text: str) -> Bluff:
    """The Bluff round that OpenSpiel's game string names: highest face wild, any opening bid, no spot-on."""
    match = re.fullmatch(r"(\w+)(?:\((.*)\))?", text.strip())
    if match is None or match[1] != "liars_dice":
        reason = (
            "its players forget bids, ours never do" if match and match[1] == "liars_dice_ir" else "unknown"
        )
        raise NotationError(f"game {text!r} is not ours ({reason}); liars_dice(...) is allowed")
    given: dict[str, str] = {}
    for part in match[2].split(",") if match[2] else []:
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in FIELDS:
            allowed = ", ".join(FIELDS)
            raise NotationError(f"game {text!r} has no field {key!r} here; allowed are {allowed}")
        if key in given:
            raise NotationError(f"game {text!r} gives the field {key!r} twice; once is allowed")
        given[key] = value
    values = FIELDS | given
    if values["players"] != "2":
        raise NotationError(f"players is {values['players']!r} in {text!r}; ours are games for 2")
    if values["bidding_rule"] not in ORDERS:
        allowed = " or ".join(ORDERS)
        raise NotationError(f"bidding_rule is {values['bidding_rule']!r} in {text!r}; {allowed} is allowed")
    for key in ("numdice", "dice_sides"):
        if not re.fullmatch(r"[0-9]{1,3}", values[key]):
            raise NotationError(f"{key} is {values[key]!r} in {text!r}; a whole number is allowed")
    dice, sides = int(values["numdice"]), int(values["dice_sides"])
    return Bluff((dice, dice), sides, order=ORDERS[values["bidding_rule"]])


class BluffFamily(BiddingFamily):
    """One round."""

    key, kind = "bluff", Bluff
    careful = (CALL,)
    games = with_lives({"bluff": Bluff})
    shipped = (
        "bluff",
        "bluff:dice=2v1",
        "bluff:dice=1v2",
        "bluff:dice=2v2",
        "bluff:dice=3v1",
        "bluff:dice=1v3",
    )
    cited: Mapping[str, float | None] = {
        **dict.fromkeys(f"bluff:sides={sides}" for sides in (2, 3, 4, 5)),
        "bluff": None,
        **dict.fromkeys(f"bluff:sides={sides},spot_on=yes" for sides in (2, 6)),
        **dict.fromkeys(f"bluff:sides={sides},wild=none" for sides in (2, 3, 4, 5, 6)),
        **dict.fromkeys(("bluff:dice=2v1,sides=3", "bluff:dice=2v2,sides=2")),
        "bluff:dice=2v1": 1e-9,
        "bluff:dice=1v2": 1e-9,
        **dict.fromkeys(("bluff:dice=2v2", "bluff:dice=3v1", "bluff:dice=1v3")),
    }
    tells_kept, compiled_hints = True, False
    pictures, sights = PICTURES, SIGHTS

    def read_foreign(self, text: str) -> Bluff | None:
        """OpenSpiel's `liars_dice(...)`."""
        return read_open_spiel(text) if text.strip().startswith("liars_dice") else None

    def now(self, game: Bluff, held: Any) -> tuple[Bluff, Any]:
        """There is one round."""
        return game, held

    def rules(self, game: Bluff) -> tuple[str, ...]:
        """The dice, the bids, the call."""
        return bluff_rules(game)

    def why(self, game: Bluff, solution: Solution, view: BluffView, choice: Action, best: Action) -> str:
        """How often bids are true, and what the rival says to them."""
        from .why import bluff_why

        rival = solution.strategies[other(len(view.said) % 2)]
        return bluff_why(game, rival, view, choice, best, solution.advise(view).worth)

    def tell(
        self, game: Bluff, to: Listener, before: BluffState, choice: Action | Outcome, after: BluffState
    ) -> list[str]:
        """A call also shows all dice."""
        players = (before.opener, other(before.opener))
        lines = tell_round(game, to, before._replace(opener=FIRST), choice, players)
        return lines + reveal(game, to, after, players) if isinstance(choice, str) else lines

    def lay(
        self, game: Bluff, to: Listener, state: BluffState, turn: Sequence[Action | Outcome], over: bool
    ) -> list[Thing]:
        """Both hands."""
        return lay_round(game, to, state, to.me ^ state.opener, over)

    def roller(self, game: Bluff, state: BluffState) -> int:
        """The opener's dice are rolled first."""
        return len(state.hands) ^ state.opener

    def soon_answered(self, game: Bluff) -> bool:
        """With few bids."""
        return len(game.bids) <= MOST_MET

    def position(self, game: Bluff, state: BluffState, seat: int | None, over: bool) -> dict[str, Any]:
        """The own dice, the bids, and all dice once a call has ended the round."""
        shown = page_round(game, state._replace(opener=FIRST), state.opener, seat, over)
        return {**shown, "ask": self.asks(game, state, seat)}

    def scene(
        self, game: Bluff, before: BluffState, choice: Action | Outcome, after: BluffState
    ) -> dict[str, Any]:
        """A call ends it."""
        players = (before.opener, other(before.opener))
        return page_scene(game, players, after if isinstance(choice, str) else None)

    def charts(self) -> Mapping[str, Callable[..., Any]]:
        """Of a solution."""
        from .solve import strategy_frame

        return {"ranges": strategy_frame}

    def handicaps(
        self, game: Bluff, solution: Solution, solve: Callable[[Bluff], Solution]
    ) -> Iterator[tuple[int, Certificate]]:
        """A die, as far as there are four in all."""
        yield 0, solution.certificate
        one, two = game.dice
        for dice, given in ((1, (one, two + 1)), (-1, (one + 1, two))):
            if sum(given) <= MOST_DICE:
                yield dice, solve(replace(game, dice=given)).certificate

    def effort(self, game: Bluff) -> Effort:
        """By both players' hands times the ways bids can go."""
        if game.order == "fixed":
            return Effort(quick=sum(game.dice) <= MOST_DICE)
        sequences = (len(game.hands(0)) + len(game.hands(1))) << min(len(game.bids), 40)
        seconds = min(MOST_SECONDS, sequences / SEQUENCES)
        return Effort(seconds, quick=sequences <= MOST_SEQUENCES, brief=len(game.bids) <= FEW_BIDS)

    def way(self, game: Bluff) -> Way:
        """The sequence form where it fits, else CFR, from which narrow bounds are reached by the nearest plans."""
        from .solve import Method, choose_method, solve_bluff

        def heard(step: Any) -> str:
            return f"iteration {step.iteration}, {step.lower:.6f} to {step.upper:.6f}"

        way = Way(get_args(Method), ("gap", "progress"), solve_bluff, heard=heard)
        if choose_method(game)[0] != "cfr":
            return way._replace(exact=True)
        return way._replace(to_file=self._to_file)

    def _to_file(self, game: Bluff, **options: Any) -> Solution:
        from .shipped import solve_rounded
        from .solution import NEAREST
        from .solve import choose_method, solve_nearest

        if choose_method(game, options["gap"])[0] == NEAREST:
            return solve_nearest(game, options["gap"], options["progress"], options["checkpoint"])
        return solve_rounded(game, **options)

    def to_ship(self, game: Bluff, **options: Any) -> Solution:
        """By its recipe."""
        from .shipped import solve_to_ship

        return solve_to_ship(game, **options)

    def claimed(self, game: Bluff, header: Header) -> Certificate:
        """In fractions, or as rows that were measured."""
        return bluff_form.said(game, header)

    def form(self, game: Bluff, header: Header) -> Restoring:
        """Likewise."""
        if header["format"] in (bluff_form.ROWS, bluff_form.OLD_ROWS):
            from .rows_form import FORM, OLD_FORM

            return FORM if header["format"] == bluff_form.ROWS else OLD_FORM
        from .solution import PLAN_FORM, WEIGHT_FORM

        return WEIGHT_FORM if game.order == "fixed" else PLAN_FORM

    def check_size(self, game: Bluff) -> None:
        """All histories must be walked in minutes."""
        if game.order != "fixed":
            from .streamed import check_size

            check_size(game)

    def check_advice(self, game: Bluff, view: BluffView) -> None:
        """The player must have something to decide, and what is left of the round must fit in memory."""
        if game.order != "fixed":
            from .plans import check_size, node_of
            from .solution import check_turn

            check_turn(game, view)
            check_size(game, len(game.bids) - max(node_of(game, view.said).bit_length() - 1, 0))

    def evaluate(self, game: Bluff, a: Any, b: Any) -> Evaluation:
        """By plans on the public tree."""
        from .solve import evaluate_bluff

        return evaluate_bluff(game, a, b)

    def places(
        self, game: Bluff, view: BluffView, rivals: tuple[Strategy, Strategy]
    ) -> tuple[int, Mapping[BluffState, float]]:
        """Every hand of the rival, by its rolls and by how likely it is to have bid so."""
        from .plans import path_chance
        from .solution import check_turn

        check_turn(game, view)
        seat = len(view.said) % 2
        rival = other(seat)
        found = {}
        for hand, ways in game.hands(rival).items():
            hands = (view.mine, hand) if seat == FIRST else (hand, view.mine)
            chance = path_chance(game, rival, rivals[rival], hand, view.said)
            found[BluffState(hands, view.said)] = ways * chance
        return seat, found

    def best_response(self, game: Bluff, b: Any) -> Response:
        """Likewise."""
        from .solve import best_response_bluff

        return best_response_bluff(game, b)

    def critic(self, game: Bluff, rival: Any) -> Callable[[Any], Losses]:
        """By plans on the public tree, or on the tree itself where the face is fixed."""
        if game.order == "fixed":
            return super().critic(game, rival)
        from .critic import BluffCritic

        return BluffCritic(game, rival, partial(self.habit, game), partial(self.stage, game))

    def check_grade(self, game: Bluff) -> None:
        """Few enough bids for plans of both players, view by view."""
        if len(game.bids) > MOST_GRADED and game.order != "fixed":
            raise TooLarge(f"{game.name} has {len(game.bids)} bids; rounds of up to {MOST_GRADED} are graded")

    def habit(self, game: Bluff, slip: Mistake) -> str:
        """Calls and bids, too early or too high."""
        from .critic import habit

        return habit(game, slip)

    def stage(self, game: Bluff, view: BluffView) -> str:
        """By the bids made."""
        from .critic import stage

        return stage(view)

    def check_player(self, game: Bluff, strategy: Any) -> None:
        """An expression is tried with all dice and bids."""
        from .expressed import BluffRule

        if isinstance(strategy, BluffRule):
            strategy.check()

    def answer(self, game: Bluff, strategy: Strategy, seat: int) -> type[Solution]:
        """Advice against the strategy as a plan."""
        from .solution import BluffAnswer

        return BluffAnswer

    def engine(self, game: Bluff, a: Any, b: Any) -> Engine | None:
        """Plans, where they are known or made by few enough questions."""
        if not self._few_views(game, a, b):
            return None
        from .play_kernels import bluff_engine

        return bluff_engine(game, a, b)

    def entries(self) -> Mapping[str, Callable[..., Any]]:
        """Tables of views and expressions."""
        from .expressed import from_expression

        return {".csv": reader(all_views), ".txt": from_expression}

    def columns(self, game: Bluff, strategy: Any) -> Mapping[str, Any]:
        """Every hand after all bids that there may have been."""
        return columns_of(game, strategy, all_views(game))

    def exactly(self, game: Bluff, a: Any, b: Any) -> Evaluation | None:
        """Likewise."""
        if game.order == "fixed":
            return super().exactly(game, a, b)
        return self.evaluate(game, a, b) if self._few_views(game, a, b) else None

    def spot(self, game: Bluff, view: BluffView) -> dict[str, Any] | None:
        """Among the ranges after the same bids, with the own dice."""
        if not self.looks(game):
            return None
        said = " ".join(map(game.show_choice, view.said))
        return {"view": "ranges", "said": said, "hand": game.show_choice(view.mine)}

    def check_levels(self, game: Bluff) -> None:
        """Few enough bids for plans, or rows that come with the package."""
        from .solution import check_levels

        check_levels(game)

    def levels_apart(self, game: Bluff) -> bool:
        """Where plans are large on their way to rows."""
        from .solution import is_asked, is_large

        return is_large(game) and not is_asked(game)

    def levels_slow(self, game: Bluff) -> bool:
        """Where each of many walks takes a second."""
        from .solution import is_asked

        return is_asked(game)

    def loss_of(self, game: Bluff, strategy: Any) -> float | None:
        """Of levels that weigh views when they are asked, by one walk."""
        from .solution import is_large

        if not is_large(game):
            return None
        from .leveled import lost_each

        return lost_each(strategy)

    def leveled(self, solution: Solution, precision: float, name: str) -> Any:
        """As plans, rows, or asked view by view; on the tree itself where the face is fixed."""
        found: Any = solution
        return found.leveled(precision, name)

    def blended(self, game: Bluff, one: Any, two: Any, share: float) -> Any:
        """As plans."""
        if game.order == "fixed":
            return super().blended(game, one, two, share)
        from .plans import blended

        return blended(game, one, two, share)

    def check_learner(self, game: Bluff) -> None:
        """With few bids, each of which may follow any lower one."""
        super().check_learner(game)
        if game.order == "fixed":
            raise TooLarge(f"nobody is learned in {game.name}: people are where the face of bids may change")

    def answer_within(self, solution: Solution, model: Any, most: float) -> Safe:
        """By a linear program, the best of all."""
        found: Any = solution
        from .safe_plans import answer_within

        return answer_within(self, found, model, most)

    def sent(self, game: Bluff, strategy: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Plans, or rows as they are."""
        from .plans import sent
        from .public_tree import sent_rows

        rows = sent_rows(strategy)
        return ({"rows": True}, rows) if rows else ({}, sent(strategy))

    def player(self, game: Bluff, told: Mapping[str, Any], arrays: Mapping[str, Any]) -> Any:
        """Likewise."""
        from .plans import received
        from .public_tree import received_rows

        return (received_rows if told.get("rows") else received)(game, arrays)

    def meets(self, game: Bluff) -> bool:
        """With few bids."""
        return len(game.bids) <= MOST_MET

    def _few_views(self, game: Bluff, a: Any, b: Any) -> bool:
        from .plans import few_views

        return game.order != "fixed" and few_views(game, a) and few_views(game, b)

    def strategies(self, game: Bluff) -> Mapping[str, Callable[..., Any]]:
        """Rules of thumb and the solved one."""
        from .expressed import BluffRule
        from .strategies import BLUFF

        return {**BLUFF, BluffRule.key: BluffRule}


FAMILY = BluffFamily()
