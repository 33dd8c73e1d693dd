"""What happens at the table, told and drawn for the person who sits there: one fact a line, hidden dice left out.

And what the solved game says: the opponent `optimal`, hints, and the analysis after the end.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.text import Text

from ...analysis.analyse import analyse
from ...analysis.moments import Analysis
from ...analysis.sentences import figure, sentences
from ...core.effort import Limits
from ...core.errors import TooLarge
from ...core.game import CHANCE, FIRST, Action, Outcome, State, View, WrittenGame
from ...core.record import Record
from ...core.results import Advice
from ...core.solution import Solution, seats
from ...families import family
from ...families.told import Hand, Listener, Rail, Rolls, Sentence, Thing
from ...people.learner import Played, learn
from ...storage import store, trained
from ...storage.growing import growing, is_begun
from ...storage.strategies import parse

OPTIMAL = "optimal"
MOST_HINTED, MOST_GUESSED = 12, 5  # actions with exact worths, and with estimates
TIE = 1e-6  # worths that differ by less are the same


class Scene(NamedTuple):
    """One choice as the person sees it: who made it, the state it led to, and what is said of it."""

    who: int  # FIRST, SECOND or CHANCE
    choice: Action | Outcome
    state: State
    lines: tuple[str, ...]
    by: int  # the player who did it or whose dice they are
    spoken: bool  # whether it was said: a bid, a call, an answer
    more: bool = False  # whether it only goes on telling what was done


def staged(scenes: Iterable[Scene], before: State) -> Iterator[Scene]:
    """One thing at a time: what follows a word is told line by line, and the table changes with its second line."""
    for scene in scenes:
        if scene.spoken and len(scene.lines) > 1:
            yield scene._replace(state=before, lines=scene.lines[:1])
            yield from (scene._replace(lines=(line,), more=True) for line in scene.lines[1:])
        else:
            yield scene
        before = scene.state


@dataclass(frozen=True)
class Teller(Listener):
    """Tells a game to the player in seat `me`, in the words of its family."""

    game: WrittenGame

    def scene(self, before: State, choice: Action | Outcome, after: State, lie: Sequence[int] = ()) -> Scene:
        """One choice, told, with dice as they lie."""
        who, kin = self.game.mover(before), family(self.game)
        lines = kin.tell(self.game, self, before, choice, after)
        if lie:
            lines = [f"On the table: {kin.lie_words(self.game, lie)}.", *lines]
        by = kin.roller(self.game, before) if who == CHANCE else who
        return Scene(who, choice, after, tuple(lines), by, spoken=who != CHANCE and kin.talks)

    def position(self, state: State) -> list[str]:
        """What there is to know when this player has to choose."""
        return family(self.game).ask(self.game, self, self.game.view(state, self.me))

    def table(self, state: State, turn: Sequence[Scene], over: bool) -> list[Thing]:
        """What lies on the table now; `turn` are the scenes of this turn."""
        return family(self.game).lay(self.game, self, state, [scene.choice for scene in turn], over)

    def end(self, ended: str, payoff: float) -> str:
        """How the game ended, for this player."""
        if ended == "stalemate":
            return "Nobody wins: play goes round in a circle."
        if ended != "over":
            return "The game was stopped."
        gain, size = payoff if self.me == FIRST else -payoff, ""
        if family(self.game).points(self.game):
            size = f" {abs(gain):g} {'point' if abs(gain) == 1 else 'points'}"
        return f"You win{size}." if gain > 0 else f"{self.other} wins{size}." if gain < 0 else "A draw."


IVORY, EDGE = "#2b2018 on #f1e7d3", "#f1e7d3"
MINE, THEIRS, AHEAD, QUIET = "#e8a33d", "#8fbce6", "#f6d9a0", "#a5937b"
COLOURS: Mapping[bool | None, str] = {True: MINE, False: THEIRS}
PIPS = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}
HIDDEN = ("       ", "   ?   ", "       ")
WIDE = 10  # of one die and the gap after it


def dice_text(faces: Sequence[int | None], width: int, low: bool = False) -> Text:
    """Dice side by side, None for one under the cup; in one line if they would not fit or rows are few.

    >>> print(dice_text((5, None), 80, low=True))
    [5] [?]
    """
    if low or not faces or len(faces) * WIDE > width:
        text = Text()
        for face in faces:
            text.append(f"[{'?' if face is None else face}]", IVORY).append(" ")
        text.rstrip()
        return text
    rows = []
    for row in range(5):
        line = Text()
        for face in faces:
            _die_row(line, face, row)
        rows.append(line)
    return Text("\n").join(rows)


def _die_row(line: Text, face: int | None, row: int) -> None:
    """One of the five rows of a die: edges of half blocks, so that it is round, and a die without colour too."""
    if row in (0, 4):
        line.append(" " + "▄▀"[row // 4] * 7 + "  ", EDGE)
        return
    inside = HIDDEN if face is None else PIPS.get(face, ("       ", f"{face:^7}", "       "))
    line.append("▐", EDGE).append(inside[row - 1], IVORY).append("▌ ", EDGE)


def rail(name: str, score: int, turn: int, goal: int, width: int, colour: str) -> Text:
    """A score on its way to the goal, the turn total ahead of it.

    >>> print(rail("you", 50, 20, 100, 40, MINE))
    you        ━━━━━━━━━╍╍╍──────   50 +20
    """
    label = name if len(name) <= 10 else name[:9] + "…"
    numbers = f"{score:>4} {f'+{turn}' if turn else '':<4}"
    room = max(8, width - 11 - len(numbers) - 2)
    full = min(room, room * score // goal)
    ahead = min(room, room * (score + turn) // goal) - full
    ahead = max(ahead, min(1, turn, room - full))
    text = Text(f"{label:<11}", colour)
    text.append("━" * full, colour).append("╍" * ahead, AHEAD).append("─" * (room - full - ahead), QUIET)
    return text.append(f" {numbers}".rstrip(), colour)


def table_text(
    teller: Teller, state: State, turn: Sequence[Scene], width: int, low: bool, over: bool
) -> Text:
    """What lies on the table now, for the person who sits there; `turn` are the scenes of this turn."""
    things = teller.table(state, turn, over)
    return Text("\n").join(line for thing in things for line in _lines(thing, width, low))


def _lines(thing: Thing, width: int, low: bool) -> list[Text]:
    match thing:
        case Sentence(words, mine):
            return [Text(words, COLOURS.get(mine, ""))]
        case Rail(name, score, turn, goal, mine):
            return [rail(name, score, turn, goal, width, COLOURS[mine])]
        case Rolls(dice, words):
            if dice:
                return [Text(), dice_text(dice[-max(1, width // WIDE) :], width, low)]
            return [] if low else [Text(), Text(words, QUIET)]
    return _hand(thing, width, low)


def _hand(thing: Hand, width: int, low: bool) -> list[Text]:
    """Dice and words in one line if rows are few or the dice are the other's; else large, with the words below."""
    colour = COLOURS.get(thing.mine, QUIET)
    label = Text(f"{thing.label:<10.10} ", colour) if thing.label else Text()
    if low or thing.mine is False:
        dice = dice_text(thing.dice, width, low=True)
        return [label.append_text(dice).append(f"  {thing.words}", colour)]
    gap = [] if thing.label else [Text()]
    return [*gap, dice_text(thing.dice, width), label.append(thing.words, colour)]


