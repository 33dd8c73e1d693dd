"""Of all optimal strategies of a calling game one that wins most against people, and believes what supports it."""

from fractions import Fraction
from pathlib import Path

import pytest

import dicewright as dw
from dicewright.core.errors import IllegalAction
from dicewright.core.strategy import decide
from dicewright.families import solve
from dicewright.families.calling.people import population
from dicewright.families.calling.response import certify_calling, evaluate_calling
from dicewright.families.calling.rules import ACCEPT, CHALLENGE, NOTHING, CallingView
from dicewright.families.calling.solve import MOST_REFINED, equilibrium
from dicewright.families.calling.solved import CallingEquilibrium
from dicewright.families.calling.support import lost
from dicewright.families.calling.table import CallingTable
from dicewright.families.catalog import parse

FIXTURES = Path(__file__).parent.parent / "fixtures"
KEPT = "mia:sides=3,keep=yes"
ROUNDED = 1e-12

# the winning chance, a coin deciding who starts: of the closed form, and of what is chosen
WINS = {
    "liars-die": {
        "random": (0.77496, 0.77496),
        "truthful": (0.54104, 0.54035),
        "tree": (0.51357, 0.51836),
        "matrix": (0.51300, 0.51458),
    },
    "mia": {"random": (0.72203, 0.72327), "truthful": (0.57811, 0.58491), "tree": (0.55048, 0.56968)},
}


def cups(game):
    """Every accepted call with every choice of kept dice."""
    yield NOTHING, ""
    for accepted in range(game.top):
        for kept in game.holdings if game.keep else ("",):
            yield accepted, kept


def views(game):
    """Every view in which somebody decides something."""
    for accepted, kept in cups(game):
        rolls = game.rolls(kept)
        for roll in rolls:
            yield CallingView(accepted, roll, kept=kept)
        for call in range(min(game.lowest_call(accepted, roll) for roll in rolls), game.top + 1):
            yield CallingView(accepted, call=call, kept=kept)
    for accepted in range(game.top) if game.keep else ():
        for seen in range(game.top + 1):
            yield CallingView(accepted, seen=seen)


@pytest.mark.parametrize("name", ["liars-die", "liars-die:truth=at-least,below=no", "mia", KEPT])
def test_no_action_of_the_mix_loses_in_any_view(name):
    game = parse(name)
    solution = solve(game)
    gap = solution.certificate.gap / 2 + (0 if solution.certificate.exact is not None else ROUNDED)
    count = 0
    for view in views(game):
        advice = solution.advise(view)
        taken = [worth for action, worth in advice.worth.items() if advice.mix[action] > 0]
        assert min(taken) >= max(advice.worth.values()) - gap - 1e-15, game.show_view(view)
        assert advice.mix[advice.best] > 0
        count += 1
    assert count > 40


@pytest.mark.parametrize(("name", "value"), [("liars-die", "11/30"), ("mia", "931150421/3147075360")])
def test_the_chosen_strategy_is_optimal_in_fractions(name, value):
    solution = solve(parse(name))
    assert isinstance(solution.solved, CallingTable)
    assert solution.certificate.exact == Fraction(value)
    assert certify_calling(solution.game, solution.solved).exact == Fraction(value)
    assert lost(solution.game, solution.solved, solution.beliefs) == 0


def test_kept_dice_are_supported_within_rounding():
    solution = solve(parse(KEPT))
    assert solution.certificate.gap < 1e-14
    assert lost(solution.game, solution.solved, solution.beliefs) < Fraction(1, 10**13)


