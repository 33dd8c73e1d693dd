"""A player that plays while it is trained: what is there of it plays, a rule of thumb the rest.

The training is the command `train` in a process of its own, which goes on when its starter has left; what it says
stands in the folder of what was trained (NAME.log).
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ..core.errors import DicewrightError, StorageError, StrategyError
from ..core.game import View, WrittenGame
from ..core.strategy import Mix
from ..families import catalog, family
from . import trained
from .files import held
from .store import load

NICE = 10  # others come first


class HowFar(NamedTuple):
    """What of a game is trained."""

    there: int
    parts: int
    share: float  # of all the work

    def say(self) -> str:
        """Of a training under way: `3 of 25 rounds are trained, 41 % of the work`."""
        return f"{self.there} of {self.parts} rounds are trained, {100 * self.share:.0f} % of the work"


@dataclass(frozen=True, eq=False)
class Growing:
    """Plays the parts that are there as trained, and the others by a rule of thumb; it looks anew at each decision."""

    taught: Any
    until: Any

    def __call__(self, view: View) -> Mix:
        """What was trained, if it was."""
        try:
            found: Mix = self.taught(view)
        except StrategyError:
            found = self.until(view)
        return found

    def __str__(self) -> str:
        return "trained"


def growing(game: WrittenGame) -> Any:
    """Who plays this game as far as it is trained; RulesError where nobody can be."""
    if trained.is_trained(game):
        return trained.player(game)
    kin = family(game)
    lessons = kin.lessons(game)

    def read(part: Any) -> Any:
        if not trained.path_of(part).exists():
            raise StrategyError(f"{part.name} is not trained yet")
        return trained.read(part, lessons)

    taught = lessons.solution(read, lambda part: 0.0, load).strategies[0]
    return Growing(taught, catalog.strategy(kin.stand_in, game))


def how_far(game: WrittenGame) -> HowFar:
    """What is trained of a game, with what is known of rounds under way."""
    lessons = family(game).lessons(game)
    done = whole = 0.0
    there = 0
    for part in lessons.parts:
        seconds = lessons.takes(part).seconds
        whole += seconds
        if trained.path_of(part).exists():
            there += 1
            done += seconds
        else:
            done += seconds * trained.iterations_of(part) / lessons.iterations
    return HowFar(there, len(lessons.parts), min(1.0, done / whole))


def is_begun(game: WrittenGame) -> bool:
    """Whether some part of this game is trained; False where nobody can be."""
    try:
        return how_far(game).there > 0
    except DicewrightError:
        return False


def begin(game: WrittenGame) -> str:
    """Begin to train the rest of a game beside what goes on here; what is said of it.

    TooLarge says what memory or disk it would take. A training that is under way already goes on.
    """
    left = trained.need(game)
    trained.check_room(game, left, 1)
    told = f"{how_far(game).say()}; {family(game).stand_in} plays where nobody is trained yet"
    place = trained.folder()
    try:
        with held(place / "lock", "another training"):
            pass
    except StorageError:
        return f"{game.name} waits for another training: {told}."
    with _log(place, game).open("wb") as log:
        subprocess.Popen(
            [sys.executable, "-m", "dicewright", "train", game.name, "--workers", "1"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_yield if hasattr(os, "nice") else None,
        )
    minutes = max(1, round(left.seconds / 60))
    return (
        f"{game.name} is trained in the background, about {minutes} min of a processor and {left.memory / 1e9:.1f} GB "
        f"of memory: {told}. `dicewright train {game.name}` goes on with it, `dicewright play` says how far it is."
    )


def _yield() -> None:
    os.nice(NICE)


def _log(place: Path, game: WrittenGame) -> Path:
    return place / f"{game.name.replace(':', '-').replace('=', '-')}.log"
