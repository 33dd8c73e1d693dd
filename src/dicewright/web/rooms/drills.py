"""Decisions to practise, as the page shows them: a table that stands still, and what becomes of an answer."""

import hmac
from collections import OrderedDict
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from ...arena.drill import Question, draw, themes_in
from ...core.errors import DicewrightError
from ...core.game import SEATS, WrittenGame
from ...core.solution import Solution
from ...families import family, kins
from ...families.hidden import all_eyes
from .views import Speech, actions, dumps, events_text, head, playable, unit

MOST_KEPT = 256  # questions between asking and answering
DAILY = (
    "pig",
    "bluff",
    "mia",
    "pig",
    "bluff:dice=2v2",
    "liars-die",
)  # the games of the days, one after another
DAY_LEVEL = 2


class Asked(NamedTuple):
    """What names a question: the same again is the same decision."""

    game: str
    theme: str
    level: int
    seed: int


class Drills:
    """Questions that were drawn lately."""

    def __init__(self, speech: Callable[[Any], Speech]) -> None:
        self.speech = speech
        self.kept: OrderedDict[Asked, Question] = OrderedDict()

    def question(self, asked: Asked, game: WrittenGame, solution: Solution) -> Question:
        """The decision of these words."""
        found = self.kept.get(asked)
        if found is None:
            found = self.kept[asked] = draw(game, solution, asked.theme, asked.level, asked.seed)
            while len(self.kept) > MOST_KEPT:
                self.kept.popitem(last=False)
        return found

    def shown(self, asked: Asked, game: WrittenGame, solution: Solution) -> str:
        """The question as a table document; nothing in it depends on what its player does not see."""
        return self.document(self.question(asked, game, solution), asked)

    def document(self, one: Question, asked: Asked) -> str:
        """The same as JSON text."""
        game, kin, seat = one.game, family(one.game), SEATS[one.seat]
        speech, state, events = self.speech(game), game.start(), []
        for choice in one.choices:
            after = game.play(state, choice)
            events.append(speech.event(state, choice, after))
            state = after
        players = [
            {"name": "", "strategy": "optimal", "called": kin.menu.called("optimal"), "here": True}
        ] * 2
        told = {
            "id": "drill", **head(game), "seat": seat, "players": players, "hints": False, "begun": True,
            "ended": None, "payoff": None, "ply": len(one.choices), "to_move": seat, "since": 0, "chance": None,
            "position": kin.position(game, state, one.seat, False), "actions": actions(game, list(one.advice.worth)),
            "theme": {"theme": one.theme, "words": kin.themes[one.theme].words}, "asked": asked._asdict(),
            "place": kin.seen(game, one.view),
        }  # fmt: skip
        text = events_text(events, all_eyes(game, one.choices), one.seat, False, 0)
        return f'{dumps(told)[:-1]},"events":{text}}}'

    def answered(self, asked: Asked, game: WrittenGame, solution: Solution, text: str) -> dict[str, Any]:
        """Whether an answer is right, what each action is worth, and why."""
        one = self.question(asked, game, solution)
        kin, action, advice = family(game), game.read_choice(text), one.advice
        right = one.right(action)
        show = game.show_choice
        return {
            "action": show(action),
            "right": right,
            "loss": one.loss(action),
            "unit": unit(game),
            "best": show(advice.best),
            "worths": {show(each): worth for each, worth in advice.worth.items()},
            "mix": {show(each): float(share) for each, share in advice.mix.items()},
            "doing": {show(each): kin.acting(game, each) for each in advice.worth},
            "why": "" if right else kin.why(game, solution, one.view, action, advice.best),
            "theme": one.theme,
            "deeds": [
                {"deed": name, "words": kin.deeds[name].words, "done": done, "share": share}
                for name, (done, share) in one.deeds(action).items()
            ],
        }


def drilled() -> list[str]:
    """The games that are offered: those that come solved, of families with themes."""
    return [text for kin in kins() if kin.themes for text in kin.shipped]


def told(game: WrittenGame, solution: Solution) -> list[dict[str, str]]:
    """The themes that may be practised in a game."""
    kin = family(game)
    return [{"theme": key, "words": kin.themes[key].words} for key in themes_in(game, solution)]


def of_day(day: date) -> Asked:
    """The position of a day: the same for everybody, whichever server asks."""
    text = day.isoformat()
    seed = int.from_bytes(hmac.new(b"dicewright", text.encode(), sha256).digest()[:6], "big")
    return Asked(DAILY[day.toordinal() % len(DAILY)], "", DAY_LEVEL, seed)


def spoken(text: str, theme: str) -> dict[str, str] | None:
    """A theme of a game in words, for a list; None where today's rules do not know what is kept."""
    try:
        game = playable(text)
        return {"kind": family(game).short(game), "words": family(game).themes[theme].words}
    except (DicewrightError, KeyError):
        return None
