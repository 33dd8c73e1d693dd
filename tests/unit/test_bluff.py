from fractions import Fraction
from itertools import product

import pytest

from dicewright.analysis import exact
from dicewright.core.errors import IllegalAction, NotationError, RulesError, StrategyError, TooLarge
from dicewright.families import catalog
from dicewright.families.bluff.exact import win_or_lose
from dicewright.families.bluff.plans import plan_of
from dicewright.families.bluff.rules import CALL, SPOT_ON, Bid, Bluff, BluffState, BluffView
from dicewright.families.bluff.solve import (
    best_response_bluff,
    choose_method,
    evaluate_bluff,
    solve_bluff,
    strategy_frame,
)
from dicewright.families.bluff.strategies import BLUFF, CallBelow, RandomBluff, Truthful, optimal
from dicewright.families.catalog import parse
from dicewright.storage.store import solution_of


def bids(game):
    return " ".join(map(game.show_choice, game.bids))


def test_bid_orders_are_different_games():
    assert bids(Bluff(sides=3)) == "1x1 1x2 1x3 2x1 2x2 2x3"
    assert bids(Bluff(sides=3, order="quantity")) == "1x1 2x1 1x2 2x2 1x3 2x3"
    assert bids(Bluff(dice=(2, 2), sides=2, wild="ones", order="dudo")) == "1x2 1x1 2x2 3x2 2x1 4x2 3x1 4x1"
    assert bids(Bluff(sides=3, wild="ones", wild_bids=False)) == "1x2 1x3 2x2 2x3"


def test_a_fixed_face_can_only_be_raised_in_number():
    game = Bluff(sides=3, dice=(2, 1), wild="none", order="fixed")
    assert game.actions(BluffView((), (Bid(1, 2),))) == (Bid(2, 2), Bid(3, 2), CALL)
    with pytest.raises(RulesError, match="not every higher bid"):
        win_or_lose(game)
    assert solve_bluff(Bluff(sides=3, wild="none", order="fixed")).certificate.exact is not None


def test_who_wins_a_call():
    game = Bluff(dice=(2, 1), sides=6, spot_on=True)
    hands = ((5, 6), (2,))  # two dice count as fives
    for said, payoff in (
        ((Bid(2, 5), CALL), 1.0),
        ((Bid(3, 5), CALL), -1.0),
        ((Bid(2, 5), SPOT_ON), -1.0),
        ((Bid(1, 5), SPOT_ON), 1.0),
        ((Bid(1, 5), Bid(2, 5), CALL), -1.0),
        ((Bid(1, 6), Bid(2, 6), CALL), 1.0),
    ):
        assert game.payoff(BluffState(hands, said)) == payoff


def test_hidden_dice_are_not_in_a_view():
    game = Bluff(dice=(2, 1))
    one, two = (BluffState(((1, 2), (face,)), (Bid(1, 3), Bid(1, 4))) for face in (5, 6))
    assert game.view(one, 0) == game.view(two, 0)
    assert game.show_view(game.view(one, 0)) == "1,2 | 1x3 1x4"
    assert game.show_view(game.view(one, 1)) == "5 | 1x3 1x4 /other"


