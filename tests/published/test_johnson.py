"""T. Johnson, "Dynamic Programming for Liar's Dice", Rhodes University 2006. Face f is rank f - 1."""

from fractions import Fraction

import pytest
from tests.reference.play_out import payoff_by_the_book

from dicewright.families.calling.cups import liars_die
from dicewright.families.calling.rules import ACCEPT, CHALLENGE, NOTHING, CallingView
from dicewright.families.calling.solve import solve_calling
from dicewright.families.calling.strategies import MatrixAgent, TreeAgent
from dicewright.reproduce import johnson_agents as johnson

GAME = liars_die()
TREES = [TreeAgent(GAME, "equations"), TreeAgent(GAME, "pseudocode")]
FIVE, SIX = 4, 5
approx = pytest.approx


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.reading)
def test_the_accept_five_tree(tree):
    """Section 3.3.1.1.1, figures 2 to 5: a six is always challenged; only rolling it wins."""
    assert tree.lies[SIX] == approx(5 / 6)
    assert tree.challenge(SIX, root=0) == 1
    assert [tree.calls(FIVE, roll) for roll in range(6)] == [{SIX: 0.0}] * 5 + [{SIX: 1.0}]
    assert tree.roots[FIVE] == approx(1 / 6)


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.reading)
def test_a_six_is_challenged(tree):
    """Section 3.3.1.1.2: accepting weighs 0, challenging 5/36."""
    assert tree.answers(SIX) == (0, approx(5 / 36))
    assert tree(CallingView(FIVE, call=SIX)) == {CHALLENGE: 1.0}


def test_the_accept_four_tree_uses_the_accept_five_root():
    """Figure 6, with equations 1 and 2 worked by hand at 1/6."""
    challenge = (4 / 5) / (4 / 5 + 1 / 6)
    equations, pseudocode = (tree.calls(3, 4)[FIVE] for tree in TREES)
    assert equations == approx(challenge + 5 / 6 * (1 - challenge))
    assert pseudocode == approx(challenge + 1 / 6 * 5 / 6)
    assert TREES[0].roots[3] == approx(443 / 1044)


def test_both_readings_of_the_tree_differ_in_one_call():
    """They call alike, but for a one rolled at the start: truth by the equations, four by the pseudocode."""
    views = [CallingView(c, roll=r) for c in range(NOTHING, FIVE) for r in range(6)]
    views += [CallingView(c, call=k) for c in range(NOTHING, FIVE) for k in range(c + 1, 6)]
    one, two = TREES
    assert [view for view in views if one(view) != two(view)] == [CallingView(NOTHING, roll=0)]
    assert [one(CallingView(call=k)) for k in range(6)] == [{ACCEPT: 1.0}] * 4 + [{CHALLENGE: 1.0}] * 2


def test_the_number_of_call_strategies():
    """Section 4.2: 720 in the first implementation, 120 once a six is never a lie."""
    assert len(MatrixAgent(GAME, top=True).rows(NOTHING)) == 720
    assert len(MatrixAgent(GAME).rows(NOTHING)) == 120


def test_the_poster_after_accepting_four():
    agent = MatrixAgent(GAME)
    row, worth = (4, 4, 4, 4, 4, 5), {FIVE: agent.choices[FIVE].worth}
    assert agent.rows(3) == [row]
    assert worth[FIVE] == Fraction(5, 6)
    assert agent.entry(row, frozenset({FIVE}), worth) == Fraction(31, 36) == approx(0.8611111111)
    assert agent.entry(row, frozenset(), worth) == Fraction(1, 3) == approx(0.3333333333)


def test_the_poster_after_accepting_three():
    """Every printed number is an entry of the table, but beside other strategies than printed.

    The rows 4445, 4455, 5545, 5555 (the calls of rolls 1 to 4) are printed with two numbers each under
    "0 0" and "0 1" (four and five challenged; five accepted). Of these only 4445 under "0 1" is in place.
    """
    agent = MatrixAgent(GAME)
    worth = {FIVE: Fraction(5, 6)}
    columns = [frozenset(), frozenset({FIVE})]
    table = {row: [agent.entry(row, column, worth) for column in columns] for row in agent.rows(2)}
    printed = [17, 16, 27, 12, 21, 18, 22, 26]
    assert {Fraction(number, 36) for number in printed} <= {entry for row in table.values() for entry in row}
    assert table[3, 3, 3, 4, 4, 5] == [Fraction(12, 36), Fraction(16, 36)]
    assert table[3, 3, 4, 4, 4, 5] == [Fraction(12, 36), Fraction(21, 36)]
    assert table[4, 4, 3, 4, 4, 5] == [Fraction(12, 36), Fraction(26, 36)]
    assert table[4, 4, 4, 4, 4, 5] == [Fraction(12, 36), Fraction(31, 36)]


