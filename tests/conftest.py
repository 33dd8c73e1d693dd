"""No test reads or writes the user's own store of solutions or shelf of games."""

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def store(tmp_path_factory):
    """A store of this test run alone, also for the subprocesses it starts."""
    folder = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DICEWRIGHT_STORE", str(folder))
        patch.setenv("DICEWRIGHT_DATABASE", str(folder / "games.sqlite"))
        assert os.environ["DICEWRIGHT_STORE"] == str(folder)
        yield folder
