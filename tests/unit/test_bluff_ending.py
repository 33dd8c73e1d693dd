"""One more way to end a round of Bluff is a row of its rules and a row of its words; everything else follows."""

from fractions import Fraction
from math import sqrt

import pytest

import dicewright as dw
from dicewright.core.errors import VerificationError
from dicewright.core.game import FIRST
from dicewright.families import family
from dicewright.families.bluff.cfr import solve_cfr
from dicewright.families.bluff.rules import CALL, ENDINGS, SPOT_ON, Bid, BluffState, BluffView, EndRule
from dicewright.families.bluff.words import END_WORDS, EndWords
from dicewright.families.told import Listener
from dicewright.families.tree.arrays import build_tree
from dicewright.families.tree.response import advise_tree, best_response_tree, evaluate_tree
from dicewright.families.tree.solution import Expected
from dicewright.families.tree.solve import solve_sequence_form
from dicewright.storage import solution_file, store

NEAR = "near-miss"
ROUND = "bluff:dice=2v1,sides=2,spot_on=yes"
CLOSE = 1e-9


@pytest.fixture(autouse=True)
def near_miss(monkeypatch, tmp_path):
    """Who says near miss wins if the bid is off by one, up or down; in a match that is for two dice."""
    rule = EndRule("n", lambda game: game.spot_on, lambda found, bid: abs(found - bid) == 1, costs=2)
    said = EndWords(
        "say near miss", "saying near-miss", "Or you say “near miss”: {win} if it is off by one; else {lose}."
    )
    monkeypatch.setitem(ENDINGS, NEAR, rule)
    monkeypatch.setitem(END_WORDS, NEAR, said)
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "store"))


@pytest.fixture
def game():
    return dw.game(ROUND)


def views(game, most):
    """Views in which a player has a choice, in the order of a walk."""
    waiting, found = [game.start()], {}
    while waiting and len(found) < most:
        state = waiting.pop(0)
        mover = game.mover(state)
        if mover == -2:
            continue
        if mover >= 0:
            found[game.view(state, mover)] = state
        choices = game.outcomes(state) if mover < 0 else game.actions(game.view(state, mover))
        waiting += [game.play(state, choice) for choice in choices]
    return found


def test_it_is_offered_where_its_rule_allows(game):
    bid = (Bid(2, 1),)
    assert game.actions(BluffView((), bid))[-3:] == (CALL, SPOT_ON, NEAR)
    assert NEAR not in dw.game("bluff:dice=2v1,sides=2").actions(BluffView((), bid))
    for hands, payoff in ((((1, 2), (1,)), -1.0), (((1, 1), (2,)), -1.0)):  # twos are wild: three ones
        assert game.payoff(BluffState(hands, (*bid, NEAR))) == payoff
        assert game.payoff(BluffState(hands, (Bid(1, 2), NEAR))) == 1.0  # one two, as was bid
    assert game.read_state("1,2 v 1 | 2x1 near-miss").said == (*bid, NEAR)


def test_both_solvers_find_what_the_seven_questions_say(game, monkeypatch):
    whole = solve_sequence_form(game).certificate.exact
    assert dw.solve(game, fresh=True).certificate.exact == whole
    bounds = solve_cfr(game, 1e-4).certificate
    assert bounds.lower <= whole <= bounds.upper
    monkeypatch.delitem(ENDINGS, NEAR)
    assert solve_sequence_form(game).certificate.exact == Fraction(1, 4) != whole


@pytest.mark.parametrize("method", ["sequence-form", "cfr"])
def test_solved_play_is_met_answered_and_advised_as_on_the_tree(game, method):
    solution = dw.solve(game, method=method, fresh=True)
    tree, far = build_tree(game), CLOSE + solution.certificate.gap
    met, plain = dw.evaluate(game, solution, solution), evaluate_tree(game, solution, solution)
    assert met.a_first.payoff == pytest.approx(plain.a_first.payoff, abs=CLOSE)
    assert met.a_first.payoff == pytest.approx(solution.certificate.value, abs=far)
    assert dw.nash_conv(game, solution) <= far
    worth = Expected(game, solution.strategies)
    for view, state in views(game, 40).items():
        assert solution.worth(state) == pytest.approx(worth(state), abs=CLOSE)
        advice = solution.advise(view)
        assert list(advice.worth) == list(game.actions(view))
        if advice.reached:
            found = advise_tree(tree, solution.strategies, view).worth
            assert solution._advise(view).worth == pytest.approx(
                found, abs=CLOSE
            )  # before they agree with the mix


def test_a_rule_of_thumb_is_answered_and_simulated_as_on_the_tree(game):
    random = dw.strategy("random", game)
    found, plain = dw.best_response(game, random), best_response_tree(game, random)
    assert (found.first_payoff, found.second_payoff) == pytest.approx(
        (plain.first_payoff, plain.second_payoff), abs=CLOSE
    )
    exact = evaluate_tree(game, random, random).a_first.payoff
    assert dw.evaluate(game, random, random).a_first.payoff == pytest.approx(exact, abs=CLOSE)
    series = dw.simulate(game, random, random, games=20_000, seed=15).a_first
    assert abs(series.payoff / series.games - exact) <= 5 / sqrt(series.games)


