"""Everybody can use it: axe in both colours, narrow and wide, words for those who listen."""

import pytest

from .conftest import stand

playwright = pytest.importorskip("playwright.sync_api")

ROOMS = {
    "/": ".rules li",
    "/explore?view=map&game=pig:goal=20": "canvas.map",
    "/explore?view=surface&game=pig:goal=20": "canvas.surface",
    "/explore?view=compare&game=pig:goal=20": "canvas.map",
    "/explore?view=ranges&game=bluff": ".heat-table",
    "/explore?view=tournament&game=pig:goal=20": ".heat-table",
    "/design?game=race:%2B2/%2B3/bust,goal=12": "canvas.map",
    "/games": ".cards, .empty",
}
WIDTHS = (320, 390, 1280, 2560)
# What is too wide or too small; a window of a new size is drawn anew, so this is asked until nothing is.
FITS = """async (width) => {
    const look = () => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const small = [...document.querySelectorAll("button, summary, nav a, input, a.button")]
            .filter((one) => one.offsetParent && !one.closest(".unseen"))
            .filter((one) => !one.matches(".word, input[type=checkbox], .link"))
            .filter((one) => one.getBoundingClientRect().width && one.getBoundingClientRect().height < 43.5)
            .map((one) => `${one.outerHTML.slice(0, 90)} ${one.getBoundingClientRect().height}`);
        const wide = scrollWidth > clientWidth ? [`${scrollWidth} of ${clientWidth}`] : [];
        window.unfit = [...(innerWidth === width ? [] : [innerWidth]), ...wide, ...small];
        return !window.unfit.length;
    };
    for (let frame = 0; frame < 3; frame += 1) {
        await new Promise(requestAnimationFrame);
        if (!look()) return false;
    }
    return true;
}"""


def fits(page, what):
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        try:
            page.wait_for_function(FITS, arg=width)
        except playwright.TimeoutError as late:
            raise AssertionError(f"{what} at {width}: {page.evaluate('window.unfit')}") from late


def unfold(page):
    folds = page.locator("summary")
    for i in range(folds.count()):
        folds.nth(i).click()


def test_axe_finds_nothing_in_any_room(visit, axe):
    page = visit("/")
    for path, sign in ROOMS.items():
        page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + path)
        page.wait_for_selector(sign)
        unfold(page)
        assert axe(page) == [], path
    page.goto(page.url.split("/explore")[0].removesuffix("/games"))
    page.get_by_role("button", name="Opponent").click()
    page.get_by_role("option", name="the hold-at-20 player").wait_for()
    assert axe(page) == [], "an open menu"


def test_axe_finds_nothing_in_games(sit, axe):
    page = sit("pig:goal=20", hints=True)
    page.wait_for_selector(".worth.best")
    assert axe(page) == []
    page = sit("bluff:dice=2v1,sides=3", opponent="truthful")
    page.wait_for_selector("[data-bid]")
    assert axe(page) == []
    stand(page)
    page.locator("[data-bid]").last.click()
    page.wait_for_selector("dw-curve")
    page.get_by_label("Step through the game").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    unfold(page)
    assert axe(page) == []
    page = sit("mia:lives=2", hints=True)
    page.wait_for_selector(".ladder .worth.best")
    assert axe(page) == [], "hints under ranks"
    stand(page)
    page.locator(".ladder button").last.click()
    page.wait_for_selector("[data-decision=next]")
    assert axe(page) == [], "between rounds"
    page = sit("mia")
    page.wait_for_selector(".ladder")
    assert axe(page) == []
    stand(page)
    page.locator(".ladder button").last.click()  # nothing beats it: the answer is a challenge, or lost
    page.wait_for_selector("dw-curve")
    assert axe(page) == []
    for game in ("hog", "two-dice-pig:goal=40"):  # not to be won in the opponent's first turn
        page = sit(game, opponent="hold:20" if game.startswith("two") else "random", seat="second")
        page.wait_for_selector(".rolls .die, .rolls .chip")
        page.wait_for_selector(".decision button[aria-disabled=false]")
        assert axe(page) == [], game
    page = sit("pig:goal=20", opponent="person")
    page.wait_for_selector(".invite")
    assert axe(page) == []


def test_every_room_fits_every_width(visit, served):
    page = visit("/")
    for path, sign in ROOMS.items():
        page.goto(served.url + path)
        page.wait_for_selector(sign)
        fits(page, path)


@pytest.mark.parametrize("game", ["pig:goal=20", "hog", "bluff:dice=3v3", "bluff:dice=5v5", "mia"])
def test_a_game_fits_every_width(sit, game):
    page = sit(game, opponent="random", hints=False)
    page.wait_for_selector(".decision button[aria-disabled=false]")
    fits(page, game)


def test_rolls_are_announced_and_the_focus_stays_on_the_decision(sit):
    page = sit("pig", opponent="hold:20")
    page.wait_for_function("() => document.activeElement.dataset.decision === 'roll'")
    page.evaluate(
        """() => {
            const announcer = document.getElementById("announcer");
            const listen = () => (window.heard = `${window.heard ?? ""} ${announcer.textContent}`);
            new MutationObserver(listen).observe(announcer, { childList: true, characterData: true, subtree: true });
            listen();
        }"""
    )
    heard = "words => window.heard.includes(words)"
    page.wait_for_function(heard, arg="Your turn. You have 0, hold-at-20 has 0; 100 wins.")
    page.evaluate("window.heard = ''")
    stand(page)
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('dw-game').view.events.length > 1")
    rolled = page.evaluate(
        "document.querySelector('dw-game').view.events.find((e) => e.who === 'dice').words"
    )
    page.wait_for_function(heard, arg=rolled)
    page.wait_for_function("() => /Turn total|Your turn/.test(window.heard)")
    page.wait_for_function("() => document.activeElement.dataset.decision === 'roll'")


def test_colours_can_be_turned_and_are_remembered(visit):
    page = visit("/")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    button = page.locator("button.theme")
    button.click()
    button.click()
    playwright.expect(button).to_have_attribute("aria-label", "Colours: dark")
    page.wait_for_function(f"light => {paper} !== light", arg=light)
    dark = page.evaluate(paper)
    page.reload()
    page.wait_for_selector(".rules li")
    page.wait_for_function(f"dark => {paper} === dark", arg=dark)


def test_a_page_that_is_not_there_says_so(visit):
    page = visit("/g/nothing-here-at-all")
    page.locator("#room").get_by_text("There is no such game here").wait_for()
