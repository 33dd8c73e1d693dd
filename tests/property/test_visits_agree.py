"""Visits agree with a twin that knows only the seven questions, on random small games with and without ruin."""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.test_race_agrees import race_games, rules_of_thumb
from tests.reference.visits_by_the_book import visits_by_the_book

from dicewright.core.errors import RulesError, StrategyError
from dicewright.families.race.duel import best_response_race
from dicewright.families.race.named import pass_the_pigs, pig, two_dice_pig
from dicewright.families.race.rules import BUST, ROLL, RUIN, Effect, RaceGame, add, roll_of
from dicewright.families.race.strategies import HoldAt, RandomRace, ScoringTurns
from dicewright.families.race.visits import game_lengths, length_spread, visit_chances


def agree(game, a, b):
    """Every chance is that of the twin, and no other state has one."""
    chances = visit_chances(game, a, b)
    expected = np.zeros_like(chances)
    for place, chance in visits_by_the_book(game, a, b).items():
        expected[place] = chance
    assert chances == pytest.approx(expected, abs=1e-11)
    assert ((chances > 0) == (expected > 0)).all()


@dataclass(frozen=True)
class Moody:
    """Mixes by scores, turn total and a memory that goes round: back to where it was, not only up."""

    game: RaceGame
    salt: int
    memories: int

    def __call__(self, view, memory=0):
        allowed = self.game.actions(view)
        pick = (31 * view.mine + 17 * view.yours + 7 * view.turn + 5 * memory + self.salt) % 11
        if pick % 3 == 2:
            return {allowed[0]: 0.75, allowed[-1]: 0.25} if len(allowed) > 1 else {allowed[0]: 1.0}
        return {allowed[pick % len(allowed)]: 1.0}

    def remember(self, memory, gained):
        return (memory + gained) % self.memories


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_visits_agree_without_memory(data):
    game = data.draw(race_games(skip=data.draw(st.booleans())))
    a, b = data.draw(rules_of_thumb(game)), data.draw(rules_of_thumb(game))
    agree_or_refused(game, a, b)


@settings(max_examples=30, deadline=None)
@given(race_games(), st.tuples(st.integers(0, 99), st.integers(2, 3)), st.integers(0, 99), st.integers(1, 3))
def test_visits_agree_with_memory(game, moods, salt, memories):
    game = replace(game, goal=min(game.goal, 4))
    agree_or_refused(game, Moody(game, *moods), Moody(game, salt, memories))


def agree_or_refused(game, a, b):
    """Visits are refused only where a roll ruins and play may never end."""
    try:
        visit_chances(game, a, b)
    except RulesError:
        assert any(e is Effect.RUIN for _, roll in game.rolls for _, e, _ in roll)
        assert game.finish == "exact" or game.skip
        return
    agree(game, a, b)


@pytest.mark.parametrize(
    "game", [two_dice_pig(goal=10), pass_the_pigs(goal=7), pig(goal=7), pig(goal=6, skip=True)]
)
def test_named_games_agree(game):
    agree(game, HoldAt(4), RandomRace(game))
    agree(game, ScoringTurns(game, 3), HoldAt(6))
    agree(game, ScoringTurns(game, 3), ScoringTurns(game, 2))


def test_an_answer_that_reads_the_memory_meets_only_its_opponent():
    """The best response to a strategy with memory has a column for each of its seats."""
    game = two_dice_pig(goal=12)
    rule = ScoringTurns(game, 2)
    answer = best_response_race(game, rule).strategy
    chances = visit_chances(game, answer, rule)
    assert chances[0, 0, 0, 0] == 1.0
    assert 0.0 < chances[1, 0, 0, 0] < 1.0
    for follow in (visit_chances, game_lengths):
        with pytest.raises(StrategyError, match="can only meet that opponent"):
            follow(game, answer, ScoringTurns(game, 3))


