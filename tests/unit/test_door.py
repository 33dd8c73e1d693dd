"""The door of the solvers, case by case: what is no game is refused with its state and what is allowed."""

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.reference.broken import BAD, Broken, breakages
from tests.reference.levels import CHANCE, FIRST, OVER, SECOND, Levels

import dicewright as dw
from dicewright.core.check import QUESTIONS, Checked, checked
from dicewright.core.errors import IllegalAction, NotationError, RulesError, TooLarge
from dicewright.games.bluff import Bid, Bluff, BluffView
from dicewright.games.bluff_match import MatchView, Standing
from dicewright.games.calling import CallingGame, CallingView
from dicewright.games.calling_keep import KeepView
from dicewright.games.catalog import GAMES
from dicewright.games.classics import KuhnPoker, kuhn_poker
from dicewright.games.race import RaceGame, RaceView
from dicewright.solvers.tree import build_tree

SMALL = Levels((CHANCE, FIRST, SECOND), (2, 2, 2), (frozenset(), frozenset({0})))
CASES = [
    pytest.param(Broken(SMALL, question, place, answer), id=f"{question}-{answer!r:.30}-{number}")
    for question in BAD
    for number, answer in enumerate(BAD[question])
    for place in [[place for asked, place in breakages(SMALL) if asked == question][-1]]
]


def never(view):
    raise AssertionError("no strategy is asked about a game that is none")


def doors(game):
    """Every public way in."""
    return {
        "solve": lambda: dw.solve(game),
        "evaluate": lambda: dw.evaluate(game, never, never),
        "best_response": lambda: dw.best_response(game, never),
        "advise": lambda: dw.advise(game, ("nowhere",)),
    }


@pytest.mark.parametrize("game", CASES)
def test_every_wrong_answer_is_refused_at_every_door(game):
    for name, enter in doors(game).items():
        with pytest.raises(RulesError, match="broken") as caught:
            enter()
        assert "allowed" in str(caught.value) or "raised" in str(caught.value), name


@dataclass(frozen=True)
class Coin:
    """One roll with these chances, then FIRST gets what it shows."""

    chances: Any
    name: str = "coin"

    def start(self):
        return ("start",)

    def mover(self, state):
        return CHANCE if state == ("start",) else OVER

    def view(self, state, player):
        return state

    def actions(self, view):
        return ("none",)

    def outcomes(self, state):
        return self.chances

    def play(self, state, choice):
        return ("shown", choice)

    def payoff(self, state):
        return state[1]


@pytest.mark.parametrize(
    ("chances", "sentence"),
    [
        ({1: Fraction(1, 2), 2: Fraction(1, 4)}, r"at \('start',\) in coin sum to 3/4; exactly 1 is allowed"),
        ({1: -1, 2: 1, 3: 1}, r"the chance of 1 at \('start',\) in coin is -1; 0 to 1 is allowed"),
        ({1: 1, 2: 1, 3: 1}, "sum to 3; exactly 1"),
        ({1: 0.5, 2: 0.5}, r"the chance of 1 .* is 0\.5; a Fraction, such as Fraction\(1, 6\), is allowed"),
    ],
)
def test_chances_that_are_no_chances_prove_nothing(chances, sentence):
    for enter in doors(Coin(chances)).values():
        with pytest.raises(RulesError, match=sentence):
            enter()


def test_whole_chances_and_impossible_outcomes_are_taken():
    assert dw.solve(Coin({3: 1})).certificate.exact == 3
    assert dw.solve(Coin({3: 1, 7: 0, 9: Fraction(0)})).certificate.exact == 3
    assert dw.solve(Coin({3: np.int64(1)})).certificate.exact == 3
    assert len(build_tree(Coin({3: 1, 7: 0})).leaf_payoffs) == 1


@pytest.mark.parametrize(
    ("payoff", "value"),
    [
        (np.float32(0.5), Fraction(1, 2)),
        (np.int64(-3), Fraction(-3)),
        (Fraction(1, 3), Fraction(1, 3)),
        (1e300, Fraction(1e300)),
        (5e-324, Fraction(5e-324)),
        (-0.0, Fraction(0)),
    ],
)
def test_payoffs_of_any_number_type_are_exact(payoff, value):
    assert dw.solve(Coin({payoff: 1})).certificate.exact == value


def test_a_game_that_is_over_before_it_begins_is_worth_its_payoff():
    over = Levels((), ())
    solution = dw.solve(over)
    assert solution.certificate.proved
    assert solution.certificate.exact == Fraction(over.payoff(()))


