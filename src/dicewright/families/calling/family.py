"""Calling games: one cup, a call that is true or a lie."""

from collections.abc import Callable, Mapping
from typing import Any

from ...core.effort import LITTLE, Effort
from ...core.engine import Engine
from ...core.errors import TooLarge
from ...core.eyes import ALL_EYES
from ...core.form import Form
from ...core.game import SEATS, Action, Outcome, State, other
from ...core.results import Evaluation, Response
from ...core.solution import Header, Solution, seats
from ...core.strategy import Strategy
from .. import door
from ..family import Way, by_name
from ..seating import answered, seated
from ..spoken import kind
from .cups import liars_dice_poker, liars_die, mia
from .menu import SIGHTS
from .pictures import PICTURES
from .rules import CHALLENGE, NOTHING, CallingGame
from .table import CupTable
from .talk import MOST_RANKS as MOST_ANSWERED
from .words import calling_name, calling_rules, calling_title

RANKS = 100.0  # solved in a second
MOST_RANKS = 300  # while somebody waits
FEW_RANKS = 30  # of a game that is solved in a moment


class CupFamily(CupTable):
    """What calling games share, whether dice are kept or not."""

    page = "calling"

    def short(self, game: Any) -> str:
        """Such as `Mia`, whatever its fields are."""
        return calling_name(game)

    def title(self, game: Any) -> str:
        """Such as `Mia`."""
        return calling_title(game)

    def rules(self, game: Any) -> tuple[str, ...]:
        """The cup, the calls, the challenge."""
        return calling_rules(game)

    def say(self, game: Any, choice: Action | Outcome) -> str:
        """A rank by its label."""
        return super().say(game, choice) if isinstance(choice, str) else self.ranks(game).labels[choice]

    def faces(self, game: Any, choice: Action | Outcome) -> tuple[int, ...]:
        """What the label of a rank tells."""
        return () if isinstance(choice, str) else _rank_faces(self.ranks(game), choice)

    def roller(self, game: Any, state: State) -> int:
        """Who has the cup."""
        return int(state.cup)

    def uncover(self, game: Any, eyes: list[int], before: State, choice: Action) -> bool:
        """A challenge shows the dice to everybody; a roll that was accepted stays hidden."""
        return choice == CHALLENGE and show(eyes, ALL_EYES)

    def points(self, game: Any) -> bool:
        """Games are won or lost."""
        return False

    def position(self, game: Any, state: Any, seat: int | None, over: bool) -> dict[str, Any]:
        """The calls, and the roll for who has the cup, or for everybody at the end."""
        ranks = self.ranks(game)
        view = game.view(state, state.cup if over else other(state.cup) if seat is None else seat)

        def label(rank: int | None) -> str | None:
            return None if rank is None or rank == NOTHING else ranks.labels[rank]

        return {
            "labels": list(ranks.labels),
            "cup": SEATS[state.cup],
            "accepted": label(view.accepted),
            "roll": label(view.roll),
            "call": label(view.call),
            "ask": self.asks(game, state, seat),
            "note": f"Nothing beats {label(game.top)}: accepting it loses."
            if view.call == game.top
            else None,
        }

    def layout(self, game: Any) -> dict[str, Any]:
        """How many dice are under the cup, and what is said before the first call."""
        return {
            "dice": max(1, len(self.faces(game, game.top))),
            "start": "No call yet: anything may be called.",
        }

    def scene(self, game: Any, before: Any, choice: Action | Outcome, after: Any) -> dict[str, Any]:
        """Who has the cup and what was called; a challenge shows the dice, and the highest call ends the game too."""
        calls = {
            name: None if rank is None or rank == NOTHING else self.say(game, rank)
            for name, rank in (("accepted", after.accepted), ("call", after.call))
        }
        found = {"cup": SEATS[after.cup], **calls}
        if choice == CHALLENGE:
            true = self.ranks(game).true(after.roll, after.call)
            words = f"Under the cup: {self.say(game, after.roll)}. The call of {calls['call']} was"
            winner = after.cup if true else other(after.cup)
            return {
                **found,
                "end": {"words": f"{words} {'true' if true else 'a bluff'}.", "winner": SEATS[winner]},
            }
        if after.accepted == game.top:
            words = f"{calls['accepted']} was accepted, which nothing beats."
            caller = SEATS[before.cup]
            return {**found, "cup": caller, "end": {"words": words, "winner": caller}}
        return found

    def returns(self, game: Any) -> bool:
        """Calls rise, and dice are rolled before each."""
        return False


