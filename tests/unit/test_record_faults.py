"""Damaged files of records: each gives records or one sentence with its place, never another exception."""

import json
import random
import re
from io import BytesIO

import pytest
from tests.reference.random_play import GAMES, random_record

from dicewright.core.errors import DicewrightError
from dicewright.core.record import Note
from dicewright.storage.parquet import Writer
from dicewright.storage.records.files import FORMS, load_records, read_stream, save_records, write_stream
from dicewright.storage.records.rows import KINDS
from dicewright.storage.records.tables import document_of

MUTATED = 1000


def files(form, count=12):
    """Small files of the form, of all games, with tags and notes."""
    rng = random.Random(5)
    for number in range(count):
        played = []
        for game in (GAMES[number % len(GAMES)], rng.choice(GAMES)):
            notes = (Note(0, "so {it} begins"), Note(1, "why?", "??"))
            tags = (("First", 'Ada "the" Ace'), ("Date", "2026-11-15"))
            played.append(random_record(game, rng, 40, tags=tags, notes=notes))
        stream = BytesIO()
        write_stream(stream, played, form)
        yield stream.getvalue()


def flip(data, rng):
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def cut(data, rng):
    return data[: rng.randrange(len(data))]


def cut_out(data, rng):
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randrange(1, 40) :]


def doubled_line(data, rng):
    lines = data.split(b"\n")
    place = rng.randrange(len(lines))
    return b"\n".join([*lines[:place], lines[place], *lines[place:]])


def swapped(data, rng):
    words = re.split(rb"(\s|,)", data)
    one, two = rng.randrange(len(words)), rng.randrange(len(words))
    words[one], words[two] = words[two], words[one]
    return b"".join(words)


def other_encoding(data, rng):
    text = data.decode("latin-1") + "é"
    return text.encode(rng.choice(["utf-16", "utf-16-le", "utf-32", "cp037", "latin-1"]))


def noughts(data, rng):
    place = rng.randrange(len(data))
    return data[:place] + b"\0" * rng.randrange(1, 9) + data[place:]


def huge_number(data, rng):
    numbers = list(re.finditer(rb"\d+", data))
    if not numbers:
        return data
    found = rng.choice(numbers)
    huge = rng.choice([b"9" * 25, b"9" * 5000, b"1e999", b"-1", b"NaN", b"0.5", b"1_0", "٣".encode()])
    return data[: found.start()] + huge + data[found.end() :]


def another_sign(data, rng):
    place = rng.randrange(len(data))
    return data[:place] + rng.choice([*b'"{}[]\\=*?!,: \n\r\t\xff+']).to_bytes() + data[place + 1 :]


MUTATIONS = (flip, cut, cut_out, doubled_line, swapped, other_encoding, noughts, huge_number, another_sign)
PLACE = dict.fromkeys(FORMS, r"^file line \d+ column \d+: .")
PLACE["parquet"] = r"^file (row \d+ column [a-z]+(\[\d+\])?|footer): ."


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_damaged_files_are_explained(form):
    rng = random.Random(7)
    whole = list(files(form))
    refused = 0
    for number in range(MUTATED):
        data = MUTATIONS[number % len(MUTATIONS)](rng.choice(whole), rng)
        said = sentence(data, form)
        refused += said is not None
        assert said is None or (re.match(PLACE[form], said) and len(said.encode()) < 1500), said
    assert refused > MUTATED / 3


def sentence(data, form):
    """What is said about this file, or None if it is read."""
    try:
        list(read_stream(BytesIO(data), form, "file"))
    except DicewrightError as error:
        return str(error)
    return None


