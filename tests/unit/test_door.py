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
from dicewright.core.errors import IllegalAction, NotationError, RulesError, TooLarge
from dicewright.core.game import Checked, checked
from dicewright.core.notation import QUESTIONS
from dicewright.families.bluff.match import BluffMatch, MatchView, Standing
from dicewright.families.bluff.rules import Bid, Bluff, BluffView
from dicewright.families.calling.rules import CallingGame, CallingView
from dicewright.families.catalog import GAMES
from dicewright.families.race.rules import RaceGame, RaceView
from dicewright.families.tree.arrays import build_tree
from dicewright.families.tree.classics import KuhnPoker, kuhn_poker

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


@dataclass(frozen=True)
class Guess:
    """FIRST guesses a number of SECOND's; a right guess pays `prize`."""

    prize: Any
    name: str = "guess"

    def start(self):
        return ()

    def mover(self, state):
        return (CHANCE, FIRST, OVER)[len(state)]

    def view(self, state, player):
        return "?"

    def actions(self, view):
        return tuple(range(7))

    def outcomes(self, state):
        return dict.fromkeys(range(7), Fraction(1, 7))

    def play(self, state, choice):
        return (*state, choice)

    def payoff(self, state):
        return self.prize if state[0] == state[1] else 0 * self.prize


@pytest.mark.parametrize(
    "kind",
    [
        *(np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64),
        *(np.float16, np.float32, np.float64, np.longdouble),
        *(Fraction, lambda value: Fraction(np.int8(value))),
    ],
)
def test_payoffs_of_numpy_do_not_wrap(kind):
    """100 of 8 bits was proved to be 94/7 on the way: whole numbers of numpy stay narrow inside a Fraction."""
    with np.errstate(over="ignore"):
        found = dw.solve(Guess(kind(100)))
    assert found.certificate.exact == Fraction(100, 7)


def test_a_payoff_that_no_float_holds_is_no_payoff():
    with pytest.raises(RulesError, match="a finite number that a float or a Fraction holds is allowed"):
        dw.solve(Coin({np.longdouble(1) / 3: 1}))


def test_a_game_that_is_over_before_it_begins_is_worth_its_payoff():
    over = Levels((), ())
    solution = dw.solve(over)
    assert solution.certificate.proved
    assert solution.certificate.exact == Fraction(over.payoff(()))


@pytest.mark.parametrize("thing", [5, None, [], {}, object(), KuhnPoker, dw.pig, dw, 1.5])
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


class Box:
    """A state that is told apart by where it lies, not by what it holds."""

    def __init__(self, moves):
        self.moves = moves


class Leaking(InPlace):
    """Another state each time, and the one before has changed all the same."""

    def start(self):
        return Box([])

    def outcomes(self, state):
        return super().outcomes(tuple(state.moves))

    def play(self, state, choice):
        state.moves.append(choice)
        return Box(list(state.moves))

    def payoff(self, state):
        return super().payoff(tuple(state.moves))


@pytest.mark.parametrize("movers", [(FIRST, SECOND), (CHANCE, FIRST), (CHANCE, CHANCE), (FIRST, FIRST)])
def test_a_state_that_changes_beside_the_one_that_play_answers_is_refused(movers):
    """Matching pennies were proved to be worth 1 so."""
    with pytest.raises(RulesError, match=r"play\(.*\) of levels changed the state before"):
        dw.solve(Leaking(movers, (3, 3)))


class Boxed(Leaking):
    """The same, without the fault."""

    def play(self, state, choice):
        return Box([*state.moves, choice])


def test_states_without_values_are_taken_if_they_stay_as_they_are():
    for movers in ((FIRST, SECOND), (CHANCE, FIRST), (CHANCE, CHANCE)):
        plain = dw.solve(Levels(movers, (3, 3)))
        assert dw.solve(Boxed(movers, (3, 3))).certificate.exact == plain.certificate.exact


@pytest.mark.parametrize("question", ["mover", "view", "outcomes", "payoff"])
def test_answers_that_differ_when_asked_again_are_refused(question):
    answers = {
        "mover": [FIRST, FIRST, SECOND],
        "view": ["one", "two"],
        "outcomes": [{0: 1}, {1: 1}],
        "payoff": [1.0, 2.0],
    }[question]
    asked = iter(answers * 100)
    restless = type("Restless", (Levels,), {question: lambda *_: next(asked)})
    movers = (CHANCE if question == "outcomes" else FIRST,)
    with pytest.raises(RulesError, match="equal values each time are allowed"):
        dw.solve(restless(movers, (2,)))