def test_tables_of_a_round():
    tables = win_or_lose(Bluff(dice=(2, 1), sides=3, wild_opens=False, spot_on=True))
    assert tables.rolls == 3**3
    assert tables.ways[0].tolist() == [1, 2, 2, 1, 2, 1]  # 1,1  1,2  1,3  2,2  2,3  3,3
    assert tables.match[0][2].tolist() == [2, 1, 1] * 3  # 1,3 with threes wild
    assert tables.pays[0, 0, ::3].tolist() == [[1, -1, -1, -1], [1, 1, -1, -1], [1, 1, 1, -1]]  # FIRST calls
    assert tables.pays[1, 1, ::3].tolist() == [[1, -1, 1, 1], [1, 1, -1, 1], [1, 1, 1, -1]]  # SECOND: spot-on
    assert tables.opening.tolist() == [True, True, False] * 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bluff:dice=0v1", "0 dice in bluff; 1 to 5"),
        ("bluff:dice=6v1", "6 dice in bluff; 1 to 5"),
        ("bluff:dice=two", "dice is 'two'.*such as 2v1"),
        ("bluff:sides=11", "sides is 11.*2 to 10"),
        ("bluff:wild=sixes", "none or high or ones"),
        ("bluff:wild=none,order=dudo", "dudo"),
        ("bluff:wild=none,wild_opens=no", "say nothing"),
        ("bluff-match:loss=two", "one or difference or give"),
        ("bluff-match:reward=regain", "spot_on=yes is needed"),
        ("bluff-match:spot_on=yes,reward=regain,loss=give", "no die leaves the match"),
        ("bluff-match:dice=4v3,loss=give", "up to 6 is allowed"),
        ("liars_dice(players=3)", "games for 2"),
        ("liars_dice_ir", "forget"),
        ("liars_dice(bidding_rule=up)", "reset-face or reset-quantity"),
        ("liars_dice(numdice=x)", "whole number"),
        ("liars_dice(wild=1)", "no field 'wild'"),
    ],
)
def test_rules_that_make_no_game(text, message):
    with pytest.raises((NotationError, RulesError), match=message):
        parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5,5", "is not dice | bids"),
        ("5 | 1x3 2x5", "1 dice .* first player.* has 2"),
        ("5,5 | 2x5 1x3", "'1x3' is not allowed .* after 1 bids; allowed: 2x6, 3x1"),
        ("5,7 | 1x1 1x2", "1 to 6 is allowed"),
        ("1 | call", "'call' is not allowed"),
        ("5,5 | 1x3 spot-on", "'spot-on' is not allowed"),
        ("5 | 1x3 call 2x5", "round is over"),
    ],
)
def test_views_that_cannot_be(text, message):
    with pytest.raises(NotationError, match=message):
        Bluff(dice=(2, 1)).read_view(text)


def test_illegal_actions_are_refused():
    game = Bluff()
    state = game.read_state("5 v 1 | 1x3")
    with pytest.raises(IllegalAction, match=r"at 5 v 1 \| 1x3; allowed: 1x4"):
        game.play(state, Bid(1, 2))
    with pytest.raises(IllegalAction, match="no sorted roll"):
        game.play(game.start(), (7,))
    with pytest.raises(IllegalAction, match="nothing to decide"):
        solution_of(game).advise(game.read_view("5 | 1x3 call"))


def test_auto_names_its_method_and_why():
    assert choose_method(Bluff()) == (
        "sequence-form",
        "12 bids and 12 hands make 49,142 sequences; the linear program holds up to 700,000",
    )
    method, why = choose_method(Bluff(dice=(2, 2)))
    assert method == "cfr"
    assert "more than" in why


def test_a_game_too_large_says_the_bytes():
    game = Bluff(dice=(3, 3))
    with pytest.raises(TooLarge, match=r"needs [\d,]+ bytes .*up to 2,000,000,000 is allowed"):
        plan_of(game, 0, RandomBluff(game))
    with pytest.raises(TooLarge, match=r"needs some [\d,]+ bytes; .*cfr takes larger"):
        solve_bluff(game, "sequence-form")


@pytest.mark.parametrize(
    ("dice", "sides", "value"),
    [
        ((2, 2), 2, "7/8"),
        ((2, 1), 3, "7/27"),
        ((1, 2), 3, "-5/27"),
        pytest.param((2, 2), 3, "5/81", marks=pytest.mark.long),
        pytest.param((3, 1), 3, "29/81", marks=pytest.mark.long),
        pytest.param((2, 1), 4, "33/152", marks=pytest.mark.long),
        pytest.param((1, 2), 4, "-13/80", marks=pytest.mark.long),
    ],
)
def test_more_dice_are_solved_exactly(dice, sides, value):
    """Values found here; the bracket closed by exact best responses on the full tree is their proof."""
    assert solve_bluff(Bluff(dice, sides)).certificate.exact == Fraction(value)