GAME = '[Game "pig:goal=10"]\n[First "Ada"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("roll +6 hold =1", "line 1 column 1: 'roll +6 hold =1' stands before any tag"),
        ('[Game "pgi"]\n=1', "line 1 column 1: unknown game 'pgi'; did you mean 'pig'?"),
        ('[First "Ada"]\n=1', "line 1 column 1: this game has no tag [Game"),
        (f"{GAME}roll +6\nroll +4 stop =1", "line 4 column 9: 'stop' is no action or face of pig:goal=10"),
        (
            f"{GAME}roll +6 hold\nroll +4 +3 hold =1",
            "line 4 column 9: '+3' is not allowed to the second player at 0-6+4/2; allowed: roll, hold",
        ),
        (
            f"{GAME}roll roll =1",
            "column 6: 'roll' is not allowed to the dice at 0-0?roll; allowed: bust, +2, +3, +4, +5, +6",
        ),
        (
            f"{GAME}roll +6 roll +4 hold roll =1",
            "line 3 column 22: 'roll' is played after the end of the game",
        ),
        (f"{GAME}roll +6 roll +4 hold =-1", "line 3 column 22: the result is -1, but 1 is right"),
        (f'{GAME}[Result "-1"]\nroll +6 roll +4 hold =1', "line 3 column 1: the tag Result is '-1'"),
        (f"{GAME}roll +6 roll +4 hold", "line 3 column 17: the game ends with 'hold'; = and the payoff"),
        (f"{GAME}roll +6 =0", "line 3 column 9: ended is 'over', but by the rules the game is not over"),
        (f"{GAME}roll +6 roll +4 hold *", "line 3 column 22: ended is 'unfinished', but by the rules"),
        (
            f'{GAME}[Ended "stalemate"]\nroll +6 =0',
            "line 3 column 1: ended is 'stalemate', but no state came twice",
        ),
        (f'{GAME}[Ended "tired"]\nroll +6 =0', "line 3 column 1: ended is 'tired'; over, stalemate"),
        (
            f'{GAME}[Ended "forfeit"]\nroll +6 =1',
            "line 3 column 1: ended is 'forfeit'; a forfeit names the player",
        ),
        (f'{GAME}[Ended "forfeit"]\n[Forfeit "Ada"]\nroll +6 =1', "line 4 column 1: the forfeit is 'Ada'"),
        (f'{GAME}[First "Bob"]\n=1', "line 3 column 1: the tag First stands twice in one game"),
        (f"{GAME}[Second Bob]\n=1", "line 3 column 1: '[Second Bob]' is no tag"),
        (f'{GAME}[Se-cond "Bob"]\nroll +6 *', "line 3 column 1: a tag is named 'Se-cond'"),
        (f"{GAME}{{a\nroll +6 *", "line 3 column 1: '{' begins a comment without }"),
        (f"{GAME}roll }} +6 *", "line 3 column 6: '}' ends no comment"),
        (f"{GAME}roll!? +6 *", "line 3 column 5: the mark '!?'; ! ?! ? ?? is allowed"),
        (f"{GAME}roll {{\\q}} +6 *", "line 3 column 6: '\\\\q' in '\\\\q' means nothing"),
        (f"{GAME}roll +6 * {{late}}", "line 3 column 11: a note follows the result"),
        (f"{GAME}roll +6 * roll", "line 3 column 11: the game ends with 'roll'"),
        (
            f"{GAME}{'x' * 300} *",
            "line 3 column 1: 'xxxxxxxxxxxxxxxxxxxx'... has 300 letters; 200 is allowed",
        ),
        (
            f"{GAME}{'roll ' * 200_001} *".replace("roll " * 20, "roll " * 20 + "\n"),
            "200,001 plies; 200,000 is",
        ),
    ],
)
def test_text_says_what_is_wrong_and_where(text, message):
    with pytest.raises(DicewrightError, match=re.escape(message)) as raised:
        list(read_stream(BytesIO(text.encode()), "text", "file"))
    assert str(raised.value).startswith("file line ")


WRONG = [  # a part of the second record, what stands there, and what is said
    ("game", "pgi", "game", "unknown game 'pgi'"),
    ("game", None, "game", "it is None; a text such as pig:goal=50 is allowed"),
    ("choices", ["roll", "jump"], "choices[1]", "'jump' is no action or face"),
    ("choices", ["roll", None], "choices[1]", "it is None; a text such as roll is allowed"),
    ("payoff", -1.0, "payoff", "the result is -1, but 1 is right"),
    ("ended", "tired", "ended", "ended is 'tired'; over, stalemate"),
    ("forfeit", {"player": "third", "why": "x"}, "forfeit", "player (first, second) and why is allowed"),
    ("notes", [{"ply": 9, "text": "", "mark": "?"}], "notes", "a note stands at ply 9; 0 to 5 is allowed"),
    ("notes", [{"ply": 1, "text": "", "mark": "#"}], "notes", "a note has the mark '#'"),
]


