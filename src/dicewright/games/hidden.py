"""Who may see the dice of a game under way: the one place that decides what a player is shown.

Every choice of a record has its *eyes*, a sum of FIRST_EYE, SECOND_EYE and PUBLIC_EYE: who may see it now. Actions
are public. Dice are seen as the rules say: in race games by everybody; in Bluff by their owner, and by everybody
once a call has ended the round; in calling games by whoever has the cup, and by everybody after a challenge. A roll
that was accepted stays hidden, unless dice may be kept: then the accepter has lifted the cup. Once a game has ended
everything may be seen, whatever the eyes say.

>>> from dicewright.games.catalog import parse
>>> game = parse("bluff")
>>> [sees(eyes, 0) for eyes in all_eyes(game, map(game.read_choice, ("3", "5", "1x3")))]
[True, False, True]
>>> [sees(eyes, None) for eyes in all_eyes(game, map(game.read_choice, ("3", "5", "1x3", "call")))]
[True, True, True, True]
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.errors import IllegalAction, RulesError
from ..core.game import CHANCE, FIRST, Action, Outcome, State, other
from .bluff import Bluff
from .bluff_match import BluffMatch
from .calling import ACCEPT, CHALLENGE, CallingGame
from .calling_keep import KeepGame
from .race import RaceGame

FIRST_EYE, SECOND_EYE, PUBLIC_EYE = 1, 2, 4
ALL_EYES = FIRST_EYE + SECOND_EYE + PUBLIC_EYE

Eyes = Sequence[int]  # of each choice so far


def sees(eyes: int, player: int | None) -> bool:
    """Whether this player (None: a spectator) may see a choice with these eyes."""
    return bool(eyes & (PUBLIC_EYE if player is None else 1 << player))


def see(game: Any, eyes: list[int], before: State, choice: Action | Outcome) -> bool:
    """Add the eyes of `choice`, made in the state `before`; whether earlier choices are now seen by more."""
    match game:
        case RaceGame():
            eyes.append(ALL_EYES)
            return False
        case Bluff() | BluffMatch() | CallingGame() | KeepGame():
            if game.mover(before) == CHANCE:
                eyes.append(1 << roller(game, before))
                return False
            uncovered = _uncover(game, eyes, before, choice)
            eyes.append(ALL_EYES)
            return uncovered
    raise RulesError(f"nothing says who sees what in {game.name}; race, bluff and calling games are allowed")


def _uncover(game: Any, eyes: list[int], before: State, choice: Action | Outcome) -> bool:
    """Show the dice that this action shows; whether there were any."""
    if isinstance(game, (Bluff, BluffMatch)):
        if isinstance(choice, str):  # a call; bids are pairs
            eyes[:] = [ALL_EYES] * len(eyes)
        return isinstance(choice, str)
    if choice == CHALLENGE:
        return _show(eyes, ALL_EYES)
    return choice == ACCEPT and isinstance(game, KeepGame) and _show(eyes, 1 << other(before.cup))


def roller(game: Any, state: State) -> int:
    """The player whose dice are rolled at this state of CHANCE."""
    match game:
        case RaceGame():
            return int(state.mover)
        case Bluff():
            return len(state.hands)
        case BluffMatch():
            seat = len(state.now.hands)
            return seat if state.standing.opener == FIRST else other(seat)
    return int(state.cup)


def _show(eyes: list[int], more: int) -> bool:
    """The latest roll of a calling game, two choices ago or further back, is shown to more."""
    for ply in range(len(eyes) - 1, -1, -1):
        if eyes[ply] != ALL_EYES:
            eyes[ply] |= more
            return True
    return False


def all_eyes(game: Any, choices: Iterable[Action | Outcome]) -> Eyes:
    """The eyes of all choices of a game, from its start."""
    state = game.start()
    eyes: list[int] = []
    for choice in choices:
        see(game, eyes, state, choice)
        state = game.play(state, choice)
    return eyes


def possible(game: Any, choices: Sequence[Action | Outcome], ply: int) -> Mapping[Action | Outcome, Fraction]:
    """What the dice at this ply may have shown, given that the later choices were allowed; chances sum to 1."""
    state = game.start()
    for choice in choices[:ply]:
        state = game.play(state, choice)
    fits = {
        outcome: chance
        for outcome, chance in game.outcomes(state).items()
        if _allowed(game, game.play(state, outcome), choices[ply + 1 :])
    }
    total = sum(fits.values(), Fraction(0))
    return {outcome: chance / total for outcome, chance in fits.items()}


def _allowed(game: Any, state: State, choices: Iterable[Action | Outcome]) -> bool:
    try:
        for choice in choices:
            state = game.play(state, choice)
    except IllegalAction:
        return False
    return True
