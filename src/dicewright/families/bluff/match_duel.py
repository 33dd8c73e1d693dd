"""Matches of Bluff played out exactly, and best answers to a strategy: round by round, then one linear system.

Strategies that look at the standing and at this round alone make a match a chain of standings. With P(s, t) the
chance that the round at s is followed by t, from one meeting of two plans at each standing,

    wins(s) = sum_t P(s, t) wins(t),    turns(s) = actions of the round at s + sum_t P(s, t) turns(t).

Where dice come back play may never end: at a standing from which no end can be reached. That is a stalemate and
pays 0. For a best answer each round pays what follows: last standings first, or, where standings return, by
strategy iteration (`_iterate`).

A round costs what one round of Bluff costs: one question for each view that a strategy's own bids lead to, some
2^B (H1 + H2) steps and 32 bytes for each of these, with B bids and H1 + H2 hands. A strategy that looks at the
rounds before is played out on the tree of the whole match, if that is small enough.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import PrecisionError, StrategyError, TooLarge
from ...core.game import FIRST, SECOND, other
from ...core.results import Duel, Response
from ...core.strategy import Strategy
from ..tree.arrays import Tree, build_tree
from ..tree.response import best_value, play_out, weights_of
from .match import BluffMatch, Standing
from .match_rounds import MatchPlayer, MatchReply, MatchRound, Unseen, round_at
from .match_solution import PlayedRound, final_payoff, returns, settle, standings
from .match_solve import MOST_SWEEPS
from .plans import MOST_BYTES, check_size

STRICT = 1e-12  # an answer that gains less is no better


def _step(game: MatchRound, plans: Sequence[Any]) -> PlayedRound:
    chances, turns = game.meet(plans)
    return PlayedRound({s: float(p) for s, p in zip(game.after, chances, strict=True) if p > 0}, turns)


def duel_match(match: BluffMatch, first: Strategy, second: Strategy) -> Duel:
    """Two strategies met in a match, FIRST's place to `first`: every chance exactly, also of play without end.

    TooLarge, with the bytes, where the plans of a round would not fit.

    >>> from dicewright.families.bluff.match_solve import solve_match
    >>> match = BluffMatch(dice=(2, 1), sides=2)
    >>> round(duel_match(match, *solve_match(match).strategies).payoff, 9)
    0.9375
    """
    _check_sizes(match, standings(match))
    past = Unseen()
    players = [MatchPlayer(match, player, (first, second)[player], past) for player in (FIRST, SECOND)]
    steps: dict[Standing, PlayedRound] = {}
    waiting = [match.first]
    try:
        while waiting:
            standing = waiting.pop()
            if standing not in steps and match.winner(standing) is None:
                game = round_at(match, standing)
                seated = players if standing.opener == FIRST else players[::-1]
                steps[standing] = _step(game, [player.plan(game, standing) for player in seated])
                waiting += steps[standing].after
    except StrategyError:
        if not past.used:
            raise
    if past.used:
        return play_out(_whole(match), first, second)
    return settle(match, steps)[match.first]


def _check_sizes(match: BluffMatch, order: Sequence[Standing]) -> None:
    """TooLarge if a round's plans would not fit, before any strategy is asked."""
    for rules in {match.round_of(standing) for standing in order}:
        if rules.order != "fixed":
            check_size(rules, len(rules.bids))


def _whole(match: BluffMatch) -> Tree:
    """The tree of the whole match, for strategies that look at the rounds before."""
    try:
        return build_tree(match)
    except TooLarge as error:
        raise TooLarge(
            f"{error}; it is needed because a strategy looks at the rounds before; one that looks at the standing "
            "and at this round alone is allowed"
        ) from error


class _Answer(NamedTuple):
    """A best answer, what it gets, and how often it wins."""

    strategy: Strategy
    payoff: float
    wins: float


def best_response_match(match: BluffMatch, first: Strategy, second: Strategy) -> Response:
    """The best answers in a match: in FIRST's place to `second`, and in SECOND's place to `first`.

    Where standings return the other player's plans are held for all of them: TooLarge if they would not fit.

    >>> match = BluffMatch(dice=(2, 1), sides=2)
    >>> calls = lambda view: dict.fromkeys(match.actions(view)[-1:], 1.0)
    >>> best_response_match(match, calls, calls).first_payoff
    1.0
    """
    one, two = _respond(match, FIRST, second), _respond(match, SECOND, first)
    return Response((one.strategy, two.strategy), one.payoff, two.payoff, one.wins, two.wins)


def _respond(match: BluffMatch, player: int, rival: Strategy) -> _Answer:
    """The best answer in the player's place."""
    order, past = standings(match), Unseen()
    _check_sizes(match, order)
    games = {standing: round_at(match, standing) for standing in order}
    try:
        how = _iterate if returns(match, order) else _backward
        answer = how(match, player, games, MatchPlayer(match, other(player), rival, past))
    except StrategyError:
        if not past.used:
            raise
    if past.used:
        tree = _whole(match)
        value, strategy = best_value(tree, player, weights_of(tree, other(player), rival))
        return _Answer(strategy, float(value), (1 + float(value)) / 2)
    return answer


