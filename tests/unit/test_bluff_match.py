from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from dicewright.core.errors import IllegalAction, NotationError, PrecisionError, TooLarge
from dicewright.families import family
from dicewright.families.bluff import match_solve as matches
from dicewright.families.bluff.match import BluffMatch, Standing
from dicewright.families.bluff.match_solve import match_table, solve_match
from dicewright.families.bluff.rules import CALL, SPOT_ON, Bluff, Ending
from dicewright.families.bluff.solve import solve_bluff
from dicewright.families.catalog import parse
from dicewright.families.tree.arrays import build_tree
from dicewright.families.tree.response import best_value, weights_of
from dicewright.families.tree.solve import solve_sequence_form

CALLED, SPOTTED = Ending(0, CALL, 3, 1), Ending(0, SPOT_ON, 2, 2)  # the opener called, and was right


@pytest.mark.parametrize(
    ("fields", "end", "dice", "opener"),
    [
        ({}, CALLED, (3, 2), 1),
        ({"opens": "winner"}, CALLED, (3, 2), 0),
        ({"opens": "alternate"}, CALLED, (3, 2), 1),
        ({"loss": "difference"}, CALLED, (3, 1), 1),
        ({"loss": "give"}, CALLED, (4, 2), 1),
        ({"spot_on": True}, SPOTTED, (3, 2), 1),
        ({"spot_on": True, "reward": "regain"}, SPOTTED, (3, 2), 1),  # already at the starting number
        ({}, Ending(1, CALL, 3, 3), (3, 2), 1),  # SECOND called and was wrong
    ],
)
def test_what_follows_a_round(fields, end, dice, opener):
    match = BluffMatch((3, 3), **fields)
    assert match.after(match.first, end) == Standing(dice, opener)


def test_a_die_comes_back_and_palifico_comes_once():
    match = BluffMatch((3, 3), spot_on=True, reward="regain")
    assert match.after(Standing((2, 3)), SPOTTED).dice == (3, 2)
    match = BluffMatch((2, 2), palifico=True)
    fell = match.after(match.first, CALLED)
    assert fell == Standing((2, 1), 1, (False, True), True)
    assert match.round_of(fell) == Bluff((1, 2), wild="none", order="fixed")
    assert not match.after(Standing((2, 2), 0, (False, True)), CALLED).fixed


@pytest.mark.slow
@pytest.mark.parametrize("fields", [{"dice": (1, 2)}, {"dice": (2, 1), "opens": "winner"}])
def test_a_small_match_as_one_tree_agrees_with_the_chain(fields):
    """The theorem of families/bluff/match_solve.py: rounds solved alone and chained are a solution of the whole."""
    match = BluffMatch(sides=2, **fields)
    chain = solve_match(match)
    whole = solve_sequence_form(match)
    assert chain.certificate.exact == whole.certificate.exact is not None
    tree = build_tree(match)
    for player in (0, 1):
        against = weights_of(tree, player, chain.strategies[player])
        best = best_value(tree, 1 - player, against)[0]
        assert best == pytest.approx(chain.certificate.value * (1 if player == 1 else -1), abs=1e-9)


def test_a_small_match_with_dearer_losses_agrees_with_its_tree():
    match = BluffMatch((2, 1), 2, loss="difference", palifico=True)
    solution = solve_match(match)
    assert solution.method == "match-bottom-up"
    assert solution.certificate.exact == solve_sequence_form(match).certificate.exact


@pytest.mark.slow
@pytest.mark.parametrize("sides", [2, 3])
def test_the_case_lanctot_and_long_call_open(sides):
    """The loser gives the die: the chain's values make every round, paid with them, worth just its value."""
    match = BluffMatch((2, 1), sides, loss="give")
    solution = solve_match(match)
    assert solution.method == "match-chain"
    assert solution.certificate.exact is not None
    values = dict(solution.strategies[0].lower)
    for standing, value in values.items():
        paid = matches._solve_standing(match, standing, values).certificate.exact
        assert paid == (value if standing.opener == 0 else -value)
        assert -1 < value < 1
    rows = {(row.dice, row.opener): row.lower for row in match_table(solution)}
    assert rows[(2, 1), 1] == -rows[(1, 2), 0]  # the same standing with the players swapped


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dice", "sides", "loss", "value"),
    [
        ((2, 1), 2, "one", "15/16"),
        ((1, 2), 2, "one", "-9/16"),
        ((2, 2), 2, "one", "63/128"),
        ((2, 1), 2, "give", "13/15"),
        ((1, 2), 2, "give", "-1/15"),
        ((2, 2), 2, "give", "7/23"),
        ((2, 1), 3, "one", "163/243"),
        ((1, 2), 3, "one", "-155/243"),
        ((2, 1), 3, "give", "9/19"),
        ((1, 2), 3, "give", "-8/19"),
    ],
)
def test_match_table_of_the_docs(dice, sides, loss, value):
    assert solve_match(BluffMatch(dice, sides, loss=loss)).certificate.exact == Fraction(value)


