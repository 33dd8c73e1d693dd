"""Games with lives: any short game played round by round, best of three and more."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from tests.reference.recall import Remembering

import dicewright as dw
from dicewright.analysis.analyse import analyse
from dicewright.arena.table import play_game
from dicewright.core.errors import NotationError, RulesError, StrategyError
from dicewright.core.game import FIRST, OVER, SECOND
from dicewright.core.strategy import AnyAction
from dicewright.families import family
from dicewright.families.catalog import parse, strategy
from dicewright.families.told import Listener
from dicewright.families.tree.solve import solve_sequence_form
from dicewright.storage.store import header_of

GAMES = (
    "mia:sides=3,lives=3",
    "pig:goal=10,lives=2",
    "bluff:sides=3,lives=2",
    "bluff:dice=2v1,sides=2,lives=2",
)


def played(game, seed):
    return play_game(game, (AnyAction(game), AnyAction(game)), Random(seed))


@pytest.mark.parametrize(
    "name",
    [
        "liars-die:sides=2,lives=2",
        pytest.param("bluff:sides=2,lives=2", marks=pytest.mark.long),
        pytest.param("liars-die:sides=3,lives=2", marks=pytest.mark.long),
    ],
)
def test_the_value_is_that_of_the_whole_game_as_one_tree(name):
    """Found by another solver, from the seven questions alone."""
    game = parse(name)
    found = solve_sequence_form(Remembering(game)).certificate
    value = dw.solve(game).certificate.exact
    assert found.lower <= value <= found.upper
    assert found.gap < 1e-9


@pytest.mark.parametrize("name", GAMES)
def test_solved_play_gets_the_value_and_nobody_more(name):
    solution = dw.solve(name)
    met = dw.evaluate(name, solution, solution).a_first
    assert met.payoff == pytest.approx(float(solution.certificate.value), abs=1e-9)
    assert dw.best_response(name, solution).first_payoff == pytest.approx(met.payoff, abs=1e-9)
    assert dw.simulate(name, "optimal", "random", games=40, seed=1).games == 40


@pytest.mark.parametrize("name", GAMES)
def test_losses_and_luck_add_up_to_the_result(name):
    game = parse(name)
    for seed in range(5):
        record = played(game, seed)
        found = analyse(record, dw.solve(game))
        one, two = found.figures
        total = found.start + one.luck + one.hidden_luck - one.loss + two.loss
        assert total == pytest.approx(found.result)


@pytest.mark.parametrize("name", GAMES)
def test_the_loser_of_a_round_loses_a_life_and_begins_the_next(name):
    game = parse(name)
    record = played(game, 7)
    states = list(record.states())
    for before, after in pairwise(states):
        if before.left == after.left:
            continue
        loser = FIRST if after.left[FIRST] < before.left[FIRST] else SECOND
        assert sum(before.left) - sum(after.left) == 1
        if all(after.left):
            assert after.now == game.round.begun(loser)
    last = states[-1]
    assert game.mover(last) == OVER
    assert game.payoff(last) == (1.0 if last.left[SECOND] == 0 else -1.0)
    assert game.read_state(game.show_state(last)) == last


@pytest.mark.parametrize("name", GAMES)
def test_the_end_of_a_round_is_told_with_the_lives(name):
    game, kin = parse(name), family(parse(name))
    record, to = played(game, 3), Listener(SECOND, "optimal")
    states = list(record.states())
    told = [
        line
        for before, choice, after in zip(states, record.choices, states[1:], strict=False)
        for line in kin.tell(game, to, before, choice, after)
    ]
    rounds = sum(states[0].left) - sum(states[-1].left)
    assert sum(line.endswith(" the round.") for line in told) == rounds
    assert f"optimal has {'no lives left' if record.payoff < 0 else ''}" in told[-1]
    scene = kin.scene(game, states[-2], record.choices[-1], states[-1])
    assert scene["lives"] == list(states[-1].left)
    assert scene["won"] == ("first" if record.payoff > 0 else "second")


def test_a_round_of_bluff_may_be_opened_by_the_second_player():
    game = parse("bluff:dice=2v1,lives=2").round
    state = game.play(game.play(game.begun(SECOND), (1, 2)), (3,))
    assert game.mover(state) == SECOND
    assert game.view(state, SECOND).mine == (1, 2)
    assert game.view(state, FIRST).mine == (3,)
    assert game.read_state(game.show_state(state)) == state
    solution = dw.solve(game)
    assert solution.worth(state) == -solution.worth(state._replace(opener=FIRST))
    called = game.play(game.play(state, game.read_choice("3x4")), "call")
    assert game.payoff(called) == 1.0  # SECOND opened and bid what is not there, FIRST called
    assert game.payoff(called._replace(opener=FIRST)) == -1.0


@pytest.mark.parametrize("name", ["piglet:goal=3,lives=2", "mia:sides=3,keep=yes,lives=2"])
def test_the_round_is_solved_by_a_worker_where_there_are_some(name, tmp_path, monkeypatch):
    """As `dicewright value` does: a round without a `gap` was asked for one."""
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path))
    with ThreadPoolExecutor(1) as executor:
        found = header_of(parse(name), executor=executor)
    assert found["value"] == pytest.approx(dw.solve(name, fresh=True).certificate.value, abs=1e-12)
    assert list(tmp_path.iterdir())  # the round is kept


def test_a_file_holds_the_round_and_is_proved_by_it(tmp_path):
    solution = dw.solve("liars-die:lives=3")
    dw.save(tmp_path / "three.npz", solution)
    again = dw.load(tmp_path / "three.npz")
    assert again.certificate == solution.certificate
    assert dw.verify(tmp_path / "three.npz").exact == solution.certificate.exact
    assert (
        again.advise("2-1 | accepted 2, rolled 4").worth
        == solution.advise("2-1 | accepted 2, rolled 4").worth
    )


def test_fields_and_words():
    game = parse("mia:lives=3")
    kin = family(game)
    assert kin.title(game) == "Mia, three lives each"
    assert "the best of five" in " ".join(kin.rules(game))
    assert parse("mia:lives=1") == parse("mia")
    assert parse("pig:lives=2,goal=50").name == "pig:goal=50,lives=2"
    assert str(strategy("truthful", game)) == "truthful"
    pig = parse("pig:lives=2")
    assert "mirroring" not in family(pig).strategies(pig)  # who remembers


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("mia:lives=0", RulesError, "lives is 0 in mia; 1 to 9 is allowed"),
        (
            "mia:lives=many",
            NotationError,
            "lives is 'many' in game 'mia:lives=many'; a whole number is allowed",
        ),
        ("pig:payoff=margin,lives=3", RulesError, "pig:payoff=margin is not always won or lost"),
        ("pig:skip=yes,lives=3", RulesError, "only such games have lives"),
        ("bluff-match:lives=3", NotationError, "has no field 'lives'"),
    ],
)
def test_what_has_no_lives_is_refused(text, kind, said):
    with pytest.raises(kind, match=said.replace("(", r"\(")):
        parse(text)


@pytest.mark.parametrize(
    "text", ["3 | start", "4-1 | start", "0-0 | start", "3-1 | accepted 21", "0-2 | start", "x"]
)
def test_positions_that_cannot_be_are_refused(text):
    with pytest.raises(NotationError):
        parse("mia:lives=3").read_state(text)


def test_a_strategy_that_may_look_at_the_lives_is_played_and_not_weighed():
    def bold(view):
        return {"roll": 1.0} if view.mine < view.yours else {"hold": 1.0}

    with pytest.raises(StrategyError, match="may look at the lives"):
        dw.evaluate("pig:goal=10,lives=2", bold, "optimal")


def test_the_chance_in_a_game_without_advantage_is_even():
    assert dw.solve("bluff:sides=2,spot_on=yes,lives=4").certificate.exact == Fraction(0)


def test_a_reason_says_that_its_chances_are_those_of_the_round():
    """Once 21 is accepted the round is won, which is not the game while the other has two lives."""
    game = parse("mia:lives=3")
    solution = dw.solve(game)
    for lives, begins in (("2-2", "In this round: once they accept 62"), ("1-1", "Once they accept 62")):
        view = game.read_view(f"{lives} | rolled 21")
        best, choice = game.read_choice("21"), game.read_choice("62")
        why = family(game).why(game, solution, view, choice, best)
        assert why.startswith(begins), why
        assert why.endswith("after 21 it is 100 %.")


def test_a_reason_in_a_match_says_so_until_the_last_round():
    """Calling wins 71 % of rounds and 39 % of matches: both stood beside each other."""
    game = parse("bluff-match:dice=2v1,sides=2")
    solution = dw.solve(game)
    seen = set()
    for seed in range(40):
        found = analyse(played(game, seed), solution)
        for moment in found.moments:
            if moment.why:
                last = moment.view.standing.dice == (1, 1)
                seen.add(last)
                assert moment.why.startswith("In this round: ") != last, moment.why
    assert seen == {True, False}
