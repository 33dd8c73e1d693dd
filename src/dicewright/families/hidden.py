"""Who may see the dice of a game under way, as its family says.

Every choice of a record has its *eyes*, a sum of FIRST_EYE, SECOND_EYE and PUBLIC_EYE: who may see it now. Actions
are public. Dice are seen as the rules say: in race games by everybody; in Bluff by their owner, and by everybody
once a call has ended the round; in calling games by whoever has the cup, and by everybody after a challenge. A roll
that was accepted stays hidden, unless dice may be kept: then the accepter has lifted the cup. Once a game has ended
everything may be seen, whatever the eyes say.

>>> from dicewright.families.catalog import parse
>>> from dicewright.core.game import sees
>>> game = parse("bluff")
>>> [sees(eyes, 0) for eyes in all_eyes(game, map(game.read_choice, ("3", "5", "1x3")))]
[True, False, True]
>>> [sees(eyes, None) for eyes in all_eyes(game, map(game.read_choice, ("3", "5", "1x3", "call")))]
[True, True, True, True]
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from ..core.errors import IllegalAction
from ..core.game import ALL_EYES, CHANCE, Action, Eyes, Game, Outcome, State, sees
from . import family


def see(game: Game, eyes: list[int], before: State, choice: Action | Outcome) -> bool:
    """Add the eyes of `choice`, made in the state `before`; whether earlier choices are now seen by more."""
    kin = family(game)
    if game.mover(before) == CHANCE:
        eyes.append(kin.onlookers(game, before))
        return False
    uncovered = kin.uncover(game, eyes, before, choice)
    eyes.append(ALL_EYES)
    return uncovered


def all_eyes(game: Game, choices: Iterable[Action | Outcome]) -> Eyes:
    """The eyes of all choices of a game, from its start."""
    state = game.start()
    eyes: list[int] = []
    for choice in choices:
        see(game, eyes, state, choice)
        state = game.play(state, choice)
    return eyes


def taken_back(game: Game, choices: Sequence[Action | Outcome], seat: int) -> int:
    """The ply of the seat's last decision, which may be taken back; IllegalAction if it made none, or has been shown
    dice since that it hid: then nothing may come again.
    """
    state, mine = game.start(), -1
    for ply, choice in enumerate(choices):
        if game.mover(state) == seat:
            mine = ply
        state = game.play(state, choice)
    if mine < 0:
        raise IllegalAction("there is no decision of yours to take back")
    then, now = all_eyes(game, choices[:mine]), all_eyes(game, choices)
    if any(sees(new, seat) and not sees(old, seat) for old, new in zip(then, now, strict=False)):
        raise IllegalAction("the dice have been shown; nothing to take back")
    return mine


def possible(
    game: Game, choices: Sequence[Action | Outcome], ply: int
) -> Mapping[Action | Outcome, Fraction]:
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


def _allowed(game: Game, state: State, choices: Iterable[Action | Outcome]) -> bool:
    try:
        for choice in choices:
            state = game.play(state, choice)
    except IllegalAction:
        return False
    return True
