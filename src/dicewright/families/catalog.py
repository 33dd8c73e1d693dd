"""The one registry of families, games and strategies.

`parse("pig:goal=200")` gives the game, `strategy("hold:20", game)` the strategy; `name` and `str` give the text back.

A game says the key of its family (`family = "race"`). A family that is not of this package is found by its key among
the entry points `dicewright.families` of the packages that are installed. A game without a key is of no family: it is
asked the seven questions, and all that is known of it follows from the answers.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from math import inf
from typing import Any

from ..core.errors import NotationError, RulesError, name_of, quoted
from ..core.game import FIRST, SECOND, Game, WrittenGame
from ..core.notation import MOST_LETTERS, build
from ..core.results import Duel, Evaluation, Response
from ..core.solution import Pair, Solution, seats
from .family import Family
from .levels import LEVEL, find_ladder, level_of
from .lives.game import KEY, LivesGame

GROUP = "dicewright.families"
# The families of this package, in the order of the catalog, and the modules that hold each as FAMILY.
OWN = {
    "race": "race.family",
    "classic": "tree.classics",
    "calling": "calling.family",
    "bluff": "bluff.family",
    "match": "bluff.match_family",
}


def family(game: Game) -> Family[Any]:
    """The family of a game; of a game that is of none, the one that knows the seven questions alone."""
    key = game.family if isinstance(game, LivesGame) else getattr(type(game), "family", None)
    found = named(key) if isinstance(key, str) else None
    return found if found is not None and isinstance(game, found.kind) else Family()


@cache
def named(key: str) -> Family[Any] | None:
    """The family with this key, loaded when it is first asked for; None if there is none."""
    if key.startswith(KEY):
        from .lives.family import LivesFamily

        of = named(key.removeprefix(KEY))
        return None if of is None else LivesFamily(of)
    if key in OWN:
        found: Family[Any] = import_module(f".{OWN[key]}", __package__).FAMILY
        return found
    return next((kin for kin in others() if kin.key == key), None)


def own() -> Iterator[Family[Any]]:
    """The families of this package, in the order of the catalog."""
    return (kin for key in OWN if (kin := named(key)) is not None)


def kins() -> Iterator[Family[Any]]:
    """All families; those of other packages are looked for when this package's own are through."""
    yield from own()
    yield from others()


@cache
def others() -> tuple[Family[Any], ...]:
    """The families of other packages that are installed."""
    from importlib.metadata import entry_points  # takes as long to load as all that a help text needs

    found = []
    for point in entry_points(group=GROUP):
        kin = point.load()
        if not isinstance(kin, Family):
            raise RulesError(f"{point.value} is {type(kin).__name__}; a Family is allowed in {GROUP}")
        found.append(kin)
    return tuple(found)


def played() -> str:
    """Whose games are played at a table: those of this package, and of packages that are installed."""
    *most, last = ("race", "bluff", "calling", *(kin.key for kin in others() if kin.at_table))
    return f"{', '.join(most)} and {last} games"


