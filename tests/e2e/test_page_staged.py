"""Nothing on the page tells the end before its time: every change of the page is looked at while games are played."""

import pytest

playwright = pytest.importorskip("playwright.sync_api")

# After each change of the page: what it says, how far the game has been shown, and whether all has been.
WATCH = """() => {
    const game = document.querySelector("dw-game");
    const frames = (window.frames_ = []);
    const look = () => game.view && frames.push({
        words: document.querySelector("#room").textContent + document.getElementById("announcer").textContent,
        verdict: document.querySelector(".board .verdict")?.textContent ?? "", counted: game.counted,
        lifted: document.querySelectorAll(".lifted").length, seed: game.view.server_seed,
        rules: document.querySelector(".notes details").open, ended: game.view.ended,
        gone: document.querySelectorAll(".lives .gone").length, title: document.title,
        lost: game.view.events.slice(0, game.shown).filter(({ scene }) => scene.won && game.view.layout.lives).length,
        waits: Boolean(document.querySelector(".ending")), shown: game.shown, events: game.view.events.length });
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document.body, all);
    const next = (done) => requestAnimationFrame(() => requestAnimationFrame(done));
    game.pause = () => new Promise(next);
}"""
ALL = 99  # nothing is being counted
ENDS = [" win.", " wins.", "The secret ", "a stalemate"]
GAMES = [
    ("pig:goal=12", "hold:20"),
    ("bluff:sides=3", "optimal"),
    ("bluff-match:dice=2v2", "optimal"),
    ("mia", "optimal"),
    ("mia:lives=2", "optimal"),
    ("pig:goal=8,lives=2", "optimal"),
    ("perudo:dice=2v2", "trained"),
]


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(("game", "opponent"), GAMES)
def test_no_frame_tells_what_a_later_one_shows(sit, game, opponent, seat):
    page = sit(game, opponent, seat=seat, still=False)
    page.wait_for_selector(".board")
    page.evaluate(WATCH)
    for _ in range(60):
        page.wait_for_selector(
            "[data-decision][aria-disabled=false], [data-decision=next], [data-decision=again]"
        )
        if page.locator("#result").count():
            break
        page.clock.fast_forward(500)
        page.locator("[data-decision][aria-disabled=false], [data-decision=next]").last.click()
        page.evaluate("() => new Promise((done) => setTimeout(done, 30))")
    frames = page.evaluate("window.frames_")
    page.wait_for_selector(
        ".analysis .summary, .analysis .notice"
    )  # the server is asked for no more than a few at once
    end = next(i for i, frame in enumerate(frames) if frame["waits"])
    assert any(frame["ended"] for frame in frames[:end])  # the server had told before all was shown
    for frame in frames[:end]:
        assert not frame["verdict"] or frame["counted"] != -1
        if frame["counted"] == -1:
            assert not frame["lifted"]
        assert frame["gone"] == frame["lost"] - (
            frame["counted"] != ALL and frame["lost"] > 0
        )  # no life goes before it is told why
        assert "win" not in frame["title"]
        assert frame["seed"] is None or frame["seed"] not in frame["words"]
        assert frame["rules"]
        assert "Let others watch" in frame["words"]
        if not frame["verdict"]:
            assert not [word for word in ENDS[:2] if word in frame["words"].split("Rules")[0]], frame


def test_who_watches_is_shown_one_thing_at_a_time_too(sit, visit):
    """The player skips all pauses; whoever watches sees the word, the dice and then the end."""
    player = sit("mia:lives=2", "truthful", width=1280)
    watcher = visit("/g/" + player.url.rpartition("/")[2], still=False)
    watcher.wait_for_selector(".board")
    watcher.evaluate(WATCH)
    for _ in range(8):
        player.wait_for_selector("[data-decision][aria-disabled=false], [data-decision=next], #result")
        if player.locator("#result").count():
            break
        player.clock.fast_forward(500)
        lie = player.locator("[data-bid='21'], [data-decision=next], [data-decision=challenge]")
        lie.first.click()
        player.evaluate("() => new Promise((done) => setTimeout(done, 30))")
    watcher.wait_for_selector("#result")
    frames = watcher.evaluate("window.frames_")
    end = next(i for i, frame in enumerate(frames) if frame["waits"])
    assert any(frame["ended"] for frame in frames[:end])
    for frame in frames[:end]:
        assert not frame["verdict"] or frame["counted"] != -1
        assert frame["gone"] == frame["lost"] - (frame["counted"] != ALL and frame["lost"] > 0)
        assert frame["seed"] is None or frame["seed"] not in frame["words"]


@pytest.mark.parametrize("game", ["bluff:sides=3", "mia"])
def test_a_reload_in_the_middle_of_the_reveal_loses_nothing(sit, game):
    page = sit(game, "truthful", still=False)
    page.wait_for_selector("[data-bid]")
    page.clock.fast_forward(500)
    page.locator("[data-bid]").last.click()
    page.wait_for_function("() => document.querySelector('dw-game').counted !== 99")
    page.reload()
    page.wait_for_selector("#result")
    playwright.expect(page.locator(".board .verdict")).to_have_count(1)
    page.wait_for_selector(".analysis .summary")
