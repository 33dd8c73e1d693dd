"""What rounds played to be won cost where the loser loses the difference: python -m benchmarks.five_dice_difference

Small matches are solved exactly twice, by the rules of loss=one and by those of loss=difference. What a best response
gets from the first strategy under the second rules, beyond the match's value, is the cost; halved it is winning chance.
"""

import dicewright as dw

MATCHES = ("dice=2v1,sides=3", "dice=1v2,sides=3", "dice=2v1,sides=4")


def main() -> None:
    """Print rows of docs/five-dice.md."""
    print("| match | value | a best response gets | winning chance lost |\n|---|---|---|---|")
    for rules in MATCHES:
        wins = dw.solve(dw.game(f"bluff-match:{rules}")).player
        game = dw.game(f"bluff-match:{rules},loss=difference")
        value = float(dw.solve(game).certificate.value)
        found = dw.best_response(game, wins)
        first, second = float(found.first_payoff), float(found.second_payoff)
        lost = (first + second) / 4
        print(f"| {game.name} | {value:.4f} | {first:.4f}, {second:.4f} | {lost:.4f} |", flush=True)


if __name__ == "__main__":
    main()
