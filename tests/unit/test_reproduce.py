"""The verdicts of `reproduce` are computed: a wrong figure is found, also where a difference is explained."""

from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from urllib.parse import urlparse

import numpy as np
import pytest

from dicewright.core.errors import NotationError
from dicewright.families.bluff.rules import Bluff
from dicewright.reproduce import kinds as made
from dicewright.reproduce import report as reports
from dicewright.reproduce.again import turns_again, won_again
from dicewright.reproduce.claims import Because, Depth, Exhibit, Verdict, recompute
from dicewright.reproduce.html import Drawn, page
from dicewright.reproduce.johnson_trees import trees
from dicewright.reproduce.norvig import break_even
from dicewright.reproduce.printed_bluff import D2, D6, secures, unprinted
from dicewright.reproduce.report import Report, chosen, document, reproduce
from dicewright.reproduce.solved import first, play_games, rolled

HEAD = ("Exeter", "1", "a thing")


def verdict(claim):
    (row,) = recompute([claim])
    return row


@pytest.mark.parametrize(
    ("paper", "ours", "found"),
    [
        ("0.5426", 0.54262617, Verdict.SAME),
        ("0.5427", 0.54262617, Verdict.DIFFERS),
        ("0.50", 0.504, Verdict.SAME),
        ("0.500", 0.504, Verdict.DIFFERS),
        ("-0.027132", Fraction(-7, 258), Verdict.SAME),
        ("0", -1e-17, Verdict.SAME),
        ("17", 17, Verdict.SAME),
        ("18", 17, Verdict.DIFFERS),
    ],
)
def test_a_number_is_the_same_if_ours_rounds_to_its_digits(paper, ours, found):
    row = verdict(made.number(*HEAD, paper, lambda: ours))
    assert row.verdict is found
    assert row.failed == (found is Verdict.DIFFERS)


def test_an_explained_difference_is_no_failure_if_ours_is_the_explained_figure():
    explained = verdict(made.number(*HEAD, "0.4", lambda: 0.5, Because("a misprint", lambda: Fraction(1, 2))))
    assert explained.verdict is Verdict.DIFFERS
    assert not explained.failed
    assert (explained.reason, explained.expected) == ("a misprint", "1/2")
    assert verdict(made.number(*HEAD, "0.5", lambda: 0.5, Because("a misprint", lambda: 0.5))).reason == ""


@pytest.mark.parametrize("ours", [0.3, 0.4, 0.5 + 1e-6])
def test_an_explanation_does_not_excuse_another_figure(ours):
    """Neither a third figure nor the printed one: a reason alone is no excuse."""
    row = verdict(made.number(*HEAD, "0.4", lambda: ours, Because("a misprint", lambda: 0.5)))
    assert row.failed
    assert (row.reason, row.expected) == ("a misprint", "0.5")


def test_an_explained_fact_gives_the_figure_that_is_checked():
    because = Because("there are more", lambda: (3, Fraction(1, 2)))
    found = verdict(made.fact(*HEAD, "two", lambda: ("three", False, (3, 0.5)), because))
    assert (found.verdict, found.failed) == (Verdict.DIFFERS, False)
    assert verdict(made.fact(*HEAD, "two", lambda: ("four", False, (4, 0.5)), because)).failed
    assert verdict(made.fact(*HEAD, "two", lambda: ("no figure", False), because)).failed


EXPLAINED = [claim for claim in chosen(None, Depth.QUICK)[0] if claim.because is not None]


@pytest.mark.slow
@pytest.mark.parametrize("claim", EXPLAINED, ids=lambda claim: f"{claim.source} {claim.place} {claim.what}")
def test_every_explained_row_would_fail_with_a_wrong_figure(claim):
    """Each row of the report that may differ, with a figure that is a little off, makes the run fail."""
    answer = claim.compute()
    wrong = replace(claim, compute=lambda: answer._replace(figure=spoiled(answer.figure)))
    assert not verdict(replace(claim, compute=lambda: answer)).failed
    assert verdict(wrong).failed


def spoiled(figure):
    """The figure, or the last of several, wrong by a little."""
    if isinstance(figure, tuple | list):
        return (*figure[:-1], spoiled(figure[-1]))
    return figure + (1 if isinstance(figure, int) else Fraction(1, 10**6))


def test_facts_hold_or_fail():
    assert verdict(made.fact(*HEAD, "yes", lambda: ("yes", True))).verdict is Verdict.HOLDS
    assert verdict(made.fact(*HEAD, "yes", lambda: ("no", False))).failed


def test_what_a_source_leaves_out_is_said():
    lacks = Because("it does not say how", lambda: 3)
    row = verdict(made.missing(*HEAD, "0.7", lacks, lambda: ("tried 3 readings", False, 3)))
    assert (row.verdict, row.reason, row.failed) == (Verdict.CANNOT, "it does not say how", False)
    assert verdict(made.missing(*HEAD, "0.7", lacks, lambda: ("tried 2 readings", False, 2))).failed
    assert verdict(made.missing(*HEAD, "0.7", lacks, lambda: ("found", True, 3))).verdict is Verdict.SAME


@pytest.mark.parametrize(("chance", "found"), [(0.5, Verdict.CONSISTENT), (0.7, Verdict.DIFFERS)])
def test_a_share_of_games_is_consistent_within_its_interval(chance, found):
    low, high = made.interval(510, 1000)
    assert low < 0.5 < 0.51 < high < 0.7
    assert verdict(made.printed_share(*HEAD, 510, 1000, lambda: chance)).verdict is found
    assert verdict(made.played(*HEAD, "0.5", lambda: chance, lambda: (510, 1000))).verdict is found