def test_a_ruin_makes_one_state_common_by_hand():
    """A coin: heads adds 1, tails ruins; to 2 points, holding at 1. The opponent never holds.

    A at 1-0 is visited once A heads and holds before B heads twice: A's turn 1/2, B's winning turn 1/4, so
    1/2 + 1/2 * 3/4 * (the same) = 4/5.
    """
    game = RaceGame("coin", 2, ((ROLL, roll_of({add(1): 1, RUIN: 1})),))
    chances = visit_chances(game, HoldAt(1), HoldAt(2))
    assert chances[1, 0, 1, 0] == pytest.approx(float(Fraction(4, 5)), abs=1e-15)
    assert chances[0, 1, 0, 0] == pytest.approx(float(Fraction(3, 5)), abs=1e-15)


def test_standing_still_is_counted_and_circling_is_refused():
    """At 2 of 3 nobody can hit 3 with a 2: without ruin both stand still there, with one they fall and rise."""
    stuck = RaceGame("stuck", 3, ((ROLL, roll_of({add(2): 1, BUST: 1})),), finish="exact")
    agree(stuck, HoldAt(1), HoldAt(2))
    assert visit_chances(stuck, HoldAt(1), HoldAt(2))[1, 2, 2, 0] == 1.0
    circling = RaceGame("circling", 3, ((ROLL, roll_of({add(2): 1, RUIN: 1})),), finish="exact")
    with pytest.raises(RulesError, match="circling can rise and fall for ever between hold:1 and hold:2"):
        visit_chances(circling, HoldAt(1), HoldAt(2))


def test_two_dice_pig_to_100_agrees_with_simulation():
    """4000 games, seed 2: the 30 likeliest states but the first, and how many different states a game visits.

    By Bernstein's inequality all 30 are within the slack but with chance 1e-9; the mean number of states is within
    6 standard errors but with chance 2e-9.
    """
    game, games, rng = two_dice_pig(), 4000, Random(2)
    players = HoldAt(20), HoldAt(25)
    faces = list(game.outcomes(game.play(game.start(), ROLL)))
    weights = [float(chance) for chance in game.outcomes(game.play(game.start(), ROLL)).values()]
    counts, sizes = Counter(), []
    for _ in range(games):
        state, visited = (0, 0, 0, 0), set()
        while state[2] < game.goal:
            visited.add(state)
            mover, mine, yours, turn = state
            if mine + turn >= game.goal or turn >= players[mover].n:
                state = (1 - mover, yours, mine + turn, 0)
                continue
            effect, points = rng.choices(faces, weights)[0]
            kept = 0 if effect is Effect.RUIN else mine
            state = (mover, mine, yours, turn + points) if points else (1 - mover, yours, kept, 0)
        counts.update(visited)
        sizes.append(len(visited))
    chances = visit_chances(game, *players)
    log = np.log(2 * 30 / 1e-9)
    for place in np.argsort(-chances, axis=None)[1:31]:
        chance = chances.flat[place]
        slack = np.sqrt(2 * chance * (1 - chance) * log / games) + 2 * log / (3 * games)
        assert counts[np.unravel_index(place, chances.shape)] / games == pytest.approx(chance, abs=slack)
    error = np.std(sizes) / np.sqrt(games)
    assert error < 0.01 * chances.sum()
    assert np.mean(sizes) == pytest.approx(chances.sum(), abs=6 * error)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_the_spread_of_lengths_is_that_of_their_distribution(data):
    game = data.draw(race_games())
    a, b = (data.draw(rules_of_thumb(game)) for _ in range(2))
    chances = game_lengths(game, a, b, most=20_000)
    if chances.sum() < 1 - 1e-11:
        return  # it never ends, or very late
    turns = np.arange(1, len(chances) + 1)
    spread = (chances @ (turns - chances @ turns) ** 2) ** 0.5
    assert length_spread(game, a, b) == pytest.approx(spread, rel=1e-6, abs=1e-6)
