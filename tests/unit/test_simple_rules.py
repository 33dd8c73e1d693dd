"""Simple rules: many met at once agree with duels one by one, and the best of a grid is the best."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from tests import forked

import dicewright as dw
from dicewright.core.errors import RulesError
from dicewright.families.race.simple_rules import FORMS, Perfect, _chunks, _two_best, best_rules, search
from dicewright.families.race.strategies import EndRace, HoldAt, KeepPace


@pytest.mark.parametrize("name", ["pig:goal=40", "race:+1/+3.2/bust,goal=17", "piglet:goal=9"])
def test_rules_met_at_once_lose_what_duels_say(name):
    """Thresholds of the same rules through the tables of whole turns."""
    game = dw.game(name)
    perfect, rng = Perfect(game), np.random.default_rng(7)
    optimal = dw.strategy("optimal", game)
    for form in FORMS:
        grid = form.grid(game.goal, 8)
        numbers = tuple(int(rng.choice(field)) for field in grid)
        met = dw.evaluate(game, f"expr:{form.expression.format(*numbers)}", optimal)
        assert perfect.losses(form.hold_at, [numbers])[0] == pytest.approx(0.5 - met.a_overall, abs=1e-13)


def test_named_rules_are_rules_of_these_forms():
    game = dw.game("pig:goal=60")
    perfect, forms = Perfect(game), {form.name: form for form in FORMS}
    for form, numbers, rule in (
        ("hold", (14,), HoldAt(14)),
        ("end-race", (13, 40), EndRace(13, 40)),
        ("keep-pace", (15, 6, 44), KeepPace(15, 6, 44)),
    ):
        loss = perfect.losses(forms[form].hold_at, [numbers])[0]
        assert loss == pytest.approx(dw.grade(game, rule).loss, abs=1e-13)


def test_the_best_of_a_grid_is_the_best():
    game = dw.game("pig:goal=30")
    perfect, form = Perfect(game), next(form for form in FORMS if form.name == "keep-pace")
    grid = range(6, 12), range(2, 6), range(15, 31)
    best = search(game, form, grid)
    every = sorted((perfect.losses(form.hold_at, [numbers])[0], numbers) for numbers in product(*grid))
    assert (best.loss, best.numbers, best.next_loss, best.tried) == (*every[0], every[1][0], 6 * 4 * 16)
    assert best.grid == ("6 to 11", "2 to 5", "15 to 30")
    assert dw.grade(game, f"expr:{best.expression}").loss == pytest.approx(best.loss, abs=1e-13)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_any_executor_finds_the_same(workers):
    game = dw.game("pig:goal=12")
    with ThreadPoolExecutor(workers) as threads:
        assert list(best_rules(game, executor=threads)) == list(best_rules(game))


def test_what_is_sent_to_a_process_can_be_sent():
    game, form = dw.game("pig:goal=12"), FORMS[1]
    [task, *_] = _chunks(game, form.name, form.grid(12, 5))
    assert _two_best(pickle.loads(pickle.dumps(task))) == _two_best(task)


def test_forms_come_with_fewer_numbers_first():
    found = list(best_rules(dw.game("pig:goal=20")))
    assert [best.size for best in found] == [1, 2, 2, 3, 3, 3, 4, 4]
    assert all(len(best.numbers) == best.size and best.loss <= best.next_loss for best in found)


@pytest.mark.slow
def test_keep_pace_is_the_best_of_its_form_and_a_rule_of_its_size_is_better():
    """Neller & Presser (2010) print 21, 8, 71 and an advantage of 0.922 % for the optimum, twice the loss."""
    game, forms = dw.game("pig"), {form.name: form for form in FORMS}
    perfect = Perfect(game)
    kept = search(game, forms["keep-pace"], (range(19, 24), range(6, 11), range(68, 75)))
    assert (kept.numbers, round(2 * kept.loss, 5)) == ((21, 8, 71), 0.00922)
    better = perfect.losses(forms["keep pace, own-twice race"].hold_at, [(21, 7, 248)])[0]
    assert better == pytest.approx(0.0029980, abs=1e-7)
    assert forms["keep pace, own-twice race"].size == forms["keep-pace"].size == 3


@pytest.mark.parametrize(
    "name", ["two-dice-pig", "hog", "pig:finish=exact", "pig:payoff=margin", "pig:skip=yes", "pig:goal=300"]
)
def test_games_that_need_more_to_say_are_refused(name):
    with pytest.raises(RulesError, match="simple rules are searched in games of one roll"):
        next(dw.best_rules(name))


def test_the_command_lists_the_best_of_each_form():
    done = forked.run(["best-rule", "pig:goal=20", "--json"], text=True)
    assert done.returncode == 0, done.stderr
    assert [best["form"] for best in json.loads(done.stdout)] == [form.name for form in FORMS]
    refused = forked.run(["best-rule", "bluff"], text=True)
    assert (refused.returncode, "race games such as pig" in refused.stderr) == (2, True)
