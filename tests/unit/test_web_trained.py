"""What the server tells at a large match: hints as estimates, and the chance of every bid with nobody trained."""

import time

from tests.reference.web_client import make, serving, sit


def hint_of(table):
    while True:
        table.say(type="hint")
        frame = table.hear("hint", "error")
        if frame["type"] == "hint":
            return frame
        assert frame["later"], frame
        time.sleep(0.1)


def begun(table):
    table.say(type="begin", seed="s")
    return table.until(lambda now: now["begun"] and now["actions"])


def test_hints_of_a_large_match_are_estimates_of_who_was_trained():
    with (
        serving() as client,
        sit(client, make(client, "bluff-match:dice=3v2", "trained", hints=True)) as table,
    ):
        state = begun(table)
        frame = hint_of(table)
        assert frame["worth"].keys() == frame["odds"].keys() == {one["action"] for one in state["actions"]}
        assert 0 < frame["estimate"] < 0.02
        assert frame["who"] == "the trained player"
        assert frame["note"].startswith("Estimates by a trained player")
        assert frame["odds"]["1x1"] >= frame["odds"]["3x1"]


def test_where_nobody_was_trained_the_chance_of_every_bid_is_told():
    game = "bluff-match:dice=5v5,wild=none"
    with serving() as client, sit(client, make(client, game, "call-below:0.3", hints=True)) as table:
        begun(table)
        frame = hint_of(table)
        assert (frame["worth"], frame["best"], frame["mix"]) == ({}, None, {})
        assert len(frame["odds"]) == 60
        assert frame["odds"]["1x1"] > frame["odds"]["2x1"] > 0
        assert frame["note"]
