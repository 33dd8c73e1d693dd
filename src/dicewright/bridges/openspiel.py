"""Games of ours as games of OpenSpiel (`pyspiel`), and strategies as its policies, both ways.

The rules are asked through the seven questions alone, so what OpenSpiel plays is what is played here. An information
state is all that a player has seen and done at decisions of their own, in notation: OpenSpiel's algorithms need
players who forget nothing. Games without an end are cut at a horizon, which pays nothing to both.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

from ..core.errors import DicewrightError, RulesError, StrategyError, name_of, quoted
from ..core.game import CHANCE, FIRST, OVER, SEATS, SECOND, View, WrittenGame
from ..core.solution import Pair, seats
from ..core.strategy import AnyAction, Mix, decide
from ..front.answers import GameText, StrategyText, strategy_of
from ..storage.games import parse_game
from ..storage.solution_file import game_of
from .levels import check_horizon, walk

try:
    import pyspiel
except ImportError as error:  # pragma: no cover
    raise DicewrightError('OpenSpiel is not installed: pip install "open_spiel>=1.6"') from error

NAME = "dicewright"
TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="A dice game of dicewright",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={"rules": "kuhn-poker", "horizon": 0},
)


class Numbered:
    """The rules and the numbers of their choices; frozen, so that OpenSpiel's copies of a state share it."""

    def __init__(self, rules: WrittenGame, horizon: int | None) -> None:
        self.walked = walk(rules, horizon)
        self.rules, self.horizon = rules, horizon
        self.acts, self.shown = self.walked.actions, self.walked.outcomes
        self.number = {action: place for place, action in enumerate(self.acts)}

    def __deepcopy__(self, memo: Any) -> "Numbered":
        return self


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """`pyspiel.load_game("dicewright", {"rules": "bluff:sides=2"})`.

    Within OpenSpiel's own lines, that have `=` and `,` themselves, the rules are percent-encoded.
    """

    def __init__(self, params: Mapping[str, Any] | None = None, rules: WrittenGame | None = None) -> None:
        given = dict(params or {})
        horizon = given.get("horizon", 0) or None
        self.table = Numbered(rules or parse_game(unquote(given.get("rules", "kuhn-poker"))), horizon)
        walked = self.table.walked
        most = max(map(abs, walked.payoffs))
        info = pyspiel.GameInfo(
            num_distinct_actions=max(1, len(walked.actions)),
            max_chance_outcomes=len(walked.outcomes),
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=walked.longest,
        )
        name = quote(self.table.rules.name, safe=":+/-")
        super().__init__(TYPE, info, {"rules": name, "horizon": horizon or 0})

    def new_initial_state(self) -> "SpielState":
        """The start."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """What a player sees, as text."""
        return Observer()


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of ours, and what each player saw and did on the way."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.table, self.rules = game.table, game.table.rules
        self.state, self.length = self.rules.start(), 0
        self.said: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def current_player(self) -> int:
        """0, 1, or OpenSpiel's numbers for dice and the end."""
        mover = self.rules.mover(self.state)
        if mover == OVER or self.length == self.table.horizon:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if mover == CHANCE else mover

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.table.number[a] for a in self.rules.actions(self.rules.view(self.state, player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Numbers of outcomes with their chances."""
        shares = self.rules.outcomes(self.state)
        return [(n, float(shares[o])) for n, o in enumerate(self.table.shown) if shares.get(o)]

    def _apply_action(self, number: int) -> None:
        mover = self.rules.mover(self.state)
        choice = (self.table.shown if mover == CHANCE else self.table.acts)[number]
        if mover in (FIRST, SECOND):
            done = f"{self.seen(mover)} > {self.rules.show_choice(choice)}"
            said: list[tuple[str, ...]] = [*self.said]
            said[mover] = (*said[mover], done)
            self.said = (said[0], said[1])
        self.state, self.length = self.rules.play(self.state, choice), self.length + 1

    def _action_to_string(self, player: int, number: int) -> str:
        known = self.table.shown if player == pyspiel.PlayerId.CHANCE else self.table.acts
        return str(self.rules.show_choice(known[number]))

    def is_terminal(self) -> bool:
        """Whether the rules or the horizon end it."""
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Both players' payoffs; nothing before the end and at the horizon."""
        if self.rules.mover(self.state) != OVER:
            return [0.0, 0.0]
        payoff = float(self.rules.payoff(self.state))
        return [payoff, 0.0 - payoff]

    def view(self) -> View:
        """What the player to move sees, as strategies here take it."""
        return self.rules.view(self.state, self.rules.mover(self.state))

    def seen(self, player: int) -> str:
        """The same in notation; of a player who does not move, nothing yet."""
        moves = self.rules.mover(self.state) == player
        return str(self.rules.show_view(self.rules.view(self.state, player))) if moves else ""

    def information(self, player: int) -> str:
        """All that this player saw and did at their own decisions."""
        return " | ".join((SEATS[player], *self.said[player], self.seen(player)))

    def __str__(self) -> str:
        return f"{self.state!r} after {self.information(0)} / {self.information(1)}"


class Observer:
    """OpenSpiel asks it for the strings of information states."""

    tensor: Any = None
    dict: Any = {}  # noqa: RUF012

    def set_from(self, state: SpielState, player: int) -> None:
        """There is no tensor."""

    def string_from(self, state: SpielState, player: int) -> str:
        """The information state."""
        return state.information(player)


pyspiel.register_game(TYPE, SpielGame)


def to_openspiel(game: GameText, horizon: int | None = None) -> Any:
    """The game as a `pyspiel.Game`, also `pyspiel.load_game("dicewright", {"rules": TEXT, "horizon": N})`.

    The line of the game must say its rules. With a `horizon`, play that is not over after so many choices, dice
    included, pays 0.

    >>> to_openspiel("kuhn-poker").num_distinct_actions()
    4
    """
    rules = game_of(game)
    if horizon is not None:
        check_horizon(horizon)
    if not _says_its_rules(rules):  # OpenSpiel makes games anew from their lines
        raise RulesError(
            f"{name_of(rules)} is not said by a line; a game whose line says its rules is allowed"
        )
    return SpielGame({"horizon": horizon or 0}, rules)


def _says_its_rules(rules: WrittenGame) -> bool:
    try:
        return bool(parse_game(rules.name) == rules)
    except DicewrightError:
        return False


def _decisions(spiel: Any) -> Iterator[SpielState]:
    """A state of each information state of both players."""
    stack, met = [spiel.new_initial_state()], set[str]()
    while stack:
        state = stack.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node() and (key := state.information(state.current_player())) not in met:
            met.add(key)
            yield state
        stack.extend(state.child(number) for number in state.legal_actions())


def to_policy(spiel: Any, strategy: StrategyText) -> Any:
    """The strategy, or each seat's, as a `pyspiel.TabularPolicy` of a game made by `to_openspiel`.

    Taken as text, pair, solution or function, as everywhere.
    """
    table = _ours(spiel)
    both = seats(strategy_of(table.rules, strategy))
    shares_of = {}
    for state in _decisions(spiel):
        player = state.current_player()
        mix = decide(table.rules, state.view(), both[player])
        shares = {table.number[action]: float(chance) for action, chance in mix.items()}
        shares_of[state.information(player)] = [(n, shares.get(n, 0.0)) for n in state.legal_actions()]
    return pyspiel.TabularPolicy(shares_of)


def from_policy(spiel: Any, policy: Any) -> Pair:
    """A policy of OpenSpiel for such a game as a pair of strategies; StrategyError if no function of a view is it.

    Any policy is allowed that has `action_probabilities` of a state (Python's), or of an information state (C++'s).
    """
    table = _ours(spiel)
    tables: tuple[dict[View, Mix], dict[View, Mix]] = ({}, {})
    for state in _decisions(spiel):
        player = state.current_player()
        mix = {table.acts[n]: chance for n, chance in _asked(policy, state).items()}
        before = tables[player].setdefault(state.view(), mix)
        if any(abs(before.get(a, 0.0) - mix.get(a, 0.0)) > 1e-12 for a in {*before, *mix}):
            raise StrategyError(
                f"the policy differs at {state.seen(player)} by what came before; one that depends on the view alone "
                "is allowed"
            )
    first, second = (_Played(table.rules, found) for found in tables)
    return Pair(first, second, label="a policy of OpenSpiel")


class _Played:
    """A table of mixes; where this seat never comes, any action alike."""

    def __init__(self, rules: WrittenGame, mixes: Mapping[View, Mix]) -> None:
        self.mixes, self.any = mixes, AnyAction(rules)

    def __str__(self) -> str:
        return "a policy of OpenSpiel"

    def __call__(self, view: View) -> Mix:
        found = self.mixes.get(view)
        return self.any(view) if found is None else found


def _asked(policy: Any, state: SpielState) -> dict[int, float]:
    if isinstance(policy, pyspiel.Policy):
        found = policy.action_probabilities(state.information(state.current_player()))
    else:
        found = policy.action_probabilities(state)
    return {int(number): float(chance) for number, chance in found.items() if chance > 0}


def _ours(spiel: Any) -> Numbered:
    """The rules of a game made here, also of one that OpenSpiel's registry made."""
    if isinstance(spiel, pyspiel.Game) and spiel.get_type().short_name == NAME:
        return spiel.table if isinstance(spiel, SpielGame) else _again(str(spiel))
    raise StrategyError(f"{quoted(spiel)} is no game of to_openspiel; one of those is allowed")


@cache
def _again(line: str) -> Numbered:
    return pyspiel.load_game(line).new_initial_state().table  # type: ignore[no-any-return]
