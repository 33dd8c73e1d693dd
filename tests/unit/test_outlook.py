"""What two strategies make of a position: P(i, j, k), by kernels and by playing out, beside the rules alone."""

import csv
import json

import numpy as np
import pytest
from tests import forked
from tests.reference.by_the_book import wins_by_the_book

import dicewright as dw
from dicewright.core.errors import IllegalAction, NotationError, RulesError, StrategyError, TooLarge
from dicewright.core.game import CHANCE, FIRST, OVER, SECOND
from dicewright.core.strategy import AnyAction
from dicewright.families.race.outlook import outlook_columns, outlooks
from dicewright.families.race.rules import RaceState
from dicewright.storage.columns import save_array, save_columns


class Begun:
    """A game that starts at a state of another."""

    def __init__(self, game, state):
        self.game, self.state = game, state

    def __getattr__(self, name):
        return getattr(self.game, name)

    def start(self):
        return self.state


GAMES = {
    "piglet:goal=4": ("hold:2", "random"),
    "pig:goal=9": ("hold:5", "hold:3"),
    "pig:goal=8,finish=exact": ("hold:4", "random"),
    "pig:goal=7,payoff=difference": ("hold:4", "hold:6"),
    "two-dice-pig:goal=9": ("hold:4", "random"),
    "hog:goal=7,dice=2": ("optimal", "random"),
    "big-pig:goal=9": ("hold:8", "hold:3"),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_position_agrees_with_the_rules_alone(name):
    game = dw.game(name)
    a, b = (dw.strategy(text, game) for text in GAMES[name])
    cubes = outlooks(game, a, b)
    columns = outlook_columns(game, a, b)
    rows = list(zip(*columns.values(), strict=True))
    rng = np.random.default_rng(1)
    for place in rng.choice(len(rows), 12, replace=False):
        mover, mine, yours, turn, wins, *rest = rows[place]
        first, second = (a, b) if mover == "a" else (b, a)
        state = RaceState(FIRST, int(mine), int(yours), int(turn))
        expected = wins_by_the_book(Begun(game, state), first, second)
        assert wins == pytest.approx(expected[0], abs=1e-12)
        if rest:
            assert rest[0] == pytest.approx(expected[1], abs=1e-12)
        assert cubes["wins"]["ab".index(mover), mine, yours, turn] == wins
    met = dw.evaluate(game, a, b)
    assert [cubes["wins"][seat, 0, 0, 0] for seat in (0, 1)] == pytest.approx(
        [met.a_first.first_wins, met.b_first.first_wins], abs=1e-14
    )


def test_at_the_start_a_position_is_the_game():
    for name, pair in GAMES.items():
        here, whole = dw.evaluate(name, *pair, at="0-0"), dw.evaluate(name, *pair)
        for one, two in ((here.a_first, whole.a_first), (here.b_first, whole.b_first)):
            assert vars(one) == pytest.approx(vars(two), abs=1e-12)


def test_a_goal_that_is_reached_is_won():
    found = dw.evaluate("pig:payoff=difference", "hold:20", "hold:25", at="90-10+14")
    assert (found.a_first.first_wins, found.a_first.payoff, found.a_first.expected_turns) == (1.0, 94.0, 1.0)


def waits(view):
    return {"hold": 1.0}


def test_play_that_never_ends_is_nobody_s():
    found = dw.evaluate("pig:goal=10,skip=yes", waits, waits, at="3-4").a_first
    assert (found.first_wins, found.second_wins, found.stalemate) == (0.0, 0.0, 1.0)
    assert found.expected_turns == np.inf


def decided(game):
    """Every state at which a player decides, once."""
    todo, found = [game.start()], {}
    while todo:
        state = todo.pop()
        mover = game.mover(state)
        if mover == OVER:
            continue
        if mover != CHANCE:
            found[state] = mover
        choices = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
        todo += [then for choice in choices if (then := game.play(state, choice)) not in found]
    return found


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        ("kuhn-poker", None, None),
        ("bluff:sides=2", "random", "call-below:p=0.4"),
        ("bluff:sides=2,dice=1v1,order=fixed", "random", "random"),
        ("liars-die:sides=3", "random", "truthful"),
    ],
)
def test_views_of_hidden_dice_add_up_to_the_game(name, a, b):
    """The mean of the chances in all views that a player first decides in is the chance of the whole game."""
    game = dw.game(name)
    a, b = (a, b) if a else (AnyAction(game), dw.solve(game))
    whole = dw.evaluate(game, a, b)
    weights = {}
    for state, mover in decided(game).items():
        if mover == FIRST and game.mover(game.start()) == CHANCE and _first_choice(game, state):
            weights[game.view(state, FIRST)] = _chance(game, state) + weights.get(game.view(state, FIRST), 0)
    total = sum(weights.values())
    assert total == pytest.approx(1.0)
    for name, pair in (("a_first", (a, b)), ("b_first", (b, a))):
        wins = sum(w * dw.evaluate(game, *pair, at=view).a_first.first_wins for view, w in weights.items())
        assert wins == pytest.approx(getattr(whole, name).first_wins, abs=1e-12)
        turns = sum(
            w * dw.evaluate(game, *pair, at=view).a_first.expected_turns for view, w in weights.items()
        )
        assert turns == pytest.approx(getattr(whole, name).expected_turns, abs=1e-12)