class Deck(Boxed):
    """Cards are dealt from one pack that all states share."""

    def start(self):
        object.__setattr__(self, "pack", {0: Fraction(1, 2), 1: Fraction(1, 2)})
        return super().start()

    def outcomes(self, state):
        return self.pack

    def play(self, state, choice):
        self.pack.clear()
        self.pack[choice] = Fraction(1)
        return super().play(state, choice)


def test_chances_that_play_changes_are_refused():
    with pytest.raises(RulesError, match=r"play\(.*\) of levels changed the state before"):
        dw.solve(Deck((CHANCE, CHANCE), (2, 2)))


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


class MuteError(Exception):
    def __str__(self):
        raise ValueError("no")


class LoudError(Exception):
    def __str__(self):
        return "\x1b[31m\n" * 5000


@pytest.mark.parametrize(
    ("fault", "said"), [(MuteError, "raised MuteError"), (LoudError, r"raised LoudError: \\x1b\[31m\\n")]
)
def test_an_exception_that_cannot_be_shown_is_a_sentence_all_the_same(fault, said):
    raising = type("Raising", (Levels,), {"payoff": lambda *_: (_ for _ in ()).throw(fault())})
    with pytest.raises(RulesError, match=said) as caught:
        dw.solve(raising((FIRST,), (2,)))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


def test_a_name_that_cannot_be_asked_is_the_class_s():
    def fail(self):
        raise KeyError("name")

    nameless = type("Nameless", (Coin,), {"name": property(fail)})
    game = nameless.__new__(nameless)
    object.__setattr__(game, "chances", {1: Fraction(1, 2)})
    for enter in doors(game).values():
        with pytest.raises(RulesError, match="in Nameless sum to 1/2"):
            enter()
    object.__setattr__(game, "chances", {1: 1})
    assert dw.solve(game).certificate.exact == 1
    with pytest.raises(RulesError, match="unknown option 'gap' for Nameless"):
        dw.solve(game, gap=1)
    with pytest.raises(RulesError, match=r"solution at hand is of .*; one of Nameless is allowed"):
        dw.advise(game, ("start",), dw.solve(dw.piglet(goal=3)))
    loud = type("LoudName", (Coin,), {})({1: 1, 2: 1}, name="\x1b[31m\n" * 5000)
    with pytest.raises(RulesError) as caught:
        dw.solve(loud)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


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


class NothingFound(Bluff):
    def ending(self, state):
        return super().ending(state)._replace(found=0)


class NoWild(Bluff):
    def matching(self, hand, bid):
        return hand.count(bid.face)


class FewBids(Bluff):
    bids = (Bid(1, 1), Bid(2, 1))


class AllTrue(CallingGame):
    def true(self, roll, call):
        return True


class KeepNothing(CallingGame):
    def choices(self, seen):
        return ("",)


class SecondWins(BluffMatch):
    def winner(self, standing):
        return SECOND if 0 in standing.dice else None


class Overheard(RaceGame):
    def winnings(self, score, other):
        return 2 * super().winnings(score, other)


class Unchecked(CallingGame):
    def __post_init__(self):
        pass


class Oracle(Bluff):
    def __getattribute__(self, name):
        return (lambda *_: 1.0) if name == "payoff" else super().__getattribute__(name)


def heirs():
    """Games of classes of one's own that have another part of their family, and that part."""
    piglet, die, mia = dw.piglet(goal=2), dw.game("liars-die:sides=3"), dw.game("mia:sides=2,keep=yes")
    return {
        "ending": NothingFound(sides=2),
        "matching": NoWild(sides=2),
        "bids": FewBids(sides=2),
        "true": AllTrue(die.name, die.labels, die.chances),
        "choices": KeepNothing(mia.name, mia.labels, mia.chances, keep=True),
        "true where dice are kept": AllTrue(mia.name, mia.labels, mia.chances, keep=True),
        "winner": SecondWins(dice=(1, 1), sides=2),
        "winnings": Overheard(piglet.name, piglet.goal, piglet.rolls),
        "__getattribute__": Oracle(sides=2),
    }


