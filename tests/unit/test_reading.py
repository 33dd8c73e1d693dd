"""Files that a user names: regular files only, no more bytes than are needed, however a file lies about itself."""

import io
import json
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from dicewright.core.errors import DicewrightError, NotationError, StorageError, VerificationError
from dicewright.families.catalog import parse
from dicewright.families.race import solution as race_form
from dicewright.families.race.solution import solve_race
from dicewright.storage import solution_file
from dicewright.storage.checkpoints import Checkpoint
from dicewright.storage.files import read_file, regular_file
from dicewright.storage.parquet import Writer
from dicewright.storage.records import files as record_files
from dicewright.storage.records import rows as record_parquet
from dicewright.storage.records.files import load_records, save_records
from dicewright.storage.records.text import read_records
from dicewright.storage.solution_file import load_bluff
from dicewright.storage.store import verify_solution
from dicewright.storage.strategies import parse as strategy

PIG, ROUND = parse("pig:goal=12"), parse("bluff:sides=3")
READERS = {
    "verify": verify_solution,
    "bluff": load_bluff,
    "race table": lambda path: strategy(f"table:{path}", PIG),
    "round table": lambda path: strategy(f"table:{path}", ROUND),
    **{form: lambda path, form=form: list(load_records(path, form)) for form in record_files.FORMS},
    "checkpoint": lambda path: Checkpoint(path).load({}, (np.zeros(9),)),
    "bytes": lambda path: read_file(path, 100),
}


