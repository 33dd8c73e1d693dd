"""Programs that play by lines of JSON: whatever they do, the referee goes on, and they see their own view only."""

import json
import os
import pickle
import shlex
import sys
import time
from pathlib import Path
from random import Random

import pytest

import dicewright as dw
from dicewright.arena.program import Program, plain
from dicewright.arena.simulate import simulate
from dicewright.arena.table import play_game
from dicewright.core.effort import Limits
from dicewright.core.errors import NotationError, RulesError, StrategyError
from dicewright.families.race.strategies import HoldAt
from dicewright.front.engine import answers
from dicewright.storage.strategies import gather, parse

BOT = Path(__file__).parents[1] / "fixtures" / "bad_bot.py"
LIMITS = Limits(5.0, 512)


def command(way, *words):
    return shlex.join([sys.executable, "-I", "-S", str(BOT), way, *map(str, words)])


def program(way, game="pig", limits=LIMITS, log=os.devnull):
    return Program(command(way, log), dw.game(game), limits)


def running(wanted):
    """The processes that run and whose fields in /proc, from the state on, are wanted."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and wanted(fields):
            found.append(int(stat.parent.name))
    return found


def children():
    """The processes that this one has started."""
    return running(lambda fields: int(fields[1]) == os.getpid())


@pytest.fixture
def before():
    """The processes that other tests of this worker have left running."""
    return children()


@pytest.mark.parametrize(
    ("way", "why"),
    [
        ("garbage", "answered b'roll!'; an object"),
        ("list", "answered b'[1]'; an object"),
        ("deep", "; an object of JSON is allowed"),
        ("binary", "; an object of JSON is allowed"),
        ("illegal", 'answered "call"; allowed are roll, hold at '),
        ("none", "answered {}; "),
        ("number", 'answered {"action": 7}; '),
        ("sum", "chances that sum to 0.9, not 1 at "),
        ("nan", "; an object of JSON is allowed"),
        ("infinite", "gave roll the chance Infinity; 0 to 1 is allowed"),
        ("negative", "gave roll the chance 1.5; 0 to 1 is allowed"),
        ("truth", "gave roll the chance true; "),
        ("empty", 'answered {"mix": {}}; '),
        ("gives-up", r"gave up: no \x1b[31midea\x07\nat all at "),
        ("control", r"answered "),
        ("long", "sent more than 100,000 bytes"),
        ("endless", "sent more than 100,000 bytes"),
        ("exit", "ended with exit code 1 before it answered: I am tired"),
        ("closes", "closed its output before it answered"),
        ("memory", "ended with exit code 1 before it answered: MemoryError"),
        ("twice", "without being asked"),
    ],
)
def test_a_wrong_answer_loses_the_game_with_the_reason(way, why, before):
    bot = program(way)
    record = play_game(dw.game("pig"), (bot, HoldAt(20)), Random(1))
    assert (record.ended, record.payoff, record.forfeit.player) == ("forfeit", -1.0, 0)
    assert why in record.forfeit.why
    assert record.forfeit.why.isprintable()
    bot.close()
    assert set(children()) <= set(before)


def test_silence_loses_when_the_time_is_over_and_the_next_game_is_played():
    bot = program("silent", limits=Limits(0.2, 512))
    tally = simulate(dw.game("pig"), HoldAt(20), bot, 4, seed=1)
    assert tally.games == tally.both.wins == tally.forfeits.b == 4
    assert tally.forfeits.why == (f"{bot} took longer than 0.2 s",)
    bot.close()


def test_a_long_question_to_a_program_that_does_not_read_ends_in_time():
    bot = program("asleep", limits=Limits(0.3, 512))
    bot.greet()
    began = time.monotonic()
    with pytest.raises(StrategyError, match=r"took longer than 0\.3 s"):
        bot.ask({"ask": "action", "of": "x" * 1_000_000})  # a pipe holds 64 kB
    assert time.monotonic() - began < 30
    bot.close()


def test_what_a_program_has_started_ends_with_it():
    bot = program("child", limits=Limits(0.3, 512))
    bot.greet()
    group = bot._child.process.pid
    play_game(dw.game("pig"), (bot, HoldAt(20)), Random(1))
    for _ in range(500):  # the system takes a moment to end those whom nobody waits for
        if not running(lambda fields: int(fields[2]) == group):
            break
        time.sleep(0.01)
    assert running(lambda fields: int(fields[2]) == group) == []


def test_a_program_ends_when_nobody_needs_it():
    bot = program("good")
    bot.greet()
    pid = bot._child.process.pid
    assert pid in children()
    del bot
    assert pid not in children()


@pytest.mark.parametrize("way", ["old", "nonesuch"])
def test_who_does_not_speak_the_protocol_is_refused_before_the_first_game(way):
    text = f"engine:{command(way)}" if way == "old" else "engine:./nonesuch"
    with pytest.raises(StrategyError, match=r'without "protocol": 1|nonesuch: not found|No such file'):
        parse(text, "pig", program=LIMITS)


def test_what_was_said_without_being_asked_is_quoted_in_short():
    bot = program("flood")
    why = play_game(dw.game("pig"), (bot, HoldAt(20)), Random(1)).forfeit.why
    assert "without being asked" in why
    assert len(why.removeprefix(str(bot))) < 120
    bot.close()


def test_a_program_that_says_no_hello_is_told_what_most_forget(monkeypatch):
    monkeypatch.setattr("dicewright.arena.program.START", 0.3)
    bot = program("deaf", limits=Limits(0.3, 512))
    with pytest.raises(StrategyError, match=r"took longer than 0\.3 s to say hello: .* flush"):
        bot.greet()


@pytest.mark.parametrize("text", ["engine:", "engine:'", "engine: \0"])
def test_no_command_is_refused(text):
    with pytest.raises(StrategyError, match="is no command"):
        parse(text, "pig", program=LIMITS)


def test_the_same_seed_gives_the_same_games_with_any_number_of_workers():
    bot = f"engine:{sys.executable} -m dicewright engine --strategy random"
    bot = parse(bot, "piglet:goal=3", program=LIMITS)
    one, two = (simulate(bot.game, bot, HoldAt(2), 20, seed=3, workers=workers) for workers in (1, 2))
    assert one == two
    assert one.games == 20
    assert not one.forfeits.why


def test_the_bytes_sent_never_tell_the_other_hand(tmp_path):
    """Dice of the other, changed, change no byte of what is sent: only the own view is."""
    game, sent = dw.game("bluff"), []
    for theirs in (2, 3, 5):
        log = tmp_path / f"{theirs}.txt"
        bot = program("good", "bluff", log=log)
        play_game(game, (bot, dw.strategy("random", game)), Random(1), rolls=["4", str(theirs)])
        bot.close()
        sent.append([line for line in log.read_text().splitlines() if json.loads(line)["ask"] == "action"])
    assert sent[0][0] == sent[1][0] == sent[2][0]
    for lines in sent:
        for line in lines:
            asked = json.loads(line)
            assert set(asked) == {"ask", "game", "seat", "view", "data", "actions", "seconds", "seed"}
            assert asked["data"]["mine"] == [4]
            assert asked["view"].startswith("4 |")


@pytest.mark.parametrize("game", ["pig", "bluff", "bluff-match", "mia", "kuhn-poker"])
def test_views_are_plain_data(game):
    rules = dw.game(game)
    state = rules.start()
    while rules.mover(state) == -1:
        state = rules.play(state, next(iter(rules.outcomes(state))))
    data = plain(rules.view(state, rules.mover(state)))
    assert json.loads(json.dumps(data)) == data


@pytest.mark.parametrize(
    "ask",
    [
        lambda text: dw.evaluate("piglet:goal=3", text, "hold:2"),
        lambda text: dw.best_response("piglet:goal=3", text),
        lambda text: dw.grade("piglet:goal=3", text),
        lambda text: dw.strategy(text, "pig"),
        lambda text: dw.strategy(f"best-response:{text}", "pig"),
        lambda text: gather("pig", text),
    ],
)
def test_a_program_is_run_only_where_it_plays(ask, tmp_path):
    ran = tmp_path / "ran"
    with pytest.raises(StrategyError, match="is a program, which is run only where"):
        ask(f"engine:{command('good', ran)}")
    assert not ran.exists()


@pytest.mark.parametrize("game", ["pig", "bluff", "mia", "kuhn-poker"])
def test_a_program_is_never_tabulated(game):
    bot = program("good", game)
    with pytest.raises(StrategyError, match="is a program, asked only while it plays"):
        dw.evaluate(game, bot, bot)
    assert bot._child is None


def test_a_class_folder_holds_no_programs(tmp_path):
    folder, ran = tmp_path / "class", tmp_path / "ran"
    folder.mkdir()
    (folder / "bot.txt").write_text(f"engine:{command('good', ran)}")
    (folder / "bot.sh").write_text(f"#!/bin/sh\ntouch {ran}\n")
    (folder / "bot.sh").chmod(0o755)
    found = gather("pig", ["hold:20"], folder, program=LIMITS)
    assert [refusal.name for refusal in found.refusals] == ["bot.sh", "bot.txt"]
    assert "programs are not allowed in files" in found.refusals[1].reason
    assert not ran.exists()


def test_a_range_of_numbers_in_a_command_is_no_range_of_strategies(tmp_path):
    bot = f"engine:{command('good', tmp_path / '1..3')}"
    assert [each.name for each in gather("pig", bot, program=LIMITS).entrants] == [bot]


def test_a_tournament_needs_games_and_tells_forfeits():
    bot = program("exit")
    with pytest.raises(StrategyError, match="--games N is needed"):
        dw.play_exactly("pig", [bot, "hold:20"])
    played = dw.play_simulated("pig", [bot, "hold:20"], games=4, seed=1)
    assert played.wins.tolist() == [[0.5, 0.0], [1.0, 0.5]]
    (lost,) = played.forfeits
    assert (lost.name, lost.games) == (str(bot), 4)
    assert lost.why == (f"{bot} ended with exit code 1 before it answered: I am tired",)
    bot.close()


def test_a_program_stays_here():
    with pytest.raises(StrategyError, match="stays in the process"):
        pickle.dumps(program("good"))


def test_ours_answers_what_it_is_asked_and_says_what_it_cannot():
    lines = [
        b'{"ask": "hello", "protocol": 1}',
        b'{"ask": "action", "game": "pig", "view": "41-49+27", "worth": true}',
        b'{"ask": "action", "game": "pig", "view": "nowhere"}',
        b'{"ask": "action", "game": "chess", "view": "e4"}',
        b'{"ask": "action", "game": 3}',
        b"{",
        b"[" * 100_000,
        b"\xff",
        b'{"ask": "action", "game": "pig", "view": "0-0+0"}',
    ]
    hello, advised, *wrong, forced = map(json.loads, answers(lines))
    assert hello["protocol"] == 1
    assert advised["mix"] == {"roll": 1.0}
    assert advised["worth"]["roll"] > advised["worth"]["hold"]
    assert all(set(each) == {"error"} for each in wrong)
    assert forced == {"mix": {"roll": 1.0}}


def test_ours_runs_no_programs():
    (found,) = answers([b'{"ask": "action", "game": "pig", "view": "41-49+27"}'], "engine:touch /nowhere")
    assert "is a program" in json.loads(found)["error"]


def test_a_program_is_refused_by_the_table_of_a_server():
    from dicewright.families import catalog

    with pytest.raises((NotationError, RulesError, StrategyError)):
        catalog.strategy("engine:./bot", dw.game("pig"))
