"""The classics: rock-paper-scissors, Kuhn poker, a textbook tree; small cases for tests and teaching.

A state is the tuple of moves made so far, chance included; a view is what the mover has seen of it, with
`?` for each move that is hidden.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ...core.errors import IllegalAction, NotationError
from ...core.game import CHANCE, FIRST, OVER, SECOND
from ...core.notation import named
from ..family import Family, by_name
from ..shown import ShownGame
from ..spoken import kind

Moves = tuple[str, ...]
HIDDEN = "?"
RULES = {
    "rock-paper-scissors": (
        "Both choose rock, paper or scissors at once.",
        "Paper beats rock, scissors beat paper, rock beats scissors; the same twice is a draw.",
    ),
    "kuhn-poker": (
        "There are three cards, J below Q below K; each player gets one and puts one coin in the pot.",
        "Check, or bet one more coin; a bet is answered by fold or call.",
        "Whoever folds loses one coin; else the higher card wins what the other put in.",
    ),
    "textbook-tree": (
        "Chance sends you left or right.",
        "On the left the first player stops (l) or goes on (r); then the second chooses p or q, and the first,"
        " not knowing it, L or R.",
        "On the right the second chooses s or t, and the first, not knowing it, c or d.",
        "A table says what the second player then pays the first.",
    ),
}


@dataclass(frozen=True)
class MovesGame(ShownGame, ABC):
    """What the classics share: a state is its moves, written with dots between them."""

    family: ClassVar[str] = "classic"

    name: str
    words: ClassVar[Moves]  # every action and outcome of the game

    def start(self) -> Moves:
        """No moves."""
        return ()

    @abstractmethod
    def mover(self, state: Moves) -> int:
        """FIRST, SECOND, CHANCE or OVER."""

    @abstractmethod
    def hides(self, state: Moves, place: int, player: int) -> bool:
        """Whether the move at this place of the state is hidden from the player."""

    @abstractmethod
    def actions(self, view: Moves) -> Sequence[str]:
        """What the player to move may do."""

    @abstractmethod
    def payoff(self, state: Moves) -> float:
        """What SECOND pays FIRST."""

    def view(self, state: Moves, player: int) -> Moves:
        """The moves made, hidden ones as `?`."""
        return tuple(HIDDEN if self.hides(state, place, player) else move for place, move in enumerate(state))

    def outcomes(self, state: Moves) -> Mapping[str, Fraction]:
        """No chance, unless the game says otherwise."""
        return {}

    def play(self, state: Moves, choice: str) -> Moves:
        """One move more."""
        mover = self.mover(state)
        allowed = self.outcomes(state) if mover == CHANCE else self.actions(self.view(state, mover))
        if choice not in allowed:
            raise IllegalAction(
                f"{choice} is not allowed at {state} of {self.name}; allowed: {', '.join(allowed)}"
            )
        return (*state, choice)

    def show_state(self, state: Moves) -> str:
        """The moves with dots between them; `start` if there are none."""
        return ".".join(state) or "start"

    def read_state(self, text: str) -> Moves:
        """The moves that `show_state` wrote."""
        state = self.start()
        for word in () if text == "start" else text.split("."):
            state = self.play(state, word)
        return state

    def show_view(self, view: Moves) -> str:
        """The moves with dots between them, hidden ones as `?`."""
        return self.show_state(view)

    def read_view(self, text: str) -> Moves:
        """The view that `show_view` wrote."""
        moves = () if text == "start" else tuple(text.split("."))
        for word in moves:
            if word != HIDDEN:
                self.read_choice(word)
        return moves

    def show_choice(self, choice: str) -> str:
        """Moves are words."""
        return choice

    def read_choice(self, text: str) -> str:
        """A word of the game."""
        if text not in self.words:
            raise NotationError(f"{text!r} is no move of {self.name}; allowed: {', '.join(self.words)}")
        return text


class RockPaperScissors(MovesGame):
    """Both choose at once: SECOND moves without seeing FIRST's choice (Lanctot & Long 2007, figure 2)."""

    words = ("rock", "paper", "scissors")

    def mover(self, state: Moves) -> int:
        """FIRST, SECOND, over."""
        return (FIRST, SECOND, OVER)[len(state)]

    def hides(self, state: Moves, place: int, player: int) -> bool:
        """A player sees only the own choice."""
        return place != player

    def actions(self, view: Moves) -> Moves:
        """Always all three."""
        return self.words

    def payoff(self, state: Moves) -> float:
        """Each beats the one before it in the list."""
        return (0.0, 1.0, -1.0)[(self.words.index(state[0]) - self.words.index(state[1])) % 3]