@pytest.mark.parametrize(
    "thing", [5, None, "pig", "pig:goal=50", [], {}, object(), KuhnPoker, dw.pig, dw, 1.5]
)
def test_what_is_no_game_is_refused(thing):
    for enter in doors(thing).values():
        with pytest.raises(RulesError, match=r"allowed|dicewright\.game reads") as caught:
            enter()
        assert caught.value.exit_code == 2
    with pytest.raises(RulesError):
        dw.play_match(thing, (never, never), Random(1))
    with pytest.raises(RulesError):
        dw.simulate(thing, never, never, games=2)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_game_without_one_of_the_questions_is_refused(question):
    lacking = type("Lacking", (), {name: vars(Levels)[name] for name in QUESTIONS if name != question})
    with pytest.raises(RulesError, match=f"no game: it has no {question}"):
        dw.solve(lacking())
    numbered = type("Numbered", (Levels,), {question: 5})
    with pytest.raises(RulesError, match=f"no game: it has no {question}"):
        dw.solve(numbered((FIRST,), (2,)))


class Forgetful(Levels):
    """FIRST moves twice and forgets the first move."""

    def view(self, state, player):
        return ("?",) * len(state)


def test_players_who_forget_are_refused_at_every_door():
    game = Forgetful((FIRST, SECOND, FIRST), (2, 2, 2))
    for enter in doors(game).values():
        with pytest.raises(RulesError, match="no perfect recall"):
            enter()


class Changing:
    """A state that play changes instead of making another."""

    def __init__(self):
        self.moves = []


class InPlace(Levels):
    def start(self):
        return Changing()

    def mover(self, state):
        return super().mover(tuple(state.moves))

    def view(self, state, player):
        return tuple(state.moves)

    def play(self, state, choice):
        state.moves.append(choice)
        return state


def test_a_state_that_play_changes_is_refused():
    """All branches would be one branch, and the proof one of another game."""
    with pytest.raises(RulesError, match="another state is allowed"):
        dw.solve(InPlace((FIRST, SECOND), (2, 2)))


class Endless(Levels):
    def mover(self, state):
        return self.movers[len(state) % len(self.movers)]

    def outcomes(self, state):
        return {0: Fraction(1, 3), 1: Fraction(2, 3)}

    def actions(self, view):
        return (0, 1)


@pytest.mark.parametrize("movers", [(CHANCE,), (FIRST,), (FIRST, SECOND, CHANCE)])
def test_games_without_end_are_too_large(movers):
    for enter in doors(Endless(movers, (), name="endless")).values():
        with pytest.raises(TooLarge, match="the tree of endless has more than 1000 choices in one play"):
            enter()


class BackAndForth(Levels):
    """Play returns to where it was."""

    def play(self, state, choice):
        return () if state else (choice,)


def test_play_that_returns_is_refused():
    with pytest.raises(RulesError, match="play returns to it"):
        dw.solve(BackAndForth((FIRST, SECOND), (2, 2)))


class Restless(Levels):
    """Fewer actions each time they are asked for."""

    def actions(self, view):
        object.__setattr__(self, "left", getattr(self, "left", 9) - 1)
        return tuple(range(self.left))


def test_actions_of_a_view_are_asked_once_and_kept():
    """What was proved and what strategies may answer are the actions of one walk."""
    found = dw.best_response(Restless((FIRST,), (2,)), lambda view: {7: 1.0})
    assert found.first_payoff == max(Levels((FIRST,), (2,)).payoff((move,)) for move in range(8))


def test_an_exception_of_the_game_names_the_question_the_state_and_the_cause():
    game = Broken(SMALL, "payoff", (0, 1, 1), next(a for a in BAD["payoff"] if "KeyError" in repr(a)))
    with pytest.raises(
        RulesError, match=r"payoff\(\(0, 1, 1\)\) of broken raised KeyError: 'inside'"
    ) as caught:
        dw.solve(game)
    assert isinstance(caught.value.__cause__, KeyError)


def test_values_that_cannot_show_themselves_are_named_by_their_type():
    class Shy:
        __hash__ = None

        def __repr__(self):
            raise ValueError("no")

    with pytest.raises(RulesError, match="a value of type Shy"):
        dw.solve(Broken(SMALL, "view", (0,), Shy()))
    with pytest.raises(RulesError) as caught:
        dw.solve(Broken(SMALL, "view", (0,), [1] * 10_000))
    assert len(str(caught.value)) < 500


def test_the_package_s_own_games_are_asked_directly():
    for name in GAMES:
        game = dw.game(name)
        assert checked(game) is game
    assert isinstance(checked(SMALL), Checked)
    assert checked(once := Checked(SMALL)) is once


class TwicePaid(RaceGame):
    def payoff(self, state):
        return 2 * super().payoff(state)


class Quiet(Bluff):
    def actions(self, view):
        return super().actions(view)[:1]


class Labelled(RaceGame):
    def show_view(self, view):
        return f"at {super().show_view(view)}"


