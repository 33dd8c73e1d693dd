"""A record judged ply by ply: what each decision lost, and how much was luck. Definitions: docs/analysis.md."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from ..core.errors import IllegalAction, RulesError
from ..core.game import CHANCE, FIRST, OVER, SECOND, Action, Game, State, other
from ..core.record import Record
from ..core.results import Advice, Sums
from ..core.solution import Solution
from ..families import family
from .moments import (
    COSTLY,
    JUDGED,
    NO_TALK,
    THRESHOLDS,
    Analysis,
    Figures,
    Moment,
    Outline,
    Talks,
    judgement_of,
    seat_named,
    talk_of,
)

BLOCK = 2000  # records analysed at a time


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
    luck, hidden = sum(moment.luck for moment in moments), sum(moment.hidden_luck for moment in moments)
    sums, talk = (_sums(moments, FIRST), _sums(moments, SECOND)), talk_of(game, moments)
    pair = _figures(judge, start, luck, hidden, sums, talk)
    off = max((moment.off for moment in moments), default=0.0) or judge.estimated
    head = (record, judge.certificate, judge.points, pair, start, end, result, against, judge.judged, off)
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
    loss = given_away(judge, advice, choice)
    hidden = after - before + (loss if who == FIRST else -loss) if judge.hidden else 0.0
    word = judgement_of(loss / (2 * judge.stakes) if judge.points else loss)
    weighed = advice.worth, advice.best, advice.mix, word, advice.reached, advice.coarse
    asked = word in COSTLY and advice.reached and not advice.coarse
    why = family(game).why(game, judge, view, choice, advice.best) if asked else ""
    return Moment(ply, who, choice, before, after, loss, 0.0, hidden, view, *weighed, why, advice.off)


def given_away(judge: Solution, advice: Advice, choice: Action) -> float:
    """What an action loses against the best one, in the unit of an analysis; 0 where the solution may err as much."""
    loss = max(0.0, max(advice.worth.values()) - advice.worth[choice])
    if judge.hidden and loss <= max(advice.off, judge.slack if judge.points else judge.slack / 2):
        return 0.0  # no more than what the solution itself may be off by
    return loss


def _sums(moments: Sequence[Moment], player: int) -> Sums:
    """What one player's decisions lost, and the plies that counted most."""
    mine = [moment for moment in moments if moment.who == player and moment.decided]
    loss, counts = sum(m.loss for m in moments if m.who == player), Counter(m.judgement for m in mine)
    swings = [(1 if player == FIRST else -1) * (moment.after - moment.before) for moment in moments]
    high, low = max(swings, default=0.0), min(swings, default=0.0)
    return Sums(
        len(mine),
        loss,
        sum(moment.at_stake for moment in mine),
        max(mine, key=lambda m: m.loss).ply if loss > 0 else None,
        swings.index(high) if high > 0 else None,
        swings.index(low) if low < 0 else None,
        tuple(counts[word] for word in JUDGED),
    )


def _figures(
    judge: Solution, start: float, luck: float, hidden: float, sums: tuple[Sums, Sums], talk: Talks = NO_TALK
) -> tuple[Figures, Figures]:
    """Both players' figures, each in the player's own favour; `start` and luck are given in FIRST's."""

    def of(player: int) -> Figures:
        sign, own = (1, start) if player == FIRST else (-1, -start if judge.points else 1 - start)
        mine, theirs = sums[player], sums[1 - player]
        fortune = (sign * luck + 0.0, sign * hidden + 0.0, own, own - mine.loss + theirs.loss)
        judged: dict[str, int] = dict(zip(JUDGED, mine.counts, strict=True))
        return Figures(*mine[:3], *fortune, *mine[3:6], judged, talk[player])

    return of(FIRST), of(SECOND)


def analyse_many(
    records: Iterable[Record],
    judge_for: Callable[[Any], Solution],
    progress: Callable[[int], object] | None = None,
) -> Iterator[Outline]:
    """The outline of each record, in order; the whole analysis where the solution weighs ply by ply.

    `judge_for` gives the judge of a game and is asked once for each game; `progress` hears how many records are
    done. 10,000 games of Pig take about 2 s; only a block of records is held at a time.
    """
    judge_of, source, done = cache(judge_for), iter(records), 0
    while block := list(islice(source, BLOCK)):
        found: dict[int, Outline] = {}
        for game in dict.fromkeys(record.game for record in block):
            places = [place for place, record in enumerate(block) if record.game == game]
            found |= zip(places, _same_game([block[n] for n in places], judge_of(game), done), strict=True)
        done += len(block)
        yield from (found[place] for place in range(len(block)))
        if progress:
            progress(done)


def _same_game(records: Sequence[Record], judge: Solution, done: int) -> Iterator[Outline]:
    stakes = 2 * judge.stakes if judge.points else 1.0
    thresholds = [least * stakes for least, _ in reversed(THRESHOLDS)]
    weighed = judge.weigh_many([record.choices for record in records], thresholds)
    if weighed is None:
        for number, record in enumerate(records, done + 1):
            try:
                yield analyse(record, judge)
            except IllegalAction as error:
                raise IllegalAction(f"game {number}: {error}") from error
        return
    start = unit(judge, judge.worth(judge.game.start()))
    for record, (luck, sums) in zip(records, weighed, strict=True):
        one, two = _figures(judge, start, luck, 0.0, sums)
        result = None if record.ended == "unfinished" else unit(judge, record.payoff)
        over = record.ended == "over" and result is not None
        end: Any = result if over else start + luck - one.loss + two.loss
        yield Outline(record, judge.certificate, judge.points, (one, two), start, end, result)


def known_opponent(record: Record, strategy: str | None, player: str | None = None) -> tuple[int, str]:
    """The seat of the player to judge, and the strategy of the other: as given, or as the record's tags say."""
    first, second = record.strategies
    person = SECOND if first and not second else FIRST
    seat = person if player is None else seat_named(record.players, player)
    text = strategy or record.strategies[other(seat)]
    if text is None:
        raise RulesError("the record names no strategy of the opponent; give one with --against-strategy")
    return seat, text