@pytest.mark.parametrize("part", heirs())
def test_other_parts_of_a_family_s_rules_are_refused_too(part):
    """The solvers of Bluff count dice themselves: a round whose `ending` found none was proved to be another."""
    for enter in doors(heirs()[part]).values():
        with pytest.raises(RulesError, match=f"has its own {part.partition(' ')[0]}, which"):
            enter()


@dataclass(frozen=True)
class FourSides(Bluff):
    sides: int = 4


def test_heirs_with_other_fields_are_taken_if_these_make_a_game():
    assert dw.solve(FourSides()).certificate.exact == dw.solve(Bluff(sides=4)).certificate.exact
    halves = Unchecked("halves", ("low", "high"), (Fraction(1, 2), Fraction(1, 2)))
    assert dw.solve(halves).certificate.proved
    for enter in doors(Unchecked("unchecked", ("low", "high"), (Fraction(1, 2), Fraction(1, 4)))).values():
        with pytest.raises(RulesError, match="the chances of unchecked sum to 3/4"):
            enter()
    with pytest.raises(RulesError, match=r"chances is \[.*\] in unchecked; \(Fraction"):
        dw.solve(Unchecked("unchecked", ("low", "high"), [Fraction(1, 2), Fraction(1, 2)]))


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
    "mia:sides=2,keep=yes": CallingView(-1, roll=0),
    "kuhn-poker": ("J", "?"),
}
NO_VIEWS = [None, 5, "0-0-0", "start", (), (0, 0), (0, 0, 0, True), [], {}, object(), ("J", []), ("nowhere",)]
NO_VIEWS += [RaceView(-1, 0), RaceView(3, 0), RaceView(0, 9), RaceView(0, 0, -2), RaceView(0, 0, 0, "yes")]
NO_VIEWS += [RaceView(0.0, 0), RaceView("0", 0), RaceView(0, 0, my_turn=False)]
NO_VIEWS += [BluffView((9,)), BluffView((1, 1)), BluffView([1]), BluffView((1,), (Bid(9, 9),))]
NO_VIEWS += [BluffView((1,), ("call",)), BluffView(()), CallingView(), CallingView(99), CallingView(-1, 7)]
NO_VIEWS += [CallingView(0, 0, 0), CallingView(-1, None, 5), CallingView(0, seen=99), CallingView(seen=0)]


@pytest.mark.parametrize("name", VIEWS)
def test_advice_is_given_in_views_of_the_game_and_in_no_others(name):
    """A score of -1 was looked up from the end of the table, and the answer was a wrong number."""
    game = dw.game(name)
    solution = dw.solve(game)
    for _ in range(2):  # what was asked before is remembered, but (0.0, 0) is not (0, 0)
        for view in NO_VIEWS:
            for at_hand in (None, solution):
                with pytest.raises((IllegalAction, NotationError)):
                    dw.advise(game, view, at_hand)
        assert set(dw.advise(game, VIEWS[name], solution).worth) == set(game.actions(VIEWS[name]))


def test_a_solution_of_another_game_gives_no_advice():
    with pytest.raises(RulesError, match="the solution at hand is of piglet:goal=3; one of piglet:goal=4"):
        dw.advise(dw.piglet(goal=4), RaceView(0, 0), dw.solve(dw.piglet(goal=3)))
    assert dw.advise(dw.piglet(goal=3), RaceView(0, 0), dw.solve(dw.piglet(goal=3))).best == "roll"


@pytest.mark.parametrize("thing", ["sol", 5, object(), (), dw.piglet(goal=3)])
def test_what_is_no_solution_gives_no_advice(thing):
    for game in (dw.piglet(goal=3), dw.game("bluff:sides=2"), dw.game("kuhn-poker"), dw.game("liars-die")):
        with pytest.raises(RulesError, match=r"is no solution; one of .* is allowed"):
            dw.advise(game, VIEWS.get(game.name, CallingView(-1, 0)), thing)


def test_ranks_may_be_named_by_words():
    game = CallingGame("words", ("no pair", "pair"), (Fraction(1, 2), Fraction(1, 2)))
    view = CallingView(-1, 0)
    assert game.read_view(game.show_view(view)) == view
    assert set(dw.advise(game, view).worth) == {0, 1}
