"""What every test keeps: chance has a seed, and nobody's own solutions or games are read or written."""

import os
from secrets import token_hex
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings

from dicewright.web import rooms

SLOW = [HealthCheck.too_slow]  # of the machine, not of the test
settings.register_profile("seeded", derandomize=True, deadline=None, suppress_health_check=SLOW)
settings.load_profile("seeded")

SERVER = "DICEWRIGHT_TEST_DATABASE"  # such as postgresql+psycopg://user:password@localhost/dicewright


@pytest.fixture(scope="session", autouse=True)
def same_dice():
    """The server's share of the dice is always the same: a test that passes once passes again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "secrets", SimpleNamespace(token_hex=lambda size: "5e" * size))
        yield


@pytest.fixture(scope="session", autouse=True)
def store(tmp_path_factory):
    """A store of this test run alone, also for the subprocesses it starts."""
    folder = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DICEWRIGHT_STORE", str(folder))
        patch.setenv("DICEWRIGHT_DATABASE", str(folder / "games.sqlite"))
        assert os.environ["DICEWRIGHT_STORE"] == str(folder)
        yield folder


@pytest.fixture
def server_url():
    """A schema of this test alone on the PostgreSQL server that the environment names."""
    if not (text := os.environ.get(SERVER)):
        pytest.skip(f"{SERVER} names no PostgreSQL database to test with")
    schema, engine = f"dicewright_{token_hex(8)}", sa.create_engine(text)
    with engine.begin() as connection:
        connection.execute(sa.schema.CreateSchema(schema))
    url = sa.make_url(text).update_query_dict({"options": f"-csearch_path={schema}"})
    yield url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(sa.schema.DropSchema(schema, cascade=True))
    engine.dispose()