def test_figure_8():
    """Two lies or truths challenged, three and four called four and accepted."""
    agent = MatrixAgent(GAME)
    worth = {call: agent.choices[call].worth for call in range(FIVE + 1)}
    entry = agent.entry((1, 1, 3, 3, 4, 5), frozenset({3}), worth)
    assert entry == (0 + 1 + 2 * worth[3] + 1 + 1) / 6


def test_the_matrix_agent_is_set_up():
    """It took the thesis ten hours, then seven (section 4.2)."""
    assert set(MatrixAgent(GAME).choices) == set(range(NOTHING, SIX))


def test_printed_totals():
    """Tables 1 to 4, last columns."""

    def wins(table):
        return {player: each.wins for player, each in johnson.totals(table).items()}

    assert wins(1) == {"matrix": 4022, "tree": 5978}
    assert wins(2) == {"player one": 64, "player two": 56}
    assert wins(3) == {"matrix": 64, "human": 56}
    assert wins(4) == {"tree": 51, "human": 69}


def test_table_1_beside_the_exact_chances():
    """Tree first agrees with the literal reading, matrix first does not."""
    tree, matrix = TreeAgent(GAME), MatrixAgent(GAME)
    tree_first, matrix_first = johnson.table_1(GAME, tree, matrix)
    assert 2 * tree_first.chance - 1 == approx(payoff_by_the_book(GAME, tree, matrix))
    assert 2 * matrix_first.chance - 1 == approx(payoff_by_the_book(GAME, matrix, tree))
    assert tree_first.chance == approx(0.744915, abs=1e-6)
    assert tree_first.consistent
    assert matrix_first.chance == approx(0.610649, abs=1e-6)
    assert not matrix_first.consistent
    assert matrix_first.p_value < 1e-20


def test_no_reading_of_the_text_explains_both_columns_of_table_1():
    verdicts = johnson.readings(GAME)
    assert len(verdicts) == 16
    assert [sum(each.consistent for each in pair) for pair in verdicts.values()].count(1) == 3
    assert not any(all(each.consistent for each in pair) for pair in verdicts.values())


def test_people_did_not_play_enough_to_tell():
    """Tables 2 to 4: only tree against people, people first, is not an even game at 5 %."""
    uneven = [result for result, each in johnson.starters().items() if each.p_even < 0.05]
    assert uneven[2:] == [johnson.Published(4, "human", "tree", 42, 60)]
    assert johnson.better_against_people() == approx(0.1208, abs=1e-4)
    assert all(each.wilson[0] < each.share < each.wilson[1] for each in johnson.starters().values())
    low, high = johnson.started(2).clopper_pearson
    assert low < 0.5 < high < 41 / 60


def test_what_each_player_loses():
    known = johnson.players(GAME)
    lost = {name: johnson.exploitability(GAME, player).payoff for name, player in known.items()}
    assert lost["equilibrium"] == approx(0, abs=1e-12)
    assert lost["tree"] == approx(1 / 4)
    assert lost["matrix"] == approx(0.215455, abs=1e-6)
    assert lost["truthful"] == approx(25 / 54)
    assert lost["random"] == approx(0.768519, abs=1e-6)


def test_nobody_beats_the_equilibrium():
    duels = johnson.head_to_head(GAME)
    value = solve_calling(GAME).certificate.value
    for (a, b), duel in duels.items():
        assert duel.a_first.first_wins == approx(duels[b, a].b_first.first_wins)
        if a == "equilibrium":
            assert duel.a_first.payoff >= value - 1e-12
            assert duel.a_overall >= 0.5 - 1e-12