def _ways(game, state):
    """Ways of dice alone from the start to a state, with their chances."""
    todo = [(game.start(), 1.0)]
    while todo:
        here, chance = todo.pop()
        if here == state:
            yield chance
        elif game.mover(here) == CHANCE:
            todo += [(game.play(here, face), chance * float(p)) for face, p in game.outcomes(here).items()]


def _first_choice(game, state):
    return any(True for _ in _ways(game, state))


def _chance(game, state):
    return sum(_ways(game, state))


def test_the_answer_to_a_call_weighs_the_rolls_that_call_so():
    """Truthful calls of three are threes: whoever challenges one loses, as does whoever accepts the highest call."""
    found = dw.evaluate("liars-die:sides=3", "random", "truthful", at="called 3")
    assert found.a_first.first_wins == 0.0


@pytest.mark.parametrize(
    ("error", "name", "a", "b", "at", "words"),
    [
        (StrategyError, "pig", "four-scoring-turns", "hold:20", "3-4", "remembers what no position tells"),
        (IllegalAction, "pig", "hold:20", "hold:20", "3-4/other", "as its mover sees it"),
        (NotationError, "pig", "hold:20", "hold:20", "3-104", "has won"),
        (IllegalAction, "bluff:sides=3", "truthful", "truthful", "2 | 2x3", "never plays to"),
        (RulesError, "bluff-match:sides=2,dice=2v1", "truthful", "truthful", None, "those of its rounds are"),
        (IllegalAction, "kuhn-poker", len, len, ("nowhere",), "is no move"),
    ],
)
def test_what_has_no_outlook_is_refused_in_a_sentence(error, name, a, b, at, words):
    game = dw.game(name)
    if at is None:
        state = next(state for state, mover in _few(game) if mover in (FIRST, SECOND))
        at = game.view(state, game.mover(state))
    with pytest.raises((error, NotationError), match=words):
        dw.evaluate(game, a, b, at=at)


def _few(game):
    state = game.start()
    while (mover := game.mover(state)) == CHANCE:
        state = game.play(state, next(iter(game.outcomes(state))))
    yield state, mover


def test_a_table_that_does_not_fit_is_refused():
    with pytest.raises(TooLarge, match="goals up to 250 are allowed"):
        dw.win_chances("pig:goal=300", "hold:20", "hold:20")


def test_tables_are_written_and_read_again(tmp_path):
    game = dw.game("pig:goal=8")
    columns = outlook_columns(game, dw.strategy("hold:3", game), dw.strategy("hold:5", game))
    assert save_columns(tmp_path / "p.csv", columns) == len(columns["wins"])
    with (tmp_path / "p.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["wins"]) for row in rows] == columns["wins"].tolist()
    assert {(row["mover"], row["turn"]) for row in rows} == {
        (mover, str(turn)) for mover in "ab" for turn in (0, 2, 3, 4, 5, 6, 7)
    }
    save_array(tmp_path / "p.npy", dw.win_chances(game, "hold:3", "hold:5"))
    cube = np.load(tmp_path / "p.npy")
    assert cube.shape == (2, 8, 8, 8)
    assert np.isnan(cube[0, 5, 0, 3])
    parquet = pytest.importorskip("pyarrow.parquet")
    save_columns(tmp_path / "p.parquet", columns)
    assert parquet.read_table(tmp_path / "p.parquet")["wins"].to_pylist() == columns["wins"].tolist()


def test_the_command_tells_a_position_and_saves_all(tmp_path):
    def run(*words, code=0):
        done = forked.run(["evaluate", *words], text=True)
        assert done.returncode == code, done.stderr
        return done

    shown = run("pig:goal=20", "hold:5", "hold:9", "--at", "7-3+4", "--csv", str(tmp_path / "p.csv"))
    assert "from 7-3+4 on" in shown.stdout
    assert (tmp_path / "p.csv").read_text().startswith("mover,mine,yours,turn,wins\na,0,0,0,0.")
    told = json.loads(run("pig:goal=20", "hold:5", "hold:9", "--at", "7-3+4", "--json").stdout)
    assert told["at"] == "7-3+4"
    assert (
        told["a_first"]["first_wins"]
        == dw.evaluate("pig:goal=20", "hold:5", "hold:9", at="7-3+4").a_first.first_wins
    )
    refused = run("bluff:sides=2", "random", "random", "--npy", str(tmp_path / "p.npy"), code=2)
    assert "of race games such as pig" in refused.stderr
