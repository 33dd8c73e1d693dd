"""Matches of Bluff played out and answered, against slow twins that know only the seven questions."""

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import inf
from random import Random

import pytest
from tests.reference.walk import Forgetting, met_by_the_book

from dicewright.core.errors import PrecisionError, StrategyError, TooLarge
from dicewright.core.game import FIRST, SECOND, other
from dicewright.families import solve
from dicewright.families.bluff import match_duel
from dicewright.families.bluff.match import BluffMatch
from dicewright.families.bluff.match_duel import best_response_match, duel_match
from dicewright.families.bluff.match_rounds import round_at
from dicewright.families.bluff.match_solution import PaidRound, endings, final_payoff, standings
from dicewright.families.bluff.plans import plan_of
from dicewright.families.bluff.rules import Bid, Bluff, BluffView
from dicewright.families.catalog import parse
from dicewright.families.tree.arrays import build_tree
from dicewright.families.tree.response import best_value, play_out, weights_of
from dicewright.families.tree.solution import Expected
from dicewright.families.tree.solve import solve_sequence_form

approx = pytest.approx

ACYCLIC = [
    "bluff-match:dice=2v1,sides=2",
    "bluff-match:dice=1v2,sides=2,opens=winner",
    "bluff-match:dice=2v1,sides=2,opens=alternate,spot_on=yes",
    "bluff-match:dice=2v1,sides=2,loss=difference",
    "bluff-match:dice=2v1,sides=2,palifico=yes",
    "bluff-match:dice=2v1,sides=2,order=fixed",
]
RETURNING = [
    "bluff-match:dice=2v1,sides=2,loss=give",
    "bluff-match:dice=2v1,sides=2,loss=give,palifico=yes,opens=winner",
    "bluff-match:dice=2v2,sides=2,spot_on=yes,reward=regain,loss=difference",
]


def random_player(match, seed):
    """A mix of its own for each standing and view of the round, some actions left out, and the past ignored."""

    def strategy(view):
        rng = Random(f"{seed} {view.standing} {view.now}")
        allowed = match.actions(view)
        some = rng.sample(allowed, rng.randint(1, len(allowed)))
        weights = [rng.random() + 0.05 for _ in some]
        return {action: weight / sum(weights) for action, weight in zip(some, weights, strict=True)}

    return strategy


@pytest.mark.parametrize("name", [*ACYCLIC, *RETURNING, "bluff-match:dice=2v1,sides=3"])
def test_random_strategies_meet_as_the_rules_say(name):
    match = parse(name)
    first, second = random_player(match, 1), random_player(match, 2)
    duel = duel_match(match, first, second)
    won, lost, turns = met_by_the_book(Forgetting(match), first, second)
    assert (duel.first_wins, duel.second_wins) == approx((won, lost), abs=1e-11)
    assert duel.expected_turns == approx(turns, abs=1e-9)
    assert (duel.stalemate, duel.payoff) == approx((0, won - lost), abs=1e-11)
    assert 0.01 < duel.first_wins < 0.99


@pytest.mark.parametrize(
    "name", ["bluff-match:dice=2v1,sides=2", "bluff-match:dice=2v1,sides=2,loss=difference"]
)
def test_states_that_remember_agree(name):
    """Expected keeps the rounds before in its states, so the number of actions is read off the last ones."""
    match = parse(name)
    pair = random_player(match, 3), random_player(match, 4)
    duel = duel_match(match, *pair)
    assert duel.payoff == approx(Expected(match, pair)(match.start()), abs=1e-12)
    said = Expected(match, pair, lambda state: sum(len(done.said) for done in state.past))
    assert duel.expected_turns == approx(said(match.start()), abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ACYCLIC, *RETURNING, "bluff-match:dice=2v1,sides=3,loss=give"])
def test_solved_strategies_reproduce_the_certificate(name):
    match = parse(name)
    solution = solve(match)
    lower, upper = float(solution.certificate.lower), float(solution.certificate.upper)
    asked = [
        lambda view, s=s: s(view) for s in solution.strategies
    ]  # not known as solved: asked view by view
    for pair in (solution.strategies, asked):
        duel = duel_match(match, *pair)
        assert lower - 1e-9 <= duel.payoff <= upper + 1e-9
        response = best_response_match(match, *pair)
        assert lower - 1e-9 <= response.first_payoff <= upper + 1e-9
        assert -upper - 1e-9 <= response.second_payoff <= -lower + 1e-9
        assert response.first_payoff >= duel.payoff - 1e-12
        assert response.second_payoff >= -duel.payoff - 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", ACYCLIC)