def test_times_are_measured_beside_printed_ones():
    row = verdict(made.timed(*HEAD, "5 s", 5.0, lambda: None))
    assert row.verdict is Verdict.MEASURED
    assert "times faster" in row.ours
    assert made.speed(4.0, 5.0) == "4 s"


def test_depths_leave_out_what_they_say():
    quick, left = chosen("beyond", Depth.QUICK)
    everything, none = chosen("beyond", Depth.FULL)
    assert len(quick) + len(left) == len(everything)
    assert left
    assert not none


def test_an_unknown_source_is_refused():
    with pytest.raises(NotationError, match="allowed are exeter"):
        chosen("neller", Depth.QUICK)


def test_progress_hears_of_every_claim(monkeypatch):
    claims = [made.number(*HEAD, "1", lambda: 1.0), made.number(*HEAD, "2", lambda: 1.0)]
    monkeypatch.setattr(reports, "SOURCES", {"exeter": lambda: iter(claims)})
    heard = []
    report = reproduce(depth=Depth.QUICK, progress=lambda *news: heard.append(news))
    assert heard == [(0, 2, "Exeter 1"), (1, 2, "Exeter 1")]
    assert [row.paper for row in report.failed] == ["2"]
    assert document(report, Depth.QUICK, 1.0)["failed"] == 1


class Links(HTMLParser):
    """Everything a page would load or lead to, and its open tags."""

    def __init__(self):
        super().__init__()
        self.addresses, self.tags = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href")]


def test_the_page_needs_no_network_and_escapes_what_it_shows():
    because = Because("because <i>", lambda: 0.5)
    rows = tuple(recompute([made.number("Exeter", "<b>", "x < y & z", "0.4", lambda: 0.5, because)]))
    exhibit = Exhibit("Exeter", "A <table>", ["a"], [["<td>"]])
    report = Report(rows, [exhibit], [made.number("Norvig", "1", "long", "1", lambda: 1.0)])
    text = page(report, Depth.QUICK, 1.0, [Drawn("Exeter", "a & b", b"\x89PNG")], "No <pictures>.")
    links = Links()
    links.feed(text)
    assert {urlparse(address).scheme for address in links.addresses} == {"", "data"}
    assert "script" not in links.tags
    assert "<i>" not in text
    assert "x &lt; y &amp; z" in text
    assert "Norvig: long" in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_games_played_with_plain_dice_agree_with_the_exact_chance():
    """Seed 7; a right program fails here with chance 0.001."""
    result = play_games("pig:goal=30", "hold:10", "hold:20", 20_000, 7)
    low, high = made.interval(int((result > 0).sum()), 20_000)
    assert low < first("hold:10", "hold:20", "pig:goal=30") < high
    assert np.all(result != 0)


def test_break_even_of_utilities():
    assert break_even(np.log) == pytest.approx(1.0)
    assert break_even(lambda wealth: wealth) is None


def test_printed_bluff_strategies():
    """Lanctot & Long, listing "!ch, df=2": optimal; with a bid moved it is worse or no strategy."""
    assert secures(Bluff(sides=2), 0, D2[0]) == Fraction(1, 2)
    assert secures(Bluff(sides=2), 0, "1a 2d") < Fraction(1, 2)
    assert secures(Bluff(sides=2), 0, "1a=.7 1c=.7 2d") is None
    assert unprinted(0, D6[0]) == {}
    assert list(unprinted(1, D6[1]).values()) == [269]


def test_the_trees_of_liars_dice_are_whole():
    """Johnson, section 3.3.1: six sub-games; each node has its chance, and JSON has every node."""
    found = {tree.title: tree.root for tree in trees()}
    five, four, *_, start = found.values()
    assert len(found) == 6
    assert [len(roll.branches) for roll in five.branches] == [1] * 6
    assert [len(roll.branches) for roll in four.branches] == [2, 2, 2, 2, 2, 1]
    assert [len(roll.branches) for roll in start.branches] == [6, 5, 4, 3, 2, 1]
    assert five.wins == pytest.approx(1 / 6)
    report = Report((), (), (), tuple(trees()))
    (first_tree, *_) = document(report, Depth.QUICK, 1.0)["trees"]
    last = first_tree["root"]["branches"][5]["branches"][0]
    assert (last["label"], last["wins"]) == ("call 6", 1.0)
    assert [answer["label"] for answer in last["branches"]] == ["accept", "challenge"]


def test_a_second_way_to_the_chances_agrees_with_the_first():
    for pair in (("hold:10", "hold:20"), ("optimal", "hold:25"), ("hold:25", "optimal")):
        assert won_again("pig:goal=30", *pair)[0] == pytest.approx(first(*pair, "pig:goal=30"), abs=1e-12)


@pytest.mark.parametrize("name", ["pig:goal=40", "pig:goal=40,finish=exact", "pig:goal=40,payoff=margin"])
def test_a_second_way_to_the_optimum_agrees_with_the_first(name):
    """Against 39 of an exact target all is equal, for a player there never finishes."""
    again = turns_again(name)
    assert again.error < 1e-12
    assert np.array_equal(again.rolls[:, :39, 2:], rolled(name, "optimal")[:, :39, 2:])
