"""Finite games as Gambit's extensive form, a `.efg` file with exact fractions.

Only the seven questions are asked. An information set is all that a player has seen and done at decisions of their own,
so that Gambit's solvers, who need players that forget nothing, may be used on every game here that ends.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..core.errors import TooLarge, name_of
from ..core.game import CHANCE, OVER, SEATS, State, WrittenGame
from ..front.answers import GameText
from ..storage.solution_file import game_of

MOST_NODES = 1_000_000
MOST_CHOICES = 1000  # in one play


def to_efg(game: GameText, most_nodes: int = MOST_NODES) -> str:
    """The game as the text of a `.efg` file: chances and payoffs are fractions, nothing is rounded.

    >>> print(to_efg("rock-paper-scissors").splitlines()[0])
    EFG 2 R "rock-paper-scissors" { "first" "second" }
    """
    rules: WrittenGame = game_of(game)
    players = " ".join(f'"{seat}"' for seat in SEATS)
    head = f"EFG 2 R {_text(name_of(rules))} {{ {players} }}"
    return "\n".join((head, '""', "", *_nodes(rules, most_nodes), ""))


def _nodes(game: WrittenGame, most: int) -> Iterator[str]:
    """The nodes, each before those below it, as the format wants them."""
    sets: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
    results: dict[Fraction, int] = {}
    stack: list[tuple[State, tuple[Any, Any], int]] = [(game.start(), ((), ()), 0)]
    count = chances = 0
    while stack:
        state, seen, depth = stack.pop()
        count += 1
        if count > most or depth > MOST_CHOICES:
            limit = f"{most:,} nodes" if count > most else f"{MOST_CHOICES} choices in one play"
            raise TooLarge(f"the tree of {name_of(game)} has more than {limit}, the most that is allowed")
        mover = game.mover(state)
        if mover == OVER:
            payoff = Fraction(game.payoff(state))
            number = results.setdefault(payoff, len(results) + 1)
            yield f't "" {number} "" {{ {payoff}, {-payoff} }}'
        elif mover == CHANCE:
            chances += 1
            shares = {choice: Fraction(share) for choice, share in game.outcomes(state).items()}
            told = " ".join(f"{_text(game.show_choice(choice))} {share}" for choice, share in shares.items())
            yield f'c "" {chances} "" {{ {told} }} 0'
            stack += [(game.play(state, choice), seen, depth + 1) for choice in reversed(shares)]
        else:
            view = game.view(state, mover)
            known = (*seen[mover], view)
            number = sets[mover].setdefault(known, len(sets[mover]) + 1)
            actions = game.actions(view)
            told = " ".join(_text(game.show_choice(action)) for action in actions)
            yield f'p "" {mover + 1} {number} {_text(game.show_view(view))} {{ {told} }} 0'
            for action in reversed(actions):
                done = (*known, action)
                both = (done, seen[1]) if mover == 0 else (seen[0], done)
                stack.append((game.play(state, action), both, depth + 1))


def _text(words: str) -> str:
    """A label in the format's quotes."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