def test_best_answers_are_those_of_the_whole_tree(name):
    match = parse(name)
    first, second = random_player(match, 5), random_player(match, 6)
    response = best_response_match(match, first, second)
    tree = build_tree(match)
    assert response.first_payoff == approx(
        best_value(tree, FIRST, weights_of(tree, SECOND, second))[0], abs=1e-12
    )
    assert response.second_payoff == approx(
        best_value(tree, SECOND, weights_of(tree, FIRST, first))[0], abs=1e-12
    )
    assert play_out(tree, response.strategy[FIRST], second).first_wins == approx(
        response.first_wins, abs=1e-12
    )
    assert play_out(tree, first, response.strategy[SECOND]).second_wins == approx(
        response.second_wins, abs=1e-12
    )


@pytest.mark.parametrize("name", RETURNING)
def test_best_answers_where_standings_return(name):
    """The answers get what is said, and no round, paid with what follows and solved on its tree, gives more."""
    match = parse(name)
    pair = random_player(match, 7), random_player(match, 8)
    response = best_response_match(match, *pair)
    for player, payoff, wins in (
        (FIRST, response.first_payoff, response.first_wins),
        (SECOND, response.second_payoff, response.second_wins),
    ):
        answer, rival, sign = response.strategy[player], pair[other(player)], (1, -1)[player]
        players = (answer, rival) if player == FIRST else (rival, answer)
        chances = met_by_the_book(Forgetting(match), *players)[:2]
        assert chances[player] == approx(wins, abs=1e-10)
        assert payoff == approx(sign * (chances[0] - chances[1]), abs=1e-10)
        assert payoff >= sign * duel_match(match, *pair).payoff + 0.01
        assert duel_match(match, *players).payoff == approx(sign * payoff, abs=1e-12)
        values = {s: _from(match, s, players) for s in standings(match)}
        for standing in values:
            best = _best_round(match, standing, player, rival, values)
            assert best == approx(sign * values[standing], abs=1e-9)


def _from(match, standing, players):
    """The payoff to FIRST from a standing on."""
    game = Forgetting(match)
    start = match.start()._replace(standing=standing)

    @dataclass(frozen=True)
    class From:
        def __getattr__(self, name):
            return getattr(game, name)

        def start(self):
            return start

    won, lost, _ = met_by_the_book(From(), *players)
    return won - lost


def _best_round(match, standing, player, rival, values):
    """What the best answer gets in one round that pays these values, found on the round's tree."""
    rules, seat = match.round_of(standing), match.seat(standing, player)
    opener = 1 if standing.opener == FIRST else -1
    after = {end: match.after(standing, end) for _, end in endings(rules)}
    worth = {end: values[s] if s in values else final_payoff(match, s) for end, s in after.items()}
    chosen = {field.name: getattr(rules, field.name) for field in fields(Bluff)}
    tree = build_tree(PaidRound(**chosen, worth=lambda end: Fraction(opener * worth[end])))
    start = match.start()._replace(standing=standing)
    plan = weights_of(tree, other(seat), lambda now: rival(match.view(start, FIRST)._replace(now=now)))
    return best_value(tree, seat, plan)[0]


ENDLESS = BluffMatch((2, 2), 2, wild="ones", wild_bids=False, loss="give")  # every bid is true


def highest(view):
    """Bid all the dice, which is always true: whoever opens wins the round, and whoever lost opens the next."""
    return {Bid(4, 2): 1.0}


def test_play_that_never_ends_is_a_stalemate():
    duel = duel_match(ENDLESS, highest, highest)
    assert duel == (type(duel))(0.0, 0.0, 1.0, inf, 0.0)
    response = best_response_match(ENDLESS, highest, highest)
    assert (response.first_payoff, response.second_payoff) == (0.0, 0.0)
    assert (response.first_wins, response.second_wins) == (0.0, 0.0)


def test_play_may_end_or_not():
    """FIRST opens with a low bid three times in four and loses a die for ever, to and fro; else SECOND, with one
    die left, opens low every other time and has lost: w = (1 + w) / 8 = 1/7."""

    def opens_low(dice, share):
        def strategy(view):
            low = 0.0 if view.now.said or view.standing.dice != dice else share
            return {Bid(4, 2): 1 - low, Bid(1, 2): low} if low else highest(view)

        return strategy

    first, second = opens_low((2, 2), 0.75), opens_low((3, 1), 0.5)
    duel = duel_match(ENDLESS, first, second)
    assert (duel.first_wins, duel.second_wins) == approx((1 / 7, 0), abs=1e-12)
    assert (duel.stalemate, duel.payoff) == approx((6 / 7, 1 / 7), abs=1e-12)
    assert duel.expected_turns == inf
    assert met_by_the_book(Forgetting(ENDLESS), first, second)[:2] == approx((1 / 7, 0), abs=1e-12)


