"""What the server tells at a large match: hints as estimates, and the chance of every bid with nobody trained."""

import time

import pytest
from tests.reference.web_client import make, play_out, serving, sit

from dicewright.families.catalog import parse
from dicewright.storage import trained


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


@pytest.mark.parametrize(
    ("text", "opponent"),
    [("perudo:dice=2v2", "trained"), ("bluff:dice=2v1", "optimal"), ("mia:lives=2", "optimal")],
)
def test_hint_advice_and_analysis_say_the_same_at_every_decision(text, opponent):
    """One decision has one judgement: at the table, for `dicewright advise`, in the analysis."""
    game, hints = parse(text), {}
    judge = trained.judge_for(game)
    with serving() as client:
        made = make(client, text, opponent, hints=True)
        with sit(client, made) as table:

            def choose(state):
                hints[state["ply"]] = hint_of(table)
                return state["actions"][state["ply"] % min(3, len(state["actions"]))]["action"]

            play_out(table, choose)
        answer = client.get(f"/api/games/{made['id']}/analysis")
        while answer.status_code == 202:
            time.sleep(0.1)
            answer = client.get(f"/api/games/{made['id']}/analysis")
    moments = {each["ply"]: each for each in answer.json()["moments"]}
    assert hints
    for ply, hint in hints.items():
        moment, advice = moments[ply], judge.advise(game.read_view(moments[ply]["view"]))
        if len(hint["worth"]) > 1:  # what is forced is no decision
            assert moment["worths"] == pytest.approx(hint["worth"], abs=1e-9)
        assert hint["worth"] == pytest.approx(
            {game.show_choice(action): worth for action, worth in advice.worth.items()}, abs=1e-9
        )
        lost = max(hint["worth"].values()) - hint["worth"][moment["choice"]]
        least = max(hint.get("estimate") or 0.0, judge.slack / 2)
        assert moment["loss"] == pytest.approx(lost, abs=1e-9) or (moment["loss"] == 0 and lost <= least)
