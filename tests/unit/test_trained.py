"""Players that are trained: resumable, kept part by part, and read with care."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

from dicewright.core.errors import RulesError, StorageError, StrategyError, TooLarge, VerificationError
from dicewright.families import family
from dicewright.families.bluff.large.training import Training
from dicewright.families.catalog import parse, strategy
from dicewright.storage import growing, solution_file, trained
from dicewright.storage.files import held

SMALL = "bluff-match:dice=2v1,sides=2"  # three rounds


@pytest.fixture(autouse=True)
def own_store(monkeypatch, tmp_path):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "store"))


def shares(game):
    lessons = family(game).lessons(game)
    return {part.name: trained.read(part, lessons).arrays["shares"] for part in lessons.parts}


def test_a_training_that_is_killed_ends_with_the_same_strategy(monkeypatch, tmp_path):
    game = parse(SMALL)
    monkeypatch.setattr(trained, "SAVED", 0.0)
    straight = trained.train(game, 6)
    assert [(news.iterations, news.at_least is not None) for news in straight] == [(6, True)] * 3
    expected = shares(game)
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "other"))
    step, steps = Training.step, []

    def killed(self):
        if len(steps) == 10:  # in the second round
            raise KeyboardInterrupt
        steps.append(step(self))

    with monkeypatch.context() as patch:
        patch.setattr(Training, "step", killed)
        with pytest.raises(KeyboardInterrupt):
            trained.train(game, 6)
    with pytest.raises(StrategyError, match="half trained, 1 of 3 parts"):
        trained.player(game)
    assert len(trained.need(game, 6).parts) == 2
    steps.clear()
    with monkeypatch.context() as patch:
        patch.setattr(Training, "step", lambda self: steps.append(step(self)))
        trained.train(game, 6)
    assert len(steps) == 2 + 6
    assert all(np.array_equal(expected[name], found) for name, found in shares(game).items())
    assert not list(trained.folder().glob("*.run*"))
    assert trained.need(game, 6).parts == ()


def test_any_executor_trains_the_same():
    game = parse(SMALL)
    trained.train(game, 4)
    expected = shares(game)
    assert trained.need(game, 5).parts  # asked for more, it is trained anew
    for part in family(game).lessons(game).parts:
        trained.path_of(part).unlink()
    heard = []
    with ThreadPoolExecutor(2) as executor:
        trained.train(game, 4, executor, heard.append)
    assert {news.part for news in heard} == set(expected)
    assert all(np.array_equal(expected[name], found) for name, found in shares(game).items())


def test_what_is_wrong_with_a_file_is_one_sentence():
    game = parse(SMALL)
    lessons = family(game).lessons(game)
    one, two, three = lessons.parts
    with pytest.raises(StrategyError, match="is not trained; `dicewright train bluff-match"):
        trained.player(game)
    trained.train(game, 3)
    good = trained.path_of(one).read_bytes()

    def refused(kind, words):
        with pytest.raises(kind, match=words) as caught:
            trained.read(one, lessons)
        assert "\n" not in str(caught.value)
        assert one in trained.need(game, 3).parts or "add up" in words or "shares" in words

    trained.path_of(one).write_bytes(good[: len(good) // 2])
    refused(VerificationError, "no file of dicewright")
    trained.path_of(one).write_bytes(trained.path_of(two).read_bytes())
    refused(StorageError, "is about")
    header, arrays = solution_file.read(trained.path_of(three), lessons.types, 10**6)
    solution_file.write(trained.path_of(one), {**header, "format": "bluff-trained-0"}, arrays)
    refused(StorageError, "bluff-trained-0; bluff-trained-2 is allowed")
    solution_file.write(trained.path_of(one), {**header, "game": one.name}, arrays)
    refused(VerificationError, "shares")
    trained.path_of(one).write_bytes(good)
    header, arrays = solution_file.read(trained.path_of(one), lessons.types, 10**6)
    solution_file.write(trained.path_of(one), header, {"shares": arrays["shares"] // 2})
    refused(VerificationError, "add up")


def test_too_little_room_is_said_before_anything_starts(monkeypatch):
    game = parse("bluff-match:dice=5v5")
    left = trained.need(game, workers=2)
    assert len(left.parts) == 25
    assert left.memory < 3 * 10**9
    assert left.seconds < 3600
    monkeypatch.setattr(trained, "free_memory", lambda: 2 * 10**9)
    with pytest.raises(
        TooLarge, match="bytes of memory on 2 workers and 2,000,000,000 are free; --workers 1 takes"
    ):
        trained.check_room(game, left, 2)


@pytest.mark.parametrize(
    ("free", "words"),
    [
        (200_000_000, r"free; of its 25 rounds 9 would fit, the largest bluff:dice=3v2$"),
        (1000, r"free; even bluff, its smallest round, takes 1\d\d,\d\d\d,\d\d\d$"),
    ],
)
def test_only_what_would_fit_is_named(monkeypatch, free, words):
    game = parse("bluff-match:dice=5v5")
    monkeypatch.setattr(trained, "free_memory", lambda: free)
    for workers in (1, 2):
        with pytest.raises(TooLarge, match=words):
            trained.check_room(game, trained.need(game, workers=workers), workers)


def test_a_disk_that_is_too_full_is_said_before_anything_starts(monkeypatch):
    game = parse(SMALL)
    monkeypatch.setattr(trained.shutil, "disk_usage", lambda place: SimpleNamespace(free=1000))
    with pytest.raises(
        TooLarge, match=r"takes [\d,]+ bytes in .* and 1,000 are free; DICEWRIGHT_STORE names another folder"
    ):
        trained.check_room(game, trained.need(game), 1)


@pytest.mark.parametrize(
    ("text", "words"), [("pig", "nothing is trained"), ("bluff-match:spot_on=yes", "spot_on=yes")]
)
def test_what_is_not_trained_is_refused(text, words):
    with pytest.raises(RulesError, match=words):
        trained.train(parse(text), 3)


def test_who_is_half_trained_plays_what_there_is_and_a_rule_of_thumb_the_rest():
    game = parse(SMALL)
    player = growing.growing(game)
    assert str(player) == "trained"
    assert growing.how_far(game) == (0, 3, 0.0)
    assert not growing.is_begun(game)
    begun = game.start()
    view = game.view(game.play(game.play(begun, (1, 2)), (1,)), 0)
    until = strategy("call-below:0.3", game)
    assert player(view) == until(view)
    trained.train(game, 3)
    whole = trained.player(game)
    for part in family(game).lessons(game).parts:
        if part.dice != (2, 1):
            trained.path_of(part).unlink()
    assert growing.is_begun(game)
    assert growing.how_far(game).there == 1
    assert "1 of 3 rounds are trained" in growing.how_far(game).say()
    assert player(view) == whole(view)  # the same player, once the round is there
    with pytest.raises(StrategyError, match="half trained, 1 of 3 parts"):
        trained.player(game)


def test_training_begins_in_a_process_of_its_own(monkeypatch):
    started = []
    monkeypatch.setattr(growing.subprocess, "Popen", lambda command, **rest: started.append(command))
    game = parse(SMALL)
    said = growing.begin(game)
    assert "0 of 3 rounds are trained" in said
    assert started[0][2:] == ["dicewright", "train", SMALL, "--workers", "1"]
    monkeypatch.setattr(trained, "free_memory", lambda: 1000)
    with pytest.raises(TooLarge, match="bytes of memory"):
        growing.begin(game)


def test_a_second_training_waits(monkeypatch):
    game = parse(SMALL)
    trained.folder().mkdir(parents=True)
    monkeypatch.setattr(growing.subprocess, "Popen", None)
    with held(trained.folder() / "lock", "this test"):
        assert "waits for another training" in growing.begin(game)


def test_a_file_that_is_damaged_inside_is_told_before_a_game_begins():
    game = parse(SMALL)
    trained.train(game, 3)
    path = trained.path_of(family(game).lessons(game).parts[-1])
    whole = bytearray(path.read_bytes())
    place = whole.index(b"shares.npy") + 80
    whole[place] ^= 255
    path.write_bytes(whole)
    with pytest.raises(VerificationError, match=f"{path.name} is damaged"):
        trained.player(game)


def test_only_rounds_that_are_solved_are_shown_among_ranges():
    game = parse("bluff-match:dice=3v3")
    kin, state = family(game), game.start()
    assert kin.spot(game, game.view(state, 0)) is None
    small = parse("bluff-match:dice=2v2")
    assert kin.spot(small, small.view(small.start(), 0))["game"] == "bluff:dice=2v2"
