"""Race games: Pig and its relatives."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from ...core.crowd import Crowds
from ...core.effort import LITTLE, Effort, Engine
from ...core.errors import RulesError, TooLarge
from ...core.game import ALL_EYES, FIRST, Action
from ...core.losses import Losses, Mistake
from ...core.notation import check_heir
from ...core.results import Evaluation, Response
from ...core.solution import Certificate, Header, Restoring, Solution, read_fraction, seats
from ...core.strategy import Strategy, line_of
from ..catalog import answered, seated
from ..family import Gain, Way, by_name
from ..levels import LEVEL
from ..lives.game import with_lives
from ..minds import Mind
from . import critic, duel, minded, outlook, people, pictures, simple_rules, visits
from .characters import CHARACTERS, check_levels, logit
from .expressed import RaceRule
from .faces import race
from .kernels import PASSES
from .named import NAMED
from .play import adjusted_engine, race_engine
from .replay import last_state
from .rules import GOALS, HOLD, ROLL, Effect, RaceGame, RaceState, RaceView, all_rules
from .solution import (
    BALL_WORK,
    FORMAT,
    KIND,
    METHODS,
    PAIR_BYTES,
    PROOFS,
    TYPES,
    ball_work,
    restore,
    solve_race,
)
from .strategies import RACE, RandomRace, best_turn, fewest_turns, rewrite_base
from .table import AtTable
from .tabled import RaceTable, TableStrategy, check_thresholds, rules_of, tabulate
from .themes import DEEDS, THEMES, theme
from .weighed import blended
from .words import certain_faces, race_faces, race_name, race_rules, race_say, race_title

STEPS = 1e8  # in a second
BRIEF = 0.3  # seconds
SWEPT = 5  # how often it is gone through where all points can be lost, and turns seldom gain any
BALL = 2.6e-7  # seconds
ROUNDS = 50  # how often a game without turn totals is gone through
MIX = 24  # bytes of a run with a mix of its own
PAIR = 40  # bytes that a pair of scores takes in the solution and in its player
MOST_GOAL = 500  # while somebody waits
MOST_ENTERED = 250  # a table of all states has goal^3 / 2 entries
GOALS_HERE = f"{GOALS[0]} to {MOST_GOAL} is allowed here"
MOST_LUCK = 1 << 30  # bytes of what choices give away, where luck is taken out


class RaceFamily(AtTable):
    """Everything lies open: dice are seen by all."""

    key, kind, page, covered = "race", RaceGame, "race", False
    usual = (ROLL, HOLD)
    careful = (HOLD,)
    themes, deeds, theme = THEMES, DEEDS, staticmethod(theme)
    crowds: Crowds[RaceGame] | None = people
    by_solving = ("optimal", "fewest-turns", "max-difference", "noisy")
    built = (*by_solving, "skip-when-equal", LEVEL)
    shipped = ("pig", "piglet")
    cited: Mapping[str, float | None] = dict.fromkeys(
        (
            *(f"pig:goal={goal}" for goal in (2, 3, 10, 20, 50, 100, 200)),
            *("pig:finish=exact", "pig:payoff=margin", "pig:one=scores"),
            *("piglet:goal=2", "piglet:goal=3", "piglet", "two-dice-pig", "big-pig", "hog", "pass-the-pigs"),
        )
    )
    rehearses = compiled_hints = False
    pictures = pictures.PICTURES
    games = with_lives(by_name(*NAMED, race))
    short, title = staticmethod(race_name), staticmethod(race_title)
    rules, say = staticmethod(race_rules), staticmethod(race_say)
    faces, on_table = staticmethod(race_faces), staticmethod(certain_faces)
    all_rules = staticmethod(all_rules)
    adjusted_engine, last_state = staticmethod(adjusted_engine), staticmethod(last_state)
    traits, blended = staticmethod(minded.traits), staticmethod(blended)
    begun, along = staticmethod(minded.begun), staticmethod(minded.along)

    def deed(self, game: RaceGame, view: RaceView, action: Action) -> str:
        """Holding."""
        return HOLD if action == HOLD else ""

    def admit(self, game: RaceGame) -> None:
        """RulesError for an heir that plays by other rules than its fields say."""
        check_heir(game, RaceGame)

    def doing(self, game: RaceGame, action: Action) -> str:
        """`holding`, `rolling`, `rolling 4`."""
        return {HOLD: "holding", ROLL: "rolling"}.get(action, f"rolling {super().doing(game, action)}")

    def roller(self, game: RaceGame, state: RaceState) -> int:
        """Whose turn it is."""
        return int(state.mover)

    def onlookers(self, game: RaceGame, state: RaceState) -> int:
        """Everybody."""
        return ALL_EYES

    def uncover(self, game: RaceGame, eyes: list[int], before: RaceState, choice: Action) -> bool:
        """Nothing was covered."""
        return False

    def points(self, game: RaceGame) -> bool:
        """Unless a win is all that counts."""
        return game.payoff_rule != "win"

    def charts(self) -> Mapping[str, Callable[..., Any]]:
        """Of a game and strategies."""
        return {
            "map": pictures.roll_map,
            "surface": pictures.hold_surface,
            "reachable": pictures.reachable,
            "convergence": pictures.convergence,
            "win_matrix": duel.win_matrix,
            "iterate_best_responses": duel.iterate_best_responses,
            "loss": critic.loss_map,
            "outlooks": outlook.outlooks,
            "outlook_columns": outlook.outlook_columns,
            "game_lengths": visits.game_lengths,
            "length_spread": visits.length_spread,
            "visit_chances": visits.visit_chances,
            "best_turn": best_turn,
            "best_rules": simple_rules.best_rules,
            "fewest_turns": fewest_turns,
        }

    def effort(self, game: RaceGame) -> Effort:
        """By the chances that are looked at: scores, turn totals and faces, as often as turns that gain nothing ask."""
        faces = [effect for _, roll in game.rolls for _, effect, _ in roll]
        steps = game.goal**2 * len(faces) * (game.goal if Effect.ADD in faces else ROUNDS)
        if (waits := _waits(game)) > 1:
            steps *= waits * (SWEPT if Effect.RUIN in faces else 1)
        size = LITTLE + PAIR * game.goal**2
        work = 0 if Effect.RUIN in faces else ball_work(game)
        proof = BALL * work if work <= BALL_WORK else 0.0
        return Effort(steps / STEPS, size, game.goal <= MOST_GOAL, steps <= BRIEF * STEPS, proof)

    def handicaps(
        self, game: RaceGame, solution: Solution, solve: Callable[[RaceGame], Solution]
    ) -> Iterator[tuple[int, Certificate]]:
        """Points; the worths of other starts are those of floating point."""
        values: Any = solution.strategies[FIRST]
        for points in range(1 - game.goal, game.goal):
            worth = Fraction(values.payoff(max(0, -points), max(0, points)))
            yield points, Certificate(worth, worth, False, "estimate") if points else solution.certificate

    def claimed(self, game: RaceGame, header: Header) -> Certificate:
        """The rules stand in the header."""
        if (header["format"], header["kind"]) != (FORMAT, KIND):
            raise ValueError(f"format {header['format']} of {header['kind']}; {FORMAT} of {KIND} is allowed")
        if all_rules(game) != header["rules"]:
            raise ValueError(f"its rules are not those of {game.name}")
        method, proved, exact = header["method"], header["proved"], header["exact"]
        if method not in PROOFS or proved is not (method != "estimate"):
            raise ValueError(f"method {method!r} with proved {proved!r} is not allowed")
        lower, upper = (read_fraction(header[key]) for key in ("lower", "upper"))
        certificate = Certificate(lower, upper, proved, method)
        if exact is not (certificate.exact is not None):
            raise ValueError(f"lower {lower}, upper {upper}, exact {exact!r} do not fit")
        return certificate

    def form(self, game: RaceGame, header: Header) -> Restoring:
        """Tables and runs."""
        return FORM

    def way(self, game: RaceGame) -> Way:
        """Pairs of scores, with a certificate of the method that is asked for."""
        return Way(METHODS, (), solve_race)

    def evaluate(self, game: RaceGame, a: Any, b: Any) -> Evaluation:
        """By tables of whole turns."""
        return seated(duel.evaluate_race, game, a, b)

    def evaluate_at(self, game: RaceGame, a: Any, b: Any, view: RaceView) -> Evaluation:
        """One turn more."""
        return seated(partial(outlook.evaluate_at, view=view), game, a, b)

    def best_response(self, game: RaceGame, b: Any) -> Response:
        """By the solver with one side's turns fixed."""
        return answered(duel.best_response_race, game, b)

    def critic(self, game: RaceGame, rival: Any) -> Callable[[Any], Losses]:
        """By mean visits and the worths of the best answer."""
        return critic.RaceCritic(game, rival)

    def habit(self, game: RaceGame, slip: Mistake) -> str:
        """Held too early, rolled too long, or the wrong dice."""
        return critic.HABITS[0 if slip.did == HOLD else 1 if slip.best == HOLD else 2]

    def answer(self, game: RaceGame, strategy: Strategy, seat: int) -> type[Solution]:
        """A strategy that remembers cannot be answered: a record's states do not tell its memory."""
        from .answer import RaceAnswer

        if getattr(strategy, "memories", 1) > 1:
            raise RulesError(
                f"{line_of(strategy)} remembers, and a record's states do not; others can be answered"
            )
        return RaceAnswer

    def check_here(self, game: RaceGame) -> None:
        """Goals up to MOST_GOAL."""
        if game.goal > MOST_GOAL:
            raise TooLarge(f"goal is {game.goal} in {game.name}; {GOALS_HERE}")

    def here(self, sentence: str) -> str:
        """Of goals only those are named that are played there."""
        return sentence.replace(f"{GOALS[0]} to {GOALS[-1]} is allowed", GOALS_HERE)

    def check_player(self, game: RaceGame, strategy: Any) -> None:
        """A rule is tried where the other's score is least and most, an expression everywhere."""
        if hasattr(strategy, "hold_at"):
            check_thresholds(game, strategy, (0, game.goal - 1))
        elif isinstance(strategy, RaceRule):
            strategy.check()

    def built_on(self, game: RaceGame, text: str, check: Callable[[str], str]) -> str | None:
        """Whoever skips turns plays by another strategy else."""
        return rewrite_base(text, check) if game.skip else None

    def quick_player(self, game: RaceGame, strategy: Any) -> Any:
        """Read off its table, unless it remembers more than a table shows, or needs none."""
        one = seats(strategy)[FIRST]
        if getattr(one, "memories", 1) != 1 or isinstance(one, (RandomRace, RaceRule)):
            return one
        table = tabulate(game, one)
        return one if table.columns != game.goal else TableStrategy(game, table, str(one))

    def warm(self, solution: Solution) -> None:
        """Turns are rebuilt."""
        solution.strategies[FIRST].warm()  # type: ignore[attr-defined]

    def engine(self, game: RaceGame, a: Any, b: Any) -> Engine | None:
        """Whole turns, or die by die; none for a player of two minds, one who watches the other's turns, or with too
        many views to ask before play."""
        (one, one_second), (two, two_second) = seats(a), seats(b)
        if one is not one_second or two is not two_second or hasattr(one, "watch") or hasattr(two, "watch"):
            return None
        try:
            return race_engine(game, tabulate(game, one), tabulate(game, two))
        except TooLarge:
            return None

    def check_luck(self, game: RaceGame) -> None:
        """Play must end, and the table of all losses fit in memory."""
        if game.skip or game.finish == "exact":
            raise RulesError(f"play in {game.name} may never end; luck is taken out of games that always end")
        size = 8 * game.goal**3 * (1 + len(game.rolls))
        if size > MOST_LUCK:
            raise TooLarge(f"the values of {game.name} need {size >> 20} MB; {MOST_LUCK >> 20} MB is allowed")

    def check_entry(self, game: RaceGame) -> None:
        """Goals up to MOST_ENTERED."""
        if game.goal > MOST_ENTERED:
            raise TooLarge(f"the goal of {game.name} is {game.goal}; files can enter up to {MOST_ENTERED}")

    def entries(self) -> Mapping[str, Callable[..., Any]]:
        """Tables, expressions and Python."""
        from .entries import READERS

        return READERS

    def columns(self, game: RaceGame, strategy: Any) -> Mapping[str, Any]:
        """Scores, turn total and action."""
        from .entries.table_csv import columns

        return columns(game, seats(strategy)[FIRST])

    def exactly(self, game: RaceGame, a: Any, b: Any) -> Evaluation | None:
        """A duel takes milliseconds; none is computed of who remembers more than a table shows."""
        players = (*seats(a), *seats(b))
        return None if any(hasattr(one, "watch") for one in players) else self.evaluate(game, a, b)

    def matrix(self, game: RaceGame, strategies: Sequence[Any]) -> Any:
        """Where somebody always wins, only the chances of the starters are needed."""
        if not rules_of(game).decisive:
            return None
        starters = duel.win_matrix(game, strategies)
        return (starters + 1.0 - starters.T) / 2

    def meets(self, game: RaceGame) -> bool:
        """Where all points can be lost, games take long."""
        pictures.check_goal(game)
        return pictures.is_short(game)

    def tabled(self, game: RaceGame, strategy: Any, name: str) -> Any:
        """As its table, made once for all games, if that shows all it remembers."""
        one = seats(strategy)[FIRST]
        return one if hasattr(one, "watch") else TableStrategy(game, tabulate(game, strategy), name)

    def player(self, game: RaceGame, told: Mapping[str, Any], arrays: Mapping[str, Any]) -> Any:
        """Read off its table."""
        return TableStrategy(game, RaceTable(**arrays, solo=told["solo"]), told["name"])

    def player_effort(self, game: RaceGame, solves: bool) -> Effort:
        """Its table; one that is made of a solution may have a mix in each state."""
        size = LITTLE + PAIR * game.goal**2
        return (
            Effort(self.effort(game).seconds, size + MIX * game.goal**3 // 2) if solves else Effort(0.0, size)
        )

    def gained(self, game: RaceGame, before: RaceState, after: RaceState) -> Gain | None:
        """The points that were banked, 0 of a turn that was lost, unless they have won."""
        if before.mover == after.mover or after.yours >= game.goal:
            return None
        return Gain(before.mover, max(0, after.yours - before.mine))

    def check_levels(self, game: RaceGame) -> None:
        """A mix at each state."""
        check_levels(game)

    def check_learner(self, game: RaceGame) -> None:
        """Likewise; and play must end."""
        check_levels(game)
        if game.skip or game.finish == "exact":
            raise RulesError(
                f"play in {game.name} may never end; people are learned in games that always end"
            )

    def minded(self, solution: Solution, mind: Mind, name: str) -> TableStrategy:
        """Weighed at all states at once."""
        game: Any = solution.game
        return minded.minded(game, mind, name)

    def leveled(self, solution: Solution, precision: float, name: str) -> TableStrategy:
        """Likewise."""
        game: Any = solution.game
        return logit(game, precision, name)

    def returns(self, game: RaceGame) -> bool:
        """Only if turns may be skipped."""
        return game.skip

    def strategies(self, game: RaceGame) -> Mapping[str, Callable[..., Any]]:
        """Rules of thumb, solved ones and characters."""
        return RACE | CHARACTERS


def _waits(game: RaceGame) -> int:
    """After how many turns, about, the likeliest roll gains something: as often its pair of scores is looked at."""
    busts = (
        sum((chance for chance, effect, _ in roll if effect is Effect.BUST), Fraction(0))
        for _, roll in game.rolls
    )
    gains = 1 - min(busts)
    return min(PASSES, int(1 / gains)) if gains else PASSES


FAMILY = RaceFamily()
FORM = Restoring(
    lambda header: TYPES,
    lambda game: PAIR_BYTES * game.goal**2 + 1_000_000,
    lambda game, header, arrays: restore(game, FAMILY.claimed(game, header), arrays),
    level=1,
)
