"""What full states of calling games are worth, dice under the cup included, both playing as solved.

Calling games of a few hundred ranks have millions of states; the chance of the player with the cup is known
for every accepted call, so each state is one short sum.
"""

from typing import Any

from ..core.errors import IllegalAction
from ..core.game import FIRST
from ..core.results import Advice
from ..games.calling import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingState, CallingView
from ..games.calling_keep import KEEP, KeepGame, KeepState, KeepView
from .calling import CallingEquilibrium
from .calling_keep import KeepTable


def calling_worth(game: CallingGame, state: CallingState, solved: CallingEquilibrium) -> float:
    """The expected payoff to FIRST: wins(c) with the cup after accepting c, and after the call k of a roll

    y_k a_k + (1 - y_k) [k is true of the roll],    y_k the chance that it is accepted, a_k = 1 - wins(k).
    """
    cup, accepted, roll, call, challenged = state
    if challenged or accepted == game.top:
        return game.payoff(state)

    def called(k: int) -> float:
        yes = float(solved.accepts(accepted, k))
        return yes * float(solved.after(k)) + (1 - yes) * game.true(roll or 0, k)

    if roll is None:
        wins = float(solved.wins[accepted + 1])
    elif call is None:
        mix = solved(CallingView(accepted, roll)) if accepted < game.top - 1 else {game.top: 1.0}
        wins = sum(share * called(k) for k, share in mix.items())
    else:
        wins = called(call)
    return 2 * wins - 1 if cup == FIRST else 1 - 2 * wins


class KeepWorth:
    """The same where dice may be kept: chances by accepted call and kept dice, backward over the calls.

    V(c, h) = sum_r p_r sum_k x_rk (y_k (1 - W(k, r)) + (1 - y_k) [k is true of r]),   W(k, r) = V(k, kept of r)
    """

    def __init__(self, game: KeepGame, table: KeepTable) -> None:
        self.game, self.table = game, table
        self.cup: dict[tuple[int, str], float] = {}  # V: with the cup, before the roll
        seen = range(game.top + 1)
        kept = tuple(dict.fromkeys(faces for rank in seen for faces in game.choices(rank)))
        for accepted in range(game.top - 1, NOTHING - 1, -1):
            for faces in kept if accepted != NOTHING else ("",):
                self.cup[accepted, faces] = sum(
                    float(chance) * self._rolled(accepted, faces, roll)
                    for roll, chance in game.rolls(faces).items()
                )

    def _seen(self, accepted: int, seen: int) -> float:
        """W: with the dice in sight after accepting, before the choice what to keep."""
        return 0.0 if accepted == self.game.top else self.cup[accepted, self.table.keeps[accepted, seen]]

    def _called(self, accepted: int, kept: str, roll: int, call: int) -> float:
        yes = float(self.table.accepts[accepted, kept, call])
        return yes * (1 - self._seen(call, roll)) + (1 - yes) * self.game.pair.true(roll, call)

    def _rolled(self, accepted: int, kept: str, roll: int) -> float:
        mix = self.table.calls[accepted, kept, roll]
        return sum(float(share) * self._called(accepted, kept, roll, call) for call, share in mix.items())

    def worth(self, state: KeepState) -> float:
        """The expected payoff to FIRST."""
        cup, accepted, seen, kept, roll, call, challenged = state
        if challenged or accepted == self.game.top:
            return self.game.payoff(state)
        if seen is not None:
            wins = self._seen(accepted, seen)
        elif roll is None:
            wins = self.cup[accepted, kept]
        else:
            wins = (
                self._rolled(accepted, kept, roll)
                if call is None
                else self._called(accepted, kept, roll, call)
            )
        return 2 * wins - 1 if cup == FIRST else 1 - 2 * wins

    def advise(self, view: KeepView) -> Advice:
        """What each action in this view wins against the solved opponent, and the solved mix.

        An opponent whose solved strategy never calls so is taken for one who calls at random.
        """
        game, (accepted, seen, kept, roll, call) = self.game, view
        actions = game.actions(view)
        if not actions:
            raise IllegalAction(f"nothing to decide at {game.show_view(view)!r}; the turn is not mine")
        worth: dict[Any, float] = {}
        reached = True
        if seen is not None:
            worth = {f"{KEEP}{faces}": self.cup[accepted, faces] for faces in game.choices(seen)}
        elif roll is not None:
            worth = {int(k): self._called(accepted, kept, roll, int(k)) for k in actions}
        elif call is not None:
            shares = {
                r: float(chance) * float(self.table.calls[accepted, kept, r].get(call, 0))
                for r, chance in game.rolls(kept).items()
            }
            if not (reached := any(shares.values())):
                shares = {
                    r: float(chance) / (game.top + 1 - low)
                    for r, chance in game.rolls(kept).items()
                    if call >= (low := game.pair.lowest_call(accepted, r))
                }
            total = sum(shares.values())
            worth[ACCEPT] = sum(share * self._seen(call, r) for r, share in shares.items()) / total
            worth[CHALLENGE] = sum(s for r, s in shares.items() if not game.pair.true(r, call)) / total
        mix = self.table(view) if len(worth) > 1 else dict.fromkeys(worth, 1.0)
        best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
        return Advice(view, worth, best, {action: mix.get(action, 0.0) for action in worth}, reached)
