"""Recorded race games replayed by compiled code: their positions, whether the rules allow them, what they lost."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from ...core.errors import IllegalAction
from ...core.game import FIRST, OVER
from ...core.results import Decisions, Place, Sums, Weighing
from . import replay_kernels as kernels
from .kernels import Floats, Ints
from .rules import HOLD, Effect, Face, RaceGame, RaceState, RaceView
from .tabled import rules_of, worths_of

EFFECTS = (Effect.ADD, Effect.BUST, Effect.RUIN, Effect.BANK)  # as the kernels number them


class Coded(NamedTuple):
    """The choices of a race game as numbers: 0 holds, then the rolls, then the faces."""

    code: Mapping[Any, int]
    effects: Ints
    points: Ints
    shows: npt.NDArray[np.bool_]  # [roll, face]: whether the roll can show it


@lru_cache(maxsize=64)
def coded(game: RaceGame) -> Coded:
    """The numbers of a game's choices.

    >>> from dicewright.families.race.named import pig
    >>> [coded(pig()).code[word] for word in ("hold", "roll", pig().read_choice("bust"))]
    [0, 1, 2]
    """
    rolls = [[Face(effect, points) for _, effect, points in roll] for _, roll in game.rolls]
    faces = list(dict.fromkeys(face for roll in rolls for face in roll))
    choices: list[Any] = [HOLD, *(name for name, _ in game.rolls), *faces]
    return Coded(
        {choice: number for number, choice in enumerate(choices)},
        np.array([EFFECTS.index(face.effect) for face in faces], np.int64),
        np.array([face.points for face in faces], np.int64),
        np.array([[face in roll for face in faces] for roll in rolls]),
    )


class Replay(NamedTuple):
    """Games as codes and positions. The plies of game g are codes[first[g] : first[g + 1]].

    positions[first[g] + g + p] is the state of game g after p choices: mover, the mover's score, the other's,
    the turn total, and the number of the roll in the air or -1.
    """

    codes: npt.NDArray[np.int16]
    first: Ints
    positions: npt.NDArray[np.int32]
    illegal: Ints  # the first ply of each game that the rules refuse, or -1


def replay_games(game: RaceGame, games: Iterable[Sequence[Any]]) -> Replay:
    """Replay games given by their choices; a choice that is none of the game's is an illegal ply.

    About 0.1 us a ply, most of it for looking up the codes.
    """
    table = coded(game)
    code = table.code.get
    rows = [[code(choice, -1) for choice in choices] for choices in games]
    first = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)]).astype(np.int64)
    codes = np.array([number for row in rows for number in row], np.int16)
    positions = np.zeros((len(codes) + len(rows), 5), np.int32)
    illegal = np.zeros(len(rows), np.int64)
    kernels.replay(rules_of(game), table.effects, table.points, table.shows, codes, first, positions, illegal)
    return Replay(codes, first, positions, illegal)


def refuse(game: RaceGame, choices: Sequence[Any], ply: int) -> NoReturn:
    """IllegalAction, for a choice that the rules refuse.

    >>> from dicewright.families.race.named import pig
    >>> refuse(pig(), [pig().read_choice(word) for word in ("roll", "+5", "hold", "hold")], 3)
    Traceback (most recent call last):
    dicewright.core.errors.IllegalAction: choice 4 of the record: hold is not allowed at 0-5/2; allowed: roll
    """
    state = reduce(game.play, choices[:ply], game.start())
    try:
        if game.mover(state) != OVER:
            game.play(state, choices[ply])
        raise IllegalAction(f"{game.show_choice(choices[ply])} is played after the end of the game")
    except IllegalAction as error:
        raise IllegalAction(f"choice {ply + 1} of the record: {error}") from None


def last_state(game: RaceGame, choices: Sequence[Any]) -> RaceState | None:
    """The state after these choices, or None if the rules refuse one of them.

    >>> from dicewright.families.race.named import pig
    >>> last_state(pig(), [pig().read_choice(word) for word in ("roll", "+5", "hold")])
    RaceState(mover=1, mine=0, yours=5, turn=0, rolling=None)
    """
    found = replay_games(game, [choices])
    if found.illegal[0] >= 0:
        return None
    mover, mine, yours, turn, rolling = found.positions[-1].tolist()
    return RaceState(mover, mine, yours, turn, game.rolls[rolling][0] if rolling >= 0 else None)


def weigh_games(
    game: RaceGame, games: Sequence[Sequence[Any]], worth: Floats, thresholds: Sequence[float]
) -> list[Weighing]:
    """Games given by their choices, each with both players' sums; IllegalAction names what the rules refuse.

    `thresholds` rise from 0; decisions are counted by the highest that their loss reaches.
    """
    found = _allowed(game, games)
    rules, luck = rules_of(game), np.zeros(len(games))
    figures = np.zeros((len(games), 2, kernels.COUNTS + len(thresholds)))
    figures[:, :, [kernels.DEAREST_PLY, kernels.BEST_PLY, kernels.WORST_PLY]] = -1
    kernels.weigh(rules, worths_of(worth), found[:3], _scale(game), np.array(thresholds), figures, luck)
    return [
        Weighing(luck, (_sums(one), _sums(two)))
        for (one, two), luck in zip(figures.tolist(), luck.tolist(), strict=True)
    ]


def _allowed(game: RaceGame, games: Sequence[Sequence[Any]]) -> Replay:
    """The games replayed; IllegalAction names the first choice that the rules refuse."""
    found = replay_games(game, games)
    for choices, ply in zip(games, found.illegal.tolist(), strict=True):
        if ply >= 0:
            refuse(game, choices, ply)
    return found


def _scale(game: RaceGame) -> float:
    """What a unit of the solution's worths is in the unit shown."""
    return 0.5 if game.payoff_rule == "win" and not rules_of(game).decisive else 1.0


