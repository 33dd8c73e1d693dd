"""What costs processor time: known before it is begun, queued apart, fair between addresses, within budgets."""

import asyncio
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import numpy as np
import pytest
from tests.reference.web_client import BASE, serving, settings, sit

from dicewright.core.errors import DicewrightError
from dicewright.families import catalog, family
from dicewright.families.catalog import parse
from dicewright.families.levels import level_of
from dicewright.families.minds import LEARNER
from dicewright.families.race import family as race_family
from dicewright.families.race import tabled as race_table
from dicewright.families.race.rules import RaceGame
from dicewright.storage.records.text import read_records
from dicewright.storage.store import find
from dicewright.web import guard as door
from dicewright.web.app import create_app
from dicewright.web.guard import Bucket, Guard
from dicewright.web.prepare import prepared as prepared_module
from dicewright.web.prepare.lanes import ASKER, Lane, aside
from dicewright.web.prepare.remembered import Cost, Ledger
from dicewright.web.rooms import views
from dicewright.web.settings import NO_LIMITS, Allowance, Busy, Rate

GAMES = (
    *("pig:goal=9", "pig:goal=90", "pig:goal=90,skip=yes", "piglet", "hog:goal=12,dice=3", "pass-the-pigs"),
    *("two-dice-pig:goal=20", "bluff", "bluff:dice=5v5", "bluff-match:dice=1v1", "mia", "mia:keep=yes"),
)


@pytest.fixture
def time(monkeypatch):
    """A clock of the test's own."""
    now = [1_000.0]
    monkeypatch.setattr(door.time, "monotonic", lambda: now[0])
    return now


def built_of(game, text):
    """The strategy, asked everywhere if it is one of a race game."""
    strategy = catalog.strategy(text, game)
    if hasattr(strategy, "watch"):  # no table has what it remembers
        return race_table.check_thresholds(game, strategy, range(game.goal))
    return race_table.tabulate(game, strategy) if isinstance(game, RaceGame) else strategy


@pytest.mark.parametrize("text", GAMES)
def test_opponents_are_named_without_building_any(monkeypatch, text):
    """As many as can be built, found without a table."""
    game = parse(text)
    kin, possible = family(game), []
    for one in views.opponents(game):
        name = one["strategy"]
        if name not in kin.by_solving and level_of(name) is None and name != LEARNER:
            built_of(game, name)  # it can be built
        possible.append(name)
    for name in catalog.known(game) if not text.startswith("mia:keep") else ():
        example = kin.stand_in if kin.stand_in.startswith(f"{name}:") else name
        if example not in possible and name not in kin.by_solving:
            with pytest.raises(DicewrightError):
                built_of(game, example)

    def built(*_):
        raise AssertionError("a strategy was built to be named")

    for place, names in ((race_table, ("tabulate", "_from_thresholds")), (race_family, ("tabulate",))):
        for name in names:
            monkeypatch.setattr(place, name, built)
    monkeypatch.setattr(views, "make", built)
    assert [one["strategy"] for one in views.opponents(game)] == possible


@pytest.mark.parametrize("text", ["pig", "liars-die", "bluff", "bluff:dice=1v2", "bluff:dice=2v2"])
def test_words_of_the_solved_player_follow_the_certificate(text):
    lost = 50 * find(parse(text)).certificate.gap  # in percent of winning chance
    if lost < 1e-3:
        assert solved_words(text) == "Plays exactly: nobody does better against it."
    else:
        said = re.fullmatch(r"Plays within (0\.0*[1-9][0-9]?) % of perfect\.", solved_words(text))
        assert lost <= float(said[1]) <= 1.1 * lost


def test_words_of_a_match_follow_the_certificates_of_its_rounds():
    rounds = solved_words("bluff:dice=2v1")
    assert solved_words("bluff-match:dice=2v1") == rounds.replace("within", "each round within")
    assert solved_words("bluff-match:dice=2v1,sides=3").startswith("Plays exactly")


def solved_words(text):
    """What the page says of the solved player."""
    (line,) = (one["line"] for one in views.opponents(parse(text)) if one["strategy"] == "optimal")
    return line


