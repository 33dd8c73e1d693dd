"""What a notebook shows: short reprs, tables in HTML with every cell escaped, frames, and pictures."""

import random
import sys
from dataclasses import replace
from html.parser import HTMLParser
from importlib.util import find_spec

import pytest

import dicewright as dw
from dicewright.core.errors import DicewrightError
from dicewright.core.table import Grid
from dicewright.families import catalog

MOST = 300  # letters of a repr
SOLVED = ("piglet:goal=3", "bluff:sides=2", "mia", "kuhn-poker", "bluff-match:sides=2")


def people():
    records = [dw.play_game("pig:goal=30", ("hold:10", "hold:20"), random.Random(n)) for n in range(40)]
    tags = [(("First", f"a{n % 8}"), ("Second", f"b{n % 8}")) for n in range(40)]
    return dw.games_of([replace(record, tags=tag) for record, tag in zip(records, tags, strict=True)])


@pytest.fixture(scope="module")
def shown():
    """A value of every public class, and of what public functions answer."""
    record = dw.play_game("pig", ("hold:20", "hold:25"), random.Random(1))
    games = people()
    plan = dw.Plan(("piglet",), {"goal": ("2", "3")}, ("advantage",))
    tournament = dw.play_exactly("pig:goal=30", [f"hold:{n}" for n in range(3, 60)])
    tally = dw.simulate("pig:goal=20", "hold:10", "hold:12", 100)
    values = {
        "Advice": dw.advise("piglet:goal=3", "0-0+1"),
        "Analysis": dw.analyse(record),
        "Certificate": dw.solve("mia").certificate,
        "Choices": games.choices,
        "Cycles": dw.find_cycles(tournament.margins),
        "Design": dw.Design(dw.game("pig"), 10),
        "Duel": dw.evaluate("pig:goal=20", "hold:10", "hold:12").a_first,
        "Evaluation": dw.evaluate("pig:goal=20", "hold:10", "hold:12"),
        "FairTest": dw.fair_test("pig:goal=20", "hold:10", "hold:12", 10, 20),
        "Fit": dw.fit(games.choices),
        "Forfeit": dw.Forfeit(0, "it was late"),
        "Forms": dw.Forms(games.game, games.turns, games.pairs, games.players),
        "Function": dw.Function(len),
        "Games": games,
        "Grade": dw.grade("pig:goal=20", "hold:5"),
        "Hodge": dw.hodge_split(tournament.margins),
        "HoldAt": dw.HoldAt(20),
        "Interval": dw.interval(10, 20),
        "Lineup": dw.gather(dw.game("pig"), ["hold:1..30"]),
        "LuckAdjusted": dw.luck_adjusted("pig:goal=20", "hold:10", "hold:12", 20),
        "Measured": dw.measure("pig:goal=20", "hold:5", games=4),
        "Value": dw.values(["piglet"]).rows[0],
        "NashAverage": dw.nash_average(tournament.margins),
        "Note": dw.Note(3, "well played", "!"),
        "Pair": dw.solve("mia").player,
        "Plan": plan,
        "Plot": dw.plot.surface("pig:goal=10", "hold:5"),
        "RaceGame": dw.pig(),
        "RaceState": dw.pig().start(),
        "RaceView": dw.RaceView(0, 0),
        "Record": record,
        "Response": dw.best_response("mia", "random"),
        "SavedGame": dw.SavedGame("a1", "pig", choices="roll +2 " * 100),
        "Sequential": dw.sprt("pig:goal=20", "hold:10", "hold:12", cap=200),
        "Series": tally.a_first,
        "Shelf": dw.Shelf.open("sqlite://"),
        "Solution": dw.solve("mia"),
        "Swept": dw.sweep(plan),
        "Tally": tally,
        "Tournament": tournament,
    }
    values |= {f"game {name}": dw.game(name) for name in catalog.GAMES if name != "race"}
    values |= {f"solution of {name}": dw.solve(name) for name in SOLVED}
    values |= {f"strategy for {name}": dw.solve(name).strategies[0] for name in SOLVED}
    values |= {f"response in {name}": dw.best_response(name, dw.solve(name)) for name in SOLVED}
    return values


