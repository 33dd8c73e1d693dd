"""The tables of docs/five-dice.md about the players that ship: python -m benchmarks.five_dice_shipped

Of each round what a best response gets at least, as its file says, exactly up to four dice in all; then 20,000 matches
against each rule of thumb, with 95 % intervals.
"""

from math import sqrt
from time import process_time

from dicewright.arena.simulate import simulate
from dicewright.families import catalog, family
from dicewright.families.bluff.large.table import EXACT
from dicewright.storage import strategies, trained

MATCHES = ("bluff-match:dice=5v5", "perudo")
PLAYERS = ("truthful", "call-below:0.1", "call-below:0.2", "call-below:0.3", "call-below:0.5", "random")
GAMES = 20_000
MOST_EXACT = 4  # dice in all


def rounds(text: str) -> None:
    """The strength of each round."""
    game = catalog.parse(text)
    lessons = family(game).lessons(game)
    solved = trained.solution(game)
    print(f"\n| round of {game.name} | bids remembered whole | at least | exactly |\n|---|---|---|---|")
    for part in sorted(lessons.parts, key=lambda each: (sum(each.dice), each.dice, each.order)):
        taught = trained.read(part, lessons)
        first, second = taught.header["at_least"]
        exact = ""
        if sum(part.dice) <= MOST_EXACT:
            table = solved.plan.rounds.table(part).table
            exact = f"{table.strength(EXACT).exploitability:.4f}"
        dice = f"{part.dice[0]}v{part.dice[1]}{', palifico' if part.order == 'fixed' else ''}"
        first_bids, _, _, *hint = taught.header["memory"]
        whole = "all" if part.order == "fixed" else f"{first_bids}{' + face' if 'face' in hint else ''}"
        print(f"| {dice} | {whole} | {(first + second) / 2:.4f} | {exact} |", flush=True)


def matches(text: str) -> None:
    """How often the trained player wins."""
    game = catalog.parse(text)
    player = strategies.parse("trained", game)
    for name in PLAYERS:
        begun = process_time()
        wins = simulate(game, player, strategies.parse(name, game), GAMES, seed=1).a_rate
        speed = GAMES / (process_time() - begun)
        off = 1.96 * sqrt(wins * (1 - wins) / GAMES)
        print(f"| {game.name} | {name} | {100 * wins:.1f} ± {100 * off:.1f} | {speed:,.0f} |", flush=True)


def main() -> None:
    """Print them."""
    for text in MATCHES:
        rounds(text)
    print("\n| match | against | wins, % | matches a second |\n|---|---|---|---|")
    for text in MATCHES:
        matches(text)


if __name__ == "__main__":
    main()