@pytest.mark.parametrize(
    ("text", "kept"),
    [("hold:20", "hold:20"), ("skip-when-equal", "skip-when-equal"), ("skip-when-equal:base=turtle", None)],
)
def test_an_opponent_is_written_as_before(text, kept):
    assert views.check_opponent(parse("pig:goal=30,skip=yes"), text) == (kept or text)


@pytest.mark.parametrize("text", ["skip-when-equal:base=person", "skip-when-equal:bas=turtle", "table:x"])
def test_what_is_no_opponent_is_refused_without_building_it(text):
    with pytest.raises(DicewrightError):
        views.check_opponent(parse("pig:goal=30,skip=yes"), text)
    with pytest.raises(DicewrightError, match="pig:skip=yes"):
        views.check_opponent(parse("pig:goal=30"), "skip-when-equal")


def test_asking_for_rules_builds_nothing_in_the_threads_of_others(monkeypatch):
    """60 goals of one address: the loop's own threads, where the shelf is read, get none of it."""
    given = []
    submit = ThreadPoolExecutor.submit

    def noted(pool, work, *arguments, **named):
        given.append((pool._thread_name_prefix, f"{work} {arguments}"))
        return submit(pool, work, *arguments, **named)

    with serving(limits=Allowance(requests=None)) as client:
        monkeypatch.setattr(ThreadPoolExecutor, "submit", noted)
        answers = [client.get("/api/rules", params={"game": f"pig:goal={goal}"}) for goal in range(11, 71)]
        assert {answer.status_code for answer in answers} == {200}
        assert all(len(answer.json()["opponents"]) >= 10 for answer in answers)
        rules = [name for name, work in given if "playable" in work or "_rules" in work or "make" in work]
    assert set(rules) == {"reading"}


async def _turns(lane, order, who, name, hold):
    ASKER.set(who)
    await lane.wait()
    with lane.busy():
        order.append(name)
        await hold.wait()


def test_addresses_take_turns_in_a_lane():
    async def queue():
        lane, order, hold = Lane(1), [], asyncio.Event()
        work = [asyncio.create_task(_turns(lane, order, "a", f"a{number}", hold)) for number in range(5)]
        await asyncio.sleep(0)
        work += [asyncio.create_task(_turns(lane, order, who, who, hold)) for who in ("b", "c")]
        await asyncio.sleep(0)
        assert order == ["a0"]
        work[2].cancel()  # it has not had its turn: nobody loses one
        hold.set()
        await asyncio.gather(*work, return_exceptions=True)
        assert lane.free == 1
        return order

    assert asyncio.run(queue()) == ["a0", "a1", "b", "c", "a3", "a4"]


def test_a_lane_has_no_end_of_patience():
    async def queue():
        lane, hold = Lane(1, most=2), asyncio.Event()
        work = [asyncio.create_task(_turns(lane, [], "a", number, hold)) for number in range(4)]
        other = asyncio.create_task(_turns(lane, [], "b", "b", hold))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        refused = [task for task in work if task.done()]
        hold.set()
        await asyncio.gather(*work, other, return_exceptions=True)
        assert [str(task.exception()) for task in refused] == [
            "2 of your questions are waiting already; try again in a minute"
        ]
        assert other.exception() is None

    asyncio.run(queue())


def test_one_address_has_a_few_places_and_lends_them_while_it_waits():
    """60 requests at once: a few of them are answered, another address is not kept waiting by the rest."""

    async def serve():
        begun, gates = [], {"early": asyncio.Event(), "late": asyncio.Event()}

        async def app(scope, receive, send):
            begun.append(scope["client"][0])
            if scope["path"] == "/api/waits":
                async with aside():
                    await gates["late"].wait()
            else:
                await gates["early"].wait()

        guard = Guard(app, settings(limits=Allowance(requests=None)))

        async def ask(address, path="/api/rules"):
            async def receive():
                return {"type": "http.request"}

            async def send(message):
                raise AssertionError(message)

            scope = {"type": "http", "method": "GET", "path": path, "client": (address, 1)}
            await guard({**scope, "headers": [(b"host", b"localhost")], "scheme": "http"}, receive, send)

        async def settled():
            for _ in range(200):
                await asyncio.sleep(0)

        waits = [asyncio.create_task(ask("9.9.9.9", "/api/waits")) for _ in range(10)]
        await settled()
        assert begun == 10 * ["9.9.9.9"]  # who only waits has no place
        many = [asyncio.create_task(ask("9.9.9.9")) for _ in range(60)]
        await settled()
        one = asyncio.create_task(ask("1.1.1.1"))
        await settled()
        assert begun[10:] == [*4 * ["9.9.9.9"], "1.1.1.1"]
        gates["late"].set()
        await settled()
        assert not any(task.done() for task in waits)  # to go on takes a place again
        gates["early"].set()
        await asyncio.gather(*waits, *many, one)
        assert (guard.places.lanes, guard.places.users) == ({}, {})

    asyncio.run(serve())


