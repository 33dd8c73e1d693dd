from fractions import Fraction
from math import exp

import pytest
from tests.reference.recall import Remembering
from tests.reference.sub_game import value_by_sub_games

from dicewright.analysis.exact import advise
from dicewright.core.errors import IllegalAction, StrategyError, TooLarge
from dicewright.core.notation import build
from dicewright.families import solve
from dicewright.families.calling.cups import liars_dice_poker, liars_die, mia
from dicewright.families.calling.keep_solve import solve_keep
from dicewright.families.calling.response import best_response_calling, certify_calling, evaluate_calling
from dicewright.families.calling.rules import ACCEPT, CHALLENGE, CallingView
from dicewright.families.calling.solve import equilibrium, solve_calling
from dicewright.families.calling.solved import CallingEquilibrium
from dicewright.families.calling.strategies import CALLING, MatrixAgent, RandomCaller, TreeAgent, Truthful
from dicewright.families.catalog import parse
from dicewright.families.tree.solve import solve_sequence_form

approx = pytest.approx


@pytest.mark.parametrize("sides", range(1, 6))
@pytest.mark.parametrize("truth", ["exactly", "at-least"])
def test_one_die_agrees_with_the_whole_tree(sides, truth):
    game = liars_die(sides, truth=truth, below=truth == "exactly" and sides < 5)
    exact = solve_sequence_form(Remembering(game)).certificate.exact
    assert solve_calling(game).certificate.exact == exact


@pytest.mark.slow
def test_the_standard_die_agrees_with_the_whole_tree():
    """All of `liars-die` with calls below the roll takes 16 s; without them the value is the same."""
    exact = solve_sequence_form(Remembering(liars_die(below=False))).certificate.exact
    assert exact == Fraction(11, 30) == solve_calling(liars_die()).certificate.exact


@pytest.mark.parametrize("game", [liars_die(), liars_die(truth="at-least"), mia(3), liars_dice_poker(1)])
def test_greedy_values_are_those_of_the_linear_programs(game):
    assert solve_calling(game).certificate.exact == value_by_sub_games(game)


@pytest.mark.slow
def test_neither_the_truth_rule_nor_calls_below_the_roll_change_the_value():
    values = {
        solve_calling(mia(truth=truth, below=below)).certificate.exact
        for truth in ("exactly", "at-least")
        for below in (True, False)
    }
    assert values == {Fraction(931150421, 3147075360)}


def test_many_sides_tend_to_one_minus_two_over_e():
    wins = [float(2 * equilibrium(liars_die(sides)).wins[0] - 1) for sides in (10, 100, 300)]
    assert wins == sorted(wins, reverse=True)
    assert wins[-1] == approx(1 - 2 / exp(1), abs=0.01)


@pytest.mark.slow
def test_five_poker_dice_are_solved_exactly():
    solution = solve_calling(liars_dice_poker())
    assert solution.certificate.exact is not None
    assert solution.certificate.value == approx(0.26778847805422)


def test_the_equilibrium_mixes_and_its_mixes_sum_to_one():
    game = mia()
    strategy = solve_calling(game).strategies[0]
    views = [CallingView(c, roll=r) for c in range(-1, game.top - 1) for r in range(game.top + 1)]
    views += [CallingView(c, call=k) for c in range(-1, game.top) for k in range(c + 1, game.top + 1)]
    for view in views:
        mix = strategy.exact(view)
        assert sum(mix.values()) == 1
        assert set(mix) <= set(game.actions(view))
    assert strategy(CallingView(roll=0))[7] == approx(5 / 24)


def test_advice_gives_the_worth_of_every_call():
    game = mia()
    advice = solve_calling(game).advise(game.read_view("accepted 43, rolled 51"))
    worth = {game.show_choice(action): chance for action, chance in advice.worth.items()}
    assert worth["51"] < worth["52"] == approx(7 / 18)
    assert sum(advice.mix.values()) == approx(1)
    assert advice.mix[advice.best] > 0


def test_advice_on_a_call_weighs_acceptance_against_the_chance_of_a_lie():
    game = liars_die()
    advice = solve_calling(game).advise(game.read_view("called 5"))
    assert advice.worth == {ACCEPT: approx(1 / 6), CHALLENGE: approx(1 / 6)}
    assert solve_calling(game).advise(game.read_view("accepted 4, called 6")).best == CHALLENGE
    assert solve_calling(game).advise(game.read_view("accepted 5, rolled 2")).worth == {5: 0.0}


def test_advice_where_nothing_is_to_decide_is_refused():
    with pytest.raises(IllegalAction, match="nothing to decide at 'start'"):
        solve_calling(liars_die()).advise(CallingView())


