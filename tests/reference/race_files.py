"""Race solutions put together by hand, as a solver would never make them, to be saved in files."""

import numpy as np

from dicewright.families.race.proof.bounds_kernels import Runs
from dicewright.families.race.solution import RaceSolution, RaceValues
from dicewright.families.race.tabled import runs_in
from dicewright.storage import solution_file


def made(game, certificate, win, loss, table):
    """A solution with these tables and choices, whatever they are."""
    values = RaceValues(game, np.stack([win, loss]), made=table)
    return RaceSolution(game, "race-pairs", (values, values), certificate)


def save(path, game, certificate, win, loss, table, seconds):
    """The same in a file."""
    solution_file.save(path, made(game, certificate, win, loss, table), seconds)


def runs_of(goal, choices):
    """The runs of choices(i, j)[k]."""
    return Runs(*runs_in(np.array([choices(i, j) for j in range(goal)]) for i in range(goal)))