@pytest.fixture
def pig_file(tmp_path):
    solution_file.save(tmp_path / "pig.npz", solve_race(PIG), 0.1)
    return tmp_path / "pig.npz"


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_regular_file_is_refused_at_once(reader, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for place, kind in {
        "/dev/zero": "a device",
        "pipe": "a pipe",
        ".": "a folder",
        "link": "a device",
    }.items():
        with pytest.raises(StorageError, match=f"it is {kind}; a regular file is allowed"):
            READERS[reader](tmp_path / place)


@pytest.mark.parametrize("reader", sorted(READERS.keys() - {"checkpoint"}))
def test_a_file_that_is_not_there_is_named(reader, tmp_path):
    with pytest.raises(StorageError, match=r"cannot read .*nothing: No such file"):
        READERS[reader](tmp_path / "nothing")


@pytest.mark.parametrize("reader", READERS)
def test_a_file_larger_than_any_of_ours_is_refused_before_it_is_read(reader, tmp_path):
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(10**12)  # no block of the disk is taken
    with pytest.raises(StorageError, match=r"larger than the [\d,]+ bytes that are allowed"):
        READERS[reader](tmp_path / "huge")


def test_a_file_that_does_not_say_its_size_gives_no_more_than_is_allowed(tmp_path):
    (tmp_path / "file").write_bytes(b"a" * 100)
    assert read_file(tmp_path / "file", 100) == b"a" * 100
    with regular_file(tmp_path / "file", 100) as stream, (tmp_path / "file").open("ab") as more:
        more.write(b"a" * 50)
        more.flush()
        with pytest.raises(StorageError, match="larger than the 100 bytes"):
            stream.read()
    with regular_file(tmp_path / "file", 200) as stream:
        assert [len(stream.read(70)) for _ in range(4)] == [70, 70, 10, 0]


def test_links_are_followed_unless_they_may_not_be(tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("file")
    assert read_file(tmp_path / "link", 10) == b"mine"
    with pytest.raises(StorageError, match="it is a link; a regular file is allowed"):
        read_file(tmp_path / "link", 10, links=False)
    assert read_file(tmp_path / "file", 10, links=False) == b"mine"


def test_a_name_that_no_system_has_is_a_sentence(tmp_path):
    with pytest.raises(StorageError, match="null"):
        read_file(tmp_path / "a\0b", 10)


def test_standard_input_may_be_a_pipe(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(b'[Game "pig:goal=5"]\nroll +6 hold =1\n')

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert len(list(load_records(record_files.Path("-")))) == 1


def test_an_endless_line_of_standard_input_is_refused(monkeypatch):
    monkeypatch.setattr(record_files, "MOST_BYTES", 1000)
    stream = io.BytesIO(b"a" * 5000)
    with pytest.raises(NotationError, match="line 1 column 1: more than 1,000 bytes in one line"):
        list(record_files.read_stream(stream, "text", "here"))
    assert stream.tell() == 1000

    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    endless = Pipe(b"PAR1" * 5000)
    with pytest.raises(StorageError, match="here is larger than the 1,000 bytes"):
        list(record_files.read_stream(endless, "parquet", "here"))
    assert endless.tell() <= 1001


LARGE = """
import pathlib, resource, sys
import numpy
from dicewright.core.errors import NotationError
from dicewright.storage.records.files import load_records
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    list(load_records(pathlib.Path(sys.argv[1])))
except NotationError as error:
    print(error, file=sys.stderr)
else:
    raise SystemExit("it was believed")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow
def test_one_text_a_thousand_times_in_a_table_takes_no_more_memory_than_once(tmp_path):
    """A Parquet file of some kilobytes that would be gigabytes of records."""
    row = {
        "game": "pig:goal=5",
        "choices": ["roll", "+6", "hold"],
        "payoff": 1.0,
        "ended": "over",
        "notes": [],
    }
    row["tags"] = [{"name": f"Tag{number}", "value": "x" * 5_000_000} for number in range(100)]
    path = tmp_path / "large.parquet"
    with path.open("wb") as stream:
        writer = Writer(stream, record_parquet.KINDS)
        writer.write({name: [row.get(name)] for name in record_parquet.KINDS})
        writer.close()
    assert path.stat().st_size < 30_000
    done = subprocess.run([sys.executable, "-c", LARGE, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "large.parquet row 1 column tags: the record takes some 500," in done.stderr
    assert int(done.stdout) < 150_000  # kB


def test_records_that_are_large_together_are_read_one_by_one(tmp_path, monkeypatch):
    [record] = read_records('[Game "pig:goal=5"]\nroll +6 hold =1')
    save_records(tmp_path / "games.parquet", [record] * 30)
    monkeypatch.setattr(record_parquet, "MOST_HELD", 2000)
    assert list(load_records(tmp_path / "games.parquet")) == [record] * 30


def test_a_group_of_rows_larger_than_any_of_ours_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    [record] = read_records('[Game "pig:goal=5"]\nroll +6 hold =1')
    save_records(tmp_path / "games.parquet", [record] * 30)
    assert len(list(load_records(tmp_path / "games.parquet"))) == 30
    for limit, most in (("MOST_GROUP", 100), ("MOST_VALUES", 80)):
        with monkeypatch.context() as patch:
            patch.setattr(record_parquet, limit, most)
            with pytest.raises(NotationError, match=r"games.parquet group 1 has [\d,]+ bytes, 90 values"):
                list(load_records(tmp_path / "games.parquet"))


BOMB = """
import pathlib, resource, sys
from dicewright.core.errors import DicewrightError
from dicewright.families.catalog import parse
from dicewright.storage import store, strategies
import dicewright.families.race.solution
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for read in (lambda p: store.verify_solution(p), lambda p: strategies.parse(f"table:{p}", parse("pig:goal=12"))):
    try:
        read(pathlib.Path(sys.argv[1]))
    except DicewrightError as error:
        print(type(error).__name__, error, file=sys.stderr)
    else:
        raise SystemExit("it was believed")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def rewrite(path, change, method=zipfile.ZIP_DEFLATED):
    """The file with its parts changed, packed so, declared as it is."""
    with zipfile.ZipFile(path) as bundle:
        parts = {name: bundle.read(name) for name in bundle.namelist()}
    change(parts)
    with zipfile.ZipFile(path, "w", method) as bundle:
        for name, data in parts.items():
            bundle.writestr(name, data)


def declare_less(path, part, size):
    """Let the zip say that this part unpacks to `size` bytes."""
    whole = bytearray(path.read_bytes())
    place = whole.rindex(part.encode()) - 46  # in the list at the end
    assert whole[place : place + 4] == b"PK\1\2"
    whole[place + 24 : place + 28] = size.to_bytes(4, "little")
    path.write_bytes(whole)


def swell(part):
    def change(parts):
        parts[part] = parts[part][:128] + bytes(150_000_000)

    return change


def far_goal(parts):
    """All that a race to 2000 needs, of zeros."""
    game = parse("pig:goal=2000")
    header = json.loads(parts["header.json"])
    header.update(game=game.name, rules=race_form.all_rules(game))
    pairs = {"win": (2000, 2000), "loss": (2000, 2000), "first": (2000**2 + 1,), "starts": (2000**2 * 15,)}
    arrays = {name: np.zeros(shape, race_form.TYPES[name]) for name, shape in pairs.items()}
    arrays["rows"] = np.zeros(2000**2 * 15, "|u1")
    header["seal"], header["digest"] = solution_file.seal(header), solution_file.digest(header, arrays)
    parts["header.json"] = json.dumps(header).encode()
    for name, array in arrays.items():
        stream = io.BytesIO()
        np.lib.format.write_array(stream, array, (1, 0), False)
        parts[f"{name}.npy"] = stream.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "method"),
    [
        ("header.json", zipfile.ZIP_DEFLATED),
        ("win.npy", zipfile.ZIP_DEFLATED),
        ("rows.npy", zipfile.ZIP_DEFLATED),
        ("win.npy", zipfile.ZIP_BZIP2),
        ("header.json", zipfile.ZIP_LZMA),
        ("all", zipfile.ZIP_DEFLATED),
    ],
)
def test_a_small_zip_never_takes_much_memory(part, method, pig_file):
    """Whether it declares its size or not, a small file that unpacks to more than that is not unpacked."""
    if part == "all":
        rewrite(pig_file, far_goal)
    else:
        rewrite(pig_file, swell(part), method)
        declare_less(pig_file, part, 1000)
    assert pig_file.stat().st_size < 1_000_000
    done = subprocess.run([sys.executable, "-c", BOMB, str(pig_file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 100_000, done.stderr  # kB


def test_a_zip_with_a_long_list_of_parts_is_refused_before_the_list_is_read(pig_file, monkeypatch):
    with zipfile.ZipFile(pig_file, "a") as bundle:
        for number in range(1000):
            bundle.writestr(f"part{number}", b"")
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("the list was read"))
    with pytest.raises(VerificationError, match="too many parts"):
        solution_file.load(pig_file)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"(12, 12)", b"(0, 9e99)"),
        (b"(12, 12)", b"(-1, -4)"),
        (b"'<f8'", b"'|O' "),
        (b"(12, 12)", b"((((((((("),
    ],
)
def test_what_an_array_says_of_itself_is_checked_before_it_is_unpacked(old, new, pig_file):
    def change(parts):
        parts["win.npy"] = parts["win.npy"].replace(old, new.ljust(len(old)), 1)

    rewrite(pig_file, change)
    with pytest.raises(VerificationError, match="damaged"):
        solution_file.load(pig_file)


def test_the_game_of_a_table_is_compared_before_the_table_is_read(pig_file, monkeypatch):
    monkeypatch.setattr(solution_file, "restored", lambda *_: pytest.fail("it was read"))
    with pytest.raises(DicewrightError, match=r"solves pig:goal=12, not pig:goal=13"):
        strategy(f"table:{pig_file}", parse("pig:goal=13"))
