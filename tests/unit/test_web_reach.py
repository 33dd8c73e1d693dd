"""Where others reach the server: told only if they do, and drawn only of links to it."""

import pytest
from tests.reference.web_client import serving

from dicewright.web.run import seen_as


@pytest.fixture(scope="module")
def client():
    with serving(addresses=("http://192.168.1.5:8000",)) as client:
        yield client


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.3.2.1"])
def test_a_server_for_this_machine_alone_has_no_other_address(host):
    assert seen_as(host) == ()


def test_a_server_for_all_is_reached_where_this_machine_is():
    assert len(seen_as("0.0.0.0")) <= 1  # none where there is no network
    assert not set(seen_as("0.0.0.0")) & {"127.0.0.1", "0.0.0.0"}


def test_the_addresses_are_told(client):
    assert client.get("/api/reach").json() == {"addresses": ["http://192.168.1.5:8000"]}


def test_a_link_to_the_server_is_drawn(client):
    link = "http://192.168.1.5:8000/g/abcdefgh#join=secret"
    found = client.get("/api/qr", params={"link": link})
    assert found.headers["content-type"] == "image/svg+xml"
    assert found.text.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert link not in found.text
    assert found.text != client.get("/api/qr", params={"link": f"{link}s"}).text


@pytest.mark.parametrize(
    "link", ["http://evil.example/", "http://192.168.1.5:80001/", "javascript:alert(1)", "", "x" * 301]
)
def test_nothing_else_is_drawn(client, link):
    assert client.get("/api/qr", params={"link": link}).status_code in (403, 422)
