"""Crocce & Mordecki, "Optimal minimax strategy in a dice game": Pig to 200.

Our copy has lost the paper's formulas, most numbers and all pictures; what it says in words is checked.
"""

from collections.abc import Iterator
from functools import partial

from ..families.catalog import parse as game
from ..families.race.duel import best_response_race
from ..families.race.rules import HOLD, ROLL, RaceView
from ..families.race.solitaire import best_turn, fewest_turns
from ..families.race.solution import solve_race
from . import crocce_variants
from .again import overall_again, turns_again
from .claims import CROCCE, Because, Claim, Depth, Found
from .crocce_variants import LOST, PIG, TARGET, equation, first_stop, never_stops, open_states, zones
from .kinds import fact, missing, number, played
from .solved import Flags, met, play_games, solved, table


def claims() -> Iterator[Claim]:
    """Sections 3 and 4."""
    yield from _classical()
    yield from _observations()
    yield from _haigh_roters()
    yield from crocce_variants.claims()


def _classical() -> Iterator[Claim]:
    def value() -> Found:
        certificate = solve_race(game(PIG), "bounds").certificate
        chance = (1 + certificate.value) / 2
        return f"first wins {chance:.10f}, second {1 - chance:.10f}", certificate.lower > 0

    def guarantee() -> Found:
        response = best_response_race(game(PIG), solved(PIG))
        best = ((response.first_wins or 0) + (response.second_wins or 0)) / 2
        return f"the best response to it wins {best:.12f}", best < 0.5 + 1e-12

    yield equation(PIG, "2, theorem", "the value")
    yield fact(CROCCE, "3", "the value: moving first is worth more than one half", "a value exists", value,
               depth=Depth.DEFAULT)  # fmt: skip
    yield fact(CROCCE, "3", "a fair coin decides who starts: the optimum wins", "at least 1/2", guarantee)

    def states() -> Found:
        count = 2 * TARGET * TARGET * (TARGET + 1) // 2
        return f"{count:,} states of both players", False, count

    def counted() -> int:
        totals = [len(table(PIG, "optimal").choices(i, j)) for i in range(TARGET) for j in range(TARGET)]
        return 2 * sum(totals)

    yield missing(CROCCE, "3", "number of states", "about ...", Because(LOST, counted), states)

    def sixes() -> Found:
        needed = 2 * -(-TARGET // 6) - 1
        return f"{needed} in a row are enough, if both stop after each", needed <= 70

    yield fact(CROCCE, "3", "70 sixes in a row end any game", "70", sixes)


def _observations() -> Iterator[Claim]:
    place, low = "3, observations", 10
    yield number(CROCCE, "3 (Roters)", "the turn total that makes one turn best", "20",
                 lambda: float(best_turn(game(PIG))[0]))  # fmt: skip

    def stops(rolls: Flags) -> tuple[int, int, int, int]:
        """The first stop at 0-0, the least and the largest at low scores, and how many are the one of Roters."""
        found = [first_stop(rolls, mine, yours) for mine in range(low) for yours in range(low)]
        return found[0], min(found), max(found), found.count(best_turn(game(PIG))[0])

    def start() -> Found:
        zero, least, most, same = found = stops(zones(PIG))
        worths = solved(PIG).action_worths(RaceView(0, 0, 20))
        text = (
            f"{zero} at 0-0, where rolling at 20 gains {worths[ROLL] - worths[HOLD]:.1e}; "
            f"{least} to {most} where both are below {low}, 20 in {same} of {low**2} pairs"
        )
        return text, least == most == best_turn(game(PIG))[0], found

    yield fact(
        CROCCE, place, "at low scores: roll below this turn total, as Roters does", "... (lost; 20 by Roters)", start,
        Because("Roters makes one turn best, the optimum the game: at most low scores 20 is still a roll, by a hair",
                lambda: stops(turns_again(PIG).rolls)),
    )  # fmt: skip

    def riskier() -> Found:
        sizes = [int(zones(PIG)[:, yours][open_states()].sum()) for yours in range(TARGET)]
        some = ", ".join(f"{sizes[yours]:,} at {yours}" for yours in (0, 50, 100, 150, 180, 185, 187))
        return f"states with a roll: {some}; never fewer at a higher score", sizes == sorted(sizes)

    yield fact(CROCCE, place, "riskier the closer the opponent is", "riskier", riskier)

    def never_stop() -> Found:
        grey = never_stops(zones(PIG))
        return f"from {grey[0]} on, without a gap", grey == list(range(187, TARGET))

    yield fact(CROCCE, place, "opponent's score from which one never stops", "187", never_stop)


def _haigh_roters() -> Iterator[Claim]:
    pair = ("optimal", "fewest-turns")
    yield number(CROCCE, "3 (Haigh & Roters)", "fewest expected turns to 200", "24.785745",
                 lambda: float(fewest_turns(game(PIG))[0][0]))  # fmt: skip

    def exactly() -> Found:
        found = met(PIG, *pair).a_overall
        return f"{100 * found:.4f} % exactly", False, found

    yield missing(
        CROCCE, "3, observations", "share of games won against Haigh & Roters", "...",
        Because(LOST, partial(overall_again, PIG, *pair)), exactly,
    )  # fmt: skip

    def play() -> tuple[int, int]:
        games = 100_000
        first, second = play_games(PIG, *pair, games, 1) > 0, play_games(PIG, *pair[::-1], games, 2) < 0
        return int(first.sum() + second.sum()), 2 * games

    yield played(CROCCE, "3, observations", "the same, played", "more than half",
                 lambda: met(PIG, *pair).a_overall, play)  # fmt: skip
