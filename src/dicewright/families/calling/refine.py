"""Of all optimal strategies of a calling game the one that wins most against people, and what it believes.

Every cup, an accepted call c with the kept dice h, is a game of its own with known worths W of what follows. So each is
solved once more for the caller and once for the answerer, and of the best weights those are taken that win most
against the players of people.py. Cups of higher calls come first; then what each of them really gets afterwards against
the calls and answers already chosen is known, and each counts as often as the cup is reached against it in the
equilibrium given (all alike where nobody comes). Hence no choice of calls lowers the winnings of the whole population.
The choice costs nothing against a perfect rival: every cup still is played optimally.

Calls that the chosen callers never make are believed to hide dice as the multipliers of the answerer's program say:
another perfect caller first, then the people. By complementary slackness no answer of the mix loses by that belief.

With n ranks there are n cups of n^2 columns without kept dice: 0.5 s for n = 21, 2 s for n = 30.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..tree.arrays import Floats
from ..tree.basis import Exact as Weights
from .people import CupPlay, Tabulated, population, reaches, rolled
from .program import CupProgram, answer
from .rules import NOTHING, CallingGame
from .solved import Exact, SolvedCaller
from .table import CallingTable, Calls, cups

ALIKE = 11  # digits to which choices of dice are equal

Cup = tuple[int, str]  # accepted call and kept dice


class Refined(NamedTuple):
    """The strategy, and the shares of the rolls that are believed to make calls it never makes."""

    table: CallingTable
    slips: Calls


class Chosen(NamedTuple):
    """One cup: the mixes of calls by roll, the chances to accept, and the shares of rolls of calls never made."""

    calls: Mapping[int, Exact]
    accepts: Mapping[int, Fraction]
    slips: Mapping[int, Exact]

    def turn(self, size: int) -> CupPlay:
        """The same as arrays."""
        calls, accepts = np.zeros((size, size)), np.zeros(size)
        for roll, mix in self.calls.items():
            calls[roll, list(mix)] = [float(share) for share in mix.values()]
        accepts[list(self.accepts)] = [float(share) for share in self.accepts.values()]
        return CupPlay(calls, accepts)


def refine(solved: SolvedCaller) -> Refined:
    """Backward over the cups; PrecisionError if a program has no answer in fractions, which kept dice need not have."""
    game, size = solved.game, solved.game.top + 1
    people = [Tabulated(game, strategy) for strategy in population(solved)]
    reach = reaches(game, Tabulated(game, solved), people)
    chosen: dict[Cup, Chosen] = {}
    keeps: dict[tuple[int, int], str] = {}
    # by accepted call and roll: what each of them wins after an accept, and what I win against each of them
    theirs, mine = ([np.zeros((size, size)) for _ in people] for _ in range(2))
    for accepted in range(game.top - 1, NOTHING - 1, -1):
        worths: dict[str, list[tuple[float, float]]] = {}
        for cup in [cup for cup in cups(game) if cup[0] == accepted]:
            turns = [player.turns[cup] for player in people]
            holding, facing = ([each[who][cup] for each in reach] for who in (0, 1))
            chosen[cup] = _choose(solved, cup, turns, (_alike(holding), _alike(facing)), theirs)
            turn = chosen[cup].turn(size)
            worths[cup[1]] = [
                (_won(game, cup[1], turn, each, one), _won(game, cup[1], each, turn, two))
                for each, one, two in zip(turns, theirs, mine, strict=True)
            ]
        for seen in range(size) if accepted != NOTHING else ():
            kept = _keep(solved, accepted, seen, worths)
            keeps |= {(accepted, seen): kept} if game.keep else {}
            for number, player in enumerate(people):
                mine[number][accepted, seen] = worths[kept][number][0]
                theirs[number][accepted, seen] = sum(
                    share * worths[h][number][1] for h, share in player.kept(accepted, seen).items()
                )
    table = CallingTable(
        game,
        keeps,
        {(*cup, roll): mix for cup, each in chosen.items() for roll, mix in each.calls.items()},
        {(*cup, call): yes for cup, each in chosen.items() for call, yes in each.accepts.items()},
    )
    return Refined(
        table, {(*cup, roll): mix for cup, each in chosen.items() for roll, mix in each.slips.items()}
    )


def _alike(weights: Sequence[float]) -> Sequence[float]:
    """These weights on the scale of 1, or all alike if there are none."""
    total = sum(weights)
    return [weight / total if total else 1 / len(weights) for weight in weights]


def _choose(
    solved: SolvedCaller,
    cup: Cup,
    turns: Sequence[CupPlay],
    weights: tuple[Sequence[float], Sequence[float]],
    theirs: Sequence[Floats],
) -> Chosen:
    """Both programs of a cup."""
    game, (accepted, kept) = solved.game, cup
    model = CupProgram(game, accepted, kept, solved.lifted)
    caller = answer(model.caller(weights[0], turns, theirs), not game.keep)
    answerer = answer(model.answerer(weights[1], turns), not game.keep)
    calls: dict[int, dict[int, Fraction]] = {roll: {} for roll in model.rolls}
    slips: dict[int, dict[int, Fraction]] = {roll: {} for roll in model.rolls}
    for (roll, call), share in zip(model.columns, caller[0], strict=True):
        if share > 0:
            calls[roll][call] = share
    made = {call for mix in calls.values() for call in mix}
    for call, shares in _believed(model, answerer[1]).items():
        for roll, share in shares.items() if call not in made else ():
            slips[roll][call] = share
    yes = dict.fromkeys(range(accepted + 1, game.top + 1), Fraction(0))
    for call, share in zip(
        model.calls, answerer[0], strict=False
    ):  # accepts stand first, the highest call has none
        yes[call] = share if call < game.top else Fraction(0)
    if not game.keep:
        calls = _one_lie(game, accepted, calls)
    mixes = {
        roll: {call: share / sum(mix.values()) for call, share in mix.items()} for roll, mix in calls.items()
    }
    return Chosen(mixes, {call: min(share, Fraction(1)) for call, share in yes.items()}, slips)


def _one_lie(
    game: CallingGame, accepted: int, calls: Mapping[int, Mapping[int, Fraction]]
) -> dict[int, dict[int, Fraction]]:
    """The same weights with one mix of lies for all rolls, if it is one for each of them.

    Whoever accepts rolls all dice again, so it does not matter which rolls tell a lie, only how often it is told.
    """
    lies = {
        roll: {call: share for call, share in mix.items() if not game.true(roll, call)}
        for roll, mix in calls.items()
    }
    told: dict[int, Fraction] = {}
    for lie in lies.values():
        for call, share in lie.items():
            told[call] = told.get(call, Fraction(0)) + share
    found = {}
    for roll, mix in calls.items():
        mass = sum(lies[roll].values(), Fraction(0))
        if mass and any(game.true(roll, call) or call < game.lowest_call(accepted, roll) for call in told):
            return {roll: dict(mix) for roll, mix in calls.items()}
        true = {call: share for call, share in mix.items() if call not in lies[roll]}
        shares = {call: mass * share / sum(told.values()) for call, share in told.items()} if mass else {}
        found[roll] = dict(sorted((true | shares).items()))
    return found


def _believed(model: CupProgram, orders: Sequence[Weights]) -> dict[int, dict[int, Fraction]]:
    """The shares of the rolls that make each call: of the first order of slips in which somebody does."""
    found: dict[int, dict[int, Fraction]] = {}
    for order in orders:
        here: dict[int, dict[int, Fraction]] = {}
        for (roll, call), share in zip(model.columns, order, strict=True):
            if share > 0:
                here.setdefault(call, {})[roll] = Fraction(share)
        found = here | found
    return {
        call: {roll: share / sum(shares.values()) for roll, share in shares.items()}
        for call, shares in found.items()
    }


def _won(game: CallingGame, kept: str, holder: CupPlay, answerer: CupPlay, lifted: Floats) -> float:
    """The chance of who has the cup, `lifted` being the other's after an accept by call and roll."""
    made = rolled(game, kept)[:, None] * holder.calls
    size = game.top + 1
    true = np.array([[game.true(roll, call) for call in range(size)] for roll in range(size)])
    return float((made * (answerer.accepts * (1 - lifted.T) + (1 - answerer.accepts) * true)).sum())


def _keep(
    solved: SolvedCaller, accepted: int, seen: int, worths: Mapping[str, Sequence[tuple[float, float]]]
) -> str:
    """What to keep of these dice: the best, and of equally good choices the one that wins most from people."""
    if not solved.game.keep:
        return ""

    def worth(kept: str) -> tuple[float, float]:
        mean = sum(mine for mine, _ in worths[kept])
        return round(float(solved.held(accepted, kept)), ALIKE), mean

    return max(solved.game.choices(seen), key=worth)
