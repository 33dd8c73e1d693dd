"""The words and rows of an analysis, drawn from documents made for it."""

from random import Random
from types import SimpleNamespace

import pytest

from dicewright import solve
from dicewright.analysis.analyse import analyse
from dicewright.analysis.sentences import lost, rate
from dicewright.core.record import Record
from dicewright.families import family
from dicewright.families.catalog import parse

playwright = pytest.importorskip("playwright.sync_api")

DRAW = """async ({ view, doc, ply = 0, what = "moment" }) => {
    await import("/static/rooms/analysis.js");
    const { render } = await import("/static/vendor/lit.js");
    const analysis = document.createElement("dw-analysis");
    const name = (seat) => (seat === "first" ? "you" : "optimal");
    Object.assign(analysis, { view: { seat: "first", players: [{}, {}], events: [], ...view }, name, doc, ply });
    if (what === "why") return analysis.why;
    const place = document.createElement("div");
    render(analysis[what](), place);
    return [...place.querySelectorAll("h3, tbody tr, p")].map((one) => one.textContent.replace(/\\s+/g, " ").trim());
}"""
FIGURES = {
    "loss": 0,
    "decisions": 3,
    "error_rate": 0,
    "accuracy": 100,
    "luck": 0,
    "hidden_luck": 0,
    "adjusted": 0.5,
}


def moment(**changes):
    usual = {"ply": 0, "who": "first", "luck": 0, "hidden_luck": 0, "before": 0.5, "after": 0.5, "loss": 0}
    said = {action: action for action in changes["worths"]}
    told = {"place": "rolled 43", "decision": "calling 31", "words": said, "doing": said}
    return {**usual, "view": "rolled 43", "judgement": "best", **told, **changes}


def draw(page, game, moments=(), figures=None, what="moment", payoff=-1):
    kin = family(parse(game))
    view = {"id": "x", "game": game, "payoff": payoff, "events": []}
    doc = {"unit": "chance", "moments": list(moments), "chances": [0.5], "start": 0.5, "figures": figures}
    doc |= {"secret": kin.secret if kin.covered else None, "captions": dict(kin.captions)}
    return page.evaluate(DRAW, {"view": view, "doc": doc, "what": what})


def test_what_the_optimal_player_does_is_listed(visit):
    page = visit("/")
    worths = {str(rank): 0.5 for rank in range(31, 43)} | {"21": 0.25}
    mix = {"41": 0.6, "42": 0.35, "33": 0.05}
    rows = draw(page, "mia", [moment(choice="31", best="41", worths=worths, mix=mix)])[2:-2]
    assert [row[:2] for row in rows] == ["41", "42", "33", "31", "32", "34"]
    worths |= {"40": 0.1}  # done now and then by the solution, although it is worth less
    rows = draw(page, "mia", [moment(choice="31", best="41", worths=worths, mix=mix | {"40": 0.02})])
    assert any(row.startswith("40") and "2.0 %" in row for row in rows)


def test_a_loss_is_the_exact_difference_rounded_once(visit):
    page = visit("/")
    lost = moment(
        choice="hold",
        best="roll",
        worths={"roll": 0.1436, "hold": 0.1014},
        loss=0.0422,
        judgement="mistake",
        view="0-0+8",
    )
    told = " ".join(draw(page, "pig", [lost]))
    assert "14.4 %" in told
    assert "10.1 %" in told
    assert "lost 4.2 % here" in told
    lost["worths"]["hold"], lost["loss"], lost["judgement"] = 0.1433, 0.0003, "good"
    assert "lost <0.1 % here" in " ".join(draw(page, "pig", [lost]))


def test_the_page_and_the_terminal_round_alike(visit):
    """Random losses (seed 14), and those that lie half-way between two numbers shown."""
    page, rng = visit("/"), Random(14)
    losses = [0.0, 1e-12, 0.0174, 0.06249999999999997, *(n / 64 for n in range(65))]
    losses += [rng.random() * 10.0 ** -rng.randrange(5) for _ in range(500)]
    for points, unit in ((False, "chance"), (True, "points")):
        shown = page.evaluate(
            """async ({ losses, unit }) => {
                const { lossOf, rateOf } = await import("/static/lib/words.js");
                return losses.map((loss) => [lossOf(loss, unit), rateOf(loss, unit)]);
            }""",
            {"losses": losses, "unit": unit},
        )
        game = SimpleNamespace(points=points)
        assert shown == [[lost(game, loss), rate(loss, points)] for loss in losses]


def test_one_decision_has_one_loss_on_the_map_in_the_analysis_and_in_the_terminal(visit):
    """At 0-0+14 in Pig to 30 roll and hold win 68.745 and 58.854 %: those shown are 9.8 apart, the loss is 9.891."""
    page = visit("/explore?view=map&game=pig:goal=30&yours=0&mine=0&turn=14")
    readout = page.locator(".readout")
    for number in ("68.7 %", "58.9 %", "Hold would lose 9.9 %"):
        playwright.expect(readout).to_contain_text(number)
    game = parse("pig:goal=30")
    choices = tuple(map(game.read_choice, ["roll", "+6", "roll", "+6", "roll", "+2", "hold"]))
    found = analyse(Record(game, choices, 0.0, "unfinished"), solve(game))
    told = draw(page, "pig:goal=30", [moment(**found.document()["moments"][-1])])
    assert "lost 9.9 % here" in " ".join(told)
    assert lost(found, found.moments[-1].loss) == "9.9 %"


def test_calling_games_have_calls_and_challenges(visit):
    page = visit("/")
    talk = dict.fromkeys(("bids", "bluffs", "caught", "calls", "right_calls", "over_calls", "taken_in"), 1)
    sides = [{**FIGURES, "talk": talk}] * 2
    mia, bluff = (" ".join(draw(page, game, figures=sides, what="figures")) for game in ("mia", "bluff"))
    assert "Challenges1" in mia
    assert "Bids" not in mia
    assert "Bids1" in bluff
    assert "hallenge" not in bluff


def test_nothing_to_decide_is_not_good_play(visit):
    page = visit("/")
    idle = [{**FIGURES, "decisions": 0, "luck": -0.5}, FIGURES]
    assert draw(page, "mia", figures=idle, what="why") == "The dice decided."
    assert draw(page, "mia", figures=[FIGURES] * 2, what="why") == "You played well; the dice decided."
