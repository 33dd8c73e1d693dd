"""Losses taken apart: they add up with nothing left over, in floats and in fractions, in every family."""

import json
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from tests import forked
from tests.reference.loss_by_the_book import anything, taken_apart

import dicewright as dw
from dicewright.analysis.grade import ranked
from dicewright.analysis.grade_page import page
from dicewright.core.errors import RulesError, StrategyError, TooLarge
from dicewright.core.game import FIRST, SECOND, other
from dicewright.core.strategy import AnyAction
from dicewright.families import family
from dicewright.families.race.critic import RaceCritic
from dicewright.families.tree.arrays import build_tree
from dicewright.families.tree.critic import given_away, payoff
from dicewright.families.tree.response import replies, weights_by

RACES = [
    ("pig:goal=30", "hold:12", None),
    ("pig:goal=30", "random", "hold:9"),
    ("pig:goal=30", "four-scoring-turns:turns=3", None),
    ("pig:goal=30", "hold:12", "four-scoring-turns:turns=3"),
    ("pig:goal=20,payoff=difference", "hold:7", "four-scoring-turns:turns=3"),
    ("pig:goal=20,payoff=margin", "random", None),
    ("pig:goal=25,finish=exact", "random", None),
    ("pig:goal=20,skip=yes", "roll-and-wait:target=15,hold=6", None),
    ("two-dice-pig:goal=25", "hold:14", None),
    ("big-pig:goal=30", "hold:12", None),
    ("hog:goal=15,dice=4", "random", None),
]
OTHERS = [
    ("bluff:sides=3", "truthful", None),
    ("bluff:sides=3", "random", "call-below:p=0.4"),
    ("bluff:sides=2,dice=2v1", "random", "random"),
    ("bluff:sides=3,order=fixed", "random", None),
    ("bluff:sides=2,spot_on=yes", "random", None),
    ("liars-die", "tree", None),
    ("liars-die", "random", "truthful"),
    ("liars-die:sides=4", "truthful", "best-response"),
    ("bluff:sides=3", "truthful", "best-response"),
]


@pytest.mark.parametrize(("game", "strategy", "against"), RACES + OTHERS)
def test_slips_add_up_to_the_gap(game, strategy, against):
    """The gap comes from duels and best responses, the slips from visits and worths."""
    found = dw.grade(game, strategy, against)
    losses = found.losses
    assert losses.lost.sum() + losses.standstill == pytest.approx(found.loss, abs=1e-12)
    assert found.loss > 1e-6
    rival = {None: "optimal", "best-response": dw.best_response(game, strategy)}.get(against, against)
    met, best = dw.evaluate(game, strategy, rival), dw.best_response(game, rival)
    paid = (met.a_first.payoff - met.b_first.payoff) / 2
    scale, shift = (1.0, 0.0) if found.points else (0.5, 0.5)
    assert losses.got == pytest.approx(shift + scale * paid, abs=1e-12)
    assert losses.best == pytest.approx(
        shift + scale * (best.first_payoff + best.second_payoff) / 2, abs=1e-12
    )
    for title in found.titles:
        assert sum(part.loss for part in found.parts(title)) == pytest.approx(losses.lost.sum(), abs=1e-12)
    assert losses.times.sum() <= losses.decisions + 1e-9
    dearest = found.dearest()
    assert dearest[0].loss == losses.lost.max()
    assert json.loads(json.dumps(found.document()))["loss"] == found.loss


@pytest.mark.parametrize("game", ["pig:goal=30", "hog:goal=15,dice=4", "bluff:sides=3", "liars-die"])
def test_perfect_play_gives_nothing_away(game):
    found = dw.grade(game, "optimal")
    assert (found.loss < 1e-12, found.habit, found.dearest()) == (True, "", [])
    assert "gives nothing away" in " ".join(found.sentences())


def holds(n):
    def strategy(view):
        return {"hold": Fraction(1)} if view.turn >= n else {"roll": Fraction(1)}

    return strategy


@pytest.mark.parametrize("seat", [FIRST, SECOND])
@pytest.mark.parametrize(("name", "strategy"), [("piglet:goal=3", "hold:1"), ("pig:goal=4", "random")])
def test_a_tiny_race_adds_up_in_fractions(name, strategy, seat):
    """By the rules alone: mean visits times what is given away is the gap, exactly; and the kernels find the same."""
    game = dw.game(name)
    solved = dw.solve(game).player

    def rival(view):
        return {action: Fraction(share) for action, share in solved(view).items()}

    def graded(view):
        if len(game.actions(view)) == 1:
            return {game.actions(view)[0]: Fraction(1)}
        return anything(game, view) if strategy == "random" else holds(1)(view)

    lost, gap = taken_apart(game, graded, rival, rival, seat)
    assert sum(lost.values()) == gap
    assert gap > 0
    found = dw.grade(game, strategy).losses
    seats = [taken_apart(game, graded, rival, rival, each)[0] for each in (FIRST, SECOND)]
    for number, loss in enumerate(found.lost):
        slip = found.slip(number)
        halves = [part.get((slip.view, slip.did), 0) for part in seats]
        assert loss == pytest.approx(float(sum(halves)) / 4, abs=1e-14)  # of a payoff of two, in either seat


