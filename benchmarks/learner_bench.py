"""What the opponent that learns you gains of modelled people, by games that it has seen (docs/learner.md)."""

from random import Random
from typing import Any

from dicewright.arena.table import play_game
from dicewright.core.solution import seats
from dicewright.families import family
from dicewright.families.catalog import parse
from dicewright.families.minds import BOUND
from dicewright.families.safe import Scale
from dicewright.people.learner import learn
from dicewright.storage.store import solution_of
from dicewright.storage.strategies import parse as parse_strategy

PEOPLE = {
    "pig": ("hold:25", "influenced", "averse", "level:3"),
    "mia": ("truthful", "tree", "level:3", "level:6"),
    "bluff": ("truthful", "call-below:0.3", "level:3", "level:6"),
}
GAMES = (10, 30, 100)
SEEDS = 2
ROUNDING = 1e-9


def run() -> bool:
    """A row for each person and number of games, the mean of some seeds; whether the bound holds everywhere."""
    print("| game | person | bold | games | decisions | expected | gained | may lose |")
    print("|---|---|---|---|---|---|---|---|")
    rows = [_row(name, text) for name, people in PEOPLE.items() for text in people]
    return all(rows)


def _row(name: str, text: str) -> bool:
    game = parse(name)
    solution, kin = solution_of(game), family(game)
    person = parse_strategy(text, game)
    scale = Scale(kin, solution, person)
    bold = scale.safe(kin.best_response(game, person).strategy)
    careers = [_games(game, person, kin.quick_player(game, solution.player), seed) for seed in range(SEEDS)]
    kept = True
    for count in GAMES:
        found = [learn(solution, games[:count]) for games in careers]
        gained = [0.0 if one.strategy is None else scale.gain(one.strategy) / 2 for one in found]
        kept &= all(one.loss <= BOUND + ROUNDING for one in found)
        told = [sum(one.gain for one in found) / SEEDS, sum(gained) / SEEDS, max(one.loss for one in found)]
        decisions = sum(one.decisions for one in found) / SEEDS
        head = (
            f"| {name} | `{text}` | {bold.gain / 2:+.1%} ({bold.loss / 2:.0%}) | {count} | {decisions:.0f} |"
        )
        print(head, " | ".join(f"{number:+.2%}" for number in told[:2]), f"| {told[2]:.2%} |", flush=True)
    return kept


def _games(game: Any, person: Any, player: Any, seed: int) -> list[Any]:
    """Games of a person against the optimal player, in both seats in turn."""
    rng, found, (mine, theirs) = Random(seed), [], (seats(person), seats(player))
    for number in range(max(GAMES)):
        seat = number % 2
        pair = (mine[0], theirs[1]) if seat == 0 else (theirs[0], mine[1])
        found.append((play_game(game, pair, rng).choices, seat))
    return found
