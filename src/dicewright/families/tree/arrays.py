"""Any finite Game as flat arrays, built once: information sets, sequences, leaves.

A *sequence* of a player is the list of actions that player took on the way to a point of the game; with
perfect recall every information set is reached by exactly one sequence of its owner, so a strategy is one
weight for each sequence and the payoff is bilinear in the two weight vectors (Koller, Megiddo & von Stengel
1994). Sequence 0 is the empty one; the sequences of information set i are first[i], ..., first[i + 1] - 1.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...core.errors import RulesError, TooLarge
from ...core.game import CHANCE, FIRST, OVER, SECOND, Action, Game, State, View, checked

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MOST_STATES = 4_000_000
# In one play: without end, states and the digits of their chances grow long before they are many.
MOST_CHOICES = 1000


@dataclass(frozen=True, eq=False)
class InformationSets:
    """One player's information sets in the order met, so that a parent comes before its children."""

    views: tuple[View, ...]
    actions: tuple[tuple[Action, ...], ...]  # of each information set
    parent: Ints  # the sequence that leads to each information set
    first: Ints  # the first sequence of each information set, and the number of sequences

    @property
    def sequences(self) -> int:
        """How many sequences there are, the empty one included."""
        return int(self.first[-1])

    @cached_property
    def index(self) -> dict[View, int]:
        """The number of each information set."""
        return {view: number for number, view in enumerate(self.views)}


@dataclass(frozen=True, eq=False)
class Tree:
    """A finite game: both sides' sequences, and for each leaf its sequences, chance, payoff and length."""

    game: Game
    sides: tuple[InformationSets, InformationSets]
    leaf_sequences: tuple[Ints, Ints]
    leaf_chances: tuple[Fraction, ...]
    leaf_payoffs: tuple[Fraction, ...]
    leaf_turns: Ints  # actions taken by both players on the way

    def seat_of(self, view: View) -> int:
        """The side that has this view; FIRST if both have."""
        return FIRST if view in self.sides[FIRST].index else SECOND

    @cached_property
    def leaf_worth(self) -> tuple[Fraction, ...]:
        """Chance times payoff of each leaf, exactly."""
        return tuple(
            chance * payoff for chance, payoff in zip(self.leaf_chances, self.leaf_payoffs, strict=True)
        )


@dataclass
class _Growing:
    """A Side while the game is being walked."""

    index: dict[View, int] = field(default_factory=dict)
    actions: list[tuple[Action, ...]] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=lambda: [1])

    def information_set(self, game: Game, view: View, sequence: int) -> int:
        """The number of this view, new or met before."""
        number = self.index.setdefault(view, len(self.actions))
        if number == len(self.actions):
            self.actions.append(tuple(game.actions(view)))
            self.parent.append(sequence)
            self.first.append(self.first[-1] + len(self.actions[-1]))
        elif self.parent[number] != sequence:
            raise RulesError(
                f"{view} follows two lists of own actions: no perfect recall, or play returns to it"
            )
        return number

    def done(self) -> InformationSets:
        return InformationSets(
            tuple(self.index), tuple(self.actions), np.array(self.parent, np.int64), np.array(self.first)
        )


def build_tree(game: Game, most_states: int = MOST_STATES) -> Tree:
    """Walk every state of the game once; TooLarge if there are more than `most_states`.

    Takes one call of each question for every state, and some 300 bytes for every leaf. RulesError says where the
    answers of a game that is not the package's own make no game.

    >>> from dicewright.families.tree.classics import rock_paper_scissors
    >>> tree = build_tree(rock_paper_scissors())
    >>> [side.sequences for side in tree.sides], len(tree.leaf_chances)
    ([4, 4], 9)
    """
    rules, growing = checked(game), (_Growing(), _Growing())
    leaves: list[tuple[int, int, Fraction, Fraction, int]] = []
    stack: list[tuple[State, Fraction, int, int, int, int]] = [(rules.start(), Fraction(1), 0, 0, 0, 0)]
    states = 0
    while stack:
        state, chance, one, two, turns, depth = stack.pop()
        states += 1
        if states > most_states or depth > MOST_CHOICES:
            most = f"{most_states} states" if states > most_states else f"{MOST_CHOICES} choices in one play"
            name = getattr(rules, "name", "the game")
            raise TooLarge(f"the tree of {name} has more than {most}, the most that is allowed")
        mover = rules.mover(state)
        if mover == OVER:
            leaves.append((one, two, chance, Fraction(rules.payoff(state)), turns))
        elif mover == CHANCE:
            for outcome, share in reversed(list(rules.outcomes(state).items())):
                stack.append((rules.play(state, outcome), chance * share, one, two, turns, depth + 1))
        else:
            side = growing[mover]
            number = side.information_set(rules, rules.view(state, mover), one if mover == FIRST else two)
            for place in reversed(range(len(side.actions[number]))):
                after, sequence = rules.play(state, side.actions[number][place]), side.first[number] + place
                pair = (sequence, two) if mover == FIRST else (one, sequence)
                stack.append((after, chance, *pair, turns + 1, depth + 1))
    ones, twos, chances, payoffs, lengths = zip(*leaves, strict=True)
    return Tree(
        game,
        (growing[0].done(), growing[1].done()),
        (np.array(ones, np.int64), np.array(twos, np.int64)),
        chances,
        payoffs,
        np.array(lengths, np.int64),
    )
