"""The page's own files: packed for whoever reads that, and named in the document of the room that needs them."""

import gzip
import re

import pytest
from tests.reference.web_client import serving

from dicewright.web.files import ROOMS, SHELL, STATIC, document, modules

MOST = 400_000  # bytes of everything that the page may ever ask for


@pytest.fixture(scope="module")
def client():
    with serving() as client:
        yield client


def test_files_of_text_are_packed_for_whoever_reads_that(client):
    path = STATIC / "vendor" / "lit.js"
    plain = client.get("/static/vendor/lit.js", headers={"Accept-Encoding": "identity"})
    packed = client.get("/static/vendor/lit.js")
    assert plain.content == packed.content == path.read_bytes()
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert {"vary", "etag", "content-security-policy"} <= set(packed.headers)
    again = client.get("/static/vendor/lit.js", headers={"If-None-Match": packed.headers["etag"]})
    assert again.status_code == 304
    assert not again.content


def test_all_of_the_page_weighs_little():
    files = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".html", ".svg")]
    assert sum(path.stat().st_size for path in files) < MOST
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < MOST / 3


@pytest.mark.parametrize("room", ROOMS)
def test_the_document_of_a_room_names_every_module_that_it_needs(room):
    text = document(room)
    names = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)">', text)
    assert len(names) == len(set(names))
    assert all((STATIC / name).is_file() for name in names)
    assert names[0] == SHELL
    assert ROOMS[room] in names
    told = set(names)
    for name in names:  # whatever one of them imports at once is named too
        assert set(modules(name)) <= told
    assert f'"./{ROOMS[room]}"' in (STATIC / SHELL).read_text(encoding="utf-8")


def test_a_room_answers_with_its_document(client):
    for room in ROOMS:
        answer = client.get(room.replace("{id}", "abc"))
        found = (answer.status_code, answer.text == document(room))
        assert found == ((404, False) if room == "/study" else (200, True)), room
