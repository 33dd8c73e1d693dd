"""The models of choice find what was put into made-up people, and little else."""

from collections import namedtuple
from dataclasses import replace
from math import exp, log
from random import Random

import numpy as np
import pytest

from dicewright.analysis.decisions import Decision, decision_columns
from dicewright.arena.table import play_game
from dicewright.core.crowd import Crowd
from dicewright.core.errors import PrecisionError, RulesError
from dicewright.core.strategy import sample
from dicewright.families import family
from dicewright.families.catalog import parse, strategy
from dicewright.families.race import people as race
from dicewright.people.choices import Choices, from_rows, from_steps
from dicewright.people.fit import fit
from dicewright.people.forms import Forms
from dicewright.people.games import games_of
from dicewright.storage.store import solution_of

PIG = parse("pig")
Row = namedtuple("Row", "player record seat ply choice worths")
MEAN, SPREAD = np.array([0.5, 100.0]), np.array([0.6, 25.0])  # of bias and precision


def played(players, games, seed, weights=(0.0,) * 6):
    """People around MEAN who meet each other at random, `games` games each: their choices, forms and minds."""
    rng = np.random.default_rng(seed)
    minds = rng.normal(MEAN, SPREAD, (players, 2))
    crowd = Crowd(minds[:, 0], minds[:, 1], np.tile(np.array(weights), (players, 1)), np.zeros(players, int))
    pairs = rng.permuted(np.tile(np.arange(players), (games, 1)), axis=1).reshape(-1, 2)
    steps, turns = race.play(PIG, crowd, pairs, seed)
    names = tuple(f"p{n}" for n in range(players))
    return from_steps(steps, pairs, names, race.TERMS), Forms(PIG, turns, pairs, names), minds


