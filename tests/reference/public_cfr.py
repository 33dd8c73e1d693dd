"""CFR and best responses on a round of Bluff by the book: dictionaries, recursion, every pair of hands.

It knows the rules only through the questions every game answers, and works with floats or fractions. Rows are
dictionaries from a hand; `table[said][action][hand]` is a number for each information set and action.
"""

from fractions import Fraction
from typing import Any

from dicewright.core.game import OVER
from dicewright.families.bluff.rules import Bluff, BluffState, BluffView, Hand

Table = dict[tuple[Any, ...], dict[Any, dict[Hand, Any]]]


def deal(game: Bluff, player: int, number: type = float) -> dict[Hand, Any]:
    """The chance of each hand."""
    rolls = game.sides ** game.dice[player]
    return {hand: number(Fraction(ways, rolls)) for hand, ways in game.hands(player).items()}


def histories(game: Bluff, said: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All histories where somebody is to move."""
    found = [said]
    for action in game.actions(BluffView((), said)):
        if not isinstance(action, str):
            found += histories(game, (*said, action))
    return found


def final_worth(game: Bluff, player: int, said: tuple[Any, ...], reach: dict[Hand, Any]) -> dict[Hand, Any]:
    """What a finished round is worth to each hand of the player, over all hands of the other."""
    worth = {}
    for mine in game.hands(player):
        worth[mine] = 0
        for theirs, chance in reach.items():
            hands = (mine, theirs) if player == 0 else (theirs, mine)
            payoff = int(game.payoff(BluffState(hands, said)))
            worth[mine] += chance * (payoff if player == 0 else -payoff)
    return worth


def shares(weights: dict[Any, dict[Hand, Any]], hand: Hand, otherwise: dict[Any, Any]) -> dict[Any, Any]:
    """Positive weights over their sum; `otherwise` where there are none."""
    positive = {action: max(row[hand], 0) for action, row in weights.items()}
    total = sum(positive.values())
    return {action: weight / total for action, weight in positive.items()} if total > 0 else otherwise


def known(weights: dict[Any, dict[Hand, Any]], hand: Hand) -> bool:
    """Whether some weight is positive."""
    return any(row[hand] > 0 for row in weights.values())


def summed(rows: list[dict[Hand, Any]]) -> dict[Hand, Any]:
    """The chances of all who may be here."""
    return {hand: sum(row[hand] for row in rows) for hand in rows[0]}


def sweep(
    game: Bluff, player: int, said: tuple[Any, ...], here: list[dict[Hand, Any]],
    regrets: Table, averages: Table, step: Any, others: list[Any],
) -> dict[Hand, Any]:  # fmt: skip
    """One sweep of CFR for the player, who meets `here`: the other player's own play first, then each of `others`.

    Regrets and averages are changed in place. The numbers of the step are those of `cfr.Iteration`.
    """
    nothing = dict.fromkeys(game.hands(player), 0)
    if game.mover(BluffState(((), ()), said)) == OVER:
        return final_worth(game, player, said, summed(here))
    actions = game.actions(BluffView((), said))
    even = dict.fromkeys(actions, 1 / len(actions))
    rows, after = regrets[said], {}
    rest = (regrets, averages, step, others)

    def below(action: Any, rows: list[dict[Hand, Any]]) -> dict[Hand, Any]:
        ends = isinstance(action, str) or (action == game.bids[-1] and len(game.endings) == 1)
        if not ends and sum(summed(rows).values()) <= step.skip:
            return nothing
        return sweep(game, player, (*said, action), rows, *rest)

    if len(said) % 2 != player:
        play = {hand: shares(rows, hand, even) for hand in here[0]}
        for action in actions:
            branch = {}
            for hand, chance in here[0].items():
                weight = step.weight if known(rows, hand) else 1
                averages[said][action][hand] += weight * chance * play[hand][action]
                branch[hand] = chance * ((1 - step.slip) * play[hand][action] + step.slip * even[action])
            follow = [
                {hand: chance * other(BluffView(hand, said)).get(action, 0) for hand, chance in row.items()}
                for other, row in zip(others, here[1:], strict=True)
            ]
            after[action] = below(action, [branch, *follow])
        return {hand: sum(after[action][hand] for action in actions) for hand in nothing}
    idle: set[Any] = set()
    left = len(game.bids) - (game.bids.index(said[-1]) + 1 if said else 0)
    if step.quick and left >= 3 and all(known(rows, hand) for hand in nothing):
        idle = {action for action in actions if not any(rows[action][hand] > 0 for hand in nothing)}
        idle -= {*game.endings, *(game.bids[-1:] if len(game.endings) == 1 else ())}
    actions = [action for action in actions if action not in idle]
    for action in actions:
        after[action] = below(action, here)
    worth = {}
    for hand in nothing:
        play = shares(rows, hand, even)
        worth[hand] = sum(play[action] * after[action][hand] for action in actions)
        for action in actions:
            old = rows[action][hand]
            new = step.gain * (after[action][hand] - worth[hand])
            rows[action][hand] = (old if old > 0 else step.keep * old) + new
    return worth


def best_worth(
    game: Bluff, player: int, said: tuple[Any, ...], reach: dict[Hand, Any], averages: Table
) -> dict[Hand, Any]:
    """What a best response to the average strategy of the other is worth to each hand of the player."""
    if game.mover(BluffState(((), ()), said)) == OVER:
        return final_worth(game, player, said, reach)
    actions = game.actions(BluffView((), said))
    call = {action: int(action == "call") for action in actions}
    after = {}
    for action in actions:
        branch = reach
        if len(said) % 2 != player:
            rows = averages[said]
            branch = {hand: chance * shares(rows, hand, call)[action] for hand, chance in reach.items()}
        after[action] = best_worth(game, player, (*said, action), branch, averages)
    choose = max if len(said) % 2 == player else sum
    return {hand: choose([after[action][hand] for action in actions]) for hand in game.hands(player)}


def response_value(game: Bluff, player: int, averages: Table, number: type = float) -> Any:
    """The payoff of a best response, the mean over the player's hands."""
    worth = best_worth(game, player, (), deal(game, 1 - player, number), averages)
    return sum(chance * worth[hand] for hand, chance in deal(game, player, number).items())
