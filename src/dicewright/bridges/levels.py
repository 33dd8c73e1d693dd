"""A game walked choice by choice, as other tools want it: how long it may last, what may be done, what it may pay."""

from dataclasses import dataclass
from typing import Any

from ..core.errors import RulesError, TooLarge, name_of, quoted
from ..core.game import CHANCE, OVER, Action, Outcome, State, WrittenGame

MOST_STATES = 1_000_000
MOST_LEVELS = 1000


@dataclass(frozen=True, eq=False)
class Levels:
    """The states after 0, 1, ... choices. With a horizon, play that is not over after so many choices pays 0."""

    game: WrittenGame
    horizon: int | None
    states: tuple[frozenset[State], ...]
    actions: tuple[Action, ...]  # of both players, in the order met
    outcomes: tuple[Outcome, ...]
    payoffs: tuple[float, float]  # the least and the most that FIRST gets

    @property
    def longest(self) -> int:
        """Choices in the longest play."""
        return len(self.states) - 1

    def cut(self) -> float:
        """The greatest chance, whoever plays and however, that the horizon ends the game; 0 without one.

        Whatever two strategies get, the horizon changes it by at most this times the largest payoff, and what both
        could gain together (NashConv) by at most twice that.

        >>> from dicewright.storage.games import parse_game
        >>> walked = walk(parse_game("piglet:goal=2"), horizon=80)
        >>> 0 < walked.cut() < 1e-3
        True
        """
        if self.horizon is None:
            return 0.0
        game, after = self.game, dict[State, float]()
        for number in range(len(self.states) - 1, -1, -1):
            here = {}
            for state in self.states[number]:
                mover = game.mover(state)
                if mover == OVER:
                    here[state] = 0.0
                elif number == self.horizon:
                    here[state] = 1.0
                elif mover == CHANCE:
                    here[state] = sum(
                        float(share) * after[game.play(state, outcome)]
                        for outcome, share in game.outcomes(state).items()
                    )
                else:
                    here[state] = max(
                        after[game.play(state, a)] for a in game.actions(game.view(state, mover))
                    )
            after = here
        return after[game.start()]


def walk(game: WrittenGame, horizon: int | None = None, most_states: int = MOST_STATES) -> Levels:
    """Every state of the game by the number of choices before it; TooLarge or RulesError if that has no end."""
    if horizon is not None:
        check_horizon(horizon)
    levels, level, count = list[frozenset[State]](), {game.start()}, 0
    actions: dict[Action, None] = {}
    outcomes: dict[Outcome, None] = {}
    pays = {0.0} if horizon is not None else set[float]()
    while level:
        levels.append(frozenset(level))
        count += len(level)
        if count > most_states:
            raise TooLarge(f"{name_of(game)} has more than {most_states:,} states, the most that is allowed")
        if horizon is None and len(levels) > MOST_LEVELS:
            raise RulesError(
                f"{name_of(game)} may last more than {MOST_LEVELS} choices; a game that ends, or a horizon such as "
                "horizon=20, is allowed"
            )
        following = set[State]()
        for state in level:
            mover = game.mover(state)
            if mover == OVER:
                pays.add(float(game.payoff(state)))
                continue
            if horizon is not None and len(levels) > horizon:
                continue
            choices: Any = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
            (outcomes if mover == CHANCE else actions).update(dict.fromkeys(choices))
            following.update(game.play(state, choice) for choice in choices)
        level = following
    written = game.show_choice
    return Levels(
        game,
        horizon,
        tuple(levels),
        tuple(sorted(actions, key=written)),
        tuple(sorted(outcomes, key=written)),
        (min(pays), max(pays)),
    )


def check_horizon(horizon: int) -> None:
    """RulesError for what is no number of choices."""
    if isinstance(horizon, bool) or not isinstance(horizon, int) or horizon < 1:
        raise RulesError(f"horizon is {quoted(horizon)}; a whole number of choices from 1 on is allowed")
