"""Solutions that no file keeps: packed, sent by the second process, unpacked, and as good as before."""

import asyncio
import json
from functools import cache
from io import BytesIO
from random import Random

import numpy as np
import pytest
from flint import fmpq

from dicewright.core.errors import StorageError, TooLarge
from dicewright.core.game import CHANCE, OVER
from dicewright.core.record import Record
from dicewright.core.strategy import sample
from dicewright.families import family
from dicewright.families.catalog import parse
from dicewright.games.race import RaceView
from dicewright.solvers.match import PaidRound, match_table
from dicewright.storage import parcel, store
from dicewright.web.builder import build, receive, send
from dicewright.web.helper import Helper
from dicewright.web.judging import figures, judged
from dicewright.web.library import Library
from dicewright.web.settings import Limits

EXACT = [  # strategies in fractions
    "liars-die:sides=40",
    "liars-dice-poker:dice=3,truth=at-least",
    "mia:keep=yes,sides=4",
    "bluff:dice=2v1,sides=4,order=fixed",
    "bluff-match:dice=2v1,sides=4,order=fixed",
    "bluff-match:dice=2v1,sides=4,order=fixed,loss=difference",
]
ROUNDED = [  # strategies with plans, which travel in floats
    "bluff:sides=4",
    "bluff-match:dice=1v1,sides=4",
    "bluff-match:dice=2v1,sides=3,loss=difference",
    "bluff-match:dice=2v1,sides=3,spot_on=yes,reward=regain",
    "bluff-match:dice=2v1,sides=3,spot_on=yes,palifico=yes",
]
SENT = ["liars-die:sides=31", "mia:keep=yes", "bluff-match:dice=2v1,sides=3,loss=difference"]


@cache
def solved(name):
    """A game and its solution before and after the journey."""
    game = parse(name)
    solution = store.solution_of(game)
    assert not store.is_kept(game)
    return game, solution, parcel.unpack(json.loads(json.dumps(parcel.pack(solution))))


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


@pytest.mark.parametrize("name", EXACT + ROUNDED)
def test_a_solution_travels_whole(name):
    game, before, after = solved(name)
    assert (after.game, after.method, after.certificate) == (game, before.method, before.certificate)
    mixes = [
        (before.strategies[player](view), after.strategies[player](view))
        for player, view in views_of(game, 100)
    ]
    assert any(is_mixed(mix) for mix, _ in mixes)
    for old, new in mixes:
        assert new == old if name in EXACT else new == pytest.approx(old, rel=1e-14, abs=0.0)
    assert parcel.pack(after) == parcel.pack(before)


@pytest.mark.parametrize("name", EXACT + ROUNDED)
def test_hints_and_analyses_are_the_same(name):
    game, before, after = solved(name)
    for _, view in views_of(game, 3):
        old, new = before.advise(view), after.advise(view)
        assert new.worth == pytest.approx(old.worth)
        assert new.mix == pytest.approx(old.mix)
    record = random_record(game, 5)
    told, expected = (figures(judged(record, solution)) for solution in (after, before))
    assert told["error_rate"] == pytest.approx(expected["error_rate"])
    assert told["luck"] == pytest.approx(expected["luck"])


def test_explore_shows_the_same():
    for name, said in (("bluff:sides=4", "1x1"), ("liars-die:sides=40", "- 31")):
        game, before, after = solved(name)
        draw = family(game).pictures["ranges"].draw
        old, new = (draw(game, solution.player, solution, said) for solution in (before, after))
        assert new["share"] == [pytest.approx(line) for line in old["share"]]
        assert new["worth"] == [pytest.approx(line) for line in old["worth"]]
    _, before, after = solved("bluff-match:dice=2v1,sides=3,spot_on=yes,palifico=yes")
    assert match_table(after) == match_table(before)


def test_what_a_file_keeps_is_only_named():
    """The round of two dice against one comes with the package; the round of one die each is sent."""
    game, before, after = solved("bluff-match:dice=2v1,sides=6")
    large = game.first
    for player in (0, 1):
        assert (
            after.strategies[player].rounds[large].strategies == before.strategies[0].rounds[large].strategies
        )
    assert '{"RowsStrategy": [{"Bluff": "bluff:dice=2v1"}, 0]}' in json.dumps(parcel.pack(before))


def test_strategies_that_are_kept_no_more_are_refused():
    with pytest.raises(StorageError, match=r"bluff:dice=3v1 are kept no more"):
        parcel.unpack({"RowsStrategy": [{"Bluff": "bluff:dice=3v1"}, 0]})