def test_rules_that_the_solvers_of_a_family_would_not_ask_are_refused():
    """They read the fields alone, so a method of one's own would be ignored and another game proved."""
    piglet = dw.piglet(goal=2)
    paid = TwicePaid(piglet.name, piglet.goal, piglet.rolls)
    for game, question in ((paid, "payoff"), (Quiet(sides=2), "actions")):
        for enter in doors(game).values():
            with pytest.raises(RulesError, match=f"has its own {question}"):
                enter()
        with pytest.raises(RulesError, match=f"has its own {question}"):
            dw.simulate(game, never, never, games=2)
    hold = dw.HoldAt(1)
    sound = dw.solve(piglet)
    for compute in (
        dw.win_matrix,
        lambda game, pair: dw.game_lengths(game, *pair),
        lambda game, _: dw.solution_of(game),
        lambda game, _: dw.judge_of(game, sound),
    ):
        with pytest.raises(RulesError, match="has its own payoff"):
            compute(paid, [hold, hold])
    labelled = Labelled(piglet.name, piglet.goal, piglet.rolls)
    assert dw.solve(labelled).certificate.exact == Fraction(1, 7)


def test_sound_games_of_one_s_own_pass_every_door():
    class Plain(KuhnPoker):
        pass

    game = Plain("plain")
    solution = dw.solve(game)
    assert solution.certificate.exact == Fraction(-1, 18)
    assert solution.game is game
    bold = lambda view: {game.actions(view)[-1]: 1.0}  # noqa: E731
    assert dw.evaluate(game, bold, bold) == dw.evaluate(kuhn_poker(), bold, bold)
    assert dw.best_response(game, bold).first_payoff == dw.best_response(kuhn_poker(), bold).first_payoff
    view = ("J", "?")
    assert dw.advise(game, view).worth == dw.advise(kuhn_poker(), view, solution=None).worth
    assert dw.play_match(game, (bold, bold), Random(1)).payoff in (-2.0, 2.0)
    assert dw.simulate(game, bold, bold, games=10).games == 10


VIEWS = {
    "piglet:goal=3": RaceView(0, 0),
    "bluff:sides=2": BluffView((1,)),
    "bluff:sides=2,wild=none,order=fixed": BluffView((1,)),
    "bluff-match:dice=1v1,sides=2": MatchView(Standing((1, 1)), (), BluffView((1,))),
    "liars-die:sides=3": CallingView(-1, 0),
    "mia:sides=2,keep=yes": KeepView(-1, roll=0),
    "kuhn-poker": ("J", "?"),
}
NO_VIEWS = [None, 5, "0-0", "start", (), (0, 0), (0, 0, 0, True), [], {}, object(), ("J", []), ("nowhere",)]
NO_VIEWS += [RaceView(-1, 0), RaceView(3, 0), RaceView(0, 9), RaceView(0, 0, -2), RaceView(0, 0, 0, "yes")]
NO_VIEWS += [RaceView(0.0, 0), RaceView("0", 0), RaceView(0, 0, my_turn=False)]
NO_VIEWS += [BluffView((9,)), BluffView((1, 1)), BluffView([1]), BluffView((1,), (Bid(9, 9),))]
NO_VIEWS += [BluffView((1,), ("call",)), BluffView(()), CallingView(), CallingView(99), CallingView(-1, 7)]
NO_VIEWS += [CallingView(0, 0, 0), CallingView(-1, None, 5), KeepView(), KeepView(0, 99), KeepView(-1, 0)]


@pytest.mark.parametrize("name", VIEWS)
def test_advice_is_given_in_views_of_the_game_and_in_no_others(name):
    """A score of -1 was looked up from the end of the table, and the answer was a wrong number."""
    game = dw.game(name)
    solution = dw.solve(game)
    for view in NO_VIEWS:
        for at_hand in (None, solution):
            with pytest.raises((IllegalAction, NotationError)):
                dw.advise(game, view, at_hand)
    assert set(dw.advise(game, VIEWS[name], solution).worth) == set(game.actions(VIEWS[name]))


def test_a_solution_of_another_game_gives_no_advice():
    with pytest.raises(RulesError, match="the solution at hand is of piglet:goal=3; one of piglet:goal=4"):
        dw.advise(dw.piglet(goal=4), RaceView(0, 0), dw.solve(dw.piglet(goal=3)))
    assert dw.advise(dw.piglet(goal=3), RaceView(0, 0), dw.solve(dw.piglet(goal=3))).best == "roll"


def test_ranks_may_be_named_by_words():
    game = CallingGame("words", ("no pair", "pair"), (Fraction(1, 2), Fraction(1, 2)))
    view = CallingView(-1, 0)
    assert game.read_view(game.show_view(view)) == view
    assert set(dw.advise(game, view).worth) == {0, 1}