def default_opponent(game: WrittenGame) -> tuple[str, str]:
    """Who plays if nobody was named, and a sentence if it is not the optimal strategy."""
    kin = family(game)
    if kin.stand_in == OPTIMAL or store.is_quick(game):
        return OPTIMAL, ""
    if trained.is_trained(game):
        text = kin.by_training[0]
        return text, f"{game.name} is too large to be solved, so {text} plays, who was trained for it."
    if is_begun(game):
        return kin.by_training[0], ""
    text = kin.stand_in
    why = f"The optimal strategy of {game.name} takes long to solve, so {text} plays; --against optimal waits for it"
    if kin.by_training:
        why += f", and --against {kin.by_training[0]} trains a player in the background"
    return text, f"{why}."


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
        self.theirs: list[Played] | None = None  # the games of the person whom the opponent learns
        self._solution: Solution | None = None
        self._lock = threading.Lock()

    @property
    def ready(self) -> bool:
        """Whether nothing has to be solved any more."""
        return self._solution is not None

    def solution(self, progress: Callable[[str], None] | None = None) -> Solution:
        """The solution; TooLarge if it would take long and nobody asked for that."""
        with self._lock:
            if self._solution is None:
                if not (self.patient or trained.is_judged(self.game)):
                    raise TooLarge(f"solving {self.game.name} takes long")
                judge = store.solution_of if self.patient else trained.judge_for
                self._solution = judge(self.game, progress)
        return self._solution

    def opponent(
        self,
        text: str,
        seat: int,
        progress: Callable[[str], None] | None = None,
        program: Limits | None = None,
    ) -> Any:
        """The strategy of this name for the seat; a program only within these limits."""
        if text == OPTIMAL:
            return self.solution(progress).strategies[seat]
        if text in family(self.game).by_training:
            return growing(self.game)
        found = parse(text, self.game, program=program)
        with suppress(TooLarge):  # what is too large to be tried everywhere is tried as it is played
            family(self.game).check_player(self.game, found)
        return found

    def learner(
        self, games: Sequence[tuple[Record, int]], seat: int, progress: Callable[[str], None] | None = None
    ) -> Any:
        """The opponent that learns whose games these are, for the seat."""
        family(self.game).check_learner(self.game)
        solution = self.solution(progress)
        self.theirs = [(record.choices, person) for record, person in games]
        found = learn(solution, self.theirs).strategy
        return seats(solution if found is None else found)[seat]

    def learned(self, record: Record, seat: int) -> list[str]:
        """What it has learned of the person in this seat, this game included; nothing of any other opponent."""
        if self.theirs is None:
            return []
        return learn(self.solution(), [*self.theirs, (record.choices, seat)], answer=False).sentences

    def advice(self, view: View) -> Advice:
        """What each action is worth."""
        return self.solution().advise(view)

    def hint(self, view: View) -> list[tuple[str, str]]:
        """Each action in words with what it is worth, the best first and marked; what must be said with it before.

        Of many actions the best are named. Where nobody judges, how likely bids are true is told all the same.
        """
        kin = family(self.game)
        odds = {
            action: f"{figure(100 * chance, 1)} %" for action, chance in kin.odds(self.game, view).items()
        }
        if odds and not (self.patient or trained.is_judged(self.game)):
            return [(kin.say(self.game, action), f"right in {chance}") for action, chance in odds.items()]
        advice, points = self.advice(view), kin.points(self.game)
        order = sorted(advice.worth, key=lambda action: -advice.worth[action])
        shown = [("Note", advice.note)] if advice.off else []
        most = MOST_GUESSED if advice.off else MOST_HINTED  # what happened before is to stay in sight
        for action in order[:most]:
            worth = advice.worth[action]
            text = f"{worth:+.2f} points" if points else f"{figure(100 * worth, 1)} %"
            text = f"about {text}" if advice.off else text  # the note may be out of sight
            mark = " best" if worth >= advice.worth[order[0]] - TIE else ""
            right = f", by your dice right in {odds[action]}" if advice.off and action in odds else ""
            shown.append((kin.say(self.game, action), text + mark + right))
        if left := order[most:]:
            shown.append(("others", f"{len(left)}, none better"))
        return shown

    def analysis(self, record: Record) -> Analysis:
        """Every decision judged."""
        return analyse(record, self.solution())


def summary(analysis: Analysis, player: int) -> list[str]:
    """The analysis in a few sentences."""
    chances = analysis.own_chances(player)
    under_way = _under_way(chances) if analysis.record.ended == "over" else chances
    told = (chances[0], min(under_way), max(under_way))
    if analysis.points:
        what, (start, low, high) = "Expected points", (f"{chance:+.1f}" for chance in told)
    else:
        what, (start, low, high) = "Your chance", (f"{figure(100 * chance, 1)} %" for chance in told)
    course = f"{what}: {start} at the start, {low} at worst, {high} at best."
    return [course, *sentences(analysis, player)]


def _under_way(chances: list[float]) -> list[float]:
    """The chances while something was still open: without those at the end that are the result itself."""
    last = len(chances) - 1
    while last > 0 and abs(chances[last] - chances[-1]) < TIE:
        last -= 1
    return chances[: last + 1]