class _Games(Mapping[str, Callable[..., Any]]):
    """The builders of all families' games by name: this package's own first, then those of packages installed."""

    def __getitem__(self, name: str) -> Callable[..., Any]:
        for kin in kins():
            if name in kin.games:
                return kin.games[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for kin in kins():
            yield from kin.games

    def __len__(self) -> int:
        return sum(1 for _ in self)


GAMES: Mapping[str, Callable[..., Any]] = _Games()


def parse(text: str) -> Any:
    """The game written as one line; NotationError or RulesError says what is wrong with it.

    OpenSpiel's `liars_dice(...)` is the same game as ours for two players with equal numbers of dice.

    >>> parse("pig:goal=200").name
    'pig:goal=200'
    >>> parse("liars_dice(numdice=2,dice_sides=3)").name
    'bluff:dice=2v2,sides=3'
    """
    if len(text) > MOST_LETTERS:
        told = f"the game {text[:20]!r}... has {len(text)} letters"
        raise NotationError(f"{told}; up to {MOST_LETTERS} is allowed")
    foreign = () if text.strip().partition(":")[0] in GAMES else own()
    found = next((game for kin in foreign if (game := kin.read_foreign(text)) is not None), None)
    return build("game", text, GAMES) if found is None else found


def admit(game: Game) -> None:
    """RulesError unless this is a game: one of a family, with the family's own rules, or any that can be asked."""
    family(game).admit(game)


def asked(game: Game, method: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not None; RulesError for a method or an option that this game's solver does not know."""
    name, way = name_of(game), family(game).way(game)
    if method not in way.methods:
        raise RulesError(f"method is {quoted(method)} for {name}; {', '.join(way.methods)} is allowed")
    for option in options:
        if option not in way.options:
            allowed = f"{' or '.join(way.options)} is allowed" if way.options else "it has none beside method"
            raise RulesError(f"unknown option {quoted(option)} for {name}; {allowed}")
    given = {option: value for option, value in options.items() if value is not None}
    gap = given.get("gap", 0.0)
    if isinstance(gap, bool) or not isinstance(gap, (int, float, Fraction)) or not 0 <= gap < inf:
        raise RulesError(f"gap is {quoted(gap)} for {name}; a finite number from 0 on is allowed")
    if not callable(progress := given.get("progress", print)):
        raise RulesError(f"progress is {quoted(progress)} for {name}; a function is allowed")
    return given


def solve(game: Game, method: str = "auto", **options: Any) -> Solution:
    """Solve a game anew: strategies for both players and a certificate of the value.

    `options` go to the family's solver (`gap` for rounds and matches of Bluff).

    >>> solve(parse("piglet:goal=3")).certificate.exact
    Fraction(1, 11)
    >>> solve(parse("liars-die")).certificate.exact
    Fraction(11, 30)
    """
    admit(game)
    given = asked(game, method, options)
    return family(game).way(game).solve(game, method, **given)


def known(game: WrittenGame) -> Mapping[str, Callable[..., Any]]:
    """The strategies of a game's family, by name, and the levels that every solved game has."""
    return {**family(game).strategies(game), LEVEL: level}


def level(game: WrittenGame, n: int) -> Any:
    """A logit player on exact worths; 1 to 8 lie evenly between random and perfect play (McKelvey & Palfrey 1995)."""
    number = level_of(f"{LEVEL}:{n}")
    assert number is not None, n
    solution, kin = solve(game), family(game)
    return kin.leveled(solution, find_ladder(solution).precision(number), f"{LEVEL}:{number}")


def strategy(text: str, game: WrittenGame) -> Any:
    """The strategy written as one line, for this game.

    >>> str(strategy("hold:20", parse("pig")))
    'hold:20'
    """
    return build("strategy", text, known(game), game=game)


def seated(evaluate: Callable[[Any, Any, Any], Evaluation], game: WrittenGame, a: Any, b: Any) -> Evaluation:
    """The evaluation of players who play alike in either seat, or else of each meeting by itself."""
    one, two = seats(a), seats(b)
    if one[FIRST] is one[SECOND] and two[FIRST] is two[SECOND]:
        return evaluate(game, one[FIRST], two[FIRST])
    return met(lambda game, first, second: evaluate(game, first, second).a_first, game, a, b)


def met(duel: Callable[[Any, Any, Any], Duel], game: WrittenGame, a: Any, b: Any) -> Evaluation:
    """Both meetings, each by itself."""
    one, two = seats(a), seats(b)
    return Evaluation(duel(game, one[FIRST], two[SECOND]), duel(game, two[FIRST], one[SECOND]))


def answered(respond: Callable[[Any, Any], Response], game: WrittenGame, b: Any) -> Response:
    """The response to a player who plays alike in either seat, or else to each seat's strategy by itself."""
    first, second = seats(b)
    if first is second:
        return respond(game, first)
    as_first, as_second = respond(game, second), respond(game, first)
    answer = Pair(seats(as_first)[FIRST], seats(as_second)[SECOND], label="best response")
    return Response(
        answer, as_first.first_payoff, as_second.second_payoff, as_first.first_wins, as_second.second_wins
    )
