"""What every test keeps: chance has a seed, and nobody's own solutions or games are read or written."""

import gc
import importlib.util
import os
import signal
from secrets import token_hex
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dicewright.web.rooms import rooms
from tests import order, postgres

SLOW = [HealthCheck.too_slow]  # of the machine, not of the test
settings.register_profile("seeded", derandomize=True, deadline=None, suppress_health_check=SLOW)
settings.load_profile("seeded")

SERVER = "DICEWRIGHT_TEST_DATABASE"  # such as postgresql+psycopg://user:password@localhost/dicewright


def pytest_collection_modifyitems(items):
    """What takes long comes first, so that at the end no worker waits for one that has just begun it."""
    items[:] = order.long_first(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def pytest_collection_finish():
    """Thousands of tests and all modules stay to the end: who searches for rings of objects need not look there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(scope="session", autouse=True)
def same_dice():
    """The server's share of the dice is always the same: a test that passes once passes again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "secrets", SimpleNamespace(token_hex=lambda size: "5e" * size))
        yield


@pytest.fixture(scope="session", autouse=True)
def hypothesis_first():
    """Its first example looks who holds its random numbers; among objects that a server has frozen it finds nobody."""
    settings(max_examples=1)(given(st.none())(lambda _: None))()


@pytest.fixture(scope="session", autouse=True)
def interrupts():
    """Commands can be interrupted, also where the run was started in the background of a script, which ignores that."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def store(tmp_path_factory):
    """A store of this test run alone, also for the subprocesses it starts; what one worker solves all have."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "store"
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DICEWRIGHT_STORE", str(folder))
        patch.setenv("DICEWRIGHT_DATABASE", str(tmp_path_factory.mktemp("shelf") / "games.sqlite"))
        assert os.environ["DICEWRIGHT_STORE"] == str(folder)
        yield folder


@pytest.fixture(scope="session")
def server():
    """The PostgreSQL database that the environment names, or one on a private server of this test process."""
    if text := os.environ.get(SERVER):
        yield text
        return
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed: pip install 'psycopg[binary]'")
    if (folder := postgres.programs()) is None:
        pytest.skip(f"PostgreSQL is not installed, and {SERVER} names no database to test with")
    with postgres.server(folder) as url:
        yield url


@pytest.fixture
def server_url(server):
    """A schema of this test alone on the PostgreSQL server."""
    schema, engine = f"dicewright_{token_hex(8)}", sa.create_engine(server)
    with engine.begin() as connection:
        connection.execute(sa.schema.CreateSchema(schema))
    url = sa.make_url(server).update_query_dict({"options": f"-csearch_path={schema}"})
    yield url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(sa.schema.DropSchema(schema, cascade=True))
    engine.dispose()
