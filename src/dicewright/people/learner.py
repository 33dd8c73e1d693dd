"""The opponent that learns you: a model of one person over their games, answered within a bound that always holds.

It plays perfectly until it knows ENOUGH decisions. After n it takes the person to play as the likeliest mind (mind.py)
with chance n / (n + DOUBT) and perfectly else, and answers that: by the one that gains most of all answers, or of a
family of them, that lose at most BOUND to a best response (`Family.answer_within`). Gain and loss are measured exactly.
What it has learned it says in a sentence or two, with the interval in which the truth lies in 99 of 100 cases.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from ..analysis.sentences import amount_of
from ..core.arrays import Floats
from ..core.game import Action, Outcome, View, WrittenGame
from ..core.solution import Solution
from ..families import family
from ..families.family import Family
from ..families.minds import BOUND
from .mind import Decided, Known, learn_mind, row

ENOUGH = 30  # decisions
DOUBT = 100  # decisions from which on the model is believed rather than that nothing is known: perfect play
LEAST = 5e-4  # of what is at stake: less is not worth an answer
MOST_GAMES = 200  # the newest
MOST_SAID = 2  # sentences
REACH = 2.576  # standard errors: 99 of 100 cases
OUTSIDE = 0.5  # per cent of draws beyond each end of such an interval
DRAWS, SEED = 400, 7
MOST_TURNS = 60  # of a theme, by how often they were come to
TINY = 1e-9

Played = tuple[Sequence[Action | Outcome], int]  # the choices of a game, and the seat of the person


class Lesson(NamedTuple):
    """What somebody does otherwise than perfect play."""

    often: bool  # whether it is done too often, or too early
    by: str  # how much: `6 points`; nothing where that is told behind
    told: str  # the rest of the sentence, behind the kind of place
    sureness: float  # how far from chance it is

    def sentence(self, kin: Family[Any], theme: str, deed: str) -> str:
        """`You hold 6 points too late with a clear lead (61 decisions, between 4 and 9 points).`"""
        words = kin.deeds[deed].often if self.often else kin.deeds[deed].seldom
        if self.by:
            words = words.replace("too", f"{self.by} too", 1)
        return f"{words[:1].upper()}{words[1:]} {kin.themes[theme].at}{self.told}"


class Acquaintance(NamedTuple):
    """What is known of a person, and how they are answered."""

    game: WrittenGame
    games: int
    decisions: int
    strategy: Any  # None: perfect play
    loss: float  # in winning chance, or points; at most this to anybody
    gain: float  # of the model, beyond perfect play
    lessons: tuple[str, ...]
    known: Known | None
    answered: bool = True  # whether an answer was asked for

    @property
    def sentences(self) -> list[str]:
        """All of it in a few sentences."""
        seen = f"It has seen {_many(self.decisions, 'decision')} of yours in {_many(self.games, 'finished game')}"
        if self.decisions < ENOUGH:
            return [f"{seen}, and plays perfectly until it knows {ENOUGH}."]
        points = family(self.game).points(self.game)
        gain, loss = amount_of(self.gain, points), amount_of(self.loss, points)
        if not self.answered:
            answer = f"{seen}."
        elif self.strategy is None:
            answer = f"{seen}, and has found nothing in them that perfect play does not win already."
        else:
            expects = f"it expects {gain} more of you than perfect play gets"
            answer = f"{seen}: {expects}, and loses at most {loss} to anybody."
        return [*(self.lessons or ("It has found no habit of yours yet that is more than chance.",)), answer]

    def document(self) -> dict[str, Any]:
        """As JSON knows it."""
        unit = "points" if family(self.game).points(self.game) else "chance"
        kept = {name: getattr(self, name) for name in ("games", "decisions", "loss", "gain")}
        return {**kept, "unit": unit, "answers": self.strategy is not None, "sentences": self.sentences}


def _game(solution: Solution) -> WrittenGame:
    return solution.game


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def bound_of(solution: Solution) -> float:
    """The most that it may lose to anybody, as a payoff."""
    return 2.0 * BOUND * solution.stakes


def learn(solution: Solution, games: Sequence[Played], answer: bool = True) -> Acquaintance:
    """What these games of one person show; without an `answer` to them where only that is asked."""
    game = _game(solution)
    kin, seen = family(game), list(decisions_in(solution, games[-MOST_GAMES:]))
    count = len(games[-MOST_GAMES:])
    if len(seen) < ENOUGH:
        return Acquaintance(game, count, len(seen), None, 0.0, 0.0, (), None)
    points = solution.points
    known = learn_mind(seen, 2.0 * solution.stakes if points else 1.0)
    found = sorted(lessons(solution, seen, known), key=lambda each: -each[2].sureness)
    told = tuple(lesson.sentence(kin, theme, deed) for theme, deed, lesson in found[:MOST_SAID])
    if not answer:
        return Acquaintance(game, count, len(seen), None, 0.0, 0.0, told, known, answered=False)
    did: dict[View, Counter[Action]] = defaultdict(Counter)
    for one in seen:
        did[one.view][one.did] += 1
    person = kin.minded(solution, known.mind._replace(seen=did), "the person")
    model = kin.blended(game, solution.player, person, len(seen) / (len(seen) + DOUBT))
    safe = kin.answer_within(solution, model, bound_of(solution))
    scale = 1.0 if points else 0.5
    if safe.gain < LEAST * 2.0 * solution.stakes:
        return Acquaintance(game, count, len(seen), None, 0.0, 0.0, told, known)
    strategy = safe.strategy
    return Acquaintance(game, count, len(seen), strategy, scale * safe.loss, scale * safe.gain, told, known)


def decisions_in(solution: Solution, games: Iterable[Played]) -> Iterator[Decided]:
    """Every decision of the person in which there was a choice."""
    game = _game(solution)
    kin = family(game)
    for choices, seat in games:
        state = game.start()
        for choice in choices:
            if game.mover(state) == seat:
                view = game.view(state, seat)
                if len(game.actions(view)) > 1:
                    worth = solution.advise(view).worth
                    yield Decided(view, worth, {each: kin.traits(game, view, each) for each in worth}, choice)
            state = game.play(state, choice)


def lessons(solution: Solution, seen: Sequence[Decided], known: Known) -> Iterator[tuple[str, str, Lesson]]:
    """By kinds of places and of actions what the person does otherwise than perfect play, if it is more than chance."""
    game = _game(solution)
    kin = family(game)
    places: dict[tuple[str, str], list[Deeds]] = defaultdict(list)
    for one in seen:
        deeds = {action: kin.deed(game, one.view, action) for action in one.worth}
        for name in sorted({deed for deed in deeds.values() if deed}):
            if any(deed != name for deed in deeds.values()):
                places[kin.theme(game, one.view), name].append(Deeds(one, deeds))
    for (theme, name), those in places.items():
        timed = kin.begun(game, those[0].decided.view) is not None
        found = _late(solution, name, those, known) if timed else _often(solution, name, those)
        if found is not None and theme in kin.themes:
            yield theme, name, found


class Deeds(NamedTuple):
    """A decision, and which deed each action is."""

    decided: Decided
    deeds: Mapping[Action, str]


def _often(solution: Solution, name: str, those: Sequence[Deeds]) -> Lesson | None:
    """Done more often or seldomer than perfect play does it: Wilson's interval does not hold its share."""
    count = len(those)
    done = sum(place.deeds[place.decided.did] == name for place in those) / count
    solved = sum(_share(solution, place, name) for place in those) / count
    middle, reach = done + REACH**2 / (2 * count), sqrt(done * (1 - done) / count + (REACH / count) ** 2 / 4)
    low, high = ((middle + side * REACH * reach) / (1 + REACH**2 / count) for side in (-1, 1))
    if low <= solved <= high or round(100 * done) == round(100 * solved):
        return None
    told = f": {100 * done:.0f} % against {100 * solved:.0f} % of perfect play in the same places"
    between = f"{_many(count, 'decision')}, between {100 * low:.0f} and {100 * high:.0f} %"
    sureness = abs(done - solved) / sqrt(solved * (1 - solved) / count + 1 / count**2)
    return Lesson(done > solved, "", f"{told} ({between}).", sureness)


