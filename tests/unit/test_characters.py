"""Characters: attitudes to the points of a turn, and who is moved by the other."""

from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from dicewright.arena.simulate import simulate
from dicewright.arena.table import play_game
from dicewright.core.errors import DicewrightError, NotationError, RulesError, StrategyError
from dicewright.families import family
from dicewright.families.catalog import parse, strategy
from dicewright.families.race.characters import Mirroring, differences, hold_for
from dicewright.families.race.duel import evaluate_race
from dicewright.families.race.named import pig, piglet
from dicewright.families.race.rules import HOLD, ROLL, RaceView
from dicewright.families.race.solution import solve_values
from dicewright.families.race.strategies import best_turn

PIG = parse("pig")


def worth_of_turn(game, utility):
    """The best expected utility of a turn's points at each turn total, by recursion over dice; holds from where."""
    faces = [(float(p), effect, points) for p, effect, points in game.rolls[0][1]]

    @cache
    def worth(k):
        return max(utility(k), rolled(k)) if k < 150 else utility(k)

    def rolled(k):
        return sum(p * (worth(k + n) if e == "add" else utility(n)) for p, e, n in faces)

    for k in range(150, 0, -1):
        worth(k)
    return [k for k in range(1, 90) if utility(k) >= rolled(k)]


@pytest.mark.parametrize("power", ["1/4", "1/2", "2/3", "1", "3/2", "2", "5/2"])
@pytest.mark.parametrize("name", ["pig", "pig:one=scores", "piglet:goal=90", "big-pig"])
def test_the_threshold_is_the_best_of_all_ways_to_play_a_turn(name, power):
    """Also of those that look further ahead than one roll: the holds are all totals from one on."""
    game = parse(name)
    held = worth_of_turn(game, lambda x: x ** float(Fraction(power)))
    assert held == list(range(hold_for(game, Fraction(power)), 90))


def test_neutral_is_the_best_turn_and_attitudes_lie_on_either_side():
    assert hold_for(PIG, Fraction(1)) == best_turn(PIG)[0] == 20
    holds = [hold_for(PIG, Fraction(n, 4)) for n in range(1, 16)]
    assert holds == sorted(holds)
    assert strategy("averse", PIG).hold_at(0, 0) < 20 < strategy("loving", PIG).hold_at(0, 0)


def best_against(game, other, won, lost):
    """The best player's choices against a known opponent, for any utility of the two ends, by plain iteration."""
    goal, faces = game.goal, game.rolls[0][1]
    mine = np.full((goal, goal), (won + lost) / 2.0)  # at the start of my turn, [mine, yours]
    yours = mine.copy()  # at the start of the other's turn, same order

    def turn(i, end, stops):
        """The utility at each turn total; end(score) after the turn, stops(k, hold, roll) decides."""
        worth, picks = [0.0] * (goal + 7), [False] * goal
        for k in range(goal + 6 - i, -1, -1):
            if i + k >= goal:
                worth[k] = end(i + k)
                continue
            roll = sum(float(p) * (worth[k + n] if e == "add" else end(i)) for p, e, n in faces)
            hold = end(i + k) if k else -np.inf
            picks[k] = bool(k) and stops(k, hold, roll)
            worth[k] = hold if picks[k] else roll
        return worth[0], tuple(picks)

    choices = {}
    for _ in range(40):
        for i, j in np.ndindex(goal, goal):
            mine[i, j], choices[i, j] = turn(
                i, lambda s, j=j: won if s >= goal else yours[s, j], lambda k, hold, roll: hold >= roll - 1e-9
            )
            yours[i, j], _ = turn(
                j, lambda s, i=i: lost if s >= goal else mine[i, s],
                lambda k, hold, roll, i=i, j=j: other(RaceView(j, i, k)).get(HOLD, 0.0) == 1.0,
            )  # fmt: skip
    return choices