def some_choices(stops):
    """Few choices among two to four actions, by three players."""
    rng, rows = Random(5), []
    for n in range(40):
        worths = {f"a{k}": rng.random() / 5 for k in range(rng.choice((2, 3, 4)))}
        rows.append(Row(f"p{n % 3}", n // 8, "first", n, rng.choice(list(worths)), worths))
    return from_rows(rows, ("a0",) if stops else (), {"x": [rng.random() for _ in rows]})


def by_the_book(choices, minds, weight):
    """The log-likelihood of each player, decision by decision."""
    found = [0.0] * len(choices.players)
    for d in range(len(choices)):
        p, places = choices.player[d], range(choices.first[d], choices.first[d + 1])
        bias = minds[p][0] if len(minds[p]) > 1 else 0.0
        utility = {a: minds[p][-1] * choices.worth[a] + choices.stop[a] * (bias - weight * choices.terms["x"][d])
                   for a in places}  # fmt: skip
        found[p] += utility[choices.chosen[d]] - log(sum(map(exp, utility.values())))
    return np.array(found)


@pytest.mark.parametrize("stops", [True, False])
def test_likelihood_score_and_information_are_those_of_the_model(stops):
    choices = some_choices(stops)
    own = len(choices.parameters)
    assert own == 1 + stops
    minds, terms = np.random.default_rng(2).normal(1.0, 2.0, (3, own)), ("x",) if stops else ()
    weights = np.array([0.7] * len(terms))
    value, score, information = choices.likelihood(minds, weights, terms)
    assert value == pytest.approx(by_the_book(choices, minds, 0.7 if stops else 0.0), abs=1e-12)
    for a in range(own + len(terms)):
        step = np.eye(own + len(terms))[a] * 1e-5
        up, down = (
            choices.likelihood(minds + s * step[:own], weights + s * step[own:], terms) for s in (1, -1)
        )
        assert score[:, a] == pytest.approx((up[0] - down[0]) / 2e-5, abs=1e-7)
        assert information[:, a] == pytest.approx((down[1] - up[1]) / 2e-5, abs=1e-6)


def test_rows_become_choices():
    choices = some_choices(True)
    assert choices.players == ("p0", "p1", "p2")
    assert (np.diff(choices.player) >= 0).all()
    assert choices.game.min() == 1
    assert choices.game.max() == 5
    assert (choices.loss >= 0).all()
    assert (choices.loss > 0).any()
    with pytest.raises(RulesError, match="row 1 of the decisions has the choice 'c'; a, b is allowed"):
        from_rows([Row("p", 0, "first", 0, "c", {"a": 0.1, "b": 0.2})], ())


def test_rows_of_decisions_say_what_records_do():
    """The table of decisions and the compiled way give the same losses and players, in the same order."""
    players = (strategy("hold:10", PIG), strategy("hold:20", PIG))
    tags = (("First", "Ada"), ("Second", "Bob"))
    records = [replace(play_game(PIG, players, Random(n)), tags=tags) for n in range(3)]
    columns = decision_columns(enumerate(records, start=1), solution_of)
    rows = [Decision(*row) for block in columns for row in zip(*block, strict=True)]
    table, watched = from_rows(rows, family(PIG).careful), games_of(records).choices
    assert table.players == watched.players == ("Ada", "Bob")
    assert table.loss == pytest.approx(watched.loss, abs=1e-12)
    for name in ("player", "match", "seat", "game"):
        assert (getattr(table, name) == getattr(watched, name)).all()
    assert (table.stop[table.chosen] == watched.stop[watched.chosen]).all()


def test_records_show_the_same_as_a_simulation_would():
    """Decisions of recorded games, found by the rules alone."""
    game = parse("pig:goal=30")
    records = [
        play_game(game, (strategy("hold:8", game), strategy("hold:12", game)), Random(n)) for n in range(4)
    ]
    steps, turns = race.watch(game, [record.choices for record in records])
    values, row = solution_of(game), 0
    for match, record in enumerate(records):
        state, last, scored, bust = game.start(), [0, 0], [0, 0], [0, 0]
        for ply, choice in enumerate(record.choices):
            if game.mover(state) in (0, 1) and len(game.actions(game.view(state, state.mover))) > 1:
                me = state.mover
                worth = values.advise(game.view(state, me)).worth
                assert (steps.match[row], steps.ply[row], steps.seat[row]) == (match, ply, me)
                assert steps.difference[row] == pytest.approx(worth["roll"] - worth["hold"], abs=1e-12)
                assert steps.went_on[row] == (choice == "roll")
                copied = 0 if not scored[1 - me] else 1 if state.turn < scored[1 - me] else -1
                behind = state.yours > state.mine
                assert steps.terms[row].tolist() == [
                    (state.yours - state.mine) / 10, last[1 - me] / 10, copied, bust[me], behind, state.turn / 10
                ]  # fmt: skip
                row += 1
            after = game.play(state, choice)
            if after.mover != state.mover:
                gained = after.yours - state.mine
                last[state.mover], bust[state.mover] = gained, gained == 0
                scored[state.mover] = gained or scored[state.mover]
            state = after
    assert row == len(steps.match)
    assert sum(turns.gained[(turns.match == 0) & (turns.seat == 0)]) in (
        state.mine,
        state.yours,
        *range(30, 36),
    )


@pytest.mark.slow
def test_six_fits_of_three_hundred_games_recover_bias_and_precision():
    """Each of 12 means within 3.5 of its standard errors: wrong in 12 x 0.0011 (t of 38) of seeds at the most."""
    for seed in range(6):
        choices, _, _ = played(40, 15, seed)
        found = fit(choices)
        for name, true, spread in zip(("bias", "precision"), MEAN, SPREAD, strict=True):
            assert abs(found.mean[name].value - true) < 3.5 * found.mean[name].error
            assert (
                0.6 * spread < found.mean[name].error * 40**0.5 < 2.0 * spread
            )  # at least that of 40 minds seen


def test_minds_are_recovered_within_their_errors():
    """The mean square of 80 standardised errors has the standard deviation 0.16: within 3.2 of these of 1."""
    choices, _, minds = played(80, 8, seed=11)
    found = fit(choices)
    square = (((found.minds - minds) / found.errors) ** 2).mean(axis=0)
    assert (abs(square - 1) < 0.5).all()
    assert found.spread["bias"] == pytest.approx(SPREAD[0], rel=0.4)
    assert found.spread["precision"] == pytest.approx(SPREAD[1], rel=0.4)
    alone = abs(found.minds - minds).mean(axis=0)
    assert (alone < abs(minds - minds.mean(axis=0)).mean(axis=0)).all()  # better than calling all alike
    assert found.mind("p3")["precision"].value == found.minds[3, 1]


@pytest.mark.parametrize(("term", "weight"), [("lead", 0.15), ("last", 0.4), ("mirror", 0.4),
                                              ("bust", 0.7), ("behind", 0.7)])  # fmt: skip
def test_a_term_that_was_put_in_is_found(term, weight):
    """Within 4 standard errors (wrong in less than 0.0005 of seeds), and at 5 % (power above 0.99)."""
    weights = [weight if name == term else 0.0 for name in race.TERMS]
    choices, _, _ = played(60, 10, 21, weights)
    found = fit(choices, race.TERMS)
    assert abs(found.terms[term].value - weight) < 4 * found.terms[term].error
    assert found.terms[term].p < 0.05
    assert found.test([term]) == pytest.approx(found.terms[term].p)


@pytest.mark.slow
def test_nothing_is_found_where_nothing_was_put_in():
    """40 tests at 5 % of all six terms: 8 or more rejections have the chance 0.0007."""
    rejected = sum(fit(played(30, 2, 500 + n)[0], race.TERMS).test(race.TERMS) < 0.05 for n in range(40))
    assert rejected < 8


@pytest.mark.slow
def test_paper_forms_give_the_same_answer_with_more_doubt():
    choices, forms, minds = played(40, 3, seed=31)
    seen, hidden = fit(choices), fit(forms)
    for name in ("bias", "precision"):
        assert abs(seen.mean[name].value - hidden.mean[name].value) < 1.5 * seen.mean[name].error
    told = [each.likelihood(minds, np.zeros(0), ())[2].sum(axis=0) for each in (choices, forms)]
    assert (np.diagonal(told[0]) > np.diagonal(told[1])).all()
    assert (np.diagonal(told[0]) < 2 * np.diagonal(told[1])).all()


def test_a_form_has_the_chance_of_its_sequences():
    """Four rolls for 16 points have 85 sequences; the chance of the turn is their sum, by listing them."""
    from itertools import product

    _, forms, _ = played(4, 1, seed=1)
    turns = forms.turns._replace(**{name: np.array([n]) for name, n in {
        "match": 0, "seat": 0, "number": 1, "mine": 20, "yours": 31, "rolls": 4, "gained": 16}.items()})  # fmt: skip
    one = Forms(PIG, turns, np.array([[0, 1]]), ("a", "b"))
    bias, precision = 0.4, 80.0
    value, _, _ = one.likelihood(np.array([[bias, precision]] * 2), np.zeros(0), ())
    worth, ways, total = race.along(PIG, 20, 31), 0, 0.0
    for faces in product(range(2, 7), repeat=4):
        if sum(faces) == 16:
            ways, chance, k = ways + 1, 6.0**-4, 0
            for n, face in enumerate(faces):
                k += face
                rolls = 1 / (1 + exp(bias - precision * worth[k]))
                chance *= rolls if n < 3 else 1 - rolls
            total += chance
    assert ways == race.sequences(PIG, 4, 16) == 85
    assert value[0] == pytest.approx(log(total), abs=1e-12)
    assert value[1] == 0.0
    assert race.sequences(PIG, 3, 0) == 25
    assert race.sequences(PIG, 1, 9) == 0
    with pytest.raises(RulesError, match="turn 1 of the forms has 16 points in 2 rolls; no dice give that"):
        Forms(PIG, turns._replace(rolls=np.array([2])), one.pairs, one.players).likelihood(
            np.zeros((2, 2)), np.zeros(0), ()
        )


def test_calls_and_challenges_are_modelled_by_their_worths():
    """Precision and a bias to challenge of 30 players of the one-die game, within 4 of their errors."""
    game = parse("liars-die")
    solution, rng, rows = solution_of(game), np.random.default_rng(4), []
    minds = rng.normal([0.3, 12.0], [0.3, 2.0], (30, 2))

    def person(bias, precision, number, record):
        def choose(view):
            worth = solution.advise(view).worth
            weight = {a: exp(precision * w + bias * (a == "challenge")) for a, w in worth.items()}
            mix = {a: w / sum(weight.values()) for a, w in weight.items()}
            action = sample(mix, dice)
            rows.append(Row(str(number), record, "first", len(rows), action, worth))
            return {action: 1.0}

        return choose

    dice = Random(4)
    for record in range(300):
        pair = rng.permutation(30)[:2]
        play_game(game, tuple(person(*minds[n], n, record) for n in pair), dice)
    found = fit(from_rows(rows, ("challenge",)))
    for name, true in (("bias", 0.3), ("precision", 12.0)):
        assert abs(found.mean[name].value - true) < 4 * found.mean[name].error
    plain = fit(from_rows(rows, ()))
    assert plain.parameters == ("precision",)


def test_too_little_is_said_so():
    choices, _, _ = played(4, 1, 1)
    with pytest.raises(RulesError, match=r"there are 4 players; with 6 terms at least 10 are needed"):
        fit(choices, race.TERMS)
    with pytest.raises(RulesError, match=r"some of .* are allowed"):
        fit(choices, ["mood"])
    with pytest.raises(RulesError, match="is not modelled"):
        race.check(parse("two-dice-pig"))
    assert isinstance(choices.by_player(age=[1, 2, 3, 4]), Choices)


@pytest.mark.parametrize("kind", ["constant", "copy", "zero"])
def test_a_term_that_decisions_do_not_tell_apart_is_refused(kind):
    """The wide priors alone would give it a number, and a tiny error."""
    choices, _, _ = played(30, 2, 3)
    lead = choices.terms["lead"]
    x = {"constant": np.ones_like(lead), "copy": lead, "zero": np.zeros_like(lead)}[kind]
    with pytest.raises(PrecisionError, match="these decisions do not tell lead, x apart"):
        fit(choices.with_terms(x=x), ["lead", "x"])


def test_impossible_rows_of_a_form_are_refused():
    _, forms, _ = played(4, 1, 1)
    for rolls, gained in ((0, 0), (3, -5), (101, 20)):
        turns = forms.turns._replace(rolls=forms.turns.rolls.copy(), gained=forms.turns.gained.copy())
        turns.rolls[2], turns.gained[2] = rolls, gained
        with pytest.raises(
            RulesError, match=rf"turn 3 has {rolls} rolls and {gained} points; 1 to 100 rolls"
        ):
            Forms(PIG, turns, forms.pairs, forms.players)