def _backward(
    match: BluffMatch, player: int, games: Mapping[Standing, MatchRound], rival: MatchPlayer
) -> _Answer:
    """Every standing once, after all that follow it."""
    values, rounds = _finished(match, player, games), dict[Standing, Strategy]()
    for standing, game in games.items():
        seat, worth = match.seat(standing, player), np.array([values[s] for s in game.after])
        values[standing], rounds[standing] = game.reply(seat, rival.plan(game, standing), worth)
    payoff = values[match.first]
    return _Answer(MatchReply(match, player, rounds), payoff, (1 + payoff) / 2)


def _finished(match: BluffMatch, player: int, games: Mapping[Standing, MatchRound]) -> dict[Standing, float]:
    """What the ends of the match pay the player."""
    over = {s for game in games.values() for s in game.after if match.winner(s) is not None}
    return {s: float(final_payoff(match, s)) * (1 if player == FIRST else -1) for s in over}


def _iterate(
    match: BluffMatch, player: int, games: Mapping[Standing, MatchRound], rival: MatchPlayer
) -> _Answer:
    """Strategy iteration: answers that gain strictly replace the old ones, until none does.

    It begins with play that never ends wherever that can be had for sure. Let V be the true worth of the answers
    so far and P the chances of those that follow: P V >= V, and more where an answer changes. In a class of
    standings that is never left the mean of P V is that of V, so no answer changes there: it was there before,
    and pays 0. Hence V never falls. In the end no answer at all has P V > V anywhere. What it gets is then at most
    V, for if it never ends it stays where that can be had for sure, and there V was 0 at the beginning.
    """
    _check_all(match, games)
    plans = {standing: rival.plan(game, standing) for standing, game in games.items()}
    ends = _finished(match, player, games)

    def reply(standing: Standing, values: Mapping[Standing, float]) -> tuple[float, Strategy]:
        worth = np.array([values[s] for s in games[standing].after])
        return games[standing].reply(match.seat(standing, player), plans[standing], worth)

    def step(standing: Standing) -> PlayedRound:
        game, seat = games[standing], match.seat(standing, player)
        pair = (game.plan(seat, rounds[standing]), plans[standing])
        return _step(game, pair if seat == 0 else pair[::-1])

    rounds = _stay(games, ends, reply)
    nothing = dict.fromkeys(games, 0.0) | ends
    rounds = {s: reply(s, nothing)[1] for s in games} | rounds
    steps: dict[Standing, PlayedRound] = {}
    better: Collection[Standing] = games
    for _ in range(MOST_SWEEPS):
        steps |= {standing: step(standing) for standing in better}
        rest = settle(match, steps)
        values = {s: duel.payoff * (1 if player == FIRST else -1) for s, duel in rest.items()} | ends
        found = {standing: reply(standing, values) for standing in games}
        better = [standing for standing, (value, _) in found.items() if value > values[standing] + STRICT]
        if not better:
            whole = rest[match.first]
            wins = whole.first_wins if player == FIRST else whole.second_wins
            return _Answer(MatchReply(match, player, rounds), values[match.first], wins)
        rounds |= {standing: found[standing][1] for standing in better}
    raise PrecisionError(f"the best answer in {match.name} still gained after {MOST_SWEEPS} sweeps")


def _stay(
    games: Mapping[Standing, MatchRound],
    ends: Mapping[Standing, float],
    reply: Callable[[Standing, Mapping[Standing, float]], tuple[float, Strategy]],
) -> dict[Standing, Strategy]:
    """How to play for ever, at the standings where that can be had for sure.

    To leave them costs 1, and chances are sums of what is never negative: exactly 0 is lost where none does.
    """
    staying: dict[Standing, Strategy] = {}
    inside = set(games)
    while True:
        costs = {s: 0.0 if s in inside else -1.0 for s in (*games, *ends)}
        found = {standing: reply(standing, costs) for standing in inside}
        staying = {standing: strategy for standing, (value, strategy) in found.items() if value == 0.0}
        if len(staying) == len(inside):
            return staying
        inside = set(staying)


def _check_all(match: BluffMatch, games: Collection[Standing]) -> None:
    """TooLarge if one player's plans of all standings would not fit at once."""
    needed = 0
    for rules in (match.round_of(standing) for standing in games):
        hands = max(len(rules.hands(seat)) for seat in (0, 1))
        needed += 8 * 3 * hands << len(rules.bids) if rules.order != "fixed" else 0
    if needed > MOST_BYTES:
        raise TooLarge(
            f"{match.name} needs {needed:,} bytes for the plans of its {len(games)} standings, which may return; "
            f"up to {MOST_BYTES:,} is allowed, such as bluff-match:dice=2v1,loss=give"
        )
