"""Decisions to practise: drawn from solved play, judged by the mix, shown without what is hidden, spaced by boxes."""

import json
from datetime import date, timedelta

import pytest
from tests.reference.web_client import serving

from dicewright.arena.drill import LEVELS, draw, themes_in
from dicewright.core.errors import IllegalAction, RulesError
from dicewright.families import family
from dicewright.families.catalog import parse
from dicewright.storage.shelf.players import Players
from dicewright.storage.shelf.practice import (
    HALF,
    NEARLY,
    ROUND,
    WAITS,
    Practice,
    ahead,
    answer,
    practised,
    solve_day,
    solved_days,
    streak,
)  # fmt: skip
from dicewright.storage.shelf.shelf import Shelf
from dicewright.storage.store import solution_of
from dicewright.web.rooms.drills import DAILY, Asked, Drills, drilled, of_day
from dicewright.web.rooms.views import Speech

GAMES = ("piglet", "pig:goal=20", "bluff:sides=3", "mia:sides=3")
DAY = date(2026, 11, 18)


def solved(text):
    game = parse(text)
    return game, solution_of(game)


@pytest.mark.parametrize("text", GAMES)
def test_a_question_is_of_its_theme_and_every_action_of_the_mix_is_right(text):
    game, solution = solved(text)
    kin = family(game)
    for seed, theme in enumerate(themes_in(game, solution)):
        one = draw(game, solution, theme, 1, seed)
        assert (kin.theme(game, one.view), one.theme) == (theme, theme)
        mix = solution.strategies[one.seat](one.view)
        assert all(one.right(action) for action, share in mix.items() if share >= 0.01)
        assert not all(map(one.right, one.advice.worth))  # something can be learned
        assert one.loss(one.advice.best) == 0.0
        assert draw(game, solution, theme, 1, seed).view == one.view
        for done, share in one.deeds(one.advice.best).values():
            assert isinstance(done, bool)
            assert -1e-9 <= share <= 1 + 1e-9


def test_a_higher_level_is_closer():
    game, solution = solved("pig")
    means = [
        sum(draw(game, solution, "", level, seed).guess for seed in range(8)) / 8
        for level in range(len(LEVELS))
    ]
    assert means == sorted(means, reverse=True)
    assert means[0] > 2 * means[-1]


def test_what_cannot_be_asked_is_told():
    game, solution = solved("piglet")
    with pytest.raises(
        RulesError, match="no theme 'x' in piglet; goal, late, ahead, lead, behind is allowed"
    ):
        draw(game, solution, "x", 0, 1)
    with pytest.raises(RulesError, match="level is 9; 0 to 4 is allowed"):
        draw(game, solution, "", 9, 1)
    with pytest.raises(IllegalAction, match="allowed: roll, hold"):
        draw(game, solution, "", 0, 1).right("fold")


@pytest.mark.parametrize("text", ["bluff:sides=3", "mia:sides=3"])
def test_nothing_hidden_is_in_a_question(text):
    """Whatever the other's dice are, the document is the same to the last byte."""
    game, solution = solved(text)
    drills = Drills(Speech)
    for seed in range(12):
        asked = Asked(game.name, "", 2, seed)
        one = draw(game, solution, "", 2, seed)
        told = drills.document(one, asked)
        state, others = game.start(), 0
        for ply, choice in enumerate(one.choices):
            if game.mover(state) == -1 and family(game).roller(game, state) != one.seat:
                for other in game.outcomes(state):
                    changed = (*one.choices[:ply], other, *one.choices[ply + 1 :])
                    end = game.start()
                    try:
                        for step in changed:
                            end = game.play(end, step)
                    except IllegalAction:
                        continue
                    if game.view(end, one.seat) == one.view:
                        document = drills.document(type(one)(**{**vars(one), "choices": changed}), asked)
                        assert document == told
                        others += 1
            state = game.play(state, choice)
        assert others or text.startswith("mia") or not any(one.choices)


# Boxes


def test_a_theme_waits_longer_the_better_it_went():
    one, day = Practice("pig", "late"), DAY
    for wait in (*WAITS, WAITS[-1]):
        for _ in range(ROUND):
            one = one.answered(True, day)
        assert date.fromisoformat(one.due) - day == timedelta(days=wait) or wait == WAITS[-1]
        day = date.fromisoformat(one.due)
    for right in range(ROUND):
        one = one.answered(right < HALF, day)
    assert (one.box, one.due) == (0, (day + timedelta(days=1)).isoformat())
    assert HALF < NEARLY < ROUND


def test_a_clock_set_back_loses_nothing():
    one = Practice("pig", "late")
    for _ in range(ROUND):
        one = one.answered(True, DAY)
    again = one.answered(True, DAY - timedelta(days=30))
    assert (again.due, again.day, again.asked) == (one.due, DAY.isoformat(), 1)
    assert ahead([again], DAY - timedelta(days=1)) == DAY.isoformat()
    assert ahead([again], DAY) is None


def test_practice_and_days_are_kept_and_nobody_elses():
    with Shelf.open("sqlite://") as shelf:
        players = Players(shelf)
        (ada, _), (bob, _) = players.add("Ada"), players.add("Bob")
        for number in range(ROUND):
            answer(players, ada, "pig", "late", number > 0, DAY)
        answer(players, ada, "mia", "first", True, DAY)
        assert [(one.theme, one.asked, one.box) for one in practised(players, ada)] == [
            ("first", 1, 0),
            ("late", 0, 1),
        ]
        assert practised(players, bob) == []
        assert [solve_day(players, ada, right, DAY) for right in (True, False)] == [True, True]
        assert solve_day(players, ada, True, DAY - timedelta(days=1))
        assert streak(solved_days(players, ada), DAY + timedelta(days=1)) == 2
        assert streak(solved_days(players, ada), DAY + timedelta(days=2)) == 0
        assert solved_days(players, bob) == {}


