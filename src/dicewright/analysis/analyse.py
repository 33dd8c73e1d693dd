"""A record judged ply by ply: what each decision lost, and how much was luck. Definitions: docs/analysis.md."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from ..core.errors import IllegalAction, RulesError
from ..core.game import CHANCE, FIRST, OVER, SEATS, SECOND, Game, State, other
from ..core.record import Record
from ..core.results import Sums
from ..core.solution import Solution
from .moments import JUDGED, THRESHOLDS, Analysis, Figures, Moment, Outline, judgement_of, talk_of

SHARE = 0.01  # of the solved mix from which on an action is one of its own
BLOCK = 2000  # records analysed at a time


def analyse(record: Record, judge: Solution, against: str | None = None) -> Analysis:
    """Every ply of the record judged.

    With v the worth of a state to FIRST, in winning chance (or points), a decision of a player with the best
    action worth m and the action taken worth q loses m - q; a roll has the luck v after - v before; what else v
    changes at a decision is luck of the hidden dice. Hence

        start + luck of the dice and of hidden dice - FIRST's losses + SECOND's losses = v at the end.

    >>> from dicewright.families.catalog import parse
    >>> from dicewright.families.solving import solve
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


def figures_of(game: Game, moments: Sequence[Moment], player: int, start: float, judge: Solution) -> Figures:
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


def analyse_many(
    records: Iterable[Record],
    judge_for: Callable[[Any], Solution],
    progress: Callable[[int], object] | None = None,
) -> Iterator[Outline]:
    """The outline of each record, in order; the whole analysis where the solution weighs ply by ply.

    `judge_for` gives the judge of a game and is asked once for each game; `progress` hears how many records are
    done. 10,000 games of Pig take about 2 s; only a block of records is held at a time.
    """
    judges: dict[Any, Solution] = {}
    source, done = iter(records), 0
    while block := list(islice(source, BLOCK)):
        found: dict[int, Outline] = {}
        for game in dict.fromkeys(record.game for record in block):
            if game not in judges:
                judges[game] = judge_for(game)
            places = [place for place, record in enumerate(block) if record.game == game]
            found |= zip(places, _same_game([block[n] for n in places], judges[game], done), strict=True)
        done += len(block)
        yield from (found[place] for place in range(len(block)))
        if progress:
            progress(done)


def _same_game(records: Sequence[Record], judge: Solution, done: int) -> Iterable[Outline]:
    stakes = 2 * judge.stakes if judge.points else 1.0
    thresholds = [least * stakes for least, _ in reversed(THRESHOLDS)]
    weighed = judge.weigh_many([record.choices for record in records], thresholds)
    if weighed is None:
        return [_named(record, judge, done + number) for number, record in enumerate(records)]
    start = unit(judge, judge.worth(judge.game.start()))
    return [_outline(record, judge, start, *one) for record, one in zip(records, weighed, strict=True)]


def _named(record: Record, judge: Solution, number: int) -> Outline:
    try:
        return analyse(record, judge)
    except IllegalAction as error:
        raise IllegalAction(f"game {number + 1}: {error}") from error


def _outline(record: Record, judge: Solution, start: float, luck: float, sums: tuple[Sums, Sums]) -> Outline:
    own = (start, -start if judge.points else 1 - start)
    one, two = (
        _figures(sums[player], sums[1 - player].loss, luck if player == FIRST else -luck, own[player])
        for player in (FIRST, SECOND)
    )
    result = None if record.ended == "unfinished" else unit(judge, record.payoff)
    over = record.ended == "over" and result is not None
    end = result if over else start + luck - one.loss + two.loss
    return Outline(record, judge.certificate, judge.points, (one, two), start, end, result)  # type: ignore[arg-type]


def _figures(sums: Sums, theirs: float, luck: float, start: float) -> Figures:
    """One player's, beside what the other lost."""
    return Figures(
        sums.decisions,
        sums.loss,
        sums.at_stake,
        luck,
        0.0,
        start,
        start - sums.loss + theirs,
        sums.dearest_ply,
        sums.best_ply,
        sums.worst_ply,
        dict(zip(JUDGED, sums.counts, strict=True)),
    )


def known_opponent(record: Record, strategy: str | None, player: str | None = None) -> tuple[int, str]:
    """The seat of the player to judge, and the strategy of the other: as given, or as the record's tags say."""
    words = [*record.players, *SEATS]
    if player is not None and player not in words:
        allowed = ", ".join(dict.fromkeys(words))
        raise RulesError(f"nobody is called {player!r} in this game; {allowed} is allowed")
    first, second = record.strategies
    person = SECOND if first and not second else FIRST
    seat = person if player is None else words.index(player) % 2
    text = strategy or record.strategies[other(seat)]
    if text is None:
        raise RulesError("the record names no strategy of the opponent; give one with --against-strategy")
    return seat, text
