"""Whether solved play of a calling game believes in itself: no action of a mix loses by what is believed.

Who calls knows the dice, and expects the solved answers; who answers a call weighs the rolls that solved play calls so,
or, if it never does, those that are said to be believed. Worths are those of solved play against itself, found backward
over the cups by the rules alone; nothing is shared with the solver. It takes n^3 / 2 steps for n ranks, in fractions.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ...core.errors import VerificationError
from ...core.strategy import ExactStrategy
from .response import Asker, Number
from .rules import ACCEPT, CHALLENGE, KEEP, NOTHING, CallingGame, CallingView

Worths = Mapping[Any, Number]


def lost(game: CallingGame, strategy: ExactStrategy, slips: Mapping[Any, Mapping[Any, Fraction]]) -> Fraction:
    """The most that an action of a mix loses in any view, in winning chance.

    `slips` are shares of the calls that solved play never makes, by accepted call, kept dice and roll.
    """
    asker = Asker(game, strategy)
    most = asker.number(0)
    for view, worth in _views(asker, strategy, slips):
        mix = asker.mix(strategy, view)
        most = max(most, max(worth.values()) - min(worth[action] for action, share in mix.items() if share))
    return Fraction(int(most.p), int(most.q))


def _views(asker: Asker, strategy: ExactStrategy, slips: Any) -> Iterator[tuple[CallingView, Worths]]:
    """Every view that can occur with what each action is worth there."""
    game, none = asker.game, asker.number(0)
    lifted = {(game.top, seen): none for seen in range(game.top + 1)}
    for accepted in range(game.top - 1, NOTHING - 1, -1):
        held = {}
        for kept in game.holdings if game.keep and accepted != NOTHING else ("",):
            held[kept] = none
            shares: dict[int, dict[int, Number]] = {}
            for roll, chance in game.rolls(kept).items():
                view = CallingView(accepted, roll, kept=kept)
                worth = {call: _called(asker, strategy, view, call, lifted) for call in game.actions(view)}
                for call, share in asker.mix(strategy, view).items():
                    part = asker.number(chance) * asker.number(share)
                    held[kept] += part * worth[call]
                    shares.setdefault(int(call), {})[roll] = part
                yield view, worth
            believed: dict[int, dict[int, Number]] = {}
            for roll in game.rolls(kept):
                for call, share in slips[accepted, kept, roll].items():
                    believed.setdefault(call, {})[roll] = asker.number(share)
            lowest = min(game.lowest_call(accepted, roll) for roll in game.rolls(kept))
            for call in range(lowest, game.top + 1):
                view = CallingView(accepted, call=call, kept=kept)
                if not (rolls := shares.get(call) or believed.get(call)):
                    raise VerificationError(f"nothing is believed at {game.show_view(view)!r} of {game.name}")
                yield view, _answered(game, call, rolls, lifted)
        for seen in range(game.top + 1) if accepted != NOTHING else ():
            if not game.keep:
                lifted[accepted, seen] = held[""]
                continue
            view = CallingView(accepted, seen=seen)
            worth = {f"{KEEP}{kept}": held[kept] for kept in game.choices(seen)}
            mix = asker.mix(strategy, view)
            lifted[accepted, seen] = sum((asker.number(s) * worth[kept] for kept, s in mix.items()), none)
            yield view, worth


def _called(asker: Asker, strategy: ExactStrategy, view: CallingView, call: Any, lifted: Any) -> Number:
    """What a call of this roll is worth against the solved answers."""
    yes = asker.accept(strategy, view.accepted, call, view.kept)
    return yes * (1 - lifted[call, view.roll]) + (1 - yes) * asker.game.true(view.roll or 0, call)


def _answered(game: CallingGame, call: int, rolls: Mapping[int, Number], lifted: Any) -> Worths:
    """What both answers are worth if these rolls are called so."""
    total = sum(rolls.values())
    return {
        ACCEPT: sum(share * lifted[call, roll] for roll, share in rolls.items()) / total,
        CHALLENGE: sum(share for roll, share in rolls.items() if not game.true(roll, call)) / total,
    }
