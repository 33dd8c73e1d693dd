"""Compile the kernels before the tests start: else every worker compiles them all, at the same moment.

    python -m tests.warm

Small games of each family are solved, played and analysed in two processes, one for races and one for all others: so
neither writes what the other does. What they compile stays on the disk. With everything compiled this takes three
seconds. What is left out here is compiled by the first test that needs it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import dicewright as dw


def race() -> None:
    """Solving, proofs, duels, visits, simulation, luck, replays, people."""
    from dicewright.analysis.analyse import analyse_many
    from dicewright.families.race.people import unseen
    from dicewright.people.curves import play_robots

    pig = dw.game("pig:goal=12")
    five, six = dw.strategy("hold:5", pig), dw.strategy("hold:6", pig)
    solution = dw.solve(pig)
    dw.solve("two-dice-pig:goal=12")
    dw.evaluate(pig, solution.strategies[0], five)
    dw.evaluate(pig, five, six)
    dw.best_response(pig, five)
    dw.win_matrix(pig, [five, six])
    dw.game_lengths(pig, five, six)
    dw.win_chances(pig, five, six)
    dw.grade(pig, five)
    next(dw.best_rules(pig))
    dw.fewest_turns(pig)
    dw.best_turn(pig)
    dw.visit_chances(pig, five, six)
    dw.simulate(pig, five, six, games=100)
    dw.luck_adjusted(pig, five, six, games=100)
    judge = dw.judge_of(pig, solution)
    record = dw.play_match(pig, (five, six), Random(1))
    list(analyse_many([record], lambda _: judge))
    judge.decisions([record.choices])
    unseen(pig, play_robots(pig, five, 2, seed=1).turns)
    people()


def others() -> None:
    """Bluff and calling games: simulation; rounds by CFR in every form, kept, met, answered, worth."""
    import numpy as np

    from dicewright.families.bluff import streamed
    from dicewright.families.bluff.cfr import solve_cfr
    from dicewright.families.bluff.public_tree import RowsStrategy
    from dicewright.families.bluff.slips import Support, supported
    from dicewright.storage.solution_file import load_bluff, save_bluff

    bluff, mia = dw.game("bluff:sides=3"), dw.game("mia")
    for game in (bluff, mia):
        dw.simulate(game, dw.strategy("truthful", game), dw.strategy("random", game), games=100)
    single, double = (solve_cfr(bluff, gap) for gap in (0.1, 1e-5))
    solve_cfr(dw.game("bluff:sides=9"), iterations=1, threads=2)  # large enough to be swept by parts
    supported(double, Support(least=1e-2, comes=1e-2, lost=1e-2, most=20))
    state = bluff.read_state("1 v 2 |")
    dw.solve(bluff).worth(state)
    large()
    with tempfile.TemporaryDirectory() as folder:
        for number, found in enumerate((single, double)):
            found.worth(state)
            save_bluff(Path(folder) / f"{number}.npz", found)
        load_bluff(Path(folder) / "0.npz").worth(state)
    one, two = single.player, double.player
    for pair in ((one, two), (two, one), (two, two)):
        streamed.evaluate(bluff, *pair)
    first = double.strategies[0]
    for dtype in (np.uint8, np.float32, np.float64):
        weights = np.ones(first.weights.size, dtype)
        first.tree.response_value(1, weights)
        streamed.response_value(bluff, 1, streamed.rows_of(bluff, 0, RowsStrategy(first.tree, 0, weights)))


def large() -> None:
    """Rounds too large to be solved: training, how strong it is, and matches."""
    import numpy as np

    from dicewright.arena.simulate import play_blocks
    from dicewright.families.bluff.large.memory import Memory
    from dicewright.families.bluff.large.play import match_engine
    from dicewright.families.bluff.large.table import EXACT, Shares
    from dicewright.families.bluff.large.trained import Rounds, Trained
    from dicewright.families.bluff.large.training import Schedule, Training
    from dicewright.families.bluff.large.worth import TrainedRound
    from dicewright.families.bluff.match import BluffMatch
    from dicewright.families.bluff.rules import Bluff

    def table(game: Bluff) -> Shares:
        training = Training(Memory(game, 1), Schedule(1))
        training.run()
        return Shares(training.memory, training.average())

    match = BluffMatch((2, 2), sides=2)
    found = table(Bluff(sides=2))
    found.strength(EXACT)
    found.meet(found, 0.0)
    rounds = Rounds(match, lambda game: TrainedRound(table(game), 0.0), lambda game: 0.0, lambda game: None)
    player = Trained(match, rounds)
    play_blocks(match_engine(match, player, player), 100, np.random.SeedSequence(1))


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
    with tempfile.TemporaryDirectory() as store:  # of their own: what is kept would not be solved
        halves = [
            subprocess.Popen(
                [*command, f"from tests.warm import {half.__name__}; {half.__name__}()"],
                env={**os.environ, "DICEWRIGHT_STORE": store},
            )
            for half in (race, others)
        ]
        codes = [
            half.wait() for half in halves
        ]  # of both: the second ends no sooner because the first has failed
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
