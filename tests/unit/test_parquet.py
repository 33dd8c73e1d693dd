"""Parquet of ours is what others read, and what others wrote is read: pyarrow says both, where it is at hand."""

import random
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicewright.storage.columns import save_columns
from dicewright.storage.parquet import (
    NUMBER,
    SMALL,
    TEXT,
    WHOLE,
    Damage,
    List,
    Map,
    Reader,
    Struct,
    Writer,
    assembled,
)
from dicewright.storage.parquet.encodings import SNAPPY, numbers_of, runs, unpacked, width_of
from dicewright.storage.parquet.thrift import Scanner
from dicewright.storage.records.files import load_records

FIXTURES = Path(__file__).parents[1] / "fixtures"
KINDS = {
    "text": TEXT,
    "number": NUMBER,
    "small": SMALL,
    "whole": WHOLE,
    "said": List(TEXT),
    "pair": Struct((("one", TEXT), ("two", WHOLE))),
    "notes": List(Struct((("ply", SMALL), ("text", TEXT)))),
    "worths": Map(TEXT, NUMBER),
}
texts = st.none() | st.text(max_size=5)
numbers = st.none() | st.floats(allow_nan=False)
small, whole = (st.none() | st.integers(-(2**bits), 2**bits - 1) for bits in (31, 63))
rows = st.fixed_dictionaries(
    {
        "text": texts,
        "number": numbers,
        "small": small,
        "whole": whole,
        "said": st.none() | st.lists(texts, max_size=4),
        "pair": st.none() | st.fixed_dictionaries({"one": texts, "two": whole}),
        "notes": st.none()
        | st.lists(st.none() | st.fixed_dictionaries({"ply": small, "text": texts}), max_size=3),
        "worths": st.none() | st.lists(st.tuples(st.text(max_size=3), numbers), max_size=3),
    }
)
groups = st.lists(st.lists(rows, max_size=12), max_size=3)


def file_of(groups):
    stream = BytesIO()
    writer = Writer(stream, KINDS)
    for group in groups:
        writer.write({name: [row[name] for row in group] for name in KINDS})
    writer.close()
    return stream


def read(stream):
    """All rows, by the reader of ours."""
    file = Reader(stream, KINDS)
    assert file.differs is None
    for group in file.groups:
        columns = [assembled(kind, file.column(group, name)) for name, kind in file.kinds.items()]
        yield from (dict(zip(KINDS, row, strict=True)) for row in zip(*columns, strict=True))


@pytest.mark.slow
@given(groups=groups)
@settings(max_examples=100, deadline=None)
def test_what_is_written_is_read(groups):
    assert list(read(file_of(groups))) == [row for group in groups for row in group]


@pytest.mark.slow
@given(groups=groups)
@settings(max_examples=100, deadline=None)
def test_others_read_it(groups):
    parquet = pytest.importorskip("pyarrow.parquet")
    found = parquet.read_table(file_of(groups), page_checksum_verification=True).to_pylist()
    assert found == [row for group in groups for row in group]


@pytest.mark.slow
@given(groups=groups, codec=st.sampled_from(["snappy", "gzip", "none"]), dictionary=st.booleans())
@settings(max_examples=100, deadline=None)
def test_what_others_write_is_read(groups, codec, dictionary):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(file_of(groups))
    stream = BytesIO()
    parquet.write_table(
        arrow.Table.from_pylist(table.to_pylist(), table.schema),
        stream,
        compression=codec,
        use_dictionary=dictionary,
        row_group_size=7,
        data_page_size=64,
        write_page_checksum=True,
    )
    assert list(read(stream)) == [row for group in groups for row in group]


def test_records_of_earlier_versions_are_read():
    wanted = list(load_records(FIXTURES / "records-1.jsonl"))
    assert list(load_records(FIXTURES / "records-1.parquet")) == wanted
    assert len(wanted) == 16