@pytest.mark.slow
def test_ranges_add_up_and_show_bluffs():
    game = Bluff(sides=4)
    rows = strategy_frame(solve_bluff(game))
    for key in {(row.said, row.hand) for row in rows}:
        assert sum(row.share for row in rows if (row.said, row.hand) == key) == pytest.approx(1)
    opening = [row for row in rows if row.said == ""]
    assert any(row.holds < 1 for row in opening)  # some hand bluffs
    assert any(row.action == "call" for row in rows)


def test_advice_at_a_solved_view():
    game = Bluff()
    advice = solution_of(game).advise(game.read_view("5 |"))
    assert advice.best in advice.mix
    assert 0.5 < advice.worth[advice.best] < 1.0
    never = solution_of(game).advise(game.read_view("2 | 1x1 2x6"))
    assert never.best == CALL
    assert never.worth[CALL] == 1.0


def test_advice_where_the_solved_opponent_never_comes():
    """A slip is believed, and its maker goes on as those do who slip so: by hand, on one die each.

    With 3 against 2x1, which solved play never opens so: the bid is false whatever they hold, and 2x6 is, whatever
    they hold, no better; a raise to 2x3 lives from their not calling it.
    """
    game = Bluff()
    advice = solution_of(game).advise(game.read_view("3 | 2x1"))
    assert not advice.reached
    assert (advice.best, advice.worth[CALL]) == (CALL, 1.0)
    assert advice.worth[Bid(2, 6)] == 0.0
    assert advice.worth[Bid(2, 3)] < 0.6
    assert solution_of(game).advise(game.read_view("3 | 1x5")).reached


def test_tables_do_not_hope_for_random_play_either():
    game = Bluff(dice=(2, 2))
    advice = solution_of(game).advise(game.read_view("3,4 | 3x1"))
    assert not advice.reached
    assert advice.best == CALL
    assert advice.worth[CALL] == pytest.approx(1.0)
    assert all(found < 1 / 2 for action, found in advice.worth.items() if action != CALL)


def test_tables_with_slips_answer_them_by_actions_that_are_worth_the_same():
    game = Bluff(dice=(1, 2))
    advice = solution_of(game).advise(game.read_view("3,5 | 2x5"))
    assert not advice.reached
    mixed = [advice.worth[action] for action, share in advice.mix.items() if share > 0.01]
    assert len(mixed) == 2
    assert max(advice.worth.values()) - min(mixed) < 1e-3


def test_advice_with_a_fixed_face_comes_from_the_tree():
    game = Bluff(sides=3, wild="none", order="fixed")
    advice = solve_bluff(game).advise(game.read_view("2 | 2x1"))
    assert advice.best == CALL
    assert advice.worth == {CALL: 1.0}
    assert evaluate_bluff(game, RandomBluff(game), Truthful(game)).a_overall < 0.5
    assert best_response_bluff(game, Truthful(game)).first_payoff > 1 / 3


def test_strategies_people_play():
    game = Bluff(sides=4)
    best = optimal(game)
    assert str(best) == "optimal"
    assert [str(BLUFF["truthful"](game)), str(CallBelow(game, 0.3))] == ["truthful", "call-below:0.3"]
    assert Truthful(game)(game.read_view("2 |")) == {Bid(1, 2): 1.0}
    assert Truthful(game)(game.read_view("2 | 1x3")) == {CALL: 1.0}
    assert CallBelow(game, 0.6)(game.read_view("2 | 1x3")) == {CALL: 1.0}
    assert CallBelow(game, 0.4)(game.read_view("2 | 1x1")) == {Bid(1, 2): 1.0}
    for strategy in (Truthful(game), CallBelow(game, 0.5), RandomBluff(game)):
        met = evaluate_bluff(game, best, strategy)
        answer = best_response_bluff(game, strategy)
        assert met.a_first.payoff >= 1 / 16 - 1e-12
        assert -met.b_first.payoff >= -1 / 16 - 1e-12
        assert answer.first_payoff >= met.a_first.payoff - 1e-12
        assert answer.second_payoff >= -met.b_first.payoff - 1e-12
    with pytest.raises(RulesError, match="0 to 1"):
        CallBelow(game, 1.5)


