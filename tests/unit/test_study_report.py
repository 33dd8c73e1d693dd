"""The report of a study: its numbers, its sentences and its page."""

import json

import pytest

from dicewright.core.times import Times
from dicewright.storage.records.text import read_records
from dicewright.storage.shelf.saved_game import SavedGame
from dicewright.storage.shelf.shelf import Shelf
from dicewright.study import sample
from dicewright.study.conclusions import conclusions, hold, span
from dicewright.study.forms import read_forms
from dicewright.study.plan_file import check_plan
from dicewright.study.report import report
from dicewright.study.report_page import page
from dicewright.study.roster import Roster


@pytest.mark.slow
def test_the_sample_is_labelled_and_its_page_has_what_its_document_has(monkeypatch):
    monkeypatch.setattr("dicewright.study.report.TRIALS", 12)
    with Shelf.open("sqlite://") as shelf:
        roster = sample.fill(shelf)
        document, found = report(roster)
    assert "synthetic" in document["study"]
    assert document["participants"] == {"done": sample.PEOPLE}
    assert document["left_out"] == []
    bias = document["model"]["mean"]["bias"]
    means = {answer: mean for answer, (mean, _) in sample.BIAS.items()}
    for each in document["agreement"]["attitude"]["answers"]:
        away = abs(each["bias"]["value"] - means[each["answer"]]) / each["bias"]["error"]
        assert away < 3.5, "what was put in is found, within its error (one in 2,000 studies fails)"
    assert bias["low"] < bias["value"] < bias["high"]
    for means in document["results"].values():
        shares = [each["players"] * each["value"] for each in means.values()]  # all have three games
        assert sum(shares) / sample.PEOPLE == pytest.approx(0.5)
        assert sum(each["games"] * each["won"] for each in means.values()) == sample.PEOPLE * sample.GAMES / 2
    json.dumps(document, allow_nan=False)
    html = page(roster.plan, found, document)
    assert html.count("data:image/png") == 9
    assert "http" not in html.replace("http-equiv", "")
    for part in ("synthetic", "P(a) = exp(u_a)", "Exeter's hypotheses", "printed by Exeter", "mirror"):
        assert part in html
    told = [one for one in conclusions(document) if "In log-odds of rolling on: " in one]
    assert len(told) == len(document["hypotheses"]) == 3  # each with its intervals, and which way
    assert all("players " in one or "which way is not sure" in one for one in told)
    for sentence in conclusions(document):
        assert "None" not in sentence
        assert "nan" not in sentence


def means(bias, precision, holds=18):
    """A document with these means, each from low to high, and a first hold."""
    low_high = {"bias": bias, "precision": precision}
    mean = {name: {"value": sum(two) / 2, "low": two[0], "high": two[1]} for name, two in low_high.items()}
    places = {"holds": {"0-0": holds}, "holds_between": {"0-0": (17, 20)}, "best_holds": {"0-0": 21}}
    return {"model": {"mean": mean, **places}}


def test_where_they_hold_is_said_only_of_a_lean_that_was_found():
    """Who follows the worth in nothing seems to hold from 1 on, which says nothing."""
    (found,) = conclusions(means((0.1, 0.6), (80, 90)))
    told = (
        "Participants hold earlier than winning demands: at 0-0 they hold from 18 (95 %: 17 to 20) on, where "
    )
    assert found.startswith(told)
    (nothing,) = conclusions(means((-0.1, 0.6), (80, 90)))
    assert (
        nothing
        == "No lean to hold early or late was found: hold bias 0.25 (95 %: -0.10 to 0.60), which holds 0."
    )
    lost, lean = conclusions(means((-0.1, 0.5), (-0.35, 2.45), holds=1))
    assert lost == (
        "Choices were not found to follow what they are worth: precision 1.05 (95 %: -0.35 to 2.45), which holds 0."
    )
    assert "from 1 on" not in lean


