"""What the solved game says: the opponent `optimal`, hints, and the analysis after the end."""

import threading
from collections.abc import Callable
from typing import Any

from ...analysis.analyse import analyse
from ...analysis.moments import Analysis
from ...analysis.sentences import decision, figure, sentences
from ...core.errors import TooLarge
from ...core.game import View, WrittenGame
from ...core.record import Record
from ...core.results import Advice
from ...core.solution import Solution
from ...families import family
from ...storage.store import is_quick

OPTIMAL = "optimal"
TIE = 1e-6  # worths that differ by less are the same


def default_opponent(game: WrittenGame) -> tuple[str, str]:
    """Who plays if nobody was named, and a sentence if it is not the optimal strategy."""
    text = family(game).stand_in
    if text == OPTIMAL or is_quick(game):
        return OPTIMAL, ""
    return (
        text,
        f"The optimal strategy of {game.name} takes long to solve, so {text} plays; --against optimal waits for it.",
    )


def in_background(work: Callable[[], Any]) -> Any:
    """The result of long work, done in a thread of its own so that an interrupt need not wait for it."""
    results: list[Any] = []
    done = threading.Event()

    def run() -> None:
        try:
            results.append((work(), None))
        except BaseException as error:
            results.append((None, error))
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    done.wait()
    found, error = results[0]
    if error is not None:
        raise error
    return found


class Adviser:
    """A game solved once, when it is first needed."""

    def __init__(self, game: WrittenGame, patient: bool = False) -> None:
        self.game, self.patient = game, patient  # whether even long solving is welcome
        self._solution: Solution | None = None
        self._lock = threading.Lock()

    @property
    def ready(self) -> bool:
        """Whether nothing has to be solved any more."""
        return self._solution is not None

    def solution(self, progress: Callable[[str], None] | None = None) -> Solution:
        """The solution; TooLarge if it would take long and nobody asked for that."""
        from ...storage import store

        with self._lock:
            if self._solution is None:
                if not (self.patient or is_quick(self.game)):
                    raise TooLarge(f"solving {self.game.name} takes long")
                self._solution = store.solution_of(self.game, progress)
        return self._solution

    def opponent(self, text: str, seat: int, progress: Callable[[str], None] | None = None) -> Any:
        """The strategy of this name for the seat."""
        if text == OPTIMAL:
            return self.solution(progress).strategies[seat]
        from ...storage.strategies import parse

        return parse(text, self.game)

    def advice(self, view: View) -> Advice:
        """What each action is worth."""
        return self.solution().advise(view)

    def hint(self, view: View) -> list[tuple[str, str]]:
        """Each action in words with what it is worth, the best first and marked."""
        advice = self.advice(view)
        points = family(self.game).points(self.game)
        order = sorted(advice.worth, key=lambda action: -advice.worth[action])
        shown = []
        for action in order:
            worth = advice.worth[action]
            text = f"{worth:+.2f} points" if points else f"{figure(100 * worth, 1)} %"
            mark = " best" if worth >= advice.worth[order[0]] - TIE else ""
            shown.append((family(self.game).say(self.game, action), text + mark))
        return shown

    def analysis(self, record: Record) -> Analysis:
        """Every decision judged."""
        return analyse(record, self.solution())


def summary(analysis: Analysis, player: int) -> list[str]:
    """The analysis in a few sentences."""
    chances = analysis.own_chances(player)
    under_way = _under_way(chances) if analysis.record.ended == "over" else chances
    low, high = min(under_way), max(under_way)
    if analysis.points:
        course = f"Expected points: {chances[0]:+.1f} at the start, {low:+.1f} at worst, {high:+.1f} at best."
    else:
        course = (
            f"Your chance: {figure(100 * chances[0], 1)} % at the start, {figure(100 * low, 1)} % at worst, "
            f"{figure(100 * high, 1)} % at best."
        )
    dearest = analysis.mistakes(player)
    if not dearest:
        return [course, *sentences(analysis, player)]
    written, meaning = (
        decision(analysis, dearest[0]),
        family(analysis.record.game).meaning(analysis.record.game, dearest[0].view),
    )
    told = (line.replace(written, f"{written}{meaning}", 1) for line in sentences(analysis, player))
    return [course, *told]


def _under_way(chances: list[float]) -> list[float]:
    """The chances while something was still open: without those at the end that are the result itself."""
    last = len(chances) - 1
    while last > 0 and abs(chances[last] - chances[-1]) < TIE:
        last -= 1
    return chances[: last + 1]
