"""The games the sources study, each solved once."""

import pytest

from dicewright.families.race.named import pig as pig_game
from dicewright.families.race.solution import solve_values


@pytest.fixture(scope="session")
def pig():
    return pig_game()


@pytest.fixture(scope="session")
def optimal(pig):
    return solve_values(pig)


@pytest.fixture(scope="session")
def pig200():
    return pig_game(goal=200)


@pytest.fixture(scope="session")
def optimal200(pig200):
    return solve_values(pig200)
