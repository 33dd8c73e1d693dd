"""The front door: texts wherever a game, a strategy, a view, a state or a folder is asked for, and errors in words."""

from functools import partial
from random import Random

import pytest

import dicewright as dw
from dicewright.core.errors import DicewrightError

PIG = "pig:goal=20"


def same(found, wanted):
    return (found == wanted).all() if hasattr(found, "shape") else found == wanted


def entered(game, way, *rest):
    played = way(game, ["hold:3..5", "optimal"], *rest)
    return played.names, played.wins.tolist()


def entered_as_objects(game, way, *rest):
    played = way(game, dw.gather(game, ["hold:3..5", "optimal"]).entrants, *rest)
    return played.names, played.wins.tolist()


CALLS = {
    "strategy": (lambda g, a, b: dw.strategy(a, g), lambda g, a, b: a),
    "decide": (lambda g, a, b: dw.decide(g, "7-3+4", a), lambda g, a, b: dw.decide(g, g.read_view("7-3+4"), a)),
    "evaluate": (lambda g, a, b: dw.evaluate(g, a, b),) * 2,
    "pairs": (lambda g, a, b: dw.evaluate(g, (a, b), b),) * 2,
    "best_response": (lambda g, a, b: dw.best_response(g, a).first_payoff,) * 2,
    "nash_conv": (lambda g, a, b: dw.nash_conv(g, a),) * 2,
    "simulate": (lambda g, a, b: dw.simulate(g, a, b, games=100),) * 2,
    "win_matrix": (lambda g, a, b: dw.win_matrix(g, [a, b]),) * 2,
    "iterate_best_responses": (
        lambda g, a, b: [r.first_payoff for r in dw.iterate_best_responses(g, a)],
    ) * 2,
    "game_lengths": (lambda g, a, b: dw.game_lengths(g, a, b),) * 2,
    "best_rules": (lambda g, a, b: next(dw.best_rules(g)).loss,) * 2,
    "grade": (lambda g, a, b: dw.grade(g, a, b).loss,) * 2,
    "win_chances": (lambda g, a, b: dw.win_chances(g, a, b)[:, 0],) * 2,
    "visit_chances": (lambda g, a, b: dw.visit_chances(g, a, b),) * 2,
    "best_turn": (lambda g, a, b: dw.best_turn(g),) * 2,
    "fewest_turns": (lambda g, a, b: dw.fewest_turns(g)[0],) * 2,
    "play_game": (lambda g, a, b: dw.play_game(g, (a, b), Random(1)),) * 2,
    "play_match": (lambda g, a, b: dw.play_match(g, [a, b], Random(1)),) * 2,
    "fair_test": (lambda g, a, b: dw.fair_test(g, a, b, games=20, repeats=2),) * 2,
    "sprt": (lambda g, a, b: dw.sprt(g, a, b, cap=400),) * 2,
    "luck_adjusted": (lambda g, a, b: dw.luck_adjusted(g, a, b, games=20),) * 2,
    "play_exactly": (
        lambda g, a, b: entered(g, dw.play_exactly),
        lambda g, a, b: entered_as_objects(g, dw.play_exactly),
    ),
    "play_simulated": (
        lambda g, a, b: entered(g, dw.play_simulated, 20),
        lambda g, a, b: entered_as_objects(g, dw.play_simulated, 20),
    ),
    "judge_of": (lambda g, a, b: dw.judge_of(g, dw.solve(g)).certificate,) * 2,
    "state_worth": (
        lambda g, a, b: dw.state_worth(g, "7-3+4", dw.solve(g)),
        lambda g, a, b: dw.state_worth(g, g.read_state("7-3+4"), dw.solve(g)),
    ),
    "advise": (
        lambda g, a, b: dw.advise(g, "7-3+4"),
        lambda g, a, b: dw.advise(g, g.read_view("7-3+4")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_texts_are_taken_where_objects_are(name):
    game = dw.game(PIG)
    by_text, by_objects = CALLS[name]
    wanted = by_objects(game, dw.strategy("hold:5", game), dw.strategy("keep-pace:race=15", game))
    assert same(by_text(PIG, "hold:5", "keep-pace:race=15"), wanted)


def test_a_view_as_text_needs_no_kept_solution():
    """Where nothing is kept, the view is looked at before the game is solved."""
    assert dw.advise("liars-die", "rolled 3").view == dw.game("liars-die").read_view("rolled 3")


@pytest.mark.parametrize(
    "game", [PIG, "bluff:sides=2", "liars-die:sides=3", "mia:sides=2,keep=yes", "kuhn-poker"]
)
def test_a_solution_plays_wherever_a_strategy_does(game):
    solved = dw.solve(game)
    record = dw.play_game(game, solved, Random(3))
    assert (
        record
        == dw.play_game(game, (solved, solved), Random(3))
        == dw.play_game(game, solved.player, Random(3))
    )
    assert dw.fair_test(game, solved, solved, games=10, repeats=2).tally.games == 20
    assert dw.play_exactly(game, [solved, solved]).names == (f"{solved}", f"{solved} (2)")
    state = next(s for s in record.states() if solved.game.mover(s) >= 0)
    view = solved.game.view(state, solved.game.mover(state))
    assert dw.decide(game, view, solved) == solved.player(view)


def test_a_folder_is_a_text_and_one_text_is_no_list_of_letters(tmp_path):
    (tmp_path / "bold.txt").write_text("turn < 9")
    found = dw.gather(PIG, "hold:5", str(tmp_path))
    assert [entrant.name for entrant in found.entrants] == ["hold:5", "bold"]
    with dw.Shelf.open(str(tmp_path / "shelf.sqlite")) as shelf:
        assert shelf.find() == []


def cautious(view):
    raise ValueError("no idea")


class Mute:
    """A strategy and a game without words."""

    def __call__(self, view):
        return object()


class Odd:
    def start(self):
        return object()


def record_of(game):
    return dw.play_game(game, "hold:5", Random(1))


WRONG = {
    "a function that raises": lambda: dw.evaluate(PIG, cautious, "hold:5"),
    "one that raises in play": lambda: dw.play_game(PIG, cautious, Random(1)),
    "one that raises when asked": lambda: dw.decide(PIG, "7-3+4", cautious),
    "one that raises in a tree": lambda: dw.best_response("kuhn-poker", cautious),
    "one that raises in Bluff": lambda: dw.evaluate("bluff:sides=2", cautious, cautious),
    "one that raises in a calling game": lambda: dw.best_response("liars-die:sides=3", cautious),
    "a part of a function": lambda: dw.simulate(PIG, partial(cautious), "hold:5"),
    "an object that answers an object": lambda: dw.evaluate(PIG, Mute(), "hold:5"),
    "one in a tree": lambda: dw.best_response("kuhn-poker", Mute()),
    "one in play": lambda: dw.play_game("kuhn-poker", Mute(), Random(1)),
    "a best response to nothing": lambda: dw.best_response(PIG, Mute()),
    "chances that are objects": lambda: dw.decide(PIG, "7-3+4", lambda view: {"roll": object()}),
    "actions that are objects": lambda: dw.decide(PIG, "7-3+4", lambda view: {object(): 1.0}),
    "a solution of another game": lambda: dw.evaluate(PIG, dw.solve("piglet:goal=2"), "hold:5"),
    "a plan for another seat": lambda: dw.decide(
        "bluff:sides=3", "1 | 1x1", dw.solve("bluff:sides=3").strategies[0]
    ),
    "three players": lambda: dw.play_game(PIG, ("hold:5",) * 3, Random(1)),
    "two seats for one": lambda: dw.win_matrix(PIG, [("hold:5", "hold:6"), "hold:5"]),
    "no race game": lambda: dw.best_turn("bluff"),
    "no race game of one's own": lambda: dw.win_matrix(Odd(), []),
    "a text for a game of one's own": lambda: dw.evaluate(Odd(), "hold:5", "hold:5"),
    "luck of a game of one's own": lambda: dw.luck_adjusted(Odd(), "hold:5", "hold:5", games=2),
    "luck without dice": lambda: dw.luck_adjusted("bluff", "optimal", "optimal", games=2),
    "an object for a game": lambda: dw.solve(object()),
    "a game half made": lambda: dw.solve(Odd()),
    "a solution for a game": lambda: dw.solve(dw.solve(PIG)),
    "a record for a game": lambda: dw.evaluate(record_of(PIG), "hold:5", "hold:5"),
    "an object for a judge": lambda: dw.judge_of(PIG, object()),
    "a record for a judge": lambda: dw.judge_of(PIG, record_of(PIG)),
    "a response for a judge": lambda: dw.state_worth(PIG, "7-3+4", dw.best_response(PIG, "hold:5")),
    "another game's judge": lambda: dw.judge_of(PIG, dw.solve("piglet:goal=2")),
    "an object for a view": lambda: dw.advise(PIG, object()),
    "a record for a view": lambda: dw.advise(PIG, record_of(PIG)),
    "a function for a solution": lambda: dw.advise(PIG, "7-3+4", cautious),
    "an object for a method": lambda: dw.solve(PIG, method=object()),
    "an object for a gap": lambda: dw.solve("bluff:sides=2", gap=object()),
    "an object for progress": lambda: dw.solve("bluff:sides=2", progress=object()),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_errors_name_things_by_their_line(what):
    with pytest.raises(DicewrightError) as caught:
        WRONG[what]()
    message = str(caught.value)
    for sign in (" at 0x", "(game=", "(name="):
        assert sign not in message, message


def test_a_function_is_called_by_its_name():
    with pytest.raises(dw.StrategyError, match=r"^cautious raised ValueError"):
        dw.evaluate(PIG, cautious, "hold:5")
    forfeit = dw.play_game(PIG, cautious, Random(1), referee=True).forfeit
    assert forfeit.why.startswith("cautious raised ValueError: no idea at RaceView(")
    assert (
        str(dw.best_response(PIG, dw.Function(lambda mine, yours, turn: turn < 5)).strategy)
        == "best response to <lambda>"
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dw.play_game("pgi", "hold:5"), "unknown game 'pgi'"),
        (lambda: dw.win_matrix(PIG, ["hodl:5"]), "unknown strategy 'hodl'"),
        (lambda: dw.fair_test(PIG, "hold:x", "hold:5"), "hold:x"),
        (lambda: dw.decide(PIG, "7-", "hold:5"), "7-"),
        (lambda: dw.state_worth(PIG, "7-", dw.solve(PIG)), "7-"),
        (lambda: dw.gather(PIG, [], "/nowhere/at/all"), "/nowhere/at/all is no folder"),
    ],
)
def test_texts_that_mean_nothing_are_refused_as_notation_is(call, message):
    with pytest.raises(DicewrightError, match=message):
        call()