def weigh_decisions(game: RaceGame, games: Sequence[Sequence[Any]], worth: Floats) -> Decisions:
    """The decisions of games given by their choices, weighed by compiled code.

    Each position is written and told once, however often it came: some 2 us a decision in all.
    """
    found, scale = _allowed(game, games), _scale(game)
    codes, first, positions = found[:3]
    actions = np.full((len(codes), 1 + len(game.rolls)), np.nan)
    luck = np.zeros(len(positions))
    shift = 1.0 - scale if game.payoff_rule == "win" else 0.0
    kernels.weigh_plies(rules_of(game), worths_of(worth), found[:3], scale, shift, actions, luck)
    (plies,) = np.nonzero(np.isfinite(actions).any(axis=1))
    number = np.searchsorted(first, plies, side="right") - 1
    row = plies + number
    taken = actions[plies, codes[plies]]
    loss = np.nanmax(actions[plies], axis=1) - taken if len(plies) else taken
    sign = np.where(positions[row, 0] == FIRST, 1.0, -1.0)
    # the dice have answered where the roll is in the air next and another ply follows
    answered = np.minimum(row + 1 + (positions[row + 1, 4] >= 0), first[number + 1] + number)
    words = [game.show_choice(name) for name in (HOLD, *(name for name, _ in game.rolls))]
    return Decisions(
        number.tolist(),
        (plies - first[number]).tolist(),
        positions[row, 0].tolist(),
        _places(game, positions[row, 1:4].astype(np.int64), actions[plies], words),
        [words[code] for code in codes[plies].tolist()],
        np.maximum(loss, 0.0).tolist(),
        (sign * luck[row] + 0.0).tolist(),
        (sign * luck[answered] + 0.0).tolist(),
    )


def _places(game: RaceGame, scores: Ints, actions: Floats, words: Sequence[str]) -> list[Place]:
    """The place of each decision, made once for each that differs: mine, yours and turn are in `scores`."""
    wide = 1 + int(scores.max(initial=0))
    keys = (scores[:, 0] * wide + scores[:, 1]) * wide + scores[:, 2]
    _, once, which = np.unique(keys, return_index=True, return_inverse=True)
    code = {word: number for number, word in enumerate(words)}
    made = []
    for (mine, yours, turn), worths in zip(scores[once].tolist(), actions[once].tolist(), strict=True):
        view = RaceView(mine, yours, turn)
        told = tuple((word, worths[code[word]]) for word in map(game.show_choice, game.actions(view)))
        made.append(Place(game.show_view(view), told, max(told, key=lambda pair: pair[1])[0]))
    return [made[number] for number in which.tolist()]


def _sums(columns: Sequence[float]) -> Sums:
    """The columns of replay_kernels by their names."""
    loss, stake, decisions, _, dearest, _, best, _, worst, *counts = columns
    plies = tuple(None if ply < 0 else int(ply) for ply in (dearest, best, worst))
    return Sums(int(decisions), loss, stake, plies[0], plies[1], plies[2], tuple(map(int, counts)))