def test_columns_keep_their_types(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    count = 120_000  # more than one group
    columns = {
        "texts": np.array(["x", "é", "zz"] * (count // 3)),
        "truths": np.arange(count) % 3 == 0,
        "tiny": np.arange(count).astype(np.uint8),
        "long": np.arange(count) - 5,
        "float": np.arange(count, dtype=np.float32),
        "some": np.array([None, 1, 2] * (count // 3), object),
        "half": np.array([None, 1.5, 2] * (count // 3), object),
        "names": np.array([None, "a", "b"] * (count // 3), object),
        "true": np.array([None, True, False] * (count // 3), object),
        "none": np.full(count, None),
    }
    save_columns(tmp_path / "table.parquet", columns, numbers=("none",))
    table = parquet.read_table(tmp_path / "table.parquet")
    kinds = "string bool uint8 int64 float int64 double string bool double"
    assert " ".join(map(str, table.schema.types)) == kinds
    assert {name: table[name].to_pylist() for name in columns} == {
        name: column.tolist() for name, column in columns.items()
    }


@given(st.integers(1, 20).flatmap(lambda bits: st.lists(st.integers(0, 2**bits - 1), min_size=1)))
@settings(deadline=None)
def test_runs_hold_any_numbers(values):
    width = width_of(max(values))
    data = memoryview(runs(np.array(values), width))
    assert numbers_of(data, width, len(values)).tolist() == values


def test_copies_of_snappy_may_reach_into_themselves():
    """Ten bytes: the literal `ab`, then eight bytes from two back; and a copy from before the beginning."""
    assert unpacked(bytes([10, 1 << 2]) + b"ab" + bytes([(8 - 4) << 2 | 1, 2]), SNAPPY, 10) == b"ab" * 5
    assert unpacked(bytes([10, 1 << 2]) + b"ab" + bytes([(8 - 1) << 2 | 2, 2, 0]), SNAPPY, 10) == b"ab" * 5
    with pytest.raises(Damage, match="a copy begins before its page"):
        unpacked(bytes([10, 1 << 2]) + b"ab" + bytes([(8 - 4) << 2 | 1, 3]), SNAPPY, 10)


def test_headers_that_never_end_are_refused():
    for data in (
        b"\x1c" * 100,
        b"\x19" * 1000,
        b"\x19\xfc\xff\xff\xff\x7f",
        b"\x16" + b"\xff" * 20,
        b"\x18\x7f",
    ):
        with pytest.raises(Damage):
            Scanner(data).struct()


def test_a_file_of_another_kind_says_its_columns_and_its_compression():
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    stream = BytesIO()
    parquet.write_table(arrow.table({"a": [1]}), stream)
    assert Reader(stream, {"a": WHOLE}).differs is None
    assert Reader(stream, {"b": TEXT}).differs == ("a: int64", "b: text")
    stream = BytesIO()
    parquet.write_table(arrow.table({"a": [1]}), stream, compression="zstd")
    file = Reader(stream, {"a": WHOLE})
    with pytest.raises(Damage, match="compression has the number 6; none, Snappy, GZIP is allowed"):
        file.column(file.groups[0], "a")


def test_a_bit_that_fell_is_found_by_the_checksum():
    stream = file_of([[{**dict.fromkeys(KINDS), "number": 0.5, "text": "abc"}]])
    data = bytearray(stream.getvalue())
    data[40] ^= 1
    with pytest.raises(Damage):
        list(read(BytesIO(bytes(data))))


def test_damage_behind_right_checksums_is_damage(monkeypatch):
    """Bytes are changed where nothing was compressed and no checksum is looked at: values, or Damage."""
    monkeypatch.setattr("dicewright.storage.parquet.writer.GZIP", 0)
    monkeypatch.setattr("dicewright.storage.parquet.writer.compressed", bytes)
    monkeypatch.setattr("zlib.crc32", lambda data: 0)
    row = {
        "text": "a",
        "number": 0.5,
        "small": 1,
        "whole": 2,
        "said": ["x", None],
        "pair": {"one": "y", "two": 3},
        "notes": [None, {"ply": 1, "text": "z"}],
        "worths": [("k", 1.0)],
    }
    data, rng, refused = file_of([[row, dict.fromkeys(KINDS)] * 3]).getvalue(), random.Random(3), 0
    for _ in range(1000):
        changed = bytearray(data)
        for place in rng.sample(range(len(data)), 2):
            changed[place] ^= 1 << rng.randrange(8)
        try:
            reader = Reader(BytesIO(bytes(changed)), KINDS)
            for group in reader.groups:
                for name, kind in KINDS.items():
                    assembled(kind, reader.column(group, name))
        except Damage:
            refused += 1
    assert refused > 500


def test_a_page_that_says_to_be_large_is_not_unpacked_further_than_it_says():
    bomb = zlib.compress(bytes(50_000_000))
    with pytest.raises(Damage, match="a page has not the 100 bytes"):
        unpacked(bomb, 2, 100)
    with pytest.raises(Damage, match="a page says two sizes"):
        unpacked(b"\xff\xff\xff\x7f", SNAPPY, 100)