# On the server


@pytest.fixture(scope="module")
def today():
    return [DAY]


@pytest.fixture(scope="module")
def client(today):
    with serving(today=lambda: today[0]) as client:
        yield client


def asked(client, path, **values):
    while (answer := client.get(path, params=values)).status_code == 202:
        pass
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_round_is_practised_and_comes_back_the_next_day(client, today):
    code = client.post("/api/me", json={"name": "Ada"}).json()["code"]
    bearing = {"Authorization": f"Bearer {code}"}
    menu = asked(client, "/api/drills", game="piglet")
    assert {"game": "pig", "words": "Pig to 100"} in menu["games"]
    for _ in range(ROUND):
        one = asked(client, "/api/drills/question", game="piglet", theme="goal")
        assert {each["action"] for each in one["actions"]} == {"roll", "hold"}
        assert not {"worths", "best", "mix"} & one.keys()  # nothing tells the answer
        body = {**one["asked"], "action": "roll"}
        found = client.post("/api/drills/answer", json=body, headers={"X-Player": code}).json()
        assert found["right"] == (found["loss"] == 0.0)
        assert found["right"] or found["why"]
    assert found["practice"]["asked"] == 0
    now = client.get("/api/me/practice", headers=bearing).json()
    assert [(one["theme"], one["kind"], one["now"]) for one in now["themes"]] == [("goal", "Piglet", False)]
    today[0] = DAY + timedelta(days=1)
    now = client.get("/api/me/practice", headers=bearing).json()
    assert (now["themes"][0]["now"], now["note"]) == (True, None)
    today[0] = DAY - timedelta(days=1)
    assert (
        "you practised on 2026-11-18 already"
        in client.get("/api/me/practice", headers=bearing).json()["note"]
    )
    today[0] = DAY
    assert client.delete("/api/me", headers=bearing).status_code == 200


def test_the_position_of_the_day_is_the_same_for_all_and_the_first_answer_counts(client, today):
    today[0] = next(day for n in range(9) if of_day(day := DAY + timedelta(days=n)).game == "mia")
    code = client.post("/api/me", json={"name": "Bob"}).json()["code"]
    one, two = asked(client, "/api/day"), asked(client, "/api/day")
    assert one == two
    assert one["date"] == today[0].isoformat()
    first = [
        client.post("/api/day", json={"date": one["date"], "action": each["action"]}).json()
        for each in one["actions"]
    ]
    good, bad = (next(each for each in first if each["right"] is right) for right in (True, False))
    answers = [
        client.post(
            "/api/day", json={"date": one["date"], "action": each["action"]}, headers={"X-Player": code}
        ).json()
        for each in (good, bad)
    ]
    assert [(each["right"], each["first"], each["streak"]) for each in answers] == [
        (True, True, 1),
        (False, True, 1),
    ]
    assert answers[1]["line"] == f"dicewright {one['date']}, Mia: found"
    late = client.post("/api/day", json={"date": "2026-01-01", "action": "accept"})
    assert (late.status_code, "that position was another day's" in late.json()["error"]) == (409, True)
    today[0] = DAY


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"game": "pig", "theme": "x"}, "there is no theme 'x' in pig"),
        ({"game": "nonsense"}, "nonsense"),
        ({"game": "bluff:dice=5v5"}, "too large"),
        ({"game": "pig", "level": 9}, "level"),
        ({"game": "pig", "seed": -1}, "seed"),
    ],
)
def test_what_is_no_question_is_told_in_a_sentence(client, values, why):
    answer = client.get("/api/drills/question", params=values)
    while answer.status_code == 202:
        answer = client.get("/api/drills/question", params=values)
    assert (answer.status_code, why in answer.json()["error"]) == (422, True), answer.text


def test_an_action_that_is_none_is_told_in_a_sentence(client):
    body = {"game": "piglet", "theme": "", "level": 0, "seed": 1}
    for action in ("fold", "1x1", "\x00"):
        answer = client.post("/api/drills/answer", json={**body, "action": action})
        assert answer.status_code == 422, answer.text
        assert json.loads(answer.text)["error"]


def test_the_days_and_the_menu_name_games_that_come_solved():
    assert set(DAILY) <= set(drilled())
    assert {of_day(DAY + timedelta(days=n)).game for n in range(len(DAILY))} == set(DAILY)


@pytest.mark.parametrize(
    "name", ["pig:goal=25", "two-dice-pig:goal=25", "piglet", "bluff", "mia", "liars-die"]
)
def test_whoever_errs_can_practise_where_solved_play_never_comes(name):
    """In Pig to 25 the first turn often wins; who holds too early comes to places that solved play never sees."""
    game = parse(name)
    solution = solution_of(game)
    themes = themes_in(game, solution)
    for seed, theme in enumerate(themes):
        assert draw(game, solution, theme, 0, seed).theme == theme
    if name == "pig:goal=25":
        assert {"late", "behind", "ahead", "lead"} <= {*themes}
        assert draw(game, solution, "goal", 0, 1).view.mine >= 19
