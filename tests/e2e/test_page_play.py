"""Whole games in a real browser, by mouse and by keyboard alone, and what follows them."""

import re

import pytest

from .conftest import stand

playwright = pytest.importorskip("playwright.sync_api")

SLOW = {"game": "pig:goal=30", "opponent": "hold:2"}  # some seven turns: all a bust with 1 in 300,000
OPEN = ".decision button[aria-disabled=false], [data-decision=next], #result"


def waits(page):
    """Wait until the page asks for a decision or shows the result, and a press counts; true while the game goes on."""
    page.wait_for_selector(OPEN)
    stand(page)
    return page.query_selector("#result") is None


def events(page):
    """How many events the page has been told of."""
    return page.evaluate("document.querySelector('dw-game').view.events.length")


def finish(page, act):
    """Act until the game has ended; each action is answered before the next. How often the page rested."""
    rests = 0
    for turn in range(300):
        if not waits(page):
            return rests
        before = events(page)
        if page.query_selector("[data-decision=next]"):
            page.click("[data-decision=next]")
            page.wait_for_selector("[data-decision=next]", state="detached")
            rests += 1
            continue
        act(turn)
        page.wait_for_function("n => document.querySelector('dw-game').view.events.length > n", arg=before)
    raise AssertionError("the game does not end")


def hold_at(page, least, act=None):
    """Roll below a turn total, then hold; by mouse unless told how."""
    act = act or (lambda action: page.click(f"[data-decision={action}]"))

    def choose(_):
        turn = page.evaluate("document.querySelector('dw-game').view.position.turn")
        act("hold" if turn >= least else "roll")

    return choose


def tab_to(page, label):
    """Press Tab until the focus is on something whose name begins so."""
    for _ in range(40):
        page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent.trim()")
        if name.startswith(label):
            return
    raise AssertionError(f"Tab never reaches {label}")


def test_a_game_of_pig_by_mouse(visit):
    page = visit("/")
    page.get_by_role("button", name="Goal").click()
    page.get_by_role("option", name="to 25").click()
    page.get_by_role("button", name="Opponent").click()
    page.get_by_role("option", name="the hold-at-20 player").click()
    playwright.expect(page.get_by_role("listitem").filter(has_text="25 points")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    finish(page, hold_at(page, 10))
    playwright.expect(page.locator("#result")).to_have_text(re.compile("wins?\\."))
    page.wait_for_selector("dw-curve svg.curve")
    playwright.expect(page.locator(".summary")).to_contain_text("a decision; the dice")
    page.goto(page.url.split("/g/")[0])
    page.get_by_role("button", name="Goal: to 25").wait_for()  # the last choice is remembered


def test_a_rule_of_ones_own_is_an_opponent_and_what_is_wrong_with_it_is_told(visit):
    page = visit("/")
    page.get_by_role("button", name="Goal").click()
    page.get_by_role("option", name="to 25").click()
    for rule in ("trun < 20", "turn<min(9,goal)"):
        page.get_by_role("button", name="Opponent").click()
        page.get_by_role("option", name="a rule of my own").click()
        page.get_by_label("A rule, such as turn < 20").fill(rule)
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Play", exact=True).click()
        if rule.startswith("trun"):
            playwright.expect(page.get_by_role("alert")).to_contain_text("did you mean 'turn'?")
            assert "422" in visit.faults.pop()  # the browser notes that it was refused
    assert waits(page)
    playwright.expect(page.locator("dw-game")).to_contain_text("“turn < min(9, goal)”")
    page.click("[data-decision=roll]")


def test_a_game_of_pig_by_keyboard_alone(visit):
    page = visit("/")
    page.wait_for_selector(".rules li")
    tab_to(page, "Goal")
    page.keyboard.press("Enter")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    playwright.expect(page.get_by_role("button", name="Goal: to 25")).to_be_focused()  # the focus comes back
    tab_to(page, "Play")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-decision=roll][aria-disabled=false]")
    page.wait_for_function("() => document.activeElement.dataset.decision === 'roll'")
    keys = {"roll": "r", "hold": "h"}
    finish(page, hold_at(page, 10, lambda action: page.keyboard.press(keys[action])))
    page.wait_for_function("() => document.activeElement.id === 'result'")
    page.wait_for_selector("dw-curve")
    tab_to(page, "Step through the game")
    page.keyboard.press("Home")
    playwright.expect(page.locator(".moment h3")).to_contain_text("You: roll")
    tab_to(page, "Try again here")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-decision=roll][aria-disabled=false]")


