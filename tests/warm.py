"""Compile the kernels before the tests start: else every worker compiles them all, at the same moment.

    python -m tests.warm

Small games of each family are solved, played and analysed in two processes; what they compile stays on the disk. With
everything compiled this takes two seconds. What is left out here is compiled by the first test that needs it.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import dicewright as dw


def race() -> None:
    """Solving, proofs, duels."""
    pig = dw.game("pig:goal=12")
    five, six = dw.strategy("hold:5", pig), dw.strategy("hold:6", pig)
    solution = dw.solve(pig)
    dw.solve(dw.game("two-dice-pig:goal=12"))
    dw.evaluate(pig, solution.strategies[0], five)
    dw.evaluate(pig, five, six)
    dw.best_response(pig, five)
    dw.win_matrix(pig, [five, six])
    dw.game_lengths(pig, five, six)
    dw.fewest_turns(pig)
    dw.best_turn(pig)
    people()


def others() -> None:
    """Visits, simulation, luck, replays, Bluff and calling games."""
    from dicewright.analysis.analyse import analyse_many
    from dicewright.families.bluff.cfr import solve_cfr
    from dicewright.storage.solution_file import load_bluff, save_bluff

    pig, bluff, mia = dw.game("pig:goal=12"), dw.game("bluff:sides=3"), dw.game("mia")
    five, six = dw.strategy("hold:5", pig), dw.strategy("hold:6", pig)
    dw.visit_chances(pig, five, six)
    for game in (pig, bluff, mia):
        one, two = ("hold:5", "hold:6") if game is pig else ("truthful", "random")
        dw.simulate(game, dw.strategy(one, game), dw.strategy(two, game), games=100)
    solve_cfr(bluff, gap=0.1, threads=2)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bluff.npz"
        save_bluff(file, solve_cfr(bluff, gap=0.1))
        load_bluff(file)
    dw.luck_adjusted(pig, five, six, games=100)
    judge = dw.judge_of(pig, dw.solve(pig))
    record = dw.play_match(pig, (five, six), Random(1))
    list(analyse_many([record], lambda _: judge))
    judge.decided([record.choices])


def people() -> None:
    """Crowds and the likelihood of their choices."""
    import numpy as np

    from dicewright.core.crowd import Crowd
    from dicewright.people.games import meetings, play_crowd

    crowd = Crowd(np.zeros(20), np.full(20, 50.0), np.zeros((20, 6)), np.zeros(20, int))
    dw.fit(play_crowd(dw.game("pig"), crowd, meetings(20, 2, np.random.default_rng(1)), 1).choices)


def main() -> int:
    """Both halves, each in a process of its own; the exit code is 0 if both went well."""
    command = [sys.executable, "-c"]
    halves = [
        subprocess.Popen([*command, f"from tests.warm import {half.__name__}; {half.__name__}()"])
        for half in (race, others)
    ]
    codes = [
        half.wait() for half in halves
    ]  # of both: the second ends no sooner because the first has failed
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