def test_a_number_without_an_interval_is_told_with_that():
    """Such as a spread where all players seem alike, or a hold where choices do not surely follow the worth."""
    assert span({"value": 0.0213, "low": None, "high": None}) == "0.02 (95 %: unknown)"
    assert hold(1, None) == "1 (95 %: unknown)"
    assert hold(None, (20, None)) == "never (95 %: 20 to never)"
    assert hold(21, (21, 21)) == "21 (95 %: 21)"


def opened(shelf, text):
    return Roster.open(shelf, check_plan(text)[0], text)


def test_a_study_that_nobody_has_begun_says_so():
    with Shelf.open("sqlite://") as shelf:
        roster = opened(shelf, "")
        document, found = report(roster)
    assert document["model"] is None
    assert "no participant has made a decision yet" in document["left_out"][0]
    assert conclusions(document) == []
    assert "<h1>" in page(roster.plan, found, document)


def test_strategies_and_those_who_withdrew_are_no_participants():
    with Shelf.open("sqlite://") as shelf:
        roster = opened(shelf, 'game = "pig:goal=10"\nopponent = "hold:5"\nparticipants = ["a", "b"]')
        moves = "roll +3 roll +2 hold roll +6 hold roll +2 roll +6 hold =1"
        text = f'[Game "pig:goal=10"]\n[SecondStrategy "hold:5"]\n{moves}'
        [record] = read_records(text)
        for id, name in (("one", "a"), ("two", "b")):
            shelf.save([SavedGame.of(record, id)])
            roster.sit(id, {0: name})
        roster.withdraw("b")
        document, found = report(roster)
        assert document["decisions"] == 3
        assert found.choices().players == ("a",)
        assert document["participants"] == {"not begun": 1, "withdrawn": 1}
        assert len(found.totals(["a"])) == 1


def test_other_families_have_losses_times_and_a_precision():
    with Shelf.open("sqlite://") as shelf:
        roster = opened(shelf, 'game = "liars-die"\nopponent = "truthful"\nparticipants = ["a", "b"]')
        text = '[Game "liars-die"]\n[SecondStrategy "truthful"]\n3 4 accept 2 5 challenge =1'
        records = list(read_records(text))
        for id, name in (("one", "a"), ("two", "b")):
            saved = SavedGame.of(records[0], id)
            times = {ply: Times(1, 1000) for ply in range(6)}
            shelf.save(
                [SavedGame(id, saved.game, saved.tags, saved.choices, saved.ended, saved.payoff, times=times)]
            )
            roster.sit(id, {0: name})
        document, _ = report(roster)
    assert document["hypotheses"] is None
    assert document["losses"]["all"]["decisions"] == document["decisions"] > 0
    assert document["times"]["median"] == 1.0


def test_paper_alone_gives_a_model():
    """Forms of two players: their turns are summed over the dice that the forms hide."""
    rows = [
        f"{game},{name},{seat},{turn},{rolls},{banked}"
        for game, pair in (("1", "ab"), ("2", "cd"), ("3", "ef"))
        for turn in (1, 2, 3)
        for seat, name in zip((1, 2), pair, strict=True)
        for rolls, banked in [((2, 6), (1, 0), (2, 7))[(turn + seat) % 3]]
    ]
    with Shelf.open("sqlite://") as shelf:
        roster = opened(shelf, 'game = "pig:goal=30"\nparticipants = ["a", "b", "c", "d", "e", "f"]')
        typed = read_forms("game,player,seat,turn,rolls,banked\n" + "\n".join(rows), roster.plan)
        for name, answer in zip("abcdef", ("risk averse", "risk loving") * 3, strict=True):
            roster.answer(name, {"attitude": answer})
        roster.add_forms(typed.turns, typed.answers)
        document, _ = report(roster)
    assert document["forms"] == 3
    assert {one["participant"] for one in document["paper"]["players"]} == set("abcdef")
    assert [each["players"] for each in document["agreement"]["attitude"]["answers"]] == [3, 3]
    assert any("hold" in sentence for sentence in conclusions(document))