def test_a_game_of_bluff_by_mouse(sit):
    page = sit("bluff", hints=True, width=320, height=700)
    waits(page)
    page.wait_for_selector(".cell .worth")
    playwright.expect(page.locator(".cell")).to_have_count(12)
    page.get_by_role("button", name="Bid one three").click()
    page.wait_for_selector(".talk .theirs, #result")
    finish(page, lambda _: page.click("[data-decision=call]"))
    playwright.expect(page.locator(".cup-place.lifted")).to_have_count(1)
    playwright.expect(page.locator(".verdict")).to_contain_text("was bid")
    page.wait_for_selector("dw-curve")
    playwright.expect(page.locator(".figures").get_by_text("Bluffs", exact=True)).to_be_visible()


def test_a_game_of_bluff_by_keyboard_alone(visit):
    page = visit("/")
    page.wait_for_selector(".rules li")
    tab_to(page, "Game")
    page.keyboard.press("Enter")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    page.wait_for_selector("dw-choice button[aria-label='Game: Bluff']")
    tab_to(page, "Play")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.dataset.bid === '1x1'")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    playwright.expect(page.locator("[data-bid='2x2']")).to_be_focused()
    page.keyboard.press("ArrowUp")
    stand(page)
    page.keyboard.press("Enter")
    finish(page, lambda _: page.keyboard.press("c"))
    page.wait_for_function("() => document.activeElement.id === 'result'")


def test_a_game_of_mia_with_lives_by_mouse(sit):
    page = sit("mia:lives=2", opponent="random", width=390, height=844)
    playwright.expect(page.locator(".lives .left")).to_have_count(4)

    def act(_):
        page.locator("[data-decision=challenge], .ladder [data-decision]").first.click()

    rests = finish(page, act)
    playwright.expect(page.locator(".lives .gone")).to_have_count(rests + 1)
    playwright.expect(page.locator("#result")).to_have_text(re.compile("wins?\\."))
    page.wait_for_selector("dw-curve")


def test_a_new_round_of_mia_begins_with_nothing_said(sit):
    """The challenge that ended the round before stood on the table again, over the dice of the next."""
    page = sit("mia:lives=2", opponent="truthful", width=390, height=844)
    waits(page)
    page.locator("[data-bid='21']").click()  # a lie, challenged; who loses begins the next round
    page.locator("[data-decision=next]").wait_for()
    playwright.expect(page.locator(".felt")).to_contain_text("Challenge")
    stand(page)
    page.click("[data-decision=next]")
    waits(page)
    playwright.expect(page.locator(".felt")).to_have_text(
        re.compile(r"^\s*No call yet: anything may be called\.\s*$")
    )


def test_a_game_of_mia_by_keyboard_alone(sit):
    page = sit("mia", opponent="truthful", seat="second")

    def act(turn):
        if page.query_selector("[data-decision=accept]"):
            page.keyboard.press("a" if turn < 2 else "c")
        else:
            page.wait_for_function("() => document.activeElement.dataset.bid")
            page.keyboard.press("Enter")

    finish(page, act)
    page.wait_for_function("() => document.activeElement.id === 'result'")


def test_a_match_of_bluff_rests_between_rounds(sit):
    page = sit("bluff-match:dice=2v1,sides=2")

    def act(_):
        page.click(
            "[data-decision=call]" if page.query_selector("[data-decision=call]") else "[data-bid] >> nth=-1"
        )

    rests = finish(page, act)
    deals = page.evaluate(
        "document.querySelector('dw-game').view.events.filter((e) => e.who === 'dice').length"
    )
    assert rests == deals // 2 - 1, "one rest between any two rounds"
    playwright.expect(page.locator("#result")).to_have_text(re.compile("wins?\\."))
    playwright.expect(page.locator(".verdict")).to_have_count(1)


@pytest.mark.parametrize(
    "game", ["hog:goal=20", "two-dice-pig:goal=20", "pass-the-pigs:goal=15", "piglet:goal=3,lives=2"]
)
def test_other_races_can_be_played(sit, game):
    page = sit(game, opponent="random")
    finish(page, lambda _: page.locator(".decision button[aria-disabled=false]").last.click())
    playwright.expect(page.locator("#result")).to_have_text(re.compile("wins?\\."))


