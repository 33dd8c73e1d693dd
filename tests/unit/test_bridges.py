"""Other people's tools find in our games what we find; and would find it out if the bridge lied."""

from fractions import Fraction

import pytest
from typer.testing import CliRunner

import dicewright as dw
from dicewright.bridges.gambit import to_efg
from dicewright.bridges.levels import walk
from dicewright.cli.app import app
from dicewright.cli.commands import export  # noqa: F401 (adds it to the app)
from dicewright.core.errors import RulesError, StrategyError, TooLarge
from dicewright.core.game import OVER
from dicewright.core.strategy import AnyAction
from dicewright.families.race.rules import BUST, add, roll_of

FINITE = ["kuhn-poker", "bluff:sides=2", "bluff:sides=3", "liars-die:sides=3", "bluff-match:dice=1v1,sides=2"]


def uneven(game):
    """A strategy that is neither solved nor even: chances 1 : 2 : 3 ... by place."""

    def strategy(view):
        actions = game.actions(view)
        whole = len(actions) * (len(actions) + 1) / 2
        return {action: place / whole for place, action in enumerate(actions, 1)}

    return strategy


@pytest.fixture(scope="module")
def pyspiel():
    return pytest.importorskip("pyspiel")


@pytest.mark.parametrize("text", FINITE)
def test_openspiel_finds_the_same_nash_conv(pyspiel, text):
    game = dw.game(text)
    spiel = dw.to_openspiel(game)
    policy = dw.to_policy(spiel, uneven(game))
    ours = dw.nash_conv(game, uneven(game))
    assert ours > 0.1
    assert pyspiel.nash_conv(spiel, policy) == pytest.approx(ours, abs=1e-9)
    assert dw.nash_conv(game, dw.from_policy(spiel, policy)) == pytest.approx(ours, abs=1e-9)


@pytest.mark.parametrize("text", FINITE[:4])
def test_openspiel_cannot_gain_against_what_we_solved(pyspiel, text):
    spiel = dw.to_openspiel(text)
    assert pyspiel.nash_conv(spiel, dw.to_policy(spiel, dw.solve(text))) == pytest.approx(0.0, abs=1e-9)


def test_openspiel_would_find_a_lie_about_one_payoff(pyspiel, monkeypatch):
    from dicewright.bridges.openspiel import SpielState

    game = dw.game("bluff:sides=2")
    ours = dw.nash_conv(game, uneven(game))
    endings = [state for level in walk(game).states for state in level if game.mover(state) == OVER]
    where, honest = min(endings, key=repr), SpielState.returns

    def lie(state):
        return [10.0, -10.0] if state.state == where else honest(state)

    monkeypatch.setattr(SpielState, "returns", lie)
    spiel = dw.to_openspiel(game)
    assert abs(pyspiel.nash_conv(spiel, dw.to_policy(spiel, uneven(game))) - ours) > 1e-3


def test_a_horizon_changes_no_more_than_its_bound(pyspiel):
    game, horizon = dw.game("piglet:goal=2"), 8
    cut = walk(game, horizon).cut()
    spiel = dw.to_openspiel(game, horizon)
    policy = dw.to_policy(spiel, uneven(game))
    changed = abs(pyspiel.nash_conv(spiel, policy) - dw.nash_conv(game, uneven(game)))
    assert 0.0 < changed <= 2 * cut


def test_the_bound_of_a_horizon_falls():
    cuts = [walk(dw.game("piglet:goal=2"), horizon).cut() for horizon in (1, 20, 60)]
    assert cuts[0] == 1.0 > cuts[-1]
    assert cuts == sorted(cuts, reverse=True)
    assert walk(dw.game("kuhn-poker")).cut() == 0.0


def test_the_registry_knows_our_games(pyspiel):
    spiel = pyspiel.load_game("dicewright", {"rules": "bluff:sides=2"})
    again = pyspiel.load_game(str(spiel))
    assert str(again) == str(spiel)
    state = again.new_initial_state()
    assert dict(state.chance_outcomes())
    policy = dw.to_policy(again, AnyAction(dw.game("bluff:sides=2")))
    assert pyspiel.nash_conv(spiel, policy) == pytest.approx(1.125, abs=1e-9)


def test_a_game_whose_line_says_other_rules_is_refused(pyspiel):
    other = dw.game("kuhn-poker")
    liar = dw.RaceGame("piglet", 2, (("roll", roll_of({add(2): 2, BUST: 1})),))
    assert dw.to_openspiel(other).num_players() == 2
    with pytest.raises(dw.RulesError, match="a game whose line says its rules is allowed"):
        dw.to_openspiel(liar, horizon=8)


def test_a_policy_that_remembers_is_refused(pyspiel):
    spiel = dw.to_openspiel("piglet:goal=2", 10)

    class ByLength:
        def action_probabilities(self, state):
            legal = state.legal_actions()
            return {legal[(state.length // 2) % len(legal)]: 1.0}

    with pytest.raises(StrategyError, match="differs at"):
        dw.from_policy(spiel, ByLength())
    with pytest.raises(StrategyError, match="no game of to_openspiel"):
        dw.from_policy("pig", ByLength())


def test_games_without_an_end_need_a_horizon(pyspiel):
    with pytest.raises(RulesError, match="horizon=20"):
        dw.to_openspiel("piglet:goal=2")
    with pytest.raises(RulesError, match="whole number of choices"):
        dw.to_openspiel("piglet:goal=2", 0)
    with pytest.raises(TooLarge):
        walk(dw.game("pig"), 200, most_states=1000)


def solved_by_gambit(text):
    """FIRST's payoff in the equilibrium that Gambit's rational program finds."""
    gambit = pytest.importorskip("pygambit")
    from io import StringIO

    game = gambit.read_efg(StringIO(text))
    profile = gambit.nash.lp_solve(game, rational=True).equilibrium
    return Fraction(str(profile.payoffs["first"]))


@pytest.mark.parametrize("text", ["rock-paper-scissors", "kuhn-poker", "textbook-tree", "bluff:sides=2"])
def test_gambit_finds_the_same_value(text):
    assert solved_by_gambit(to_efg(text)) == dw.solve(text).certificate.exact


def test_gambit_would_find_a_lie_about_one_payoff():
    lines = to_efg("kuhn-poker").splitlines()
    place = max(n for n, line in enumerate(lines) if line.startswith("t") and "{ 2, -2 }" in line)
    lines[place] = 't "" 99 "" { 5/2, -5/2 }'
    assert solved_by_gambit("\n".join(lines) + "\n") != dw.solve("kuhn-poker").certificate.exact


def test_a_file_for_gambit_has_every_ending():
    game = dw.game("kuhn-poker")
    endings = [line for line in to_efg(game).splitlines() if line.startswith("t")]
    assert len(endings) == 30
    with pytest.raises(TooLarge, match="choices in one play"):
        to_efg("piglet:goal=2")
    with pytest.raises(TooLarge, match="nodes"):
        to_efg("bluff", 1000)
    assert all(game.mover(state) == OVER for state in walk(game).states[-1])


def test_export_writes_what_gambit_reads(tmp_path):
    path = tmp_path / "kuhn.efg"
    done = CliRunner().invoke(app, ["export", "kuhn-poker", "-o", str(path), "--json"])
    assert done.exit_code == 0
    assert '"nodes": 58' in done.stdout
    assert path.read_text() == to_efg("kuhn-poker")