def test_a_best_response_gets_what_it_promises():
    game = liars_die()
    for name, builder in CALLING.items():
        strategy = builder(game)
        best = best_response_calling(game, strategy)
        played = evaluate_calling(game, best.strategy, strategy)
        assert played.a_first.first_wins == approx(best.first_wins), name
        assert played.b_first.second_wins == approx(best.second_wins), name


def test_named_strategies_are_shown_as_they_are_read():
    game = liars_die()
    for text in (*CALLING, "tree:reading=pseudocode", "matrix:top=yes,worth=kept"):
        assert str(build("strategy", text, CALLING, game=game)) == text


def test_certificates_bound_the_value_with_any_strategy():
    game = liars_die()
    certificate = certify_calling(game, Truthful(game))
    assert certificate.lower < Fraction(11, 30) < certificate.upper


def test_illegal_strategies_are_refused():
    with pytest.raises(StrategyError):
        evaluate_calling(liars_die(), RandomCaller(liars_die()), lambda view: {"pass": 1.0})


def test_the_matrix_agent_refuses_tables_that_do_not_fit():
    with pytest.raises(TooLarge, match="a table of 5040 rows in liars-die:sides=8; 720 are allowed"):
        MatrixAgent(liars_die(8))(CallingView(roll=0))


def test_the_tree_agent_plays_other_calling_games():
    game = mia()
    strategy = TreeAgent(game)
    assert 0 < evaluate_calling(game, strategy, equilibrium(game)).a_overall < 0.5


@pytest.mark.parametrize(("sides", "value"), [(2, Fraction(1, 2)), (3, Fraction(116, 405))])
def test_kept_dice_are_bracketed_around_the_exact_value(sides, value):
    """116/405 is also the value of the whole tree of mia:sides=3,below=no,keep=yes (200,000 leaves)."""
    game = mia(sides, keep=True)
    certificate = solve_keep(game).certificate
    assert certificate.proved
    assert certificate.lower <= value <= certificate.upper
    assert certificate.gap < 1e-10
    assert value_by_sub_games(game) == value


@pytest.mark.parametrize("sides", [4, pytest.param(6, marks=pytest.mark.long)])
def test_kept_dice_help_the_accepter(sides):
    certificate = solve_keep(mia(sides, keep=True)).certificate
    assert certificate.proved
    assert certificate.gap < 1e-9
    assert certificate.value < solve_calling(mia(sides)).certificate.value
    if sides == 6:
        assert certificate.value == approx(0.2440942923, abs=1e-9)


def test_kept_dice_agree_with_the_whole_tree():
    game = mia(2, keep=True)
    assert solve_sequence_form(Remembering(game)).certificate.exact == Fraction(1, 2)


def test_a_solved_keep_strategy_answers_every_kind_of_view():
    game = mia(3, keep=True)
    strategy = solve_keep(game).strategies[0]
    for text in ("accepted 31, seen 33", "accepted 31, kept 3, rolled 31", "accepted 31, kept 3, called 33"):
        view = game.read_view(text)
        mix = strategy(view)
        assert set(mix) <= set(game.actions(view))
        assert sum(mix.values()) == approx(1)


@pytest.mark.parametrize(
    "name", ["mia", "mia:sides=3", "liars-die", "liars-die:sides=9", "mia:keep=yes,sides=3"]
)
def test_the_top_call_is_always_challenged(name):
    """Whoever accepts it has lost; challenging wins where it is a lie, and the bounds are as narrow as ever."""
    game = parse(name)
    solution = solve(game)
    assert solution.certificate.proved
    assert solution.certificate.gap < 1e-9
    top = game.show_choice(game.top)
    view = game.read_view(f"called {top}")
    advice = advise(game, view, solution)
    assert advice.best == CHALLENGE
    assert advice.mix == {ACCEPT: 0.0, CHALLENGE: 1.0}
    assert advice.worth[ACCEPT] == 0.0
    assert advice.worth[CHALLENGE] >= 0.0


@pytest.mark.parametrize("rest", [Fraction(0), Fraction(1, 10), Fraction(1, 4)])
@pytest.mark.parametrize("marginal", range(4))
def test_every_mix_of_written_numbers_is_a_mix(marginal, rest):
    """Also of numbers that no solver found: a lie that is the roll itself adds to the truth."""
    game = liars_die(4)
    wins = tuple(Fraction(n, 20) for n in (3, 3, 3, 5, 0))
    player = CallingEquilibrium(game, wins, marginal, rest)
    for accepted in range(-1, 3):
        for roll in range(4):
            assert sum(player.exact(CallingView(accepted, roll)).values()) == 1