@pytest.mark.parametrize(
    ("game", "press", "pieces"),
    [
        ("hog:goal=20", "4", (".die", 4)),
        ("two-dice-pig:goal=20", "roll", (".die", 2)),
        ("pass-the-pigs:goal=15", "roll", (".pig", 2)),
    ],
)
def test_as_many_tumble_as_fall(sit, game, press, pieces):
    page = sit(game, opponent="random", still=False)
    waits(page)
    page.evaluate(
        "() => (document.querySelector('dw-game').pause = () => new Promise(() => {}))"
    )  # they go on tumbling
    page.click(f"[data-decision='{press}']")
    piece, count = pieces
    playwright.expect(page.locator(f".rolls {piece}.rolling")).to_have_count(count)
    assert page.locator(".rolls .pip, .rolls .numeral").count() == 0


def test_the_analysis_steps_through_the_game_and_takes_it_up_again(sit):
    page = sit(**SLOW)
    finish(page, hold_at(page, 2))
    page.wait_for_selector("dw-curve .dot.mine")
    page.get_by_role("button", name="Costliest").click()
    moment = page.locator(".moment")
    playwright.expect(moment).to_contain_text("You: hold")
    playwright.expect(moment).to_contain_text("you lost")
    playwright.expect(moment.locator(".worths tbody tr")).to_have_count(2)
    here = (
        "(() => { const it = document.querySelector('dw-analysis'); return [it, it.doc.moments[it.ply]]; })()"
    )
    where = page.evaluate(f"{here}[1].view")
    told = page.evaluate(f"(([it, moment]) => it.where(moment))({here})")
    page.locator("summary", has_text="All decisions").click()
    playwright.expect(page.get_by_role("button", name=f"Stand at {told}").first).to_be_visible()
    page.locator("summary", has_text="Fair dice").click()
    page.locator("#room").get_by_text("The secret matches its fingerprint").wait_for()
    page.get_by_role("link", name="See it on the map").click()
    playwright.expect(page.locator(".readout .where")).to_have_attribute("data-view", where)
    page.go_back()
    page.get_by_role("button", name="Costliest").click()
    old = page.url
    page.get_by_role("button", name="Try again here").click()
    page.wait_for_function("old => location.href !== old", arg=old)
    page.wait_for_selector("[data-decision=hold][aria-disabled=false]")
    again = page.evaluate("document.querySelector('dw-game').view.position")
    mine, yours, turn = (int(number) for number in re.split(r"[-+]", where))
    assert (again["scores"], again["turn"]) == ([mine, yours], turn)


def test_stepping_through_the_mistakes_keeps_the_focus(sit):
    page = sit(**SLOW)
    finish(page, hold_at(page, 2))
    page.wait_for_selector("dw-curve .dot.mine")
    playwright.expect(page.locator(".summary")).to_contain_text("Your costliest decision: holding")
    playwright.expect(page.locator(".summary")).to_contain_text("Better was roll")
    for name in ("Previous", "Next"):
        page.get_by_role("button", name=name).focus()
        for _ in range(page.evaluate("document.querySelector('dw-analysis').mistakes.length") + 1):
            page.keyboard.press("Enter")
        playwright.expect(page.locator(".hops button[aria-disabled=true]", has_text=name)).to_be_focused()


def test_hog_asks_for_a_number_of_dice(sit):
    page = sit("hog:goal=20,payoff=margin", opponent="random", hints=True)
    page.locator(".plan", has_text="Under each number: the points you can expect.").wait_for()
    playwright.expect(page.locator(".ask")).to_have_text("How many dice do you roll?")
    page.get_by_role("button", name="Roll three dice").wait_for()


def test_hints_can_be_hidden(sit):
    page = sit("pig:goal=30", hints=True)
    page.wait_for_selector(".actions .worth.best")
    playwright.expect(page.locator(".chance")).to_contain_text("%")
    page.get_by_label("Show hints and chances").uncheck()
    page.wait_for_selector(".worth", state="detached")


def test_moving_dice_come_to_rest(sit):
    """With motion on, the same game is played: the dice tumble, and the next decision is asked."""
    page = sit("pig:goal=6", opponent="hold:2", still=False)
    finish(page, hold_at(page, 2))
    playwright.expect(page.locator("#result")).to_have_text(re.compile("wins?\\."))


def test_a_game_taken_up_again_stands_there_at_once(sit):
    """With motion on, nothing that was played before is played again."""
    page = sit(**SLOW)
    finish(page, hold_at(page, 3))
    page.wait_for_selector("dw-curve .dot.mine")
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(
        """() => {
            const analysis = document.querySelector("dw-analysis");
            const own = analysis.doc.moments.filter((one) => one.who === "first" && one.judgement !== "forced");
            analysis.pick(own.at(-1).ply);
        }"""
    )
    page.get_by_role("button", name="Try again here").click()
    page.wait_for_function(
        "() => document.querySelector('dw-game').view?.from && document.querySelector('dw-game').view.begun"
    )
    assert page.evaluate("document.querySelector('dw-game').settled")


