"""A drill by lines: one decision of solved play after another, right or wrong at once, and why."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from ...analysis.sentences import amount_of, rate
from ...arena.drill import LEVELS, Question, draw
from ...core.game import Action
from ...core.solution import Solution
from ...families import family
from .plain import choices, find, say

SEEDS = 1 << 48
ROW = 5  # so many right in a row, and it becomes harder
SURE = 0.99  # a share of the mix from which on nothing is mixed


@dataclass
class Drill:
    """Decisions of one game; `note` hears the theme of each and whether the answer was right."""

    solution: Solution
    theme: str
    rng: Random
    level: int
    note: Callable[[str, bool], None]
    right = asked = row = 0

    def run(self, count: int) -> None:
        """So many decisions, or until the input ends."""
        while self.asked < count:
            level = min(len(LEVELS) - 1, self.level + self.row // ROW)
            one = draw(self.solution.game, self.solution, self.theme, level, self.rng.randrange(SEEDS))
            if (action := self._ask(one)) is None:
                break
            right = one.right(action)
            self.asked, self.right, self.row = (
                self.asked + 1,
                self.right + right,
                self.row + 1 if right else 0,
            )
            say(*self.verdict(one, action))
            self.note(one.theme, right)
        if self.asked:
            say(f"{self.right} of {self.asked} right.")

    def _ask(self, one: Question) -> Action | None:
        """What the person would do; None to leave."""
        kin = family(one.game)
        texts = {one.game.show_choice(action): action for action in one.advice.worth}
        say(
            "",
            f"{self.asked + 1}. {kin.themes[one.theme].words.capitalize()}. You see: {kin.seen(one.game, one.view)}.",
        )
        while True:
            print(f"{choices(list(texts))}? ", end="", flush=True)
            line = sys.stdin.readline()
            if not (line and sys.stdin.isatty()):
                print(flush=True)  # nobody pressed Enter
            said = " ".join(line.lower().split())
            if not line or said in ("quit", "q"):
                return None
            if said and (found := find(said, texts, one.game)) is not None:
                return texts[found]
            if said:
                say(f"{said[:40]!r} is not possible here. Say {', '.join(texts)} or quit.")

    def verdict(self, one: Question, action: Action) -> Iterator[str]:
        """Right or wrong, what both come to, and why."""
        kin, game, advice = family(one.game), one.game, one.advice
        points, best = kin.points(game), advice.best
        doing, share = kin.acting(game, action), float(advice.mix.get(action, 0.0))
        if not one.right(action):
            lost = rate(one.loss(action), points)
            yield f"Not this one: {doing} gives away {lost}."
        else:
            mixed = 0 < share < SURE
            yield (
                f"Right: {doing} is part of the mix, {share:.1%} of the time.".replace("%", " %")
                if mixed
                else "Right."
            )
        verb = "gets" if points else "wins"
        told = f"{kin.acting(game, best).capitalize()} {verb} {amount_of(advice.worth[best], points)}"
        if action != best:
            told += f", {doing} {amount_of(advice.worth[action], points)}"
        yield f"{told}."
        if not one.right(action) and (why := kin.why(game, self.solution, one.view, action, best)):
            yield why


def shown_themes(solution: Solution, themes: list[str]) -> list[str]:
    """The themes that may be practised, each with its words."""
    known: Any = family(solution.game).themes
    return [f"{theme}: {known[theme].words}" for theme in themes]