class KuhnPoker(MovesGame):
    """Three cards, one each, ante 1, one bet of 1 (Kuhn 1950); worth -1/18 to FIRST.

    FIRST's card is dealt first, then SECOND's.
    """

    words = ("J", "Q", "K", "check", "bet", "fold", "call")

    def mover(self, state: Moves) -> int:
        """Two cards, then FIRST and SECOND in turn until a fold, a call or two checks."""
        if len(state) < 2:
            return CHANCE
        spoken = state[2:]
        return OVER if self._over(spoken) else len(spoken) % 2

    @staticmethod
    def _over(spoken: Moves) -> bool:
        return spoken == ("check", "check") or spoken[-1:] in (("fold",), ("call",))

    def hides(self, state: Moves, place: int, player: int) -> bool:
        """The other player's card is hidden."""
        return place < 2 and place != player

    def actions(self, view: Moves) -> Moves:
        """Check or bet; after a bet fold or call."""
        return ("fold", "call") if view[-1] == "bet" else ("check", "bet")

    def outcomes(self, state: Moves) -> Mapping[str, Fraction]:
        """The cards that are left."""
        left = [card for card in self.words[:3] if card not in state]
        return {card: Fraction(1, len(left)) for card in left}

    def payoff(self, state: Moves) -> float:
        """The pot is the smaller stake: 1 after a fold or two checks, 2 after a call."""
        if state[-1] == "fold":
            return -1.0 if (len(state) - 1) % 2 == FIRST else 1.0
        higher = self.words.index(state[0]) > self.words.index(state[1])
        return (1.0 if higher else -1.0) * (2.0 if state[-1] == "call" else 1.0)


class TextbookTree(MovesGame):
    """The game of Lanctot & Long 2007, figure 3, with the payoffs of their table 1; worth 13 to FIRST.

    (After Koller, Megiddo & von Stengel 1994.) Table 1 is the sum of two parts, so chance sends the players
    to one of two small games, here with equal chances: FIRST stops (l) or goes on (r), then SECOND chooses
    p or q and FIRST, not knowing it, L or R; or SECOND chooses s or t and FIRST, not knowing it, c or d. The
    table fixes the tree but for the chances at its root and a constant moved between the two games.
    """

    words = ("left", "right", "l", "r", "p", "q", "L", "R", "s", "t", "c", "d")
    orders: ClassVar[dict[str, tuple[tuple[int, Moves], ...]]] = {
        "left": ((FIRST, ("l", "r")), (SECOND, ("p", "q")), (FIRST, ("L", "R"))),
        "right": ((SECOND, ("s", "t")), (FIRST, ("c", "d"))),
    }
    pays: ClassVar[dict[Moves, int]] = {
        **{("l",): 0, ("r", "p", "L"): 2, ("r", "q", "L"): 6, ("r", "p", "R"): 4, ("r", "q", "R"): -4},
        **{("s", "c"): 18, ("t", "c"): 30, ("s", "d"): 26, ("t", "d"): 20},
    }

    def mover(self, state: Moves) -> int:
        """Chance, then the order of the game it chose."""
        if not state:
            return CHANCE
        return OVER if state[1:] in self.pays else self.orders[state[0]][len(state) - 1][0]

    def hides(self, state: Moves, place: int, player: int) -> bool:
        """FIRST does not see SECOND's move, the second one on the left and the first one on the right."""
        return player == FIRST and place == {"left": 2, "right": 1}[state[0]]

    def actions(self, view: Moves) -> Moves:
        """Two at every point."""
        return self.orders[view[0]][len(view) - 1][1]

    def outcomes(self, state: Moves) -> Mapping[str, Fraction]:
        """Either game, with equal chances."""
        return {"left": Fraction(1, 2), "right": Fraction(1, 2)}

    def payoff(self, state: Moves) -> float:
        """From the table, whose rows name FIRST's moves and whose columns SECOND's."""
        return float(self.pays[state[1:]])


@named
def rock_paper_scissors() -> MovesGame:
    """Rock, paper, scissors; worth 0."""
    return RockPaperScissors("rock-paper-scissors")


@named
def kuhn_poker() -> MovesGame:
    """Kuhn poker; worth -1/18."""
    return KuhnPoker("kuhn-poker")


@named
def textbook_tree() -> MovesGame:
    """The example tree of Koller, Megiddo & von Stengel as Lanctot & Long print it; worth 13."""
    return TextbookTree("textbook-tree")


class ClassicFamily(Family[MovesGame]):
    """Nothing but their rules in words."""

    key, kind = "classic", MovesGame
    games = by_name(rock_paper_scissors, kuhn_poker, textbook_tree)
    cited: Mapping[str, float | None] = dict.fromkeys(("kuhn-poker", "textbook-tree"))

    def rules(self, game: MovesGame) -> tuple[str, ...]:
        """As books tell them."""
        return RULES.get(kind(game.name), super().rules(game))


FAMILY = ClassicFamily()