def test_points_are_points(sit):
    page = sit("pig:goal=20,payoff=margin", opponent="hold:8", hints=True)
    playwright.expect(page.locator(".actions")).to_contain_text(re.compile(r"[+−]\d+\.\d\d points"))
    finish(page, hold_at(page, 2))
    playwright.expect(page.locator(".summary")).to_contain_text("points a decision; the dice")
    playwright.expect(page.locator(".analysis")).not_to_contain_text("%")


@pytest.mark.parametrize(
    ("bid", "words", "costs"), [("1x1", "a single one", False), ("2x2", "two twos", True)]
)
def test_hint_play_and_analysis_agree_after_a_slip(sit, bid, words, costs):
    """Issue 16: hint and analysis say alike what an opening costs, and the optimal answer to it is no loss.

    The dice are those of the issue: both hold a one, and the optimal player answers *a single one* by *two ones*.
    """
    page = sit("bluff", hints=True, share=55)
    waits(page)
    page.wait_for_selector(".cell .worth")
    cell = page.get_by_role("button", name=f"Bid {words}")
    shown = cell.locator(".worth").inner_text()
    cell.click()
    page.wait_for_selector(".talk .theirs, #result")
    finish(page, lambda _: page.click("[data-decision=call]"))
    page.wait_for_selector("dw-curve")
    moments = page.evaluate("document.querySelector('dw-analysis').doc.moments")
    opening, answer = [moment for moment in moments if moment["who"] != "dice"][:2]
    assert [moment["choice"] for moment in moments[:3]] == ["1", "1", bid]
    assert answer["choice"] == ("call" if costs else "2x1")
    assert f"{100 * opening['worths'][bid]:.1f}" in shown
    assert opening["loss"] == max(opening["worths"].values()) - opening["worths"][bid]
    assert (opening["loss"] > 0.02) == costs
    assert (answer["who"], answer["loss"], answer["judgement"]) == ("second", 0, "best")
    assert answer["mix"][answer["choice"]] > 0
    assert max(answer["worths"].values()) - answer["worths"][answer["choice"]] < 1e-9
    page.evaluate(f"document.querySelector('dw-analysis').pick({opening['ply']})")
    playwright.expect(page.locator(".moment .cost")).to_have_count(int(costs))
    page.evaluate(f"document.querySelector('dw-analysis').pick({answer['ply']})")
    playwright.expect(page.locator(".moment")).to_contain_text(
        "A perfect opponent never plays to here; these chances suppose a slip."
    )


def test_the_hint_with_a_one_after_one_one_is_what_the_optimal_player_does(sit):
    """Issue 16: the hint called *two ones* a loss of 33 points, the analysis best; the dice make it that position."""
    page = sit("bluff", opponent="random", seat="second", hints=True, share=59)
    waits(page)
    page.wait_for_selector(".cell .worth")
    stand(page)
    cell = page.get_by_role("button", name="Bid two ones")
    shown = cell.locator(".worth").inner_text()
    cell.click()
    page.wait_for_selector(".talk .mine, #result")
    finish(page, lambda _: page.click("[data-decision=call]"))
    page.wait_for_selector("dw-curve")
    moments = page.evaluate("document.querySelector('dw-analysis').doc.moments")
    assert [moment["choice"] for moment in moments[1:4]] == ["1", "1x1", "2x1"]
    answer = moments[3]
    assert f"{100 * answer['worths']['2x1']:.1f}" in shown
    assert (answer["loss"], answer["judgement"]) == (0, "best")
    assert answer["mix"]["2x1"] > 0.5
    assert max(answer["worths"].values()) - answer["worths"]["2x1"] < 1e-9


def test_bluff_is_judged_in_words(sit):
    page = sit("bluff:sides=3", opponent="random")
    finish(page, lambda _: page.locator("[data-bid], [data-decision=call]").first.click())
    playwright.expect(page.locator(".analysis")).to_contain_text("The curve knows both hands")
    page.locator("summary", has_text="All decisions").click()
    playwright.expect(page.locator(".decisions")).to_contain_text("opening")
    playwright.expect(page.locator(".decisions")).not_to_contain_text("|")
    page.evaluate("document.querySelector('dw-analysis').pick(2)")
    playwright.expect(page.locator(".board .hand .die:not(.unknown)")).to_have_count(2)
    playwright.expect(page.locator(".moment")).to_contain_text(
        re.compile("could know.*With all dice known", re.DOTALL)
    )
