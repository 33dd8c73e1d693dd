"""Solutions on their way between processes: by the store, else as a file, and as good as before."""

import asyncio
import os
from functools import cache
from multiprocessing import Pipe
from pathlib import Path
from random import Random

import pytest

import dicewright as dw
from dicewright.analysis.analyse import analyse
from dicewright.analysis.sides import figures
from dicewright.core.errors import DicewrightError, StorageError, TooLarge, VerificationError
from dicewright.core.game import CHANCE, OVER
from dicewright.core.record import Record
from dicewright.core.strategy import sample
from dicewright.families import family, solve
from dicewright.families.bluff.match_solve import match_table
from dicewright.families.catalog import parse
from dicewright.storage import store
from dicewright.web.prepare.builder import build
from dicewright.web.prepare.lanes import Helper
from dicewright.web.prepare.prepared import Prepared, folder, receive_solution, send_solution
from dicewright.web.settings import Allowance

GAMES = [
    "liars-die:sides=40",
    "liars-dice-poker:dice=3,truth=at-least",
    "mia:keep=yes,sides=4",
    "bluff:dice=2v1,sides=4,order=fixed,spot_on=yes",
    "bluff-match:dice=2v1,sides=4,order=fixed,spot_on=yes",
    "bluff-match:dice=2v2,sides=3,order=fixed,loss=difference",
    "bluff:sides=4",
    "bluff-match:dice=1v1,sides=4",
    "bluff-match:dice=2v1,sides=3,loss=difference",
    "bluff-match:dice=2v1,sides=3,spot_on=yes,reward=regain",
    "bluff-match:dice=2v1,sides=3,spot_on=yes,palifico=yes",
]
SENT = ["liars-die:sides=31", "mia:keep=yes,sides=4", "bluff-match:dice=2v1,sides=3,loss=difference"]


@pytest.fixture
def no_store(tmp_path, monkeypatch):
    """A store that cannot be written."""
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "file" / "store"))


@cache
def solved(name):
    """A game and its solution before and after the journey."""
    game = parse(name)
    path = Path(folder()) / "solution.npz"
    solution = solve(game)
    dw.save(path, solution)
    return game, solution, dw.load(path)


def random_record(game, seed):
    """A game in which both players act at random."""
    rng, state, choices = Random(seed), game.start(), []
    while (mover := game.mover(state)) != OVER:
        if mover == CHANCE:
            choices.append(sample(game.outcomes(state), rng))
        else:
            choices.append(rng.choice(list(game.actions(game.view(state, mover)))))
        state = game.play(state, choices[-1])
    return Record(game, tuple(choices), float(game.payoff(state)))


def views_of(game, seeds):
    """Everything a player saw and had to decide in some random games."""
    found = {}
    for seed in range(seeds):
        for state in random_record(game, seed).states():
            if (mover := game.mover(state)) not in (CHANCE, OVER):
                view = game.view(state, mover)
                if len(game.actions(view)) > 1:
                    found[mover, view] = None
    return list(found)


