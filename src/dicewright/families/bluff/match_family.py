"""Matches of Bluff: rounds until a player has no dice left."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...core.effort import LITTLE, Effort, Engine
from ...core.errors import RulesError, TooLarge
from ...core.game import FIRST, OVER, SEATS, Action, Outcome, other
from ...core.lessons import Lessons
from ...core.results import Evaluation, Response
from ...core.solution import Certificate, Header, Restoring, Solution
from ...core.strategy import Strategy
from ..catalog import met
from ..family import Way
from ..spoken import count, dice, hand, in_round
from ..told import Listener, Sentence, Thing
from .family import FAMILY as ROUNDS
from .family import MOST_DICE
from .form import check_endings
from .match import BluffMatch, MatchState, MatchView, perudo
from .rules import CALL, Bluff
from .words import (
    FIXED,
    BiddingFamily,
    dice_moved,
    lay_round,
    match_rules,
    page_round,
    page_scene,
    reveal,
    tell_round,
)

LEVELED = (
    "bluff-match",
    "bluff-match:dice=3v1",
    "bluff-match:dice=1v3",
)  # come with levels; rounds are large


class MatchFamily(BiddingFamily):
    """Rounds chained by who won them, or paid by what follows."""

    key, kind, form_name = "match", BluffMatch, "match-1"
    careful = (CALL,)
    games = MappingProxyType({"perudo": perudo, "bluff-match": BluffMatch})
    at, are_at = "with", "have"
    end_hidden = True
    by_training = ("trained",)
    taught = MappingProxyType({"bluff-match:dice=5v5": 100, "perudo": 100})
    cited: Mapping[str, float | None] = dict.fromkeys(("bluff-match:dice=2v1", "bluff-match"))

    def now(self, game: BluffMatch, held: Any) -> tuple[Bluff, Any]:
        """As the standing says."""
        return game.round_of(held.standing), held.now

    def rules(self, game: BluffMatch) -> tuple[str, ...]:
        """A round, and how rounds make a match."""
        return match_rules(game)

    def place(self, game: BluffMatch, view: MatchView) -> str:
        """The present round in words."""
        now, player = view.now, game.seat(view.standing, len(view.now.said) % 2)
        said = ", ".join(self.say(game, choice) for choice in now.said)
        mine, yours = view.standing.dice[player], view.standing.dice[1 - player]
        return (
            f"{hand(now.mine)} {f'after {said}' if said else 'to open'}; {dice(mine)} against {count(yours)}"
        )

    def why(self, game: BluffMatch, solution: Solution, view: MatchView, choice: Action, best: Action) -> str:
        """As in the round that is played, whose chances are not those of the match before its last round."""
        from .why import bluff_why

        rules, now = self.now(game, view)
        seat = other(len(now.said) % 2)
        played: Any = solution.strategies[game.seat(view.standing, seat)]
        solved = played.rounds[view.standing]
        worth = solved.advise(now).worth if self.chains(game) else None
        why = bluff_why(rules, solved.strategies[seat], now, choice, best, worth)
        return why if view.standing.dice == (1, 1) else in_round(why)

    def ask(self, game: BluffMatch, to: Listener, view: MatchView) -> list[str]:
        """In a palifico also what is different."""
        return [*([f"Palifico. {FIXED}"] if view.standing.fixed else []), *super().ask(game, to, view)]

    def tell(
        self, game: BluffMatch, to: Listener, before: MatchState, choice: Action | Outcome, after: MatchState
    ) -> list[str]:
        """The end of a round also says who won it, and how many dice are left."""
        rules, now = self.now(game, before)
        players = (before.standing.opener, other(before.standing.opener))
        lines = tell_round(rules, to, now, choice, players)
        if len(after.past) == len(before.past):
            return lines
        end = rules.ending(after.past[-1])
        winner = players[end.caller if end.right else 1 - end.caller]
        mine, theirs = (dice(after.standing.dice[player]) for player in (to.me, other(to.me)))
        left = f"You have {mine}, {to.name} has {theirs}."
        return [
            *lines,
            *reveal(rules, to, after.past[-1], players),
            f"{to.does(winner, 'win')} the round.",
            left,
        ]

    def lay(
        self, game: BluffMatch, to: Listener, state: MatchState, turn: Sequence[Action | Outcome], over: bool
    ) -> list[Thing]:
        """Both hands of the round; at the end there is none, and the dice that are left are told."""
        if over or game.mover(state) == OVER:
            return [
                Sentence(f"{to.who(player)}: {dice(left)}") for player, left in enumerate(state.standing.dice)
            ]
        rules, now = self.now(game, state)
        return lay_round(rules, to, now, game.seat(state.standing, to.me), over=False)

    def roller(self, game: BluffMatch, state: MatchState) -> int:
        """The opener's dice are rolled first."""
        seat = len(state.now.hands)
        return seat if state.standing.opener == FIRST else other(seat)

    def position(self, game: BluffMatch, state: MatchState, seat: int | None, over: bool) -> dict[str, Any]:
        """The round being played, and the one before it with all its dice."""
        last, opener = None, FIRST
        standing = game.first
        for done in state.past:
            last, opener, rules = done, standing.opener, game.round_of(standing)
            standing = game.after(standing, rules.ending(done))
        before = None if last is None else page_round(rules, last, opener, seat, True)
        if game.winner(state.standing) is not None:
            now = before or {}
        else:
            now = page_round(game.round_of(state.standing), state.now, state.standing.opener, seat, over)
        return {
            **now,
            "dice": list(state.standing.dice),
            "round": len(state.past) + 1,
            "before": before,
            "ask": self.asks(game, state, seat),
        }

    def scene(
        self, game: BluffMatch, before: MatchState, choice: Action | Outcome, after: MatchState
    ) -> dict[str, Any]:
        """Of the round in which the choice was made; of one that ended also who has more or fewer dice since."""
        rules, _ = self.now(game, before)
        players = (before.standing.opener, other(before.standing.opener))
        ended = after.past[-1] if isinstance(choice, str) else None
        found = page_scene(rules, players, ended)
        if ended is not None:
            left = zip(before.standing.dice, after.standing.dice, strict=True)
            found["end"]["moved"] = [
                {"who": SEATS[seat], "dice": now - then, "words": dice_moved(now - then)}
                for seat, (then, now) in enumerate(left)
                if now != then
            ]
        return found

    def charts(self) -> Mapping[str, Callable[..., Any]]:
        """Of a solution."""
        from .match_solve import match_table

        return {"match-table": match_table}

    def effort(self, game: BluffMatch) -> Effort:
        """That of its rounds, if its dice are few; where they pay what follows, each is a linear program."""
        from .plans import MOST_BYTES, program_bytes

        few = sum(game.dice) <= MOST_DICE
        return Effort(
            quick=few
            and (self.chains(game) or all(program_bytes(each) <= MOST_BYTES for each in self.needs(game)))
        )

    def player_effort(self, game: BluffMatch, solves: bool) -> Effort:
        """A player for each round."""
        return Effort(0.3, LITTLE)

    def chains(self, game: BluffMatch) -> bool:
        """Where rounds have two outcomes: one linear system."""
        from .match_solution import two_outcomes

        return two_outcomes(game)

    def needs(self, game: BluffMatch) -> Collection[Bluff]:
        """The different rounds it may come to."""
        from .match_solution import standings

        return {game.round_of(standing) for standing in standings(game)}

    def claimed(self, game: BluffMatch, header: Header) -> Certificate:
        """Of a match of rounds that end so."""
        check_endings(game.round_of(game.first), header)
        return super().claimed(game, header)

    def form(self, game: BluffMatch, header: Header) -> Restoring:
        """Round by round."""
        from .match_form import FORM

        return FORM

    def way(self, game: BluffMatch) -> Way:
        """Each round solved once."""
        from .match_solve import solve_match

        def solve(game: BluffMatch, method: str, **options: Any) -> Solution:
            try:
                return solve_match(game, **options)
            except TooLarge as error:
                raise _too_large(game, "solved", error) from error

        return Way(("auto",), ("gap",), solve, chained=True)

    def lessons(self, game: BluffMatch, iterations: int | None = None) -> Lessons:
        """Round by round."""
        from .large.lessons import lessons

        return lessons(game, iterations)

    def check_advice(self, game: BluffMatch, view: MatchView) -> None:
        """The largest round must fit in memory."""
        from .plans import check_size

        largest = game.round_of(game.first)
        check_size(largest, len(largest.bids))

    def evaluate(self, game: BluffMatch, a: Any, b: Any) -> Evaluation:
        """Round by round, and one linear system over the standings."""
        from .match_chain import chained
        from .match_duel import duel_match

        if (found := chained(game, a, b)) is not None:
            return found
        try:
            return met(duel_match, game, a, b)
        except TooLarge as error:
            raise _too_large(game, "evaluated", error) from error

    def places(
        self, game: BluffMatch, view: MatchView, rivals: tuple[Strategy, Strategy]
    ) -> tuple[int, Mapping[MatchState, float]]:
        """Not yet."""
        raise RulesError(f"positions of {game.name} are not evaluated; those of its rounds are")

    def best_response(self, game: BluffMatch, b: Any) -> Response:
        """Likewise."""
        from ...core.solution import seats
        from .match_duel import best_response_match

        return best_response_match(game, *seats(b))

    def check_grade(self, game: BluffMatch) -> None:
        """Not yet."""
        raise RulesError(f"strategies of {game.name} are not graded; those of its rounds are")

    def meets(self, game: BluffMatch) -> bool:
        """A match of two strategies takes seconds."""
        return False

    def answer(self, game: BluffMatch, strategy: Strategy, seat: int) -> type[Solution]:
        """Not yet."""
        raise RulesError(f"there is no best response in {game.name}; race, bluff and calling games have one")

    def spot(self, game: BluffMatch, view: MatchView) -> dict[str, Any] | None:
        """Among the ranges of the round, if it is solved in a moment or came solved."""
        rules, now = self.now(game, view)
        if not (ROUNDS.effort(rules).quick or rules.name in ROUNDS.shipped):
            return None
        found = ROUNDS.spot(rules, now)
        return found and {"game": rules.name, **found}

    def check_levels(self, game: BluffMatch) -> None:
        """That of its rounds, if they are won or lost; with the largest rounds only of what the package has."""
        from .solution import check_levels

        if not self.chains(game):
            raise TooLarge(
                f"rounds of {game.name} pay what follows; levels are found where they are won or lost"
            )
        rounds = self.needs(game)
        for rules in rounds:
            check_levels(rules)
        if game.name not in LEVELED and any(map(ROUNDS.levels_slow, rounds)):
            raise TooLarge(
                f"levels of {game.name} take minutes to find; those of {', '.join(LEVELED)} are known"
            )

    def leveled(self, solution: Solution, precision: float, name: str) -> Any:
        """In every round by the chance to win it, with the same precision."""
        self.check_levels(solution.game)  # type: ignore[arg-type]
        found: Any = solution
        return found.leveled(precision, name)

    def engine(self, game: BluffMatch, a: Any, b: Any) -> Engine | None:
        """Books of all rounds, of strategies that have some."""
        from .large.play import match_engine

        return match_engine(game, a, b)

    def check_player(self, game: BluffMatch, strategy: Any) -> None:
        """An expression is tried in every round."""
        from .expressed import check_rounds
        from .strategies import RoundByRound

        if isinstance(strategy, RoundByRound):
            check_rounds(strategy)

    def entries(self) -> Mapping[str, Callable[..., Any]]:
        """Expressions; tables of views would tell all rounds before."""
        from .expressed import from_expression

        return {".txt": from_expression}

    def strategies(self, game: BluffMatch) -> Mapping[str, Callable[..., Any]]:
        """Those of rounds, round by round."""
        from .expressed import BluffRule, rule_of_rounds
        from .strategies import MATCH

        return {**MATCH, BluffRule.key: rule_of_rounds}


def _too_large(game: BluffMatch, what: str, error: TooLarge) -> TooLarge:
    """With what there is instead."""
    instead = {"solved": "`dicewright train` makes a player", "evaluated": "`dicewright simulate` plays it"}
    told = "" if game.spot_on and what == "solved" else f"; {instead[what]}"
    return TooLarge(f"{game.name} is too large to be {what} exactly: {error}{told}")


FAMILY = MatchFamily()