@pytest.mark.parametrize("name", ["kuhn-poker", "bluff:sides=2"])
def test_a_tree_adds_up_in_fractions(name):
    game = dw.game(name)
    tree = build_tree(game)
    uniform = [weights_by(side, np.full(side.sequences, Fraction(1))) for side in tree.sides]
    for seat in (FIRST, SECOND):
        against = uniform[other(seat)]
        given, _ = given_away(tree, seat, uniform[seat], against)
        best = replies(tree, seat, against).values[0]
        assert sum(each.lost for each in given) == best - payoff(tree, seat, uniform[seat], against) > 0
    found = family(game).critic(game, AnyAction(game))(AnyAction(game))
    assert found.lost.sum() == pytest.approx(found.gap, abs=1e-15)


@pytest.mark.slow
def test_the_trial_of_the_issue_is_recomputed():
    """Chances instead of mean visits explain 99.7 % of what hold:20 loses; 9 tenths are held too early."""
    game = dw.game("pig")
    found = dw.grade(game, "hold:20")
    assert found.loss == pytest.approx(0.0399202, abs=1e-6)
    losses, explained = found.losses, 0.0
    first, second = (
        dw.visit_chances(game, "hold:20", "optimal")[0],
        dw.visit_chances(game, "optimal", "hold:20")[1],
    )
    for number, each in enumerate(losses.each):
        mine, yours, turn, _ = losses.slip(number).view
        explained += each * (first[mine, yours, turn] + second[mine, yours, turn]) / 2
    assert explained / found.loss == pytest.approx(0.997, abs=5e-4)
    early, zone = found.parts("habit")[0], found.parts("the other's score")[0]
    assert (early.name, round(early.share, 3)) == ("holding too early", 0.907)
    assert (zone.name, round(zone.share, 3)) == ("with the other at 70 to 79", 0.523)


def test_a_critic_serves_many_strategies():
    game = dw.game("pig:goal=20")
    critic = RaceCritic(game, dw.strategy("hold:9", game))
    for n in (3, 8):
        strategy = dw.strategy(f"hold:{n}", game)
        assert critic(strategy).gap == dw.grade(game, strategy, "hold:9").losses.gap


@pytest.mark.parametrize(
    ("error", "grade", "words"),
    [
        (RulesError, lambda: dw.grade("bluff-match:sides=2,dice=2v1", "truthful"), "those of its rounds are"),
        (RulesError, lambda: dw.grade("mia:keep=yes", "optimal"), "where no dice are kept they are"),
        (TooLarge, lambda: dw.grade("bluff:dice=2v2", "random", "random"), "up to 18 are graded"),
        (StrategyError, lambda: dw.grade("pig:goal=9", ("hold:3", "hold:4")), "one for both seats"),
    ],
)
def test_what_is_not_graded_is_refused_in_a_sentence(error, grade, words):
    with pytest.raises(error, match=words):
        grade()


def test_equal_losses_share_a_rank():
    grades = [SimpleNamespace(loss=loss) for loss in (0.3, 0.1, 0.1 + 1e-15, 0.2)]
    assert ranked(grades) == [(1, 1), (1, 2), (3, 3), (4, 0)]


def test_a_page_escapes_names_and_needs_no_network():
    found = dw.grade("pig:goal=20", "hold:5")
    evil = "</title><script>alert(1)</script>&'\""
    text = page(type(found)(found.game, evil, found.against, found.points, found.losses), back="index.html")
    assert "<script" not in text
    assert "&lt;/title&gt;&lt;script&gt;" in text
    assert "http" not in text
    assert "<rect" in text


def run(*words, code=0):
    done = forked.run(list(words), text=True)
    assert done.returncode == code, done.stderr
    return done


def test_the_command_grades_one_in_words_and_several_by_rank(tmp_path):
    shown = run("grade", "pig:goal=20", "hold:5", "--html", str(tmp_path / "g.html")).stdout
    assert "lost, by habit" in shown
    assert (tmp_path / "g.html").read_text().startswith("<!doctype html>")
    ranked = run("grade", "pig:goal=20", "hold:5", "hold:9", "optimal").stdout
    assert ranked.index("optimal") < ranked.index("hold:5")
    told = json.loads(run("grade", "liars-die", "truthful", "--against", "random", "--json").stdout)
    assert (told["against"], told["refused"]) == ("random", [])
    assert told["grades"][0]["strategy"] == "truthful"
    assert "--folder DIR" in run("grade", "pig", code=2).stderr


def test_whoever_loses_only_where_play_never_ends_has_that_habit():
    found = dw.grade("pig:goal=5,skip=yes", "expr:turn < 0", "expr:turn < 0")
    assert found.habit == "standing still"
    assert [line.partition(" is ")[0] for line in found.sentences()][1:] == ["100 %"]
    assert "lost where play never ends" in page(found)