def test_a_bucket_gives_back_what_was_not_needed(time):
    bucket = Bucket(Rate(0.5, 10.0))
    assert bucket.take(8.0) == 0.0
    assert bucket.take(4.0) == pytest.approx(4.0)  # 2 are there, half a one comes in a second
    bucket.give(7.0)
    assert bucket.take(4.0) == 0.0
    assert bucket.take(100.0) > 0.0
    time[0] += 1_000.0
    assert bucket.take(100.0) == 0.0  # a full bucket is enough for anything, and then it is in debt
    assert bucket.take(1.0) == pytest.approx(182.0)


def test_a_budget_is_used_up_by_its_address_only(time):
    ledger = Ledger(Allowance(work=Rate(0.5, 10.0)))
    ledger.begin("a", 9.0, 0)
    with pytest.raises(Busy) as busy:
        ledger.begin("a", 3.0, 0)
    assert busy.value.seconds == pytest.approx(4.0)
    ledger.begin("b", 3.0, 0)
    ledger.settle("a", 9.0, 1.0)
    ledger.begin("a", 3.0, 0)
    for _ in range(50):
        ledger.begin("", 9.0, 0)  # the server's own


def test_what_is_kept_is_counted_as_long_as_anybody_has_it(tmp_path):
    ledger = Ledger(Allowance(bytes_of_address=100_000))
    one, two = np.zeros(10_000), np.zeros(1_000)
    assert ledger.keep("a", {"x": (one, [two, one[1:]]), "y": one}) == 88_000
    mapped = np.memmap(tmp_path / "table", np.uint8, "w+", shape=200_000)
    assert ledger.keep("a", (mapped, mapped[1:], np.asarray(mapped))) == 0  # the file's, not ours
    assert ledger.kept("a") == ledger.kept() == 88_000
    with pytest.raises(Busy, match="prepared at once"):
        ledger.begin("a", 0.0, 20_000)
    ledger.begin("a", 0.0, 0)  # what leaves nothing in memory is not refused for it
    ledger.begin("b", 0.0, 20_000)
    del one
    assert ledger.kept("a") == 8_000
    ledger.begin("a", 0.0, 20_000)


def of(address, app):
    """A client at another address."""
    transport = httpx.ASGITransport(app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url=BASE)


async def _served(limits, talk, monkeypatch, **changes):
    app = create_app(settings(limits=limits))
    async with app.router.lifespan_context(app), of("9.9.9.9", app) as bad, of("1.1.1.1", app) as good:
        shelf = app.state.server.prepared
        hold, begun = asyncio.Event(), []

        async def ask(helper, hear, work, *arguments):
            await helper.wait()
            with helper.busy():
                begun.append((ASKER.get(), work, *arguments))
                await hold.wait()
                raise DicewrightError("the test has ended")

        monkeypatch.setattr(prepared_module.Helper, "ask", ask)
        await talk(shelf, bad, good, begun)
        hold.set()


