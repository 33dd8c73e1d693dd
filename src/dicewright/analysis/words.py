"""An analysis in three sentences."""

from typing import Any

from ..games.bluff import CALL, SPOT_ON, Bluff
from ..games.bluff_match import BluffMatch
from ..games.race import RaceGame
from .moments import Analysis, Moment, Outline

ENDS = {
    "stalemate": "never ended",
    "cut-off": "was cut off",
    "forfeit": "was forfeited",
    "unfinished": "goes on",
}


def amount(analysis: Outline, number: float, signed: bool = False) -> str:
    """A chance or points as people read them: `6.1 %` or `2.35 points`."""
    sign = "+" if signed else ""
    if analysis.points:
        return f"{number + 0.0:{sign}.2f} points"
    return f"{100 * number + 0.0:{sign}.1f} %"


def doing(game: Any, action: Any) -> str:
    """An action as a verb: `holding`, `rolling`, `bidding 2x5`, `accepting`, `calling 51`.

    >>> from dicewright.games.bluff import Bid
    >>> doing(Bluff(), Bid(2, 5))
    'bidding 2x5'
    """
    text = str(getattr(game, "show_choice", str)(action))
    if isinstance(game, RaceGame):
        return {"hold": "holding", "roll": "rolling"}.get(text, f"rolling {text}")
    if isinstance(game, (Bluff, BluffMatch)):
        return {CALL: "calling", SPOT_ON: "saying spot-on"}.get(text, f"bidding {text}")
    if isinstance(action, int):
        return f"calling {text}"
    verbs = {"accept": "accepting", "challenge": "challenging", "keep": "keeping nothing"}
    if text.startswith("keep") and text != "keep":
        return f"keeping {text.removeprefix('keep')}"
    return verbs.get(text, text)


def place(analysis: Analysis, moment: Moment) -> str:
    """A decision and where it was made: `holding at 34-27+14`."""
    game: Any = analysis.record.game
    view = getattr(game, "show_view", str)(moment.view)
    return f"{doing(game, moment.choice)} at {view}"


def sentences(analysis: Analysis, player: int) -> list[str]:
    """What the player lost by decisions and by luck, the dearest decision, and what was to be expected.

    Nothing is said to a player whose strategy is known and not judged.
    """
    if not analysis.judged[player]:
        return []
    figures = analysis.figures[player]
    luck = figures.luck + figures.hidden_luck
    lost, by_luck = amount(analysis, figures.loss), amount(analysis, abs(luck))
    verb = "" if luck < 0 else "gained "
    first = f"You lost {lost} by decisions and {verb}{by_luck} by luck."
    dearest = analysis.mistakes(player)
    if dearest:
        second = f"Your dearest decision: {place(analysis, dearest[0])}."
    elif figures.decisions:
        second = "None of your decisions lost anything."
    else:
        second = "You had nothing to decide."
    start = amount(analysis, figures.start)
    if analysis.against:
        third = f"The best answer to {analysis.against} {'gets' if analysis.points else 'wins'} {start} from your seat."
    else:
        third = f"Optimal players {'get' if analysis.points else 'win'} {start} from your seat."
    return [first, second, third]


def headline(found: Outline) -> str:
    """Who played, and how it ended."""
    one, two = found.players
    if found.record.ended != "over":
        return f"{one} against {two}; the game {ENDS[found.record.ended]}"
    payoff = found.record.payoff
    if payoff == 0:
        return f"{one} against {two}; a draw"
    winner, loser = (one, two) if payoff > 0 else (two, one)
    return f"{winner} beat {loser}" + (f" by {abs(payoff):g} points" if found.points else "")
