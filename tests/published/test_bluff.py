"""Published figures of Bluff: Lanctot & Long, "Solving Bluff" (AAAI 2007 workshop), and T. D. Ahle's tables.

Values are payoffs to the first bidder. Equilibria are not unique, so printed strategies are judged by their
value against exact best responses; the weights of the paper are rounded to six places.
"""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from dicewright.families.bluff.exact import best_reply, is_legal, win_or_lose
from dicewright.families.bluff.rules import Bluff
from dicewright.families.bluff.solve import choose_method, solve_bluff
from dicewright.families.tree.arrays import build_tree
from dicewright.families.tree.classics import kuhn_poker, rock_paper_scissors, textbook_tree
from dicewright.families.tree.response import best_value, weights_of
from dicewright.families.tree.solve import solve_sequence_form
from dicewright.reproduce.lanctot_long import TABLE_1
from dicewright.reproduce.printed_bluff import D2, D2_CHECK, D6, UNIT, completed, entries, plan, unprinted


@pytest.mark.parametrize(
    ("sides", "value"), [(2, "1/2"), (3, "1/9"), (4, "1/16"), (5, "1/125"), (6, "-7/258")]
)
def test_one_die_each(sides, value):
    """Table 3, rows "!ch": 0.5, 0.11111, 0.0625, 0.008, -0.027132."""
    certificate = solve_bluff(Bluff(sides=sides)).certificate
    assert certificate.exact == Fraction(value)


@pytest.mark.parametrize("sides", [2, 3, 4, 5, 6])
def test_spot_on_makes_the_round_fair(sides):
    """Table 3, rows "ch": 0 for two to six sides."""
    assert solve_bluff(Bluff(sides=sides, spot_on=True)).certificate.exact == 0


@pytest.mark.parametrize(("sides", "value"), [(2, "0"), (3, "-1/9"), (4, "-1/8"), (5, "-3/25"), (6, "-1/9")])
def test_no_wild_face(sides, value):
    """T. D. Ahle, "snyd", README table 1v1 without a wild face."""
    assert solve_bluff(Bluff(sides=sides, wild="none")).certificate.exact == Fraction(value)


@pytest.mark.parametrize(("sides", "value"), [(2, "1"), (3, "1/3"), (4, "0"), (5, "0"), (6, "-7/327")])
def test_ones_are_jokers(sides, value):
    """T. D. Ahle, "snyd", README table 1v1 with joker: ones wild and never bid."""
    game = Bluff(sides=sides, wild="ones", wild_bids=False)
    assert solve_bluff(game).certificate.exact == Fraction(value)


def test_sizes_of_the_full_game():
    """FACTS: (H1 + H2) 2^(B-1) information sets, (H1 + H2)(2^B - 1) + 2 sequences, H1 H2 (2^B - 1) leaves.

    The paper's text counts b (2^b - 1) = 49,140 leaves, which leaves out the other player's die.
    """
    tree = build_tree(Bluff(sides=4))
    hands, nodes = 4, 2**8
    assert sum(len(side.views) for side in tree.sides) == 2 * hands * nodes // 2
    assert sum(side.sequences for side in tree.sides) == 2 * hands * (nodes - 1) + 2
    assert len(tree.leaf_chances) == hands * hands * (nodes - 1)
    assert "49,142 sequences" in choose_method(Bluff(sides=6))[1]


@pytest.mark.parametrize(
    ("game", "texts", "value"),
    [
        (Bluff(sides=2), D2, Fraction(1, 2)),
        (Bluff(sides=2, spot_on=True), D2_CHECK, Fraction(0)),
    ],
    ids=["without check", "with check"],
)
def test_printed_strategies_for_two_sides_are_exactly_optimal(game, texts, value):
    """The listings "!ch, df=2" and "ch, df=2": legal, and each secures the value exactly."""
    table = win_or_lose(game)
    one, two = (plan(game, player, text) for player, text in enumerate(texts))
    assert is_legal(table, 0, one)
    assert is_legal(table, 1, two)
    assert -best_reply(table, 1, one).value == value.numerator / fmpq(value.denominator)
    assert best_reply(table, 0, two).value == value.numerator / fmpq(value.denominator)


@pytest.mark.parametrize("player", [0, 1])
def test_printed_weights_for_six_sides_are_whole_516ths_and_one_is_missing(player):
    """The listing "!ch, df=6": weights of a view add up to 1 but for Y2cm, which the others fix at 269/516."""
    for _, _, weight in entries(D6[player]):
        assert abs(round(float(weight) * UNIT) / UNIT - float(weight)) < 1e-6
    assert unprinted(player, D6[player]) == ({(1 << 2, 1): 269} if player else {})


@pytest.mark.parametrize("player", [0, 1])
def test_printed_weights_for_six_sides_are_part_of_an_optimal_strategy(player):
    """The listing "!ch, df=6" (bids after the second one are not printed): completed best, it secures -7/258."""
    assert completed(player) == Fraction(-7, 258)


def test_rock_paper_scissors():
    """Figure 2: the only equilibrium is uniform."""
    solution = solve_sequence_form(rock_paper_scissors())
    assert solution.certificate.exact == 0
    assert solution.strategies[0].exact(()) == dict.fromkeys(("rock", "paper", "scissors"), Fraction(1, 3))


def test_normal_form_of_the_textbook_tree():
    """Table 1: all eight by four entries."""
    tree = build_tree(textbook_tree())

    actions = textbook_tree().actions

    def pure(words):
        return lambda view: {next(word for word in actions(view) if word in words): 1.0}

    for row, printed in TABLE_1.items():
        for column, entry in zip(("ps", "pt", "qs", "qt"), printed, strict=True):
            one, two = weights_of(tree, 0, pure(row)), weights_of(tree, 1, pure(column))
            worth = np.array(tree.leaf_worth, float)
            assert (one[tree.leaf_sequences[0]] * two[tree.leaf_sequences[1]] * worth).sum() == entry


def test_textbook_tree_has_a_mixed_solution():
    """Table 1 as a matrix game: 13; r, L with 2/3, c with 1/3 against q with 1/6, s with 5/9."""
    solution = solve_sequence_form(textbook_tree())
    assert solution.certificate.exact == 13
    one, two = solution.strategies
    assert one.exact(("left",)) == {"r": 1}
    assert one.exact(("left", "r", "?")) == {"L": Fraction(2, 3), "R": Fraction(1, 3)}
    assert one.exact(("right", "?")) == {"c": Fraction(1, 3), "d": Fraction(2, 3)}
    assert two.exact(("left", "r")) == {"p": Fraction(5, 6), "q": Fraction(1, 6)}
    assert two.exact(("right",)) == {"s": Fraction(5, 9), "t": Fraction(4, 9)}


def test_kuhn_poker():
    """Kuhn 1950: -1/18 to the first player, who bets a jack a third as often as a king."""
    solution = solve_sequence_form(kuhn_poker())
    assert solution.certificate.exact == Fraction(-1, 18)
    first = solution.strategies[0]
    jack, king = (first.exact((card, "?")).get("bet", 0) for card in "JK")
    assert king == 3 * jack
    tree = build_tree(kuhn_poker())
    assert best_value(tree, 1, weights_of(tree, 0, first))[0] == pytest.approx(1 / 18)