@pytest.mark.parametrize("name", ["liars-die", "mia", KEPT])
def test_where_a_perfect_caller_never_comes_worths_rest_on_the_belief(name):
    game = parse(name)
    solution = solve(game)
    strays = 0
    for view in views(game):
        if view.call is None:
            assert solution.advise(view).reached
            continue
        made = [
            solution.solved.mix(CallingView(view.accepted, roll, kept=view.kept)).get(view.call, 0)
            for roll in game.rolls(view.kept)
        ]
        advice = solution.advise(view)
        assert advice.reached == any(made)
        if advice.reached:
            continue
        strays += 1
        shares = {
            roll: float(solution.beliefs[view.accepted, view.kept, roll].get(view.call, 0))
            for roll in game.rolls(view.kept)
        }
        true = sum(share for roll, share in shares.items() if game.true(roll, view.call))
        assert advice.worth[CHALLENGE] == pytest.approx(1 - true / sum(shares.values()))
        held = sum(share * solution.solved.lifted(view.call, roll) for roll, share in shares.items())
        assert advice.worth[ACCEPT] == pytest.approx(float(held) / sum(shares.values()))
    assert strays


@pytest.mark.parametrize("name", WINS)
def test_winnings_against_the_simple_players(name):
    game = parse(name)
    solution, closed = solve(game), equilibrium(game)
    for player, (before, after) in WINS[name].items():
        assert dw.evaluate(name, closed, player).a_overall == pytest.approx(before, abs=5e-6)
        for chosen in (solution, "optimal"):
            assert dw.evaluate(name, chosen, player).a_overall == pytest.approx(after, abs=5e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["liars-die", "liars-die:sides=9,below=no", "mia", "mia:truth=exactly"])
def test_the_population_as_a_whole_is_beaten_more_often_than_by_the_closed_form(name):
    game = parse(name)
    closed = equilibrium(game)
    people = population(closed)
    before, after = (
        sum(evaluate_calling(game, player, rival).a_overall for rival in people)
        for player in (closed, solve(game).solved)
    )
    assert after > before


def test_logit_players_take_better_actions_more_often():
    game = parse(KEPT)
    solved = solve(game).solved
    for rival in population(solved)[1:]:
        for view in views(game):
            mix = decide(game, view, rival)
            assert sum(mix.values()) == pytest.approx(1)
        keeps = decide(game, CallingView(0, seen=game.top), rival)
        assert max(keeps, key=keeps.get) == f"keep{solved.keeps[0, game.top]}"
        assert decide(game, CallingView(call=game.top), rival) == {CHALLENGE: 1.0}


def test_liars_lie_alike():
    """Which rolls tell a lie is all one where the dice are rolled again: there is one mix of lies to remember."""
    game = parse("liars-die")
    solved = solve(game).solved
    shown = {
        game.labels[call]: str(share) for call, share in solved.exact(game.read_view("rolled 1")).items()
    }
    assert shown == {"3": "10/17", "4": "5/17", "5": "2/17"}
    for accepted in range(1, game.top):
        lies = [solved.mix(CallingView(accepted, roll)) for roll in range(accepted + 1)]
        assert all(lie == lies[0] for lie in lies)


def test_many_ranks_keep_the_closed_form():
    game = parse(f"liars-die:sides={MOST_REFINED + 1}")
    solution = solve(game)
    assert isinstance(solution.solved, CallingEquilibrium)
    assert solution.beliefs is None
    view = CallingView(call=0)
    advice = solution.advise(view)
    assert not advice.reached
    assert advice.worth[ACCEPT] > advice.worth[CHALLENGE] == 0


@pytest.mark.parametrize(("file", "name"), [("mia-calling-1", "mia"), ("mia-keep-1", KEPT)])
def test_files_of_before_are_read_and_proved(file, name):
    """The closed form where a table is written now, and a table without beliefs."""
    path = FIXTURES / f"{file}.npz"
    solution = dw.load(path)
    assert solution.game == parse(name)
    assert solution.beliefs is None
    assert dw.verify(path).proved
    assert solution.certificate.value == pytest.approx(solve(parse(name)).certificate.value, abs=1e-9)
    view = next(view for view in views(solution.game) if not solution.advise(view).reached)
    assert solution.advise(view).mix[solution.advise(view).best] > 0


def test_a_call_that_no_roll_allows_has_no_answer():
    game = parse("mia:sides=3,keep=yes,below=no")
    with pytest.raises(IllegalAction, match="nobody can call so"):
        solve(game).advise(game.read_view("accepted 31, kept 33, called 32"))