def test_a_match_that_may_never_end_is_refused():
    """With two sides and jokers every bid is true, so openers win; if losers open, dice go to and fro."""
    match = BluffMatch((2, 2), 2, wild="ones", wild_bids=False, loss="give")
    with pytest.raises(PrecisionError, match="may never end"):
        solve_match(match)


def test_sure_rounds_are_bounded_where_standings_return():
    """The one-die round is won for sure, so the chain's proof that play ends fails; sweeps need no such proof."""
    solution = solve_match(BluffMatch((2, 1), 2, wild="ones", loss="give"))
    assert solution.method == "match-sweeps"
    assert solution.certificate.exact == 1


def test_rounds_of_a_chain_are_as_narrow_as_asked(monkeypatch):
    asked = []

    def solve(game, gap):
        asked.append(gap)
        return solve_bluff(game)

    monkeypatch.setattr(matches, "solve_bluff", solve)
    solve_match(BluffMatch((1, 1), 3), gap=1e-4)
    solve_match(BluffMatch((1, 1), 3))
    assert asked == [1e-4, 1e-3]


@pytest.mark.slow
def test_unproved_upper_bounds_are_not_called_proved(monkeypatch):
    solve = matches._solve_standing

    def doubtful(match, standing, values):
        answer = solve(match, standing, values)
        above = max(values.values()) == 1
        return replace(answer, certificate=replace(answer.certificate, proved=not above))

    monkeypatch.setattr(matches, "_solve_standing", doubtful)
    certificate = solve_match(BluffMatch((2, 2), 2, spot_on=True, reward="regain"), gap=0.3).certificate
    assert not certificate.proved
    assert "not each round proved" in certificate.method


@cache
def regained():
    return solve_match(BluffMatch((2, 2), 2, spot_on=True, reward="regain"), gap=1e-3)


@pytest.mark.slow
def test_each_player_has_the_rounds_that_secure_the_own_bound():
    solution = regained()
    match = solution.game
    one, two = (strategy.rounds[match.first].certificate for strategy in solution.strategies)
    assert one != two
    assert one.lower >= solution.certificate.lower
    assert two.upper <= solution.certificate.upper


@pytest.mark.slow
def test_alternate_openers_and_equal_dice_are_chained():
    match = BluffMatch((1, 1), 4)
    assert solve_match(match).certificate.exact == solve_bluff(Bluff(sides=4)).certificate.exact
    assert solve_match(BluffMatch((2, 2), 2, opens="alternate")).certificate.exact is not None


@pytest.mark.slow
def test_a_regained_die_is_bounded_from_both_sides():
    solution = regained()
    assert solution.method == "match-sweeps"
    assert solution.certificate.proved
    assert 0 < solution.certificate.gap <= 1e-3
    tight = Fraction("0.171535")  # a bracket of width 3e-8 found with gap=1e-6
    assert solution.certificate.lower <= tight <= solution.certificate.upper


def test_matches_are_written_round_by_round():
    match = BluffMatch((1, 2), 2)
    state = match.read_state("2 v 1,1 | 1x2 call / 2 v 1 | 1x1")
    assert state.standing == Standing((1, 1), 1)
    assert match.show_view(match.view(state, match.mover(state))).endswith("| 1x1")
    with pytest.raises(NotationError, match="only the last round"):
        match.read_state("1 v 1,1 | 1x2 / 1 v 2 | 1x1")
    with pytest.raises(NotationError, match="exactly where a player has no dice"):
        match.read_state("over")
    with pytest.raises(NotationError, match="exactly where a player has no dice"):
        match.read_state("1 v 1,1 | 3x2 call / 1 v 1 | 1x1 call / over")
    over = match.read_state("1 v 1,1 | 3x2 call / over")
    with pytest.raises(IllegalAction, match="match is over"):
        match.play(over, "call")


@pytest.mark.parametrize("rules", ["loss=difference", "palifico=yes", "spot_on=yes,reward=regain"])
def test_nobody_waits_for_a_match_whose_rounds_are_too_large_for_a_program(rules):
    """The page offered a perfect opponent that could not be made."""
    game = parse(f"bluff-match:dice=2v1,{rules}")
    assert not family(game).effort(game).quick
    with pytest.raises(TooLarge, match="the linear program of bluff:dice=2v1"):
        solve_match(game)
    assert all(
        family(small).effort(small).quick
        for small in (parse(f"bluff-match:dice=2v1,sides=3,{rules}"), parse("bluff-match:dice=2v2"))
    )