def test_every_public_name_has_a_short_repr(shown):
    protocols = {"Game", "MemoryStrategy"}  # of which there are no values
    names = set(dw.__all__)
    if find_spec("pyspiel") is None:
        names -= {"from_policy", "to_openspiel", "to_policy"}  # which need it
    classes = {name for name in names if isinstance(getattr(dw, name), type)}
    classes -= protocols | {name for name in classes if issubclass(getattr(dw, name), Exception)}
    assert classes <= set(shown)
    values = {**shown, **{name: getattr(dw, name) for name in names}}
    long = {name: len(repr(value)) for name, value in values.items() if len(repr(value)) > MOST}
    assert long == {}
    assert {name for name, value in shown.items() if " at 0x" in repr(value)} <= {"Function"}  # of a built-in


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def tags_of(html):
    parser = Tags()
    parser.feed(html)
    assert parser.open == []
    return parser.seen


def test_a_notebook_sees_a_table_and_never_a_dump(shown):
    tabled = {name: value for name, value in shown.items() if hasattr(type(value), "_repr_html_")}
    wanted = {"Advice", "Analysis", "Evaluation", "Grade", "Record", "Response", "Solution", "Swept", "Tally"}
    assert wanted | {"Tournament", "RaceGame", "game mia", "Fit"} <= set(tabled)
    for name, value in tabled.items():
        if name == "Plot":
            continue  # a figure of matplotlib has HTML for its own servers only
        html = value._repr_html_()
        assert len(html) < 20_000, name
        assert "table" in (seen := tags_of(html)) or "ul" in seen, name


def test_tables_are_frames(shown):
    pytest.importorskip("pandas")
    rows = {name: len(value.to_frame()) for name, value in shown.items() if hasattr(type(value), "to_frame")}
    assert rows["Tournament"] == 57
    assert rows["Advice"] == 2
    assert rows["Evaluation"] == 3
    assert rows["Analysis"] == rows["Record"] == len(shown["Record"].choices)
    assert rows["Choices"] == len(shown["Choices"])
    assert rows["Plot"] == 100


def test_frames_hold_the_numbers_themselves(shown):
    pytest.importorskip("pandas")
    frame = shown["Evaluation"].to_frame().set_index("starts")
    assert frame.a_wins["either"] == pytest.approx(shown["Evaluation"].a_overall, abs=1e-15)
    met = shown["Evaluation"]
    assert frame.payoff_to_a["B"] == -met.b_first.payoff
    standings = shown["Tournament"].to_frame()
    assert list(standings.name) == [one.name for one in dw.standings(shown["Tournament"])]


def test_without_pandas_it_is_said(monkeypatch, shown):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(DicewrightError, match="frames need pandas: pip install"):
        shown["Evaluation"].to_frame()


def test_cells_of_strangers_are_shown_as_they_are():
    html = Grid(("<i>",), [["<script>alert(1)</script>"]], "<b>", ("<u>",))._repr_html_()
    assert set(tags_of(html)) == {"p", "strong", "div", "table", "thead", "tbody", "tr", "th", "td"}


def test_long_tables_are_cut_and_say_so():
    html = Grid(("n",), [[n] for n in range(1000)])._repr_html_()
    assert "And 980 more rows." in html
    assert html.count("<tr>") == 21


def test_advice_writes_bids_as_the_game_does():
    assert ">1x2</td>" in dw.advise("bluff:sides=2", "1 |")._repr_html_()


def test_words_stand_on_the_left_and_figures_on_the_right():
    html = Grid(("who", "n"), [["Ada", 1]])._repr_html_()
    left, right = '<td style="text-align:left">Ada</td>', '<td class="n">1</td>'
    assert left + right in html


def test_pictures_show_themselves(shown):
    assert shown["Plot"]._repr_png_().startswith(b"\x89PNG")
    plot = dw.plot.matrix("pig:goal=10", ["hold:3", dw.HoldAt(5)])
    assert plot._repr_png_().startswith(b"\x89PNG")


def test_pictures_refuse_what_has_none():
    with pytest.raises(DicewrightError, match="race games such as pig, not of mia"):
        dw.plot.surface("mia")


def test_pictures_have_the_default_strategy_of_their_game():
    assert "optimal rolls below" in dw.plot.surface(dw.pig(10)).get_suptitle()


def test_progress_hears_numbers_and_words():
    from rich.console import Console

    with dw.progress("pairs", Console(quiet=True)) as tell:
        dw.play_exactly("kuhn-poker", [dw.solve("kuhn-poker")] * 2, progress=tell)
        dw.simulate("pig:goal=20", "hold:10", "hold:12", 100, progress=tell)
