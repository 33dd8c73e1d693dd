"""Race solutions put together by hand, as a solver would never make them, to be saved in files."""

import numpy as np

from dicewright.families.race.runs import encode
from dicewright.families.race.solution import RaceSolution
from dicewright.families.race.solve import RaceValues
from dicewright.storage import solution_file


def made(game, certificate, win, loss, choices):
    """A solution with these tables and choices, whatever they are."""
    values = RaceValues(game, np.stack([win, loss]), runs=encode(game.goal, choices))
    return RaceSolution(game, "race-pairs", (values, values), certificate)


def save(path, game, certificate, win, loss, choices, seconds):
    """The same in a file."""
    solution_file.save(path, made(game, certificate, win, loss, choices), seconds)