def is_mixed(mix):
    """Whether a mix is neither pure nor uniform."""
    return len({chance for chance in mix.values() if chance > 0}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_solution_travels_whole(name):
    game, before, after = solved(name)
    assert (after.game, after.method, after.certificate) == (game, before.method, before.certificate)
    mixes = [
        (before.strategies[player](view), after.strategies[player](view))
        for player, view in views_of(game, 100)
    ]
    assert any(is_mixed(mix) for mix, _ in mixes)
    for old, new in mixes:
        assert new == old
    header, arrays = before.arrays()
    assert after.arrays()[0] == header
    assert all((after.arrays()[1][part] == array).all() for part, array in arrays.items())


@pytest.mark.parametrize("name", GAMES)
def test_hints_and_analyses_are_the_same(name):
    game, before, after = solved(name)
    for _, view in views_of(game, 3):
        old, new = before.advise(view), after.advise(view)
        assert new.worth == pytest.approx(old.worth)
        assert new.mix == pytest.approx(old.mix)
    record = random_record(game, 5)
    told, expected = (figures(analyse(record, solution)) for solution in (after, before))
    assert told["error_rate"] == pytest.approx(expected["error_rate"])
    assert told["luck"] == pytest.approx(expected["luck"])


def test_explore_shows_the_same():
    for name, said in (("bluff:sides=4", "1x1"), ("liars-die:sides=40", "- 31")):
        game, before, after = solved(name)
        draw = family(game).drawn(game)["ranges"].draw
        old, new = (draw(game, solution.player, solution, said) for solution in (before, after))
        assert new["share"] == [pytest.approx(line) for line in old["share"]]
        assert new["worth"] == [pytest.approx(line) for line in old["worth"]]
    _, before, after = solved("bluff-match:dice=2v1,sides=3,spot_on=yes,palifico=yes")
    assert match_table(after) == match_table(before)


def test_a_match_of_rounds_that_are_kept_is_not_sent():
    """The rounds of two dice against one come with the package; the match is one linear system."""
    game = parse("bluff-match:dice=2v1,sides=6")
    solution = store.solution_of(game)
    assert not store.is_kept(game)
    assert send_solution(solution, folder()) is None
    again = receive_solution(game, None)
    assert again.certificate == solution.certificate
    large = game.first
    assert again.plan.rounds[large].strategies == solution.plan.rounds[large].strategies


@pytest.mark.parametrize("name", ["pig:goal=23", "mia:sides=8", "bluff:sides=3,spot_on=yes"])
def test_a_solution_travels_as_a_file_where_the_store_cannot_be_written(name, tmp_path, no_store):
    file = build(name, str(tmp_path), lambda news: None)
    assert Path(file).parent == tmp_path
    after, before = receive_solution(parse(name), file), store.solution_of(parse(name))
    assert after.certificate == before.certificate
    state = next(
        state for state in random_record(parse(name), 1).states() if before.game.mover(state) in (0, 1)
    )
    view = before.game.view(state, before.game.mover(state))
    assert after.advise(view) == before.advise(view)
    assert not Path(file).exists()


def test_a_file_that_was_changed_on_the_way_is_refused_and_removed(tmp_path, no_store):
    file = Path(build("pig:goal=23", str(tmp_path), lambda news: None))
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(VerificationError):
        receive_solution(parse("pig:goal=23"), str(file))
    assert not file.exists()
    file = build("pig:goal=23", str(tmp_path), lambda news: None)
    with pytest.raises(VerificationError, match="solves pig:goal=23, not pig:goal=24"):
        receive_solution(parse("pig:goal=24"), file)
    with pytest.raises(StorageError, match="cannot read"):
        receive_solution(parse("pig:goal=23"), file)


@pytest.fixture(scope="module")
def helper():
    helper = Helper()
    yield helper
    helper.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", SENT)
def test_the_second_process_keeps_solutions(helper, name):
    game = parse(name)
    assert asyncio.run(helper.ask(print, "build", name, folder())) is None
    assert store.is_kept(game)
    check_the_same(game, solve(game), receive_solution(game, None))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mia:keep=yes,sides=3", "pig:goal=21"])
def test_the_second_process_sends_files(name, no_store):
    helper, game = Helper(), parse(name)
    try:
        file = asyncio.run(helper.ask(print, "build", name, folder()))
    finally:
        helper.close()
    assert Path(file).parent == Path(folder())
    assert Path(file).parent.stat().st_mode & 0o077 == 0
    check_the_same(game, solve(game), receive_solution(game, file))
    assert not list(Path(folder()).glob("tmp*"))


def check_the_same(game, before, after):
    assert (after.game, after.certificate) == (game, before.certificate)
    for player, view in views_of(game, 30):
        assert after.strategies[player](view) == before.strategies[player](view)


def test_the_second_process_sends_news_errors_and_tables(helper):
    news = []
    found = asyncio.run(helper.ask(news.append, "matrix", "pig:goal=9", ["hold:3", "hold:5"]))
    assert found["strategies"] == ["hold:3", "hold:5"]
    assert news[0] == "0 of 2 strategies of pig:goal=9 have met"
    with pytest.raises(TooLarge, match="bytes"):
        asyncio.run(
            helper.ask(news.append, "build", "bluff-match:dice=3v3,loss=difference,wild=none", folder())
        )


@pytest.mark.slow
def test_half_a_message_is_none_and_another_process_is_started(helper):
    ask = helper.ask(print, "matrix", "pig:goal=9", ["hold:3"])
    assert asyncio.run(ask)["strategies"] == ["hold:3"]
    first, (helper.pipe, theirs) = helper.process, Pipe()
    os.write(theirs.fileno(), b"\0\0\0\x10[true, ")
    theirs.close()
    with pytest.raises(DicewrightError, match="has ended"):
        asyncio.run(helper.ask(print, "matrix", "pig:goal=9", ["hold:3"]))
    assert first.poll() is not None
    assert asyncio.run(helper.ask(print, "matrix", "pig:goal=9", ["hold:5"]))["strategies"] == ["hold:5"]


@pytest.mark.slow
def test_a_match_whose_rounds_pay_what_follows_is_ready_for_play():
    """Such rounds were solved with payoffs that no name says."""
    game = parse("bluff-match:dice=2v1,sides=2,palifico=yes")

    async def prepared():
        prepared = Prepared(Allowance())
        try:
            await prepared.advising(game).task
            return prepared.solving(game).task.result()
        finally:
            prepared.close()

    solution = asyncio.run(prepared())
    assert solution.certificate == store.solution_of(game).certificate
