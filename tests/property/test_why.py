"""Each reason that is told of a loss is true where it is told: its numbers are found again from the rules."""

import re
from contextlib import suppress
from functools import cache

import pytest

from dicewright.core.errors import NotationError
from dicewright.core.game import CHANCE, OVER
from dicewright.families import family, solve
from dicewright.families.catalog import parse
from dicewright.families.race.rules import RaceState, RaceView


def best_at(solution, view):
    """None at a turn total that no rolls add up to."""
    with suppress(NotationError):
        return solution.advise(view).best
    return None


def next_turn(game, solution, mine, yours):
    """By playing every roll of the turn with the seven questions."""

    @cache
    def wins(state, mover):
        if game.mover(state) == OVER:
            return 1.0
        if game.mover(state) == CHANCE:
            return sum(
                float(p) * wins(game.play(state, face), mover) for face, p in game.outcomes(state).items()
            )
        if state.mover != mover:
            return 0.0
        return wins(game.play(state, solution.advise(game.view(state, mover)).best), mover)

    start = game.start()._replace(mine=mine, yours=yours, turn=0)
    return wins(start, start.mover)


@pytest.mark.parametrize("name", ["pig:goal=30", "piglet:goal=8", "two-dice-pig:goal=30", "big-pig:goal=40"])
def test_every_reason_is_true(name):
    game = parse(name)
    solution, kin, told = solve(game), family(game), set()
    for mine in range(0, game.goal, 3):
        for yours in range(0, game.goal, 4):
            for turn in range(1, game.goal - mine, 3):
                view = RaceView(mine, yours, turn)
                if best_at(solution, view) is None:
                    continue
                worth = solution.advise(view).worth
                best = max(worth, key=worth.get)
                for choice in worth:
                    if worth[best] - worth[choice] < 0.01:
                        continue
                    why = kin.why(game, solution, view, choice, best)
                    assert why
                    told.add(re.sub(r"under 1 %|\d+", "#", why))
                    theirs = 100 * next_turn(game, solution, yours, mine + turn)
                    if said := re.search(r"hey win next turn in (?:only )?(\d+) %", why):
                        assert abs(int(said[1]) - theirs) <= 0.51, (view, why)
                    seldom = "next turn in only" in why or "hardly ever win next turn" in why
                    assert seldom == (theirs < 25 and "Here only" not in why)
                    assert ("hardly ever" in why) == (seldom and theirs < 0.5)
                    if said := re.search(r"holding pays from (\d+) on", why):
                        needed = int(said[1])
                        assert best_at(solution, view._replace(turn=needed)) == "hold"
                        assert needed > turn
                        assert all(
                            best_at(solution, view._replace(turn=k)) != "hold" for k in range(turn, needed)
                        )
                    elif choice == "hold":
                        rest = range(turn, game.goal - mine)
                        assert all(best_at(solution, view._replace(turn=k)) != "hold" for k in rest)
                        assert f"you need {game.goal - mine} " in why
                    if said := re.search(r"loses the (\d+) in (\d+) %", why):
                        state = game.play(RaceState(mine, yours, turn), "roll")
                        falls = sum(
                            p for face, p in game.outcomes(state).items() if face.effect.name != "ADD"
                        )
                        assert int(said[1]) == turn
                        assert abs(int(said[2]) - 100 * float(falls)) <= 0.51
    assert told