def _share(solution: Solution, place: Deeds, name: str) -> float:
    advice = solution.advise(place.decided.view)
    if not advice.mix:
        return float(place.deeds[advice.best] == name)
    return float(sum(share for action, share in advice.mix.items() if place.deeds.get(action) == name))


def _late(solution: Solution, name: str, those: Sequence[Deeds], known: Known) -> Lesson | None:
    """Done so many points later than perfect play first does it, by the model, on average over the turns come to."""
    game = _game(solution)
    kin = family(game)
    turns = Counter(kin.begun(game, place.decided.view) for place in those)
    minds = np.vstack([known.theta, known.drawn(DRAWS, SEED)])
    found = [_waited(solution, name, begun, known, minds) for begun, _ in turns.most_common(MOST_TURNS)]
    late = np.average(found, axis=0, weights=[count for _, count in turns.most_common(MOST_TURNS)])
    low, high = np.percentile(late[1:], [OUTSIDE, 100.0 - OUTSIDE])
    points = round(abs(float(late[0])))
    if low <= 0.0 <= high or not points:
        return None
    least, most = sorted((abs(low), abs(high)))
    told = f" ({_many(len(those), 'decision')}, between {least:.0f} and {most:.0f} points)."
    sureness = abs(late[0]) * 2 * REACH / max(high - low, TINY)
    return Lesson(bool(late[0] < 0), _many(points, "point"), told, float(sureness))


def _waited(solution: Solution, name: str, begun: View, known: Known, minds: Floats) -> Floats:
    """By how many points each of these minds waits longer than perfect play before it does so in this turn."""
    game = _game(solution)
    kin, totals, rows, perfect = family(game), list[int](), list[Floats](), list[bool]()
    for total, view in kin.along(game, begun):
        worth = solution.advise(view).worth
        does, goes_on = sorted(worth, key=lambda action: kin.deed(game, view, action) != name)
        decided = Decided(view, worth, {each: kin.traits(game, view, each) for each in worth}, does)
        one, two = (np.array(row(decided, each, known.names, known.unit)) for each in (does, goes_on))
        rows.append(one - two)
        totals.append(total)
        perfect.append(worth[does] >= worth[goes_on])
    ends = np.array([*totals, totals[-1] + 1])  # for who does it never
    person = np.column_stack([minds @ np.array(rows).T > 0.0, np.ones(len(minds), np.bool_)])
    found: Floats = (ends[person.argmax(axis=1)] - ends[[*perfect, True].index(True)]).astype(np.float64)
    return found