def test_answers_that_do_not_settle_are_refused(monkeypatch):
    match = parse(RETURNING[2])
    monkeypatch.setattr(match_duel, "MOST_SWEEPS", 1)
    with pytest.raises(PrecisionError, match="still gained after 1 sweeps"):
        best_response_match(match, random_player(match, 7), random_player(match, 8))


@pytest.mark.slow
def test_strategies_that_look_at_the_rounds_before_take_the_whole_tree():
    match = parse("bluff-match:dice=2v1,sides=2")
    steady = random_player(match, 9)

    def grudge(view):
        return random_player(match, len(view.past))(view) if view.past else steady(view)

    duel = duel_match(match, grudge, steady)
    assert duel.payoff == approx(Expected(match, (grudge, steady))(match.start()), abs=1e-12)
    assert duel.payoff != approx(duel_match(match, random_player(match, 0), steady).payoff, abs=1e-3)
    table = solve_sequence_form(match).strategies  # looked up by the whole view
    assert duel_match(match, *table).payoff == approx(0.9375, abs=1e-12)
    response = best_response_match(match, grudge, table[SECOND])
    assert response.first_payoff == approx(0.9375, abs=1e-12)
    assert play_out(build_tree(match), grudge, response.strategy[SECOND]).payoff == approx(
        -response.second_payoff
    )
    with pytest.raises(TooLarge, match="looks at the rounds before"):
        duel_match(parse("bluff-match:dice=2v1,sides=2,loss=give"), grudge, grudge)


def test_too_large_rounds_and_too_many_plans_are_refused_before_anyone_is_asked():
    def never(view):
        raise AssertionError(view)

    with pytest.raises(TooLarge, match=r"bluff:dice=2v2 needs 22,548,578,304 bytes"):
        duel_match(parse("bluff-match"), never, never)
    with pytest.raises(TooLarge, match=r"bluff:dice=2v2 needs 22,548,578,304 bytes"):
        best_response_match(parse("bluff-match"), never, never)
    with pytest.raises(
        TooLarge, match=r"bytes for the plans of its 6 standings, which may return; up to 2,000"
    ):
        best_response_match(parse("bluff-match:dice=3v2,sides=4,loss=give"), never, never)


def test_a_faulty_strategy_is_named():
    match = parse("bluff-match:dice=2v1,sides=2")

    class Mute:
        def __str__(self):
            return "mute"

        def __call__(self, view):
            return {}

    for call in (duel_match, best_response_match):
        with pytest.raises(StrategyError, match=r"mute at .* answered chances that sum to 0"):
            call(match, Mute(), Mute())


@pytest.mark.parametrize("name", ["bluff:dice=2v1,sides=2,spot_on=yes", "bluff:sides=3,wild_opens=no"])
def test_rows_of_weights_are_read_as_they_are_asked(name):
    """Rows that CFR found, some of them emptied, where a player calls."""
    game = parse(name)
    solution = solve(game, method="cfr", gap=0.1)
    match = BluffMatch(game.dice, game.sides, spot_on=game.spot_on, wild_opens=game.wild_opens)
    for seat, strategy in enumerate(solution.strategies):
        weights = strategy.weights.copy()
        place, rows = strategy.tree.block(BluffView((), game.bids[: 2 - seat]))
        weights[place : place + rows * strategy.tree.hands[seat]] = 0
        for rows in (strategy, replace(strategy, weights=weights)):
            read = round_at(match, match.first).plan(seat, rows)
            asked = plan_of(game, seat, lambda view, rows=rows: rows(view))
            assert read.reach == approx(asked.reach, abs=1e-12)
            assert read.ends == approx(asked.ends, abs=1e-12)


def test_answers_say_what_they_are():
    match = parse("bluff-match:dice=2v1,sides=2")
    response = best_response_match(match, random_player(match, 1), random_player(match, 2))
    assert [str(strategy) for strategy in response.strategy] == [
        "the best answer of the first player in bluff-match:dice=2v1,sides=2",
        "the best answer of the second player in bluff-match:dice=2v1,sides=2",
    ]
