"""Play by lines: a prompt, a word, one fact a line; for screen readers, pipes and scripts.

Nothing moves the cursor and nothing is coloured. The end of the input is the same as `quit`.
"""

import sys
from collections.abc import Iterable
from typing import Any

from ... import cli
from ...core.errors import DicewrightError, IllegalAction, shown
from ...core.game import WrittenGame
from ...families import family
from ...families.minds import LEARNER
from ...families.spoken import heard
from .table import Sitting
from .told import Adviser, Scene, in_background, summary
from .tutor import Tutor

HELP = {"?": "hint", "i": "rules", "u": "undo", "q": "quit"}
MOST_SHOWN = 12  # actions named in a prompt


class Plain:
    """One game by lines."""

    def __init__(self, table: Sitting, adviser: Adviser, hints: bool, tutor: Tutor | None = None) -> None:
        self.table, self.adviser, self.hints, self.tutor = table, adviser, hints, tutor

    def run(self, resumed: bool) -> bool:
        """Play until the end or until the person leaves; whether the game has ended."""
        table = self.table
        say(
            family(table.game).title(table.game),
            f"You play {('first', 'second')[table.me]} against {table.setup.opponent}.",
        )
        if table.setup.opponent == LEARNER:
            say(family(table.game).menu.tells(LEARNER) or "")
        say(*family(table.game).rules(table.game))
        say(f"Commitment of the dice: {table.setup.dice.commitment}")
        say("Words: " + ", ".join((*self._helps(), "quit")) + ".")
        if resumed:
            say("The game goes on.")
        self._tell(table.scenes()[-6:] if resumed else table.scenes())
        while not table.over:
            action = self._ask()
            if action is None:
                return False
            self._tell(table.choose(action))
        say(table.result())
        say(f"Server seed of the dice: {table.setup.server_seed}")
        self._analyse()
        return True

    def _helps(self, now: bool = False) -> tuple[str, ...]:
        if self.table.setup.rated:
            return ("rules",)
        return ("hint", "rules") if now and not self.table.may_undo else ("hint", "rules", "undo")

    def _tell(self, scenes: Iterable[Scene]) -> None:
        for scene in scenes:
            say(*scene.lines)
        if complaint := self.table.keeper.take_complaint():
            say(complaint)

    def _ask(self) -> Any:
        """The action of the person, or None to leave."""
        game = self.table.game
        say(*self.table.teller.position(self.table.sitting.state))
        if self.hints:
            self._hint()
        while True:
            texts = {game.show_choice(action): action for action in self.table.actions}
            print(f"{choices(list(texts))}? ", end="", flush=True)
            self.table.asked()
            line = sys.stdin.readline()
            if not (line and sys.stdin.isatty()):
                print(flush=True)  # nobody pressed Enter
            said = " ".join(line.lower().split())
            word = HELP.get(said, said)
            if not line or word == "quit":
                return None
            match word:
                case "hint":
                    self._hint()
                case "rules":
                    say(*family(game).rules(game))
                case "undo":
                    self._undo()
                case "":
                    pass
                case _:
                    found = find(word, texts, game)
                    if found is not None:
                        if not (doubt := self._doubt(texts[found])):
                            return texts[found]
                        say(doubt)
                        continue
                    allowed = ", ".join((*texts, *self._helps(now=True)))
                    say(f"{said[:40]!r} is not possible now. Say {allowed} or quit.")

    def _hint(self) -> None:
        if self.table.setup.rated:
            say("A rated game has no hints.")
            return
        try:
            view = self.table.view
            with cli.working("working out the hint", quiet=self.adviser.ready):
                found = in_background(lambda: self.adviser.hint(view))
            say(*(f"{action}: {worth}" for action, worth in found))
        except DicewrightError as error:
            say(f"No hint: {error}.")

    def _doubt(self, action: Any) -> str:
        tutor, table = self.tutor, self.table
        return "" if tutor is None else str(in_background(lambda: tutor.asks(table, action)))

    def _undo(self) -> None:
        try:
            self.table.undo()
        except IllegalAction as error:
            say(f"Not undone: {error}.")
            return
        say("Your last decision is taken back.")
        say(*self.table.teller.position(self.table.sitting.state))

    def _analyse(self) -> None:
        try:
            with cli.working("working out the analysis", quiet=self.adviser.ready):
                found = in_background(lambda: self.adviser.analysis(self.table.record()))
            say(*summary(found, self.table.me), *self.adviser.learned(self.table.record(), self.table.me))
        except DicewrightError as error:
            say(f"No analysis: {error}.")


def say(*lines: str) -> None:
    """Each fact on a line of its own."""
    for line in lines:
        print(shown(line))
    sys.stdout.flush()


def find(word: str, texts: Iterable[str], game: WrittenGame) -> str | None:
    """The action a word means: as written, in words (`two fives`), short (`r`), or the only one that begins so."""
    texts = list(texts)
    spoken = {family(game).say(game, game.read_choice(text)): text for text in texts}
    for known in (word, family(game).keys.get(word, word), word.replace(" ", "")):
        if known in texts:
            return known
    if heard(word) in spoken:
        return spoken[heard(word)]
    near = [text for text in texts if text.startswith(word) and not word.isdecimal()]
    return near[0] if len(near) == 1 else None


def choices(texts: list[str]) -> str:
    """The actions as a prompt names them, the middle left out if there are many."""
    if len(texts) <= MOST_SHOWN:
        return ", ".join(texts[:-1]) + " or " + texts[-1] if len(texts) > 1 else texts[0]
    return f"{texts[0]}, {texts[1]}, ..., {texts[-3]}, {texts[-2]} or {texts[-1]}"
