"""An analysis in three sentences."""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from ..core.game import CHANCE, WrittenGame
from ..core.results import TIED, estimate
from ..families import family
from .luck import favour
from .moments import Analysis, Moment, Outline

ENDS = {
    "stalemate": "never ended",
    "cut-off": "was cut off",
    "forfeit": "was forfeited",
    "unfinished": "goes on",
}


def amount(analysis: Outline, number: float, signed: bool = False) -> str:
    """A chance or points as people read them: `6.1 %` or `2.35 points`; nothing has no sign."""
    return amount_of(number, analysis.points, signed)


def amount_of(number: float, points: bool, signed: bool = False) -> str:
    """The same where there are no sums of one game."""
    return f"{figure(number, 2, signed)} points" if points else f"{figure(100 * number, 1, signed)} %"


def lost(analysis: Outline, loss: float) -> str:
    """A loss as people read it everywhere: the exact difference, rounded once.

    It is not the difference of two worths as they are shown. What is too small for a digit is `<0.1 %`.
    """
    if loss > TIED and amount(analysis, loss) == amount(analysis, 0.0):
        return f"<{'0.01 points' if analysis.points else '0.1 %'}"
    return amount(analysis, loss)


def rate(loss: float, points: bool) -> str:
    """A loss per decision, or another mean of losses: with one digit more."""
    return f"{figure(loss, 3)} points" if points else f"{figure(100 * loss, 2)} %"


def evened(number: float, points: bool, ends: tuple[str, str] = ("a clear loss", "a clear win")) -> str:
    """A result with average luck: an estimate, which may lie beyond all that there is and is told in words there.

    >>> evened(0.38, points=False), evened(-0.69, points=False), evened(-0.69, points=True)
    ('38.0 %', 'a clear loss', '-0.69 points')
    """
    return amount_of(number, points) if points or 0.0 <= number <= 1.0 else ends[number > 0.5]


def luck_lines(found: Analysis) -> list[list[str]]:
    """What luck gave to both players, as means of a roll and of a decision, and the result with average luck."""
    pair = found.figures
    rolls = sum(moment.who == CHANCE for moment in found.moments)
    made = sum(figures.decisions for figures in pair)

    def means(words: str, sums: Iterable[float], count: int) -> list[str]:
        return [words, *(amount(found, one / count, signed=True) if count else "-" for one in sums)]

    lines = [means("luck of the dice, a roll", (f.luck for f in pair), rolls)]
    if any(f.hidden_luck for f in pair):
        lines.append(means("luck in what was hidden, a decision", (f.hidden_luck for f in pair), made))
    return [*lines, ["result with average luck", *(evened(f.adjusted, found.points) for f in pair)]]


def figure(number: float, digits: int, signed: bool = False) -> str:
    """A number rounded to so many digits, never `-0.0`; a half goes away from zero, as on the page.

    >>> figure(-0.04, 1), figure(0.04, 1, signed=True), figure(2.0, 1, signed=True), figure(6.25, 1)
    ('0.0', '0.0', '+2.0', '6.3')
    """
    rounded = Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded:{'+' if signed else ''}f}" if rounded else f"{0:.{digits}f}"


def accuracy(figures: Any) -> str:
    """The accuracy as people read it: `-` for one who decided nothing."""
    return f"{figures.accuracy:.1f}" if figures.decisions else "-"


def best_actions(game: WrittenGame, moment: Moment) -> str:
    """The actions that are as good as the best, the one that solved play takes most often first."""
    tied = [moment.best, *(action for action in moment.tied if action != moment.best)]
    return ", ".join(str(getattr(game, "show_choice", str)(action)) for action in tied)


def decision(analysis: Analysis, moment: Moment) -> str:
    """A decision and where it was made, in words: `holding 14 points at 34 to 27`."""
    game = analysis.record.game
    return family(game).decision(game, moment.view, moment.choice)


def sentences(analysis: Analysis, player: int) -> list[str]:
    """What the player gave away on average, how the dice fell, the costliest decision, and what was to be expected.

    Averages and words, no sums: losses and luck added up may be more than all there is.
    Nothing is said to a player whose strategy is known and not judged.
    """
    if not analysis.judged[player]:
        return []
    figures = analysis.figures[player]
    costliest = analysis.mistakes(player)
    if costliest:
        second = f"Your costliest decision: {decision(analysis, costliest[0])}."
        second += f" {costliest[0].why}" if costliest[0].why else ""
    elif figures.decisions:
        second = "None of your decisions lost anything."
    else:
        second = "You had nothing to decide."
    start = amount(analysis, figures.start)
    if analysis.against:
        third = f"The best answer to {analysis.against} {'gets' if analysis.points else 'wins'} {start} from your seat."
    else:
        who = "Trained" if analysis.estimate else "Optimal"
        third = f"{who} players {'get' if analysis.points else 'win'} {start} from your seat."
    told = estimate(analysis.estimate)
    return [_averages(analysis, player), second, third, *([told] if told else [])]


def _averages(analysis: Analysis, player: int) -> str:
    """What was given away a decision, how chance stood to the player, and what the other gave away if it shows."""
    own, theirs = analysis.figures[player], analysis.figures[1 - player]
    nothing, gave = rate(0.0, analysis.points), rate(own.error_rate, analysis.points)
    if not own.decisions:
        told = "You decided nothing"
    elif gave == nothing:
        told = "You gave nothing away" if own.loss <= TIED else "You gave next to nothing away"
    else:
        told = f"You gave away {gave} a decision"
    if found := analysis.between(player):
        low, high = (rate(each, analysis.points) for each in found)
        told += f" (an estimate: {low} to {high})"
    parts = []
    for what, kind in (("the dice", "luck"), ("what was hidden", "hidden_luck")):
        swing = sum(getattr(moment, kind) ** 2 for moment in analysis.moments)
        if swing > TIED**2:
            parts.append(f"{what} {favour(getattr(own, kind), swing)}")
    told = f"{told}; {', and '.join(parts)}." if parts else f"{told}."
    given = rate(theirs.error_rate, analysis.points)
    if given != nothing:
        told += f" The other gave away {given} a decision."
    return told


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
