"""Records that somebody brings along: checked by the rules, kept once, refused in a sentence."""

import pytest
from tests.reference.web_client import serving, sit

PIG = '[Game "pig:goal=10"]\n[First "Ann"]\n\nroll +6 hold roll +5 hold roll +5 hold =1\n'


@pytest.fixture(scope="module")
def client():
    with serving() as client:
        yield client


def bring(client, text):
    return client.post("/api/records", json={"text": text})


def test_a_record_stands_on_the_shelf_and_is_kept_once(client):
    found = bring(client, PIG)
    assert found.status_code == 201, found.text
    (id_,) = found.json()["added"]
    assert client.get(f"/api/games/{id_}").json()["ended"] == "over"
    assert client.get(f"/api/games/{id_}/record").text.splitlines()[-1].endswith("=1")
    assert bring(client, PIG).json() == {"added": [], "there": [id_]}
    two = PIG.replace("Ann", "Bob") + "\n" + PIG.replace("Ann", "Cleo")
    assert len(bring(client, two).json()["added"]) == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Dear Sir or Madam", 'has 0 tags [Game "..."]; 1 to 20 are allowed'),
        (PIG * 21, "has 21 tags"),
        (PIG.replace("roll +6", "roll +7"), "the record line 4 column 6: '+7'"),
        (PIG.replace("=1", "=-1"), "-1"),
        (PIG.replace(" roll +5 hold =1", " *"), "unfinished"),
        ('[Game "pig:goal=5000"]\n\nroll\n', "500"),
        ('[Game "file:/etc/passwd"]\n\nroll\n', "file"),
        ('[Game "bluff:dice=9v9"]\n\n11 22 1x1\n', "dice"),
        ('[Game "chess"]\n\ne4\n', "chess"),
        (PIG + "\0", "line"),
        (PIG.replace("Ann", "Ann\u202e"), "'Ann\\u202e'; up to 40 letters that can be seen"),
        (PIG.replace("Ann", "A" * 41), "up to 40 letters that can be seen"),
        (PIG.replace("[First", '[SecondStrategy "\u200b"]\n[First'), "SecondStrategy of the record is"),
        ("x" * 15_001, "15000"),
    ],
)
def test_what_is_no_record_of_a_finished_game_is_refused(client, text, why):
    before = client.get("/api/games").json()["games"]
    found = bring(client, text)
    assert found.status_code == 422
    assert why in found.json()["error"]
    assert client.get("/api/games").json()["games"] == before


def test_dice_that_do_not_make_the_outcome_are_not_shown(client):
    """Two pigs in places that there are not took the whole game away from whoever looked at it."""
    moves = "roll +5 {[%dice DICE]} hold roll +5 hold roll +5 hold =1\n"
    shown = {}
    for dice in ("9 9", "3 3", "3 1"):
        record = f'[Game "pass-the-pigs:goal=10"]\n[First "{dice}"]\n\n{moves.replace("DICE", dice)}'
        (id_,) = bring(client, record).json()["added"]
        with sit(client, {"id": id_}, token=False) as table:
            events = table.first["events"]
        shown[dice] = [event["scene"].get("dice") for event in events][1]
    assert shown == {"9 9": None, "3 3": None, "3 1": [3, 1]}
