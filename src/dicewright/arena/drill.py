"""Decisions to practise: drawn from games of solved play, as often as they occur there, harder when they are closer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log
from random import Random
from typing import Any, NamedTuple

from ..core.errors import IllegalAction, RulesError
from ..core.game import CHANCE, OVER, Action, Outcome, View, WrittenGame
from ..core.results import TIED, Advice
from ..core.solution import Solution
from ..core.strategy import decide, sample
from ..families import family

PLAYED = 0.01  # the share from which on an action belongs to the solved mix
BLOCK = 4  # games in which one decision is chosen
MOST_BLOCKS = 12
MOST_ASKED = 100  # decisions; then the one that comes nearest to the level is taken
SOME = 8  # games
MOST_CHOICES = 2_000
LEVELS = (0.02, 0.01, 0.005, 0.0025, 0.001)  # what a guess loses at least, from easy to hard
LEAST = 1e-4  # nothing can be learned from less
SLIPS = (0.0, 0.5)  # how often players take any action: where solved play never comes, people do


class Situated(NamedTuple):
    """Where somebody decides: the choices that led there, who, and what they see."""

    choices: tuple[Action | Outcome, ...]
    seat: int
    view: View
    theme: str


@dataclass(frozen=True)
class Question:
    """One decision, the choices that led there, and what is right."""

    game: WrittenGame
    theme: str
    level: int
    choices: tuple[Action | Outcome, ...]
    seat: int
    view: View
    advice: Advice
    guess: float  # what an action taken at random loses

    def right(self, action: Action) -> bool:
        """Whether an action is as good as the best, or one of the solved mix."""
        if action not in self.advice.worth:
            raise IllegalAction(
                f"{self.game.show_choice(action)} is not allowed here; allowed: "
                + ", ".join(map(self.game.show_choice, self.advice.worth))
            )
        return _right(self.advice, action)

    def loss(self, action: Action) -> float:
        """What an action gives away; nothing where it is right."""
        return 0.0 if self.right(action) else _lost(self.advice, action)

    def deeds(self, action: Action) -> dict[str, tuple[bool, float]]:
        """Of each deed that may be done here whether the action is it, and how often the solved player does it."""
        kin, worth = family(self.game), self.advice.worth
        found = {one: kin.deed(self.game, self.view, one) for one in worth}
        mix = self.advice.mix or {self.advice.best: 1.0}
        return {
            name: (
                found[action] == name,
                sum(float(share) for one, share in mix.items() if found.get(one) == name),
            )
            for name in sorted({deed for deed in found.values() if deed})
            if any(deed != name for deed in found.values())
        }


def draw(game: WrittenGame, solution: Solution, theme: str, level: int, seed: int) -> Question:
    """The decision of a theme (any, if it is empty) and a level that this seed draws."""
    kin, rng = family(game), Random(seed)
    if theme and theme not in kin.themes:
        allowed = ", ".join(kin.themes) or "none"
        raise RulesError(f"there is no theme {theme!r} in {game.name}; {allowed} is allowed")
    if not 0 <= level < len(LEVELS):
        raise RulesError(f"level is {level}; 0 to {len(LEVELS) - 1} is allowed")
    for slip in SLIPS:
        if (found := _drawn(solution, theme, level, rng, slip)) is not None:
            return found
    raise RulesError(f"play of {game.name} has nothing to decide in {theme or 'any theme'}")


def _drawn(solution: Solution, theme: str, level: int, rng: Random, slip: float) -> Question | None:
    """A decision in games in which players take any action so often; None where there is none in many games."""
    game: WrittenGame = solution.game
    scale = 2 * solution.stakes if solution.points else 1.0
    near, left = None, MOST_ASKED
    for _ in range(MOST_BLOCKS):
        there = [place for _ in range(BLOCK) for place in _places(game, solution, theme, rng, slip)]
        rng.shuffle(there)  # the first that fits is any of those that fit
        for place in there[:left]:
            one = _question(game, solution, level, place)
            if one is None:
                continue
            if _band(one.guess / scale) == level:
                return one
            if near is None or _far(one.guess / scale, level) < _far(near.guess / scale, level):
                near = one
        left -= len(there[:left])
        if not left:
            break
    return near


def themes_in(game: WrittenGame, solution: Solution) -> list[str]:
    """The themes that solved play, or play with slips, comes to in some games, in the family's order."""
    rng = Random(SOME)
    games = [slip for slip in SLIPS for _ in range(SOME)]
    found = {place.theme for slip in games for place in _places(game, solution, "", rng, slip)}
    return [theme for theme in family(game).themes if theme in found]


def _places(
    game: WrittenGame, solution: Solution, theme: str, rng: Random, slip: float = 0.0
) -> Iterator[Situated]:
    """Where somebody has a choice in one game of solved play, or of players who take any action so often."""
    kin, state = family(game), game.start()
    choices: list[Action | Outcome] = []
    while (mover := game.mover(state)) != OVER and len(choices) < MOST_CHOICES:
        if mover == CHANCE:
            mix: Mapping[Any, Any] = game.outcomes(state)
        else:
            view = game.view(state, mover)
            of = kin.theme(game, view)
            mix = decide(game, view, solution.strategies[mover])
            allowed = game.actions(view)
            if of and theme in ("", of) and len(allowed) > 1:
                yield Situated(tuple(choices), int(mover), view, of)
            if slip and rng.random() < slip:
                mix = dict.fromkeys(allowed, 1 / len(allowed))
        choice = sample(mix, rng)
        choices.append(choice)
        state = game.play(state, choice)


def _question(game: WrittenGame, solution: Solution, level: int, place: Situated) -> Question | None:
    """The decision that is to be made there; None if nothing can be learned from it."""
    advice = solution.advise(place.view)
    wrong = [action for action in advice.worth if not _right(advice, action)]
    guess = sum(_lost(advice, action) for action in wrong) / len(advice.worth)
    if not wrong or guess < LEAST or not advice.reached:
        return None
    return Question(game, place.theme, level, place.choices, place.seat, place.view, advice, guess)


def _right(advice: Advice, action: Action) -> bool:
    return _lost(advice, action) <= TIED or advice.mix.get(action, 0.0) >= PLAYED


def _lost(advice: Advice, action: Action) -> float:
    return max(0.0, max(advice.worth.values()) - advice.worth[action])


def _band(guess: float) -> int:
    """The level of a decision in which a guess loses so much."""
    return next((level for level, least in enumerate(LEVELS) if guess >= least), len(LEVELS) - 1)


def _far(guess: float, level: int) -> float:
    return abs(log(guess / LEVELS[level]))