def test_a_strategy_for_one_seat_refuses_the_other():
    game = Bluff(dice=(1, 2), sides=2)
    with pytest.raises(StrategyError, match="first seat"):
        evaluate_bluff(game, solve_bluff(game).strategies[0], RandomBluff(game))


def test_open_spiel_plays_by_the_same_rules():
    """Both trees walked side by side: the same actions in every state and the same results."""
    pyspiel = pytest.importorskip("pyspiel")
    for text in (
        "liars_dice(dice_sides=3)",
        "liars_dice(dice_sides=3,bidding_rule=reset-quantity)",
        "liars_dice(numdice=2,dice_sides=2,bidding_rule=reset-quantity)",
    ):
        game, theirs = parse(text), pyspiel.load_game(text)
        for one, two in product(game.hands(0), game.hands(1)):
            state = theirs.new_initial_state()
            for face in (*one, *two):
                state.apply_action(face - 1)
            compare(game, BluffState((one, two)), state)


def compare(game, ours, theirs):
    if game.mover(ours) < 0:
        assert theirs.is_terminal()
        assert theirs.returns()[0] == game.payoff(ours)
        return
    assert theirs.current_player() == game.mover(ours)
    words = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
    actions = game.actions(game.view(ours, game.mover(ours)))
    assert [game.show_choice(a).replace("x", "-").replace("call", "Liar") for a in actions] == list(words)
    for action, number in zip(actions, words.values(), strict=True):
        child = theirs.clone()
        child.apply_action(number)
        compare(game, game.play(ours, action), child)


def test_rounds_too_large_for_exact_answers_are_refused_before_they_are_solved(monkeypatch):
    def never(*_, **__):
        raise AssertionError("solved first")

    monkeypatch.setattr("dicewright.families.bluff.cfr.solve_cfr", never)
    game = Bluff(dice=(2, 2))
    with pytest.raises(TooLarge, match="for its plans"):
        exact.advise(game, game.read_view("5,5 |"))
    exact.check_size(game)
    with pytest.raises(TooLarge, match=r"2\^30 histories; up to 2\^24 is allowed"):
        exact.check_size(Bluff(dice=(3, 2)))
    exact.check_size(Bluff(dice=(5, 5), order="fixed"))
    exact.check_size(Bluff())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bluff", "- | 1x3"),
        ("bluff", "- |"),
        ("bluff:sides=3,order=fixed", "- | 1x3"),
        ("kuhn-poker", "start"),
        ("kuhn-poker", "J.K"),
    ],
)
def test_advice_where_nothing_is_decided_is_refused(name, text):
    game = parse(name)
    with pytest.raises(IllegalAction, match="nothing to decide at"):
        exact.advise(game, game.read_view(text))


@pytest.mark.parametrize("text", ["call-below:0.3333333333333", "call-below:0.5", "call-below:1"])
def test_chances_keep_their_digits(text):
    game = Bluff()
    strategy = catalog.strategy(text, game)
    assert str(strategy) == text
    assert catalog.strategy(str(strategy), game) == strategy


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Bluff(sides=2), "; sequence-form because 4 bids and 4 hands make 62 sequences;"),
        (Bluff(sides=2, order="fixed"), "; sequence-form because the face is fixed"),
    ],
)
def test_the_certificate_says_which_method_was_chosen_and_why(game, words):
    assert words in solve_bluff(game).certificate.method
    assert "because" not in solve_bluff(game, "sequence-form").certificate.method