def show(eyes: list[int], more: int) -> bool:
    """The latest roll, two choices ago or further back, is shown to more."""
    for ply in range(len(eyes) - 1, -1, -1):
        if eyes[ply] != ALL_EYES:
            eyes[ply] |= more
            return True
    return False


def _rank_faces(game: CallingGame, rank: int) -> tuple[int, ...]:
    label = game.labels[rank]
    match kind(game.name):
        case "liars-die":
            return (int(label),)
        case "mia":
            return tuple(map(int, label.split("-") if "-" in label else label))
        case "liars-dice-poker":  # without kickers only the combination is known
            return tuple(map(int, label)) if len(label) == max(map(len, game.labels)) else ()
    return ()


class CallingFamily(CupFamily):
    """All dice are rolled again under the cup."""

    key, kind, form_name = "calling", CallingGame, "calling-1"
    games = by_name(liars_die, mia, liars_dice_poker)
    shipped = ("liars-die", "mia")
    pictures, sights = PICTURES, SIGHTS
    compiled_hints = False

    def ranks(self, game: CallingGame) -> CallingGame:
        """The game itself."""
        return game

    def admit(self, game: CallingGame) -> None:
        """RulesError for an heir that plays by other rules than its fields say."""
        door.admit(game, CallingGame)

    def soon_answered(self, game: CallingGame) -> bool:
        """With few ranks."""
        return len(game.labels) <= MOST_ANSWERED

    def at_once(self, game: CallingGame) -> bool:
        """The closed form, with few ranks."""
        return len(game.labels) <= FEW_RANKS

    def check_here(self, game: CallingGame) -> None:
        """Up to MOST_RANKS."""
        if len(game.labels) > MOST_RANKS:
            raise TooLarge(f"{game.name} has {len(game.labels)} ranks; up to {MOST_RANKS} is allowed here")

    def effort(self, game: CallingGame) -> Effort:
        """By its ranks."""
        ranks = len(game.labels)
        return Effort(ranks / RANKS, LITTLE, ranks <= MOST_RANKS, ranks <= FEW_RANKS)

    def form(self, game: CallingGame, header: Header) -> Form:
        """The numbers of the closed form."""
        from .solve import FORM

        return FORM

    def rolls_tried(self, game: CallingGame) -> int:
        """What was accepted is never shown."""
        return len(game.labels)

    def way(self, game: CallingGame) -> Way:
        """The closed form."""
        from .solve import solve_calling

        return Way(("auto",), (), lambda game, method: solve_calling(game))

    def evaluate(self, game: CallingGame, a: Any, b: Any) -> Evaluation:
        """Backward over the call that stands."""
        from .response import evaluate_calling

        return seated(evaluate_calling, game, a, b)

    def best_response(self, game: CallingGame, b: Any) -> Response:
        """Likewise."""
        from .response import best_response_calling

        return answered(best_response_calling, game, b)

    def answer(self, game: CallingGame, strategy: Strategy, seat: int) -> type[Solution]:
        """Whoever answers weighs the rolls that are called so."""
        from .answer import CallingAnswer

        return CallingAnswer

    def engine(self, game: CallingGame, a: Any, b: Any) -> Engine | None:
        """Tables of mixes, for players who play alike in either seat and ranks whose cubes fit."""
        from .engine import MOST_RANKS as MOST_TABLED
        from .engine import calling_engine

        (one, one_second), (two, two_second) = seats(a), seats(b)
        alike = one is one_second and two is two_second
        return calling_engine(game, one, two) if alike and len(game.labels) <= MOST_TABLED else None

    def exactly(self, game: CallingGame, a: Any, b: Any) -> Evaluation | None:
        """Evaluation takes a moment."""
        return self.evaluate(game, a, b)

    def strategies(self, game: CallingGame) -> Mapping[str, Callable[..., Any]]:
        """The agents of the thesis, the solved one, and more."""
        from .strategies import CALLING

        return CALLING


FAMILY = CallingFamily()
