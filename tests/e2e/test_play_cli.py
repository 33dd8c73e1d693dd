"""`play` by lines, through pipes: whole games, the end of input, signals at any moment, and going on."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests import forked

import dicewright
from dicewright.storage.records.text import read_records
from dicewright.storage.shelf.shelf import Shelf

ENOUGH = 200  # lines of input that end any game here
GAMES = [
    ("pig:goal=20", "hold:8", "r\nr\nh\n"),
    ("bluff:dice=2v1,sides=3", "optimal", "1x2\n2x3\n3x3\nc\n"),
    ("mia", "optimal", "a\n21\n"),
]


def command(*words):
    return [sys.executable, "-m", "dicewright", "play", *map(str, words)]


def environment(folder, **changes):
    source = str(Path(dicewright.__file__).parents[1])
    return {
        **os.environ,
        "PYTHONPATH": source,
        "DICEWRIGHT_DATABASE": str(folder / "games.sqlite"),
        **changes,
    }


def play(folder, *words, typed="", code=0, **changes):
    """What is said when these lines are typed; nothing moves the cursor and there is no traceback."""
    done = forked.run(["play", *words], input=typed, text=True, env=environment(folder, **changes))
    assert "Traceback" not in done.stdout + done.stderr
    assert "\x1b" not in done.stdout
    assert done.returncode == code, done.stderr
    return done


def shelf(folder):
    return Shelf.open(str(folder / "games.sqlite"))


@pytest.mark.parametrize(("game", "opponent", "typed"), GAMES)
@pytest.mark.parametrize("seat", ["--first", "--second"])
def test_whole_games_through_a_pipe(game, opponent, typed, seat, tmp_path):
    words = (game, "--against", opponent, seat, "--seed", 2)
    said = play(tmp_path, *words, "--name", "Ada", typed=typed * ENOUGH).stdout
    for part in ("Commitment of the dice: ", "Server seed of the dice: ", "You gave", "Saved as "):
        assert part in said
    assert re.search(r"^(You win|\S+ wins)\.$", said, re.MULTILINE)
    [saved] = shelf(tmp_path).find(ended="over")
    assert saved.id in said
    record = saved.record()
    assert record.tag("First" if seat == "--first" else "Second") == "Ada"
    assert record.tag("SecondStrategy" if seat == "--first" else "FirstStrategy") == opponent


def test_the_same_seed_is_the_same_game(tmp_path):
    words = ("pig:goal=20", "--against", "hold:8", "--no-save")
    one, again = (play(tmp_path, *words, "--seed", 5, typed="r\nh\n" * ENOUGH).stdout for _ in range(2))
    assert one == again
    assert one != play(tmp_path, *words, "--seed", 6, typed="r\nh\n" * ENOUGH).stdout
    assert not (tmp_path / "games.sqlite").exists()


def test_words_hints_rules_undo_and_nonsense(tmp_path):
    typed = "nonsense\nROLL\nhint\nrules\nundo\nroll\n"
    said = play(tmp_path, "pig:goal=30", "--against", "hold:8", "--first", "--seed", 3, typed=typed).stdout
    assert "'nonsense' is not possible now. Say roll, hint, rules or quit." in said
    assert re.search(r"^roll: \d+\.\d % best$", said, re.MULTILINE)
    assert said.count("A one loses the turn total") == 2
    assert "Your last decision is taken back." in said
    assert said.count("You roll: a three, +3; turn total 3.") == 2
    assert "Go on with: dicewright play --resume" in said
    assert shelf(tmp_path).find()[0].tag("Undo") == "yes"


def test_a_rated_game_has_neither_hints_nor_undo(tmp_path):
    words = ("pig:goal=30", "--against", "hold:8", "--first", "--rated")
    said = play(tmp_path, *words, typed="r\nhint\nundo\n").stdout
    assert "A rated game has no hints." in said
    assert "a rated game has no undo" in said
    assert "--hints is not allowed" in play(tmp_path, *words, "--hints", code=2).stderr


def test_hints_unasked(tmp_path):
    said = play(tmp_path, "mia", "--hints", "--seed", 1, "--second").stdout
    assert re.search(r"^(accept|challenge): \d+\.\d % best$", said, re.MULTILINE)


@pytest.mark.parametrize(("game", "opponent", "typed"), GAMES)
def test_end_of_input_saves_and_resume_goes_on(game, opponent, typed, tmp_path):
    words = (game, "--against", opponent, "--first", "--seed", 4)
    whole = play(tmp_path, *words, typed=typed * ENOUGH).stdout
    [over] = shelf(tmp_path).find()
    left = play(tmp_path, *words, typed="").stdout
    assert "Go on with" in left
    assert "Server seed" not in left
    kept = shelf(tmp_path).find(ended="unfinished")[0]
    assert kept.choices == " ".join(over.choices.split()[: len(kept.choices.split())])
    said = play(tmp_path, "--resume", typed=typed * ENOUGH).stdout
    assert "The game goes on." in said
    assert shelf(tmp_path).get(kept.id).choices == over.choices
    assert whole.splitlines()[-6:-1] == said.splitlines()[-6:-1]


def begun(folder, *words):
    """A game that stands at its first question."""
    process = subprocess.Popen(
        command(*words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(folder),
    )
    return process, said_until(process, b"roll? ")


def said_until(process, end):
    said = b""
    while not said.endswith(end):
        letter = process.stdout.read(1)
        assert letter, (said, process.stderr.read())
        said += letter
    return said.decode()


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)],
)
def test_a_signal_leaves_everything_that_was_said_on_the_shelf(number, code, tmp_path):
    process, _ = begun(tmp_path, "pig:goal=90", "--against", "hold:8", "--first", "--seed", 3)
    process.stdin.write(b"roll\nroll\n")
    process.stdin.flush()
    said_until(process, b"roll or hold? ")
    said_until(process, b"roll or hold? ")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert b"Traceback" not in out + err
    if number != signal.SIGKILL:
        assert b"Go on with: dicewright play --resume" in out
    [kept] = shelf(tmp_path).find(ended="unfinished")
    assert number == signal.SIGKILL or kept.id.encode() in out.splitlines()[-1]
    assert kept.choices == "roll +3 roll +4"
    said = play(tmp_path, "--resume", typed="").stdout
    assert "You have 0, hold:8 has 0; 90 wins.\nTurn total 7.\nroll or hold? " in said
    assert (
        play(tmp_path, "--resume", kept.id, typed="hold\n").stdout.count("You hold 7: the score is 7.") == 1
    )


def test_an_interrupt_while_the_opponent_is_prepared_leaves_at_once(tmp_path):
    process = subprocess.Popen(
        command("bluff:dice=2v1", "--against", "optimal"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path, PYTHONUNBUFFERED="1"),
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(8)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in out + err


@pytest.mark.parametrize("place", ["a folder", "no database", "no folder"])
def test_a_shelf_that_fails_is_said_once_and_the_record_is_printed(place, tmp_path):
    path = tmp_path / "games.sqlite"
    if place == "a folder":
        path.mkdir()
    elif place == "no database":
        path.write_text("neither a database nor empty " * 100)
    else:
        path = Path("/proc/nothing/games.sqlite")
    words = ("pig:goal=20", "--against", "hold:8", "--seed", 3, "--first", "--database", path)
    said = play(tmp_path, *words, typed="r\nh\n" * ENOUGH).stdout
    assert said.count("You can play on.") == 1
    head, _, text = said.partition("The game is not saved. Its record:\n")
    assert "Saved as" not in said
    assert "wins." in head or "You win." in head
    [record] = read_records(text)
    assert record.ended == "over"
    assert "dicewright: " in play(tmp_path, "--resume", "--database", path, code=1).stderr


def test_refusals_are_sentences(tmp_path):
    for words, why in (
        ((), "which game?"),
        (("chess",), "unknown game"),
        (("kuhn-poker",), "is not played here"),
        (("pig", "--against", "nobody"), "unknown strategy"),
        (("--resume", "--seed", 3), "--seed is not allowed here"),
        (("pig", "--first", "--second"), "--first and --second were both given"),
    ):
        done = play(tmp_path, *words, code=2)
        assert why in done.stderr
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""
    assert "no unfinished game" in play(tmp_path, "--resume", code=1).stderr


def test_where_solving_takes_long_a_rule_of_thumb_plays_and_that_is_said(tmp_path):
    done = play(tmp_path, "bluff:dice=3v3", "--seed", 1, "--first", typed="2x5\nhint\n")
    assert "takes long to solve, so call-below:0.3 plays; --against optimal waits for it." in done.stderr
    assert "against call-below:0.3." in done.stdout


def test_two_dice_each_are_played_analysed_and_exported_by_a_new_user(tmp_path):
    done = play(tmp_path, "bluff:dice=2v2", "--seed", 5, "--first", typed="hint\n2x6\ncall\n")
    assert "against optimal." in done.stdout
    assert "players win" in done.stdout
    assert done.stderr == ""


def test_help_has_an_example(tmp_path):
    assert "Example: dicewright play pig" in " ".join(play(tmp_path, "--help").stdout.split())


def test_the_transcript_of_the_documentation_is_true(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    typed, words, said = re.search(
        r"^\$ printf '(.*)' \| dicewright play ([^\n]*)\n(.*?)^```", page, re.MULTILINE | re.DOTALL
    ).groups()
    shown = play(tmp_path, *words.split(), typed=typed.replace("\\n", "\n")).stdout
    assert [line.rstrip() for line in shown.splitlines()] == said.splitlines()
