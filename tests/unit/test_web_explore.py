"""The documents of the room Explore, and what a game says of itself."""

import time

import pytest
from tests.reference.web_client import serving

import dicewright as dw


@pytest.fixture(scope="module")
def client():
    with serving() as client:
        yield client


def ask(client, path, **params):
    """The answer once it is prepared."""
    while (answer := client.get(path, params=params)).status_code == 202:
        assert answer.json()["progress"]
        time.sleep(0.2)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_map_of_a_race(client):
    found = ask(client, "/api/explore/race", game="pig:goal=12", yours=3)
    assert found["actions"] == ["hold", "roll"]
    assert len(found["choice"]) == len(found["worth"]["roll"]) == 12
    assert found["choice"][11][1] == -1
    assert found["worth"]["hold"][0][0] is None
    assert 0.0 < found["worth"]["roll"][0][0] < 1.0
    other = ask(client, "/api/explore/race", game="pig:goal=12", yours=3, strategy="hold:4")
    assert other["choice"][0][4] == 0
    assert other["worth"] == found["worth"]


def test_the_surface_of_a_race(client):
    found = ask(client, "/api/explore/surface", game="pig:goal=12", strategy="hold:5")
    assert found["hold_at"][0][0] == 5
    assert client.get("/api/explore/surface", params={"game": "bluff"}).status_code == 422


def test_hands_by_bids(client):
    found = ask(client, "/api/explore/ranges", game="bluff:sides=3", said="1x1")
    assert found["hands"] == ["1", "2", "3"]
    assert found["actions"][-1] == "call"
    assert all(sum(line) == pytest.approx(1.0, abs=1e-4) for line in found["share"])
    assert all(0.0 <= worth <= 1.0 for line in found["worth"] for worth in line)
    calling = ask(client, "/api/explore/ranges", game="liars-die:sides=4", said="- 3")
    assert calling["actions"] == ["accept", "challenge"]
    assert client.get("/api/explore/ranges", params={"game": "bluff", "said": "2x2 1x1"}).status_code == 422


def test_the_tournament(client):
    found = ask(client, "/api/explore/tournament", game="pig:goal=12")
    best = found["strategies"].index("optimal")
    assert all(chance >= 0.5 - 1e-9 for chance in found["wins"][best])
    assert found["wins"][0][1] + found["wins"][1][0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("path", "game", "sentence"),
    [
        ("race", "mia", "mia is no race game; pig and its relatives are"),
        ("race", "pig:goal=201", "goal is 201 in pig:goal=201; up to 200 is drawn here"),
        ("surface", "hog", "in hog one roll is the whole turn, so there is no turn total to draw; "),
        ("surface", "bluff-match", "bluff-match is no race game; pig and its relatives are"),
        ("ranges", "pig", "pig has no table of hands; bluff and calling games are allowed"),
        ("ranges", "mia:keep=yes", "mia:keep=yes has no table of hands; "),
        ("ranges", "bluff-match", "bluff-match has no table of hands; "),
        ("tournament", "pig:goal=201", "goal is 201 in pig:goal=201; up to 200 is drawn here"),
        ("tournament", "two-dice-pig:goal=26", "a tournament of two-dice-pig:goal=26 takes too long here; "),
        ("tournament", "bluff:dice=2v1,sides=5", "a tournament of bluff:dice=2v1,sides=5 takes too long "),
        ("tournament", "bluff-match", "a tournament of bluff-match takes too long here; smaller rules "),
        ("tournament", "mia:keep=yes", "a tournament of mia:keep=yes takes too long here; smaller rules "),
    ],
)
def test_what_is_not_drawn_is_said_at_once(client, path, game, sentence):
    answer = client.get(f"/api/explore/{path}", params={"game": game})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(sentence)


def test_rules_and_catalog(client):
    games = {line["game"]: line for line in client.get("/api/catalog").json()["games"]}
    assert "kuhn-poker" not in games
    goal = games["pig"]["fields"][0]
    assert goal | {"name": "goal", "allowed": "a whole number", "default": "100", "values": None} == goal
    assert {"value": "25", "words": "to 25"} in goal["options"]
    rules = client.get("/api/rules", params={"game": "pig:goal=12"}).json()
    assert rules["family"] == "race"
    assert {"optimal", "hold:20", "turtle"} <= {line["strategy"] for line in rules["opponents"]}
    match = client.get("/api/rules", params={"game": "bluff-match:dice=1v1"}).json()
    assert "optimal" in [line["strategy"] for line in match["opponents"]]
    large = client.get("/api/rules", params={"game": "bluff:dice=5v5"}).json()
    assert "optimal" not in [line["strategy"] for line in large["opponents"]]


def test_the_measures_of_a_race_are_its_value_and_length(client):
    found = ask(client, "/api/explore/measures", game="race:+2/+3/bust,goal=6")
    solution = dw.solve("race:+2/+3/bust,goal=6")
    met = dw.evaluate(solution.game, solution, solution).a_first
    assert found == {
        "unit": "chance",
        "value": pytest.approx(solution.certificate.value),
        "proved": True,
        "decisive": True,
        "turns": pytest.approx(met.expected_turns),
        "payoff": pytest.approx(0.0, abs=1e-12),
    }
    assert ask(client, "/api/explore/measures", game="two-dice-pig:goal=30")["turns"] is None
    assert ask(client, "/api/explore/measures", game="pig:goal=6,payoff=margin")["unit"] == "points"
    assert client.get("/api/explore/measures", params={"game": "bluff"}).status_code == 422


def test_a_rule_of_ones_own_is_measured_against_perfect_play(client):
    game, rule = "race:bold:+5/bust,safe:+1/+2/bust,goal=9", "expr:safe if turn < 3 else hold"
    found = ask(client, "/api/explore/measures", game=game, strategy=rule)
    met = dw.evaluate(game, rule, "optimal")
    assert found["payoff"] == pytest.approx(met.a_overall - met.b_overall)
    assert found["payoff"] < -0.01
    refused = {"game": "pig:goal=9", "strategy": "expr:turn < 3 + busts"}
    assert "simulate" in client.get("/api/explore/measures", params=refused).text
    assert client.get("/api/explore/measures", params={"strategy": "file:rule.py"}).status_code == 422


def test_what_is_drawn_up_on_the_page_begins_with_a_game(client):
    [design] = client.get("/api/catalog").json()["designs"]
    assert client.get("/api/rules", params={"game": design["game"]}).json()["game"] == design["game"]
    assert [field["name"] for field in design["fields"]] == ["goal", "finish", "payoff", "skip", "title"]


def test_the_games_that_people_come_for_stand_first_with_their_dice(client):
    games = client.get("/api/catalog").json()["games"]
    drawn = [game["dice"] for game in games]
    assert all(drawn[:3])
    assert not any(drawn[3:])
    assert games[0]["game"] == "pig"