def test_a_race_game_travels_where_the_store_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "file" / "store"))
    sent = json.loads(json.dumps(build("pig:goal=23", lambda news: None)))
    after, before = parcel.unpack(sent), store.solution_of(parse("pig:goal=23"))
    assert after.certificate == before.certificate
    assert (after.strategies[0].worth == before.strategies[0].worth).all()
    view = RaceView(10, 12, 5)
    assert after.advise(view) == before.advise(view)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({1, 2}, "a set"),
        ([1], "a list"),
        (len, "a builtin_function_or_method"),
        (({"a": b"bytes"},), "a bytes"),
        (np.float64(1), "a float64"),
        (np.zeros(2, np.complex128), "an array of type <c16"),
        (np.array([fmpq(1, 3)], object), "a fmpq"),
        (PaidRound(), "a PaidRound"),
    ],
)
def test_other_kinds_are_not_packed(value, kind):
    with pytest.raises(StorageError, match=f"{kind} cannot be sent; "):
        parcel.pack(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"Popen": ["true"]}', "a Popen cannot be sent; allowed are RaceGame, Bluff"),
        ('{"Certificate": [{"__reduce__": "os.system"}]}', "a __reduce__ cannot be sent"),
        ('{"Fraction": "1/3"}', "a Fraction was packed; a Solution is needed"),
        ("null", "a NoneType was packed"),
        ("{}", "no packed solution: an object has 0 keys"),
        ('{"Bluff": "bluff", "Bid": [1, 1]}', "no packed solution: an object has 2 keys"),
        ('{"Bluff": "pigs"}', "no packed solution: .*pigs"),
        ('{"Bluff": 5}', "no packed solution"),
        ('{"Fraction": "1/0"}', "no packed solution"),
        ('{"Fraction": "1e9"}', "no packed solution"),
        ('{"Bid": [1, 2, 3]}', "no packed solution"),
        ('{"Certificate": 5}', "no packed solution"),
        ('{"Certificate": [1, 0, true, "crossed"]}', "no packed solution: bounds"),
        ('{"CallingEquilibrium": {"Bluff": "bluff"}}', "no packed solution"),
        ('{"dict": [1, 2]}', "no packed solution"),
        ('{"dict": [[{"dict": []}, 1]]}', "no packed solution: .*unhashable"),
        ('{"ndarray": ["<f8", [2], "AAAA"]}', "no packed solution"),
        ('{"ndarray": ["<f8", [1], "?"]}', "no packed solution"),
        ('{"ndarray": ["<m8", [0], ""]}', "an array of type <m8 cannot be sent; <f8"),
        ("[" * 900 + "]" * 900, "."),
    ],
)
def test_what_is_no_parcel_is_refused(text, sentence):
    with pytest.raises(StorageError, match=sentence):
        parcel.unpack(json.loads(text))


@pytest.fixture(scope="module")
def helper():
    helper = Helper()
    yield helper
    helper.close()


@pytest.mark.parametrize("name", SENT)
def test_the_second_process_sends_solutions(helper, name):
    game, news = parse(name), []
    after = parcel.unpack(asyncio.run(helper.ask(news.append, "build", name)))
    before = store.solution_of(game)
    assert (after.game, after.certificate) == (game, before.certificate)
    mixes = [
        (before.strategies[player](view), after.strategies[player](view))
        for player, view in views_of(game, 30)
    ]
    assert any(is_mixed(mix) for mix, _ in mixes)
    assert all(new == pytest.approx(old, rel=1e-14, abs=0.0) for old, new in mixes)


def test_the_second_process_sends_news_errors_and_tables(helper):
    news = []
    found = asyncio.run(helper.ask(news.append, "matrix", "pig:goal=9", ["hold:3", "hold:5"]))
    assert found["strategies"] == ["hold:3", "hold:5"]
    assert news[0] == "0 of 2 strategies of pig:goal=9 have met"
    with pytest.raises(TooLarge, match="bytes"):
        asyncio.run(helper.ask(news.append, "build", "bluff-match:dice=3v3,loss=difference"))


def test_half_a_message_is_none():
    pipe = BytesIO()
    send(pipe, [True, "Würfel"])
    assert receive(BytesIO(pipe.getvalue())) == [True, "Würfel"]
    for length in (0, 5, 12):
        with pytest.raises(EOFError):
            receive(BytesIO(pipe.getvalue()[:length]))


@pytest.mark.slow
def test_a_match_whose_rounds_pay_what_follows_is_ready_for_play():
    """Such rounds hold a function, which no process can send."""
    game = parse("bluff-match:dice=2v1,sides=2,palifico=yes")

    async def prepared():
        library = Library(Limits())
        try:
            await library.advising(game).task
            return library.solving(game).task.result()
        finally:
            library.close()

    solution = asyncio.run(prepared())
    assert solution.certificate == store.solution_of(game).certificate