@pytest.mark.parametrize(("part", "value", "place", "message"), WRONG)
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_documents_say_which_part_is_wrong(form, part, value, place, message):
    [record] = read_stream(BytesIO(f"{GAME}roll +6 roll +4 hold =1".encode()), "text", "file")
    rows = [document_of(record), {**document_of(record), part: value}]
    if form == "jsonl":
        data, where = "\n".join(map(json.dumps, rows)).encode(), f"file line 2 column 1: {place}: "
    else:
        data, where = table(rows), f"file row 2 column {place}: "
    said = sentence(data, form)
    assert said.startswith(where)
    assert message in said


def table(rows):
    """These documents as Parquet, unchecked."""
    tags = [[{"name": name, "value": value} for name, value in row["tags"].items()] for row in rows]
    stream = BytesIO()
    writer = Writer(stream, KINDS)
    columns = {name: [row[name] for row in rows] for name in KINDS}
    writer.write({**columns, "tags": tags})
    writer.close()
    return stream.getvalue()


def test_damaged_letters_are_placed_in_their_row_and_column(monkeypatch):
    monkeypatch.setattr("dicewright.storage.parquet.writer.GZIP", 0)
    monkeypatch.setattr("dicewright.storage.parquet.writer.compressed", bytes)
    monkeypatch.setattr("zlib.crc32", lambda data: 0)
    [record] = read_stream(BytesIO(f"{GAME}roll +6 roll +4 hold =1".encode()), "text", "file")
    rows = [document_of(record) for _ in range(200)]
    rows[149]["ended"] = "stalemate"
    said = sentence(table(rows).replace(b"stalemate", b"stale\xffate"), "parquet")
    assert said.startswith("file row 150 column ended: the file is damaged")


def test_a_wrong_note_of_a_table_is_placed_in_its_cell():
    text = f"{GAME}roll? +6 roll +4 hold =1"
    [record] = read_stream(BytesIO(text.encode()), "text", "file")
    stream = BytesIO()
    write_stream(stream, [record], "csv")
    bad = stream.getvalue().replace(b"?", b"#")
    assert sentence(bad, "csv").startswith("file line 3 column 5: a note has the mark '#'")


def test_a_pair_is_no_bid_and_a_bid_no_pair():
    for moves in ("2x5 1,1 1x1 call =1", "2,5 1,1 2,5 call =1"):
        with pytest.raises(DicewrightError, match="is not allowed"):
            list(read_stream(BytesIO(f'[Game "bluff:dice=2v2"]\n{moves}'.encode()), "text", "file"))


def test_records_before_the_wrong_one_are_read():
    good = f"{GAME}roll +6 roll +4 hold =1\n\n"
    reader = read_stream(BytesIO(f"{good}{good}{GAME}roll =1".encode()), "text", "file")
    assert [next(reader).payoff, next(reader).payoff] == [1.0, 1.0]
    with pytest.raises(DicewrightError, match="line 11 column 6"):
        next(reader)


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(DicewrightError, match=r"the ending of 'games.doc' is unknown; .dwr, .txt"):
        list(load_records(tmp_path / "games.doc"))
    with pytest.raises(DicewrightError, match="No such file"):
        list(load_records(tmp_path / "games.dwr"))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DicewrightError, match="cannot read"):
        list(load_records(tmp_path / "folder.csv"))
    with pytest.raises(DicewrightError, match="no regular file"):
        save_records(tmp_path / "folder.csv", [])
    with pytest.raises(DicewrightError, match="cannot write"):
        save_records(tmp_path / "nowhere" / "games.csv", [])


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "games.dwr"
    path.write_text("before")

    def failing():
        yield random_record(GAMES[0], random.Random(1))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        save_records(path, failing())
    assert path.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.dwr"]
