"""A strategy is a function from a view to a mix of actions, which is checked when it is asked for."""

import signal
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, Protocol, TypeAlias, TypeGuard, TypeVar, runtime_checkable

from .errors import MOST_QUOTED, StrategyError, has_line, name_of, quoted, shown, told
from .game import Action, Game, View
from .notation import Named

Mix: TypeAlias = Mapping[Action, float]
Strategy: TypeAlias = Callable[[View], Mix]
Choice = TypeVar("Choice", bound=Hashable)

MIX_TOLERANCE = 1e-9


@runtime_checkable
class MemoryStrategy(Protocol):
    """A strategy that also remembers a small number, changed only when one of its own turns ends.

    One that has a method `watch(memory, gained)` too is told of the other's turns by it. Told are turns that gained
    points; one whose `every_turn` is true also hears of those that gained nothing.
    """

    memories: int  # the memory is 0, ..., memories - 1 and starts at 0

    def __call__(self, view: View, memory: int = 0) -> Mix:
        """The mix in this view with this memory."""

    def remember(self, memory: int, gained: int) -> int:
        """The memory after a turn that gained so many points."""


class Starter(Protocol):
    """A strategy that is asked only while it plays, such as a program: it begins each game anew."""

    def begin(self, seat: int, seed: int) -> Strategy:
        """Its player of one game; what it draws starts at the seed."""


def only_plays(strategy: Any) -> TypeGuard[Starter]:
    """Whether this can be met in play only, never asked for all its answers; in it, or in either seat of a pair."""
    return hasattr(strategy, "begin") or (isinstance(strategy, tuple) and any(map(only_plays, strategy)))


@runtime_checkable
class ExactStrategy(Protocol):
    """A strategy that also gives its mixes in fractions; those in float64 follow."""

    def exact(self, view: View) -> Mapping[Action, Fraction]:
        """The mix in this view, in fractions."""

    def __call__(self, view: View) -> Mix:
        """The mix in this view, in float64."""
        return {action: float(chance) for action, chance in self.exact(view).items()}


@dataclass(frozen=True)
class AnyAction(Named):
    """Every allowed action alike."""

    game: Game
    key: ClassVar[str] = "random"

    def __call__(self, view: View) -> Mix:
        """Equal shares."""
        actions = self.game.actions(view)
        return {action: 1.0 / len(actions) for action in actions}


def line_of(strategy: object) -> str:
    """A strategy in a message: its line, or what its function or class is called; never a repr.

    >>> line_of(len), line_of("hold:20"), line_of((len, str))
    ('len', 'hold:20', 'len and str')
    """
    kind = type(strategy)
    if has_line(kind):
        return shown(str(strategy), MOST_QUOTED)
    if isinstance(strategy, tuple):
        return " and ".join(map(line_of, strategy))
    name = str(getattr(strategy, "__name__", kind.__name__))
    return f"{name} of {name_of(strategy.game)}" if hasattr(strategy, "game") else name


def decide(game: Game, view: View, strategy: Strategy) -> Mix:
    """Ask the strategy for its mix and check it; a forced action is played without asking."""
    return decide_among(game.actions(view), view, strategy)


def decide_among(allowed: Sequence[Action], view: View, strategy: Strategy) -> Mix:
    """The strategy's checked mix of these actions."""
    if len(allowed) == 1:
        return {allowed[0]: 1.0}
    try:
        mix = strategy(view)
    except StrategyError:
        raise  # it says itself what is wrong with it
    except Exception as error:
        what = f"raised {type(error).__name__}: {error} at {told(view)}"
        raise StrategyError(f"{line_of(strategy)} {what}") from error
    return checked_mix(mix, allowed, strategy, view)


def checked_mix(mix: Mix, allowed: object, strategy: object, view: View) -> Mix:
    """The mix itself if it is a distribution over allowed actions; StrategyError otherwise."""
    if wrong := _fault(mix, allowed):
        raise StrategyError(f"{line_of(strategy)} at {told(view)} {wrong}")
    return mix


def _fault(mix: Any, allowed: Any) -> str | None:
    if not isinstance(mix, Mapping):
        return f"answered {quoted(mix)}; a mix such as {{action: 1.0}} of {allowed} is allowed"
    for action, chance in mix.items():
        if action not in allowed:
            return f"answered {quoted(action)}; allowed are {allowed}"
        if not isinstance(chance, (int, float, Fraction)) or not 0.0 <= chance <= 1.0 + MIX_TOLERANCE:
            return f"gave {quoted(action)} the chance {told(chance)}; 0 to 1 is allowed"
    total = sum(mix.values())
    return f"answered chances that sum to {total}, not 1" if abs(total - 1.0) > MIX_TOLERANCE else None


def sample(mix: Mapping[Choice, float | Fraction], rng: Random) -> Choice:
    """Draw one choice from a mix or from a chance table."""
    left = rng.random()
    for choice, chance in mix.items():
        left -= float(chance)
        if left < 0.0:
            return choice
    return max(mix, key=lambda choice: mix[choice])


class _Late(BaseException):
    """The time is over; no `except Exception` of a strategy can swallow it."""


@contextmanager
def patience(seconds: float, message: Callable[[], str]) -> Iterator[None]:
    """Stop what runs inside after so many seconds, with a StrategyError that says `message`.

    By an alarm, so only in the main thread of a system that has one; elsewhere it waits.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise _Late

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _Late:
        raise StrategyError(message()) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