def test_who_has_used_up_the_budget_is_told_when_to_come_again_and_others_go_on(monkeypatch):
    async def talk(shelf, bad, good, begun):
        for goal in range(100, 160):
            answer = await bad.get("/api/rules", params={"game": f"pig:goal={goal}"})
            assert answer.status_code == 200  # the rules themselves cost nothing
        assert len([one for one in begun if one[1] == "build"]) <= 2  # one in each process
        for path in ("race?game=pig:goal=190", "surface?game=pig:goal=191", "ranges?game=liars-dice-poker"):
            answer = await bad.get(f"/api/explore/{path}")
            assert (answer.status_code, answer.json()["error"] != "") == (429, True), answer.text
            assert int(answer.headers["retry-after"]) >= 1
        answer = await bad.post("/api/games", json={"game": "pig:goal=195"})
        assert answer.status_code in (201, 429)
        answer = await good.get("/api/rules", params={"game": "pig:goal=196"})
        assert answer.json()["progress"].startswith("solving pig:goal=196")
        answer = await good.get("/api/explore/surface?game=pig:goal=30&strategy=hold:5")
        assert (answer.status_code, answer.json()) == (202, {"progress": answer.json()["progress"]})
        waiting = [shelf.helper.waiting, shelf.brief.waiting, shelf.drawing.waiting]
        assert sum(len(line.get("9.9.9.9", ())) for line in waiting) <= 4

    monkeypatch.setattr("dicewright.web.api.games.PATIENCE", 0.0)
    asyncio.run(_served(Allowance(requests=None, hard=None), talk, monkeypatch))


def test_sixty_games_of_one_address_have_a_bounded_memory(monkeypatch):
    """Each with a table of its own: their owner is refused more, and another one is not."""

    async def talk(shelf, bad, good, begun):
        for goal in range(440, 500):
            await bad.post("/api/games", json={"game": f"pig:goal={goal}", "opponent": "hold:20"})
        answer = await good.post("/api/games", json={"game": "pig:goal=300", "opponent": "hold:20"})
        while not any(key[1] == "pig:goal=300" and task.size for key, task in shelf.tasks.items()):
            await asyncio.sleep(0.01)
        assert answer.status_code == 201
        assert shelf.ledger.kept("1.1.1.1") > 0
        while any(not task.task.done() for task in shelf.tasks.values()):
            await asyncio.sleep(0.01)
        assert 0 < shelf.ledger.kept("9.9.9.9") < 40_000_000

    asyncio.run(_served(Allowance(requests=None, games=None, bytes_of_address=30_000_000), talk, monkeypatch))


def test_a_dear_game_is_known_to_be_dear():
    few, many = (Cost.solving(parse(f"pig:goal={goal}"), False) for goal in (50, 500))
    assert many.seconds > 20 * few.seconds
    assert many.size > 5 * few.size
    assert (
        Cost.picture(parse("hog:goal=100"), "race").seconds
        > Cost.picture(parse("pig:goal=100"), "race").seconds
    )
    assert Cost.analysis(5_000).seconds > 10 * Cost.analysis(50).seconds


def test_a_long_game_with_hidden_rolls_is_not_taken_up_at_its_end():
    """Each accepted roll would be tried with all that came after it: minutes, in a thread of others."""
    game = parse("liars-die:sides=300")
    calls = " ".join(f"5 {rank} accept" for rank in range(1, 300))
    text = f'[Game "{game.name}"]\n[First "a"]\n[FirstStrategy "random"]\n[Ended "cut-off"]\n\n{calls} =0\n'
    with serving() as client:
        [id_] = client.app.state.server.shelf.add(read_records(text))
        late = client.post(f"/api/games/{id_}/again", json={"ply": 895})
        assert (late.status_code, "takes too long" in late.text) == (422, True)
        early = client.post(f"/api/games/{id_}/again", json={"ply": 28})
        assert early.status_code == 201, early.text
        names = []
        shelf = client.app.state.server.prepared
        do = shelf.preparing.do
        shelf.preparing.do = lambda work, *asked: (names.append(work.__name__), do(work, *asked))[1]
        with sit(client, early.json()) as table:
            table.say(type="begin", seed="s")
            assert table.until(lambda now: now["begun"])["ply"] >= 28
        assert "deal" in names


def test_hints_have_threads_of_their_own():
    async def name():
        shelf = prepared_module.Prepared(NO_LIMITS)
        try:
            return await shelf.hint(lambda: threading.current_thread().name)
        finally:
            shelf.close()

    assert asyncio.run(name()).startswith("hinting")
