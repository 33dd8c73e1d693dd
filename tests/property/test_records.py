"""Reading what was written gives equal records back, in every form."""

import random
from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.random_play import GAMES, VARIANTS, random_record

from dicewright.core.record import Note
from dicewright.core.times import Times, read_times, times_of, with_times
from dicewright.storage.records.files import FORMS, read_stream, write_stream
from dicewright.storage.records.lexicon import MARKS, OWN_TAGS
from dicewright.storage.records.text import read_records, write_records
from dicewright.storage.shelf.shelf import Shelf

texts = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=' "\\{}[]!?=*\n\r\t,;nu0\x85\u2028\ufeff\x00', max_size=30),
    st.text(alphabet="ab [{ ", max_size=300),
)
names = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_]{0,20}\Z").filter(lambda name: name not in OWN_TAGS)
tag_lists = st.dictionaries(names, texts, max_size=4).map(lambda tags: tuple(tags.items()))


@st.composite
def records(draw):
    rng = random.Random(draw(st.integers(0, 2**32)))
    record = random_record(draw(st.sampled_from(GAMES)), rng, draw(st.integers(0, 60)), tags=draw(tag_lists))
    plies = st.integers(0, len(record.choices))
    note = st.builds(Note, plies, texts, st.sampled_from(["", *MARKS]))
    return replace(record, notes=tuple(sorted(draw(st.lists(note, max_size=5)), key=lambda note: note.ply)))


def written(form, played):
    stream = BytesIO()
    write_stream(stream, played, form)
    return stream.getvalue()


@pytest.mark.parametrize("form", FORMS)
@given(played=st.lists(records(), max_size=3))
@settings(max_examples=150, deadline=None)
def test_every_form_round_trips(form, played):
    assert list(read_stream(BytesIO(written(form, played)), form, "file")) == played


@given(played=st.lists(records(), max_size=3))
@settings(max_examples=150, deadline=None)
def test_text_is_80_columns_wide_but_for_long_words_and_survives_other_ends_of_lines(played):
    text = write_records(played)
    moves = [line for line in text.split("\n") if not line.startswith("[")]
    assert all(len(line) <= 80 or " " not in line.strip() or "{" in line or "}" in line for line in moves)
    assert list(read_records(text.replace("\n", "\r\n"))) == played
    assert list(read_records(line + "\n" for line in text.split("\n"))) == played


@given(played=st.lists(records(), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_the_shelf_gives_records_back(played):
    shelf = Shelf.open("sqlite://")
    ids = shelf.add(played)
    assert [shelf.get(id).record() for id in ids] == played
    shelf.close()


@pytest.mark.parametrize("name", VARIANTS)
def test_every_game_of_the_catalog_is_written_and_read(name):
    rng = random.Random(name)
    game = GAMES[VARIANTS.index(name)]
    played = [random_record(game, rng, 3000) for _ in range(20)]
    assert list(read_records(write_records(played))) == played


@pytest.mark.slow
@given(
    record=records(), times=st.lists(st.tuples(st.integers(0, 253402300799999), st.integers(0, 10**15 - 1)))
)
@settings(max_examples=20, deadline=None)
def test_times_round_trip_beside_other_comments(record, times):
    plain = replace(record, notes=tuple(note for note in record.notes if read_times(note.text) is None))
    said = {ply: Times(*pair) for ply, pair in zip(range(len(plain.choices)), times, strict=False)}
    timed = replace(plain, notes=with_times(plain.notes, said))
    (found,) = read_records(write_records([timed]))
    assert times_of(found) == said
    assert tuple(note for note in found.notes if read_times(note.text) is None) == plain.notes