def test_it_is_told(game):
    kin, bid = family(game), (Bid(2, 1),)
    assert "Or you say “near miss”: you win if it is off by one; else you lose." in family(game).rules(game)
    assert (kin.say(game, NEAR), kin.doing(game, NEAR), kin.keys["n"]) == (
        "near miss",
        "saying near-miss",
        NEAR,
    )
    before = BluffState(((1, 2), (1,)), bid)
    lines = kin.tell(game, Listener(FIRST, "optimal"), before, NEAR, game.play(before, NEAR))
    assert lines[0] == "Optimal says near miss."
    assert kin.decision(game, game.view(before, 1), NEAR) == "saying near miss to two ones with a one"
    assert kin.scene(game, before, NEAR, game.play(before, NEAR))["end"]["winner"] == "second"
    eyes = [1, 2, 3]
    assert kin.uncover(game, eyes, before, NEAR)


@pytest.mark.parametrize("method", ["sequence-form", "cfr"])
def test_a_solution_is_saved_verified_and_read(game, method, tmp_path):
    path, solution = tmp_path / "round.npz", dw.solve(game, method=method, fresh=True)
    dw.save(path, solution)
    read = dw.load(path)
    assert dw.verify(path).proved
    assert read.certificate.gap <= solution.certificate.gap + 0.02  # rows are rounded
    view = BluffView((1, 2), (Bid(1, 1), Bid(2, 1)))
    assert set(read.advise(view).worth) >= {CALL, SPOT_ON, NEAR}
    header = solution_file.read_header(path)
    solution_file.read(path, family(game).form(game, header).types(header), 10**7)
    assert header["game"] == ROUND


def test_a_file_from_before_the_row_is_refused_for_rounds_that_have_it(game, tmp_path, monkeypatch):
    path = tmp_path / "round.npz"
    with monkeypatch.context() as without:
        without.delitem(ENDINGS, NEAR)
        dw.save(path, dw.solve(game, fresh=True))
        assert dw.verify(path).exact == Fraction(1, 4)
    with pytest.raises(VerificationError):
        dw.verify(path)


@pytest.mark.parametrize("name", [ROUND, "bluff-match:dice=2v1,sides=2,spot_on=yes"])
def test_what_was_kept_before_the_row_is_not_told_of_rounds_that_have_it(name, monkeypatch):
    """The store knows a game by its name: what its header says of endings must agree, even for a value alone."""
    with monkeypatch.context() as without:
        without.delitem(ENDINGS, NEAR)
        before = str(dw.solve(name).certificate.exact)
        assert store.header_of(dw.game(name))["exact"] == before
    after = store.header_of(dw.game(name))["exact"]
    assert after != before
    assert store.header_of(dw.game(name))["exact"] == after  # kept, and known by its endings
    with monkeypatch.context() as without:
        without.delitem(ENDINGS, NEAR)
        assert store.header_of(dw.game(name))["exact"] == before


def test_what_is_shipped_is_not_told_of_rounds_with_another_ending(monkeypatch):
    monkeypatch.setitem(ENDINGS, NEAR, ENDINGS[NEAR]._replace(allowed=lambda game: True))
    assert store.find(dw.game("bluff")) is None
    monkeypatch.delitem(ENDINGS, NEAR)
    assert store.find(dw.game("bluff")).source == "shipped"


def test_a_match_costs_what_the_row_says(tmp_path):
    match = dw.game("bluff-match:dice=2v1,sides=2,spot_on=yes")
    solution = dw.solve(match, fresh=True)
    assert solution.method == "match-bottom-up"  # what follows a round is no longer only who won it
    met = dw.evaluate(match, solution, solution)
    assert met.a_first.payoff == pytest.approx(float(solution.certificate.exact), abs=CLOSE)
    assert dw.nash_conv(match, solution) == pytest.approx(0.0, abs=CLOSE)
    assert solution.certificate.exact != Fraction(1, 4)
    dw.save(tmp_path / "match.npz", solution)
    assert dw.verify(tmp_path / "match.npz").exact == solution.certificate.exact
    state = match.read_state("1,1 v 1 | 2x1 near-miss / over")
    assert state.standing.dice == (0, 1)  # three ones: SECOND was right, and FIRST's two dice are gone


def test_an_ending_of_later_rounds_alone_keeps_a_match_from_being_chained(monkeypatch):
    """What follows a round must depend on who won it in all rounds, not in the first only."""
    monkeypatch.setitem(
        ENDINGS, NEAR, ENDINGS[NEAR]._replace(allowed=lambda game: game.spot_on and game.dice != (2, 2))
    )
    match = dw.game("bluff-match:dice=2v2,sides=2,spot_on=yes")
    solution = dw.solve(match, fresh=True)
    assert solution.method != "match-chain"
    assert dw.nash_conv(match, solution) == pytest.approx(0.0, abs=CLOSE)
