from fractions import Fraction

import numpy as np
import pytest

from dicewright.core.errors import IllegalAction, NotationError, RulesError, TooLarge
from dicewright.families.bluff.rules import Bluff
from dicewright.families.catalog import parse
from dicewright.families.race.named import pig
from dicewright.families.tree import basis, program
from dicewright.families.tree.arrays import build_tree
from dicewright.families.tree.classics import KuhnPoker, kuhn_poker, rock_paper_scissors, textbook_tree
from dicewright.families.tree.response import are_legal, bracket, evaluate_tree
from dicewright.families.tree.solve import rounded, solve_sequence_form, tree_program


def test_games_too_large_or_without_end_are_refused():
    with pytest.raises(TooLarge, match="more than 1000 states"):
        build_tree(Bluff(), most_states=1000)
    with pytest.raises(RulesError, match="play returns to it"):
        build_tree(pig())


def test_players_who_forget_are_refused():
    class Lapse(KuhnPoker):
        def view(self, state, player):
            return super().view(state, player)[:2]

    with pytest.raises(RulesError, match="no perfect recall"):
        build_tree(Lapse("lapse"))


def test_rounded_weights_are_legal_and_bracket_the_value(monkeypatch):
    """Where the basis gives no fractions, the bracket is still a theorem."""
    monkeypatch.setattr(basis, "MOST_BITS", 0)
    monkeypatch.setattr(basis, "SMALL", 0)
    certificate = solve_sequence_form(kuhn_poker()).certificate
    assert certificate.proved
    assert "no fractions" in certificate.method
    assert certificate.lower <= Fraction(-1, 18) <= certificate.upper
    assert certificate.gap < 1e-9


def test_illegal_weights_prove_nothing():
    tree = build_tree(rock_paper_scissors())
    good = np.array([Fraction(n) for n in ("1", "1/2", "1/2", "0")], object)
    bad = np.array([Fraction(n) for n in ("1", "1/2", "1/2", "1/2")], object)
    assert are_legal(tree.sides[0], good)
    assert not are_legal(tree.sides[0], bad)
    assert bracket(tree, good, good, "test").proved
    assert not bracket(tree, good, bad, "test").proved
    assert bracket(tree, good, good, "test").lower == Fraction(-1, 2)
    assert are_legal(tree.sides[0], rounded(tree.sides[0], np.array([1.0, 0.3, 0.3, -1e-12])))


def test_one_solve_gives_both_strategies():
    answer = program.Search(tree_program(build_tree(textbook_tree()))).choice()
    assert answer.exact
    assert {Fraction(2, 3), Fraction(1, 3)} <= set(answer.weights)
    assert {Fraction(5, 6), Fraction(5, 9)} <= set(answer.beliefs[0])


def test_bluff_as_a_tree_counts_its_turns():
    game = Bluff(sides=2)
    bold = evaluate_tree(game, *[lambda view: {game.actions(view)[-1]: 1.0}] * 2)
    assert bold.a_first.expected_turns == 2
    assert bold.a_first.first_wins == pytest.approx(1 / 4)  # two twos bid, and called


def test_classics_are_in_the_catalog():
    game = parse("kuhn-poker")
    assert game == kuhn_poker()
    state = game.read_state("J.K.check.bet")
    assert game.show_state(state) == "J.K.check.bet"
    assert game.show_view(game.view(state, 0)) == "J.?.check.bet"
    assert game.read_view("J.?.check.bet") == game.view(state, 0)
    assert game.read_state("start") == ()
    with pytest.raises(IllegalAction, match="allowed: fold, call"):
        game.play(state, "check")
    with pytest.raises(NotationError, match="no move"):
        game.read_choice("raise")
