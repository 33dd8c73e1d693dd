"""A family that says nothing but who sees what is told at the table all the same, and tells no hidden dice."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from dicewright.analysis.moments import talk_of, talk_words
from dicewright.analysis.sentences import decision
from dicewright.cli.commands.play import check_table
from dicewright.cli.play.table import Saver, Setup, Sitting, seed_of
from dicewright.cli.play.told import Teller, default_opponent, table_text
from dicewright.cli.play.widgets import cell_of, rows_of
from dicewright.core.errors import NotationError
from dicewright.core.game import ALL_EYES, CHANCE, FIRST, OVER, SECOND
from dicewright.families import catalog
from dicewright.families.catalog import parse
from dicewright.families.family import Family


class Guess:
    """FIRST rolls a die in secret, SECOND guesses whether it is odd or even."""

    family, name = "guess", "guess"

    def start(self):
        return ()

    def mover(self, state):
        return (CHANCE, SECOND, OVER)[len(state)]

    def view(self, state, player):
        return state if player == FIRST or len(state) == 2 else (0,) * len(state)

    def actions(self, view):
        return ("odd", "even")

    def outcomes(self, state):
        return {side: Fraction(1, 6) for side in range(1, 7)}

    def play(self, state, choice):
        return (*state, choice)

    def payoff(self, state):
        return -1.0 if (state[1] == "odd") == bool(state[0] % 2) else 1.0

    def show_choice(self, choice):
        return str(choice)

    def show_view(self, view):
        return " ".join(map(str, view)) or "start"


class GuessFamily(Family):
    key, kind = "guess", Guess

    def roller(self, game, state):
        return FIRST

    def uncover(self, game, eyes, before, choice):
        eyes[:] = [ALL_EYES] * len(eyes)
        return True


def forget():
    catalog.named.cache_clear()
    catalog.others.cache_clear()


@pytest.fixture
def game(monkeypatch):
    point = SimpleNamespace(load=GuessFamily, value="test:GuessFamily")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point])
    forget()
    yield Guess()
    forget()


@pytest.mark.parametrize(("seat", "roll"), [(FIRST, "You roll: 5."), (SECOND, "Ann rolls in secret.")])
def test_any_family_is_told(game, seat, roll):
    teller, after = Teller(seat, "ann", game), (5, "even")
    scenes = [teller.scene((), 5, (5,)), teller.scene((5,), "even", after)]
    who = "You choose" if seat == SECOND else "Ann chooses"
    assert [scene.lines for scene in scenes] == [(roll,), (f"{who} even.",)]
    assert [(scene.by, scene.spoken) for scene in scenes] == [(FIRST, False), (SECOND, False)]
    assert str(table_text(teller, after, scenes, 40, False, True)) == "5 even"


def test_nothing_at_the_guesser_s_table_depends_on_the_die(game):
    teller, told = Teller(SECOND, "ann", game), set()
    for side in range(1, 7):
        scene = teller.scene((), side, (side,))
        shown = str(table_text(teller, (side,), [scene], 40, False, False))
        told.add((scene.lines, shown, *teller.position((side,))))
    assert told == {(("Ann rolls in secret.",), "0", "You are at 0.")}


def test_any_family_is_played_in_the_terminal(game):
    table = Sitting(Setup(game, "ann", SECOND, seed_of(1)), None, Saver(save=False))
    cells = [cell_of(game, action, table.view) for action in table.actions]
    assert [[cell.label for cell in row] for row in rows_of(cells, 40)] == [["odd", "even"]]
    lines = [line for scene in table.choose("odd") for line in scene.lines]
    assert lines == ["You choose odd."]
    assert table.over


def test_any_family_is_analysed_without_talk(game):
    ply = SimpleNamespace(who=SECOND, choice="odd", view=(0,))
    assert talk_of(game, [ply]) == (None, None)
    assert talk_words(game, "right_calls") == "right calls"
    found = SimpleNamespace(record=SimpleNamespace(game=game))
    assert decision(found, ply) == "odd at 0"
    assert default_opponent(game) == ("optimal", "")


def test_games_whose_family_says_nothing_of_tables_are_not_played_there(game):
    check_table(game)
    with pytest.raises(NotationError, match="kuhn-poker is not played here"):
        check_table(parse("kuhn-poker"))
