"""The OpenAPI document fuzzed by schemathesis: thousands of requests, and never a failure of the server's own."""

import random
import warnings
from collections import Counter

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.reference.web_client import BASE, make, play_out, serving, sit
from tests.reference.web_client import settings as web_settings

from dicewright.web.app import create_app

schemathesis = pytest.importorskip("schemathesis")
WORDS = {
    "game": [
        "pig:goal=12",
        "piglet",
        "hog:goal=9,dice=2",
        "bluff:sides=2",
        "liars-die:sides=4",
        "mia:sides=3",
        "pig:goal=0",
    ],
    "strategy": [
        "optimal",
        "hold:3",
        "random",
        "truthful",
        "tree",
        "call-below:0.4",
        "table:x",
        "person",
        "",
    ],
    "opponent": ["optimal", "hold:3", "random", "truthful", "person", "table:x", "matrix", "fewest-turns"],
    "said": ["1x1", "1x1 1x2", "call", "31", "- 32", "3", "1 2 3"],
    "format": ["text", "jsonl", "csv"],
    "ply": [0, 1, 2, 3],
}
CASES = 170  # of each call that has parameters; such calls make more than 2,000


def operations():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        schema = schemathesis.openapi.from_dict(create_app(web_settings()).openapi())
        return [found.ok() for found in schema.get_all_operations()]


def asks(operation):
    """Whether there is anything to vary."""
    return bool(operation.definition.raw.get("parameters") or operation.definition.raw.get("requestBody"))


OPERATIONS = operations()
ENOUGH = 167
DONE = Counter()


@pytest.fixture(scope="module")
def client():
    with serving() as client:
        client.ended = make(client, "pig:goal=10")
        with sit(client, client.ended) as table:
            play_out(table)
        client.going = make(client, "bluff:sides=3", "person")
        yield client


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda found: f"{found.method.upper()} {found.path}")
def test_no_request_makes_the_server_fail(client, operation):
    ids, rng = (client.ended["id"], client.going["id"]), random.Random(operation.path)

    @settings(
        max_examples=CASES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case):
        DONE["cases"] += 1
        if case.path_parameters and DONE["cases"] % 3:  # mostly games that exist
            case.path_parameters["id"] = ids[DONE["cases"] % 2]
        for place in (case.query, case.body):  # and mostly words that mean something
            for key in set(WORDS) & set(place if isinstance(place, dict) else ()):
                if rng.random() < 0.7:
                    place[key] = rng.choice(WORDS[key])
        asked = case.as_transport_kwargs(base_url=BASE)
        asked = {
            key: asked[key]
            for key in ("method", "url", "params", "headers", "json", "data", "cookies")
            if key in asked
        }
        try:
            answer = client.request(**asked)
        except (UnicodeEncodeError, httpx.InvalidURL, httpx.LocalProtocolError):  # no client could send it
            return
        assert answer.status_code < 500, answer.text
        DONE[operation.label] += 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ask()
    assert DONE[operation.label] >= (ENOUGH if asks(operation) else 1)  # answers, not only cases


def test_enough_is_asked():
    """Every call with parameters was answered ENOUGH times, or its own test has failed."""
    assert sum(map(asks, OPERATIONS)) * ENOUGH >= 2_000
