"""Nothing on the page tells the end before its time: every change of the page is looked at while games are played."""

import pytest

pytest.importorskip("playwright.sync_api")

# After each change of the page: what it says, how far the game has been shown, and whether all has been.
WATCH = """() => {
    const game = document.querySelector("dw-game");
    const frames = (window.frames_ = []);
    const look = () => game.view && frames.push({
        words: document.querySelector("#room").textContent + document.getElementById("announcer").textContent,
        verdict: document.querySelector(".board .verdict")?.textContent ?? "", counted: game.counted,
        lifted: document.querySelectorAll(".lifted").length, seed: game.view.server_seed,
        rules: document.querySelector(".notes details").open, ended: game.view.ended,
        waits: Boolean(document.querySelector(".ending")), shown: game.shown, events: game.view.events.length });
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document.body, all);
    const next = (done) => requestAnimationFrame(() => requestAnimationFrame(done));
    game.pause = () => new Promise(next);
}"""
ENDS = [" win.", " wins.", "The secret ", "a stalemate"]
GAMES = [
    ("pig:goal=12", "hold:20"),
    ("bluff:sides=3", "optimal"),
    ("bluff-match:dice=2v2", "optimal"),
    ("mia", "optimal"),
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
        assert frame["seed"] is None or frame["seed"] not in frame["words"]
        assert frame["rules"]
        assert "Let others watch" in frame["words"]
        if not frame["verdict"]:
            assert not [word for word in ENDS[:2] if word in frame["words"].split("Rules")[0]], frame