@pytest.mark.slow
def test_in_a_game_won_or_lost_attitude_to_risk_does_not_matter():
    """E u = u(lost) + (u(won) - u(lost)) P(won): whatever the two ends are worth, the best choices are the same."""
    game = pig(goal=8)
    optimum = solve_values(game)
    same = best_against(game, optimum, 1.0, 0.0)
    for won, lost in ((10.0, -1000.0), (0.5**0.5, 0.1**0.5), (4.0, 3.0)):
        assert best_against(game, optimum, won, lost) == same
    for (i, j), held in same.items():
        assert [optimum(RaceView(i, j, k)) == {HOLD: 1.0} for k in range(1, game.goal - i)] == list(
            held[1 : game.goal - i]
        )


@pytest.mark.parametrize("text", ["averse:power=1/3", "loving:power=5/2", "neutral", "influenced:share=2",
                                  "mirroring:base=12", "noisy:precision=30,bias=-1/2"])  # fmt: skip
def test_names_round_trip(text):
    assert str(strategy(text, PIG)) == text
    assert text.partition(":")[0] in family(PIG).strategies(PIG)


def test_decimals_are_read_as_fractions():
    assert str(strategy("averse:power=0.25", PIG)) == "averse:power=1/4"


@pytest.mark.parametrize("text", ["averse:power=1", "averse:power=0", "loving:power=1/2", "loving:power=1/0",
                                  "loving:power=100", "mirroring:base=0", "noisy:precision=x",
                                  "influenced:share=0"])  # fmt: skip
def test_bad_fields_say_what_is_allowed(text):
    with pytest.raises((NotationError, RulesError), match="allowed"):
        strategy(text, PIG)


def test_a_mirror_holds_at_the_others_latest_scoring_turn():
    game, rolls = pig(goal=30), ["+5", "+4", "+6", "+3", "bust", "+2", "bust", "+5", "+4", "bust"]
    players = (strategy("hold:9", game), Mirroring(game, base=7))
    record = play_game(game, players, rolls=[*rolls, *["+6"] * 30])
    text = " ".join(game.show_choice(choice) for choice in record.choices)
    # nine points banked: the mirror rolls up to nine, and does so again after the other's bust
    assert text.startswith("roll +5 roll +4 hold roll +6 roll +3 hold roll bust roll +2 roll bust roll +5")
    assert simulate(game, *players, games=20, seed=1).games == 20
    with pytest.raises(StrategyError, match="watches the other's turns"):
        evaluate_race(game, *players)


def test_a_noisy_player_rolls_by_the_odds_of_the_worths():
    game = pig(goal=20)
    values, player = solve_values(game), strategy("noisy:precision=30,bias=1/2", game)
    for view in (RaceView(0, 0, 5), RaceView(12, 3, 4), RaceView(3, 15, 9)):
        worth = values.action_worths(view)
        odds = 30 * (worth[ROLL] - worth[HOLD]) - 0.5
        assert player(view)[ROLL] == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-12)
        assert differences(game)[view[:3]] == pytest.approx(worth[ROLL] - worth[HOLD], abs=1e-12)
    assert player(RaceView(0, 0)) == {ROLL: 1.0}


def test_a_noisy_player_gets_better_with_precision():
    game = pig(goal=20)
    players = [strategy(f"noisy:precision={n}", game) for n in (0, 20, 100, 100000)]
    won = [evaluate_race(game, solve_values(game), player).a_overall for player in players]
    assert won == sorted(won, reverse=True)
    assert won[-1] == pytest.approx(0.5, abs=1e-4)


def test_everybody_can_be_met_at_the_table():
    for name in ("averse", "neutral", "loving", "influenced", "mirroring", "noisy"):
        player = strategy(name, piglet(goal=5))
        assert play_game(piglet(goal=5), (player, player), Random(1)).ended == "over"
    with pytest.raises(DicewrightError, match="has the rolls"):
        evaluate_race(parse("hog:goal=10"), *[strategy("averse", parse("hog:goal=10"))] * 2)
