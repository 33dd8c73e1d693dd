"""A record judged ply by ply: what each decision lost, and how much was luck. Definitions: docs/analysis.md."""

from collections import Counter
from collections.abc import Sequence

from ..core.errors import IllegalAction
from ..core.game import CHANCE, FIRST, OVER, SECOND, Game, State, WrittenGame
from ..core.record import Record
from ..core.solution import Solution
from .moments import JUDGED, Analysis, Figures, Moment, judgement_of
from .talk import talk_of

SHARE = 0.01  # of the solved mix from which on an action is one of its own


def analyse(record: Record, judge: Solution, against: str | None = None) -> Analysis:
    """Every ply of the record judged.

    With v the worth of a state to FIRST, in winning chance (or points), a decision of a player with the best
    action worth m and the action taken worth q loses m - q; a roll has the luck v after - v before; what else v
    changes at a decision is luck of the hidden dice. Hence

        start + luck of the dice and of hidden dice - FIRST's losses + SECOND's losses = v at the end.

    >>> from dicewright.families.catalog import parse
    >>> from dicewright.families import solve
    >>> piglet = parse("piglet:goal=2")
    >>> choices = [piglet.read_choice(word) for word in ("roll", "+1", "hold", "roll", "bust", "roll", "+1", "hold")]
    >>> found = analyse(Record(piglet, tuple(choices), 1.0), solve(piglet))
    >>> [(m.ply, round(m.loss, 4), m.judgement) for m in found.mistakes()]
    [(2, 0.1143, 'blunder')]
    """
    game, moments = record.game, []
    state = game.start()
    value = start = unit(judge, judge.worth(state))
    for ply, choice in enumerate(record.choices):
        after = _play(game, state, choice, ply)
        worth = unit(judge, judge.worth(after))
        moments.append(_moment(game, judge, state, ply, choice, value, worth))
        state, value = after, worth
    result = None if record.ended == "unfinished" else unit(judge, record.payoff)
    end = result if game.mover(state) == OVER and record.ended == "over" and result is not None else value
    figures = [figures_of(game, moments, player, start, judge) for player in (FIRST, SECOND)]
    pair = (figures[0], figures[1])
    head = (record, judge.certificate, judge.points, pair, start, end, result, against, judge.judged)
    return Analysis(*head, tuple(moments))


def unit(judge: Solution, payoff: float) -> float:
    """A payoff to FIRST in the unit of an analysis: a winning chance, or points."""
    return payoff if judge.points else (1 + payoff) / 2


def _play(game: Game, state: State, choice: object, ply: int) -> State:
    try:
        if game.mover(state) == OVER:
            raise IllegalAction(f"{choice} is played after the end of the game")
        return game.play(state, choice)
    except IllegalAction as error:
        raise IllegalAction(f"choice {ply + 1} of the record: {error}") from error


def _moment(
    game: Game, judge: Solution, state: State, ply: int, choice: object, before: float, after: float
) -> Moment:
    who = game.mover(state)
    if who == CHANCE:
        return Moment(ply, who, choice, before, after, luck=after - before)
    view = game.view(state, who)
    if not judge.judged[who]:
        return Moment(ply, who, choice, before, after, 0.0, 0.0, after - before, view, judgement="known")
    if len(game.actions(view)) == 1:
        hidden = after - before if judge.hidden else 0.0
        return Moment(ply, who, choice, before, after, 0.0, 0.0, hidden, view, judgement="forced")
    advice = judge.advise(view)
    loss = max(0.0, max(advice.worth.values()) - advice.worth[choice])
    if judge.hidden and loss <= (judge.certificate.gap if judge.points else judge.certificate.gap / 2):
        loss = 0.0  # no more than what the solution itself may be off by
    doubt = not advice.reached or (judge.hidden and judge.certificate.exact is None)
    if doubt and advice.mix.get(choice, 0.0) >= SHARE:
        loss = 0.0  # as solved: only a belief, or a solution that is not exact, speaks against it
    hidden = after - before + (loss if who == FIRST else -loss) if judge.hidden else 0.0
    word = judgement_of(loss / (2 * judge.stakes) if judge.points else loss)
    weighed = advice.worth, advice.best, advice.mix, word, advice.reached
    return Moment(ply, who, choice, before, after, loss, 0.0, hidden, view, *weighed)


def figures_of(
    game: WrittenGame, moments: Sequence[Moment], player: int, start: float, judge: Solution
) -> Figures:
    """One player's sums."""
    sign = 1 if player == FIRST else -1
    mine = [moment for moment in moments if moment.who == player and moment.decided]
    losses = [sum(m.loss for m in moments if m.who == who) for who in (FIRST, SECOND)]
    counts = Counter(str(moment.judgement) for moment in mine)
    swings = {moment.ply: sign * (moment.after - moment.before) for moment in moments}
    best = max(swings, key=swings.__getitem__, default=None)
    worst = min(swings, key=swings.__getitem__, default=None)
    own = start if player == FIRST else (-start if judge.points else 1 - start)
    return Figures(
        decisions=len(mine),
        loss=losses[player],
        at_stake=sum(moment.at_stake for moment in mine),
        luck=sign * sum(moment.luck for moment in moments) + 0.0,
        hidden_luck=sign * sum(moment.hidden_luck for moment in moments) + 0.0,
        start=own,
        adjusted=own - losses[player] + losses[1 - player],
        dearest_ply=max(mine, key=lambda m: m.loss).ply if losses[player] > 0 else None,
        best_ply=best if best is not None and swings[best] > 0 else None,
        worst_ply=worst if worst is not None and swings[worst] < 0 else None,
        counts={word: counts[word] for word in JUDGED},
        talk=talk_of(game, moments, player),
    )


def mistakes(analysis: Analysis, player: int, most: int = 10) -> list[Moment]:
    """The positions where a player lost most, the costliest first: to be asked again."""
    return analysis.mistakes(player)[:most]
