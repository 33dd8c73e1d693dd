"""Tables that forget, by the book: asked view by view, on the whole tree of the round."""

from itertools import product

from dicewright.families.bluff.rules import CALL, BluffState, BluffView


def table_strategy(table):
    """A mix for each view, found by hand: the whole history if it is remembered, else the last two bids and a hint."""
    memory, game = table.memory, table.game
    bids = [game.bids[place] for place in memory.bids]
    numbers = {bid: number for number, bid in enumerate(bids)}
    left = {
        "none": lambda bid: 0,
        "wild": lambda bid: int(bid.face == game.wild_face),
        "face": lambda bid: sorted({each.face for each in bids}).index(bid.face),
        "all": sorted(bids).index,
    }[memory.hint]
    hints = max(map(left, bids)) + 1

    def mix(view: BluffView):
        if any(bid not in numbers for bid in view.said):
            return {CALL: 1.0}
        said = tuple(numbers[bid] for bid in view.said)
        mover, last = len(said) % 2, said[-1] if said else -1
        whole = memory.histories[mover, last]
        remembered = all(said[:n] in memory.histories[n % 2, said[n - 1]] for n in range(1, len(said) + 1))
        hint = left(bids[said[-3]]) if len(said) > 2 else 0
        row = whole.index(said) if remembered else len(whole) + said[-2] * hints + hint
        hand = list(game.hands(mover)).index(view.mine)
        shares = table.shares[mover, last][row, :, hand]
        actions = [CALL, *(game.bids[memory.bids[n]] for n in range(last + 1, memory.size))]
        return {action: float(share) for action, share in zip(actions, shares, strict=True) if share > 0}

    return mix


def _deals(game):
    one, two = (game.hands(player) for player in (0, 1))
    total = sum(one.values()) * sum(two.values())
    return {(h, k): one[h] * two[k] / total for h, k in product(one, two)}


def value_by_the_book(game, first, second):
    """The payoff to the first seat."""

    def worth(state):
        mover = game.mover(state)
        if mover < 0:
            return game.payoff(state)
        mix = (first, second)[mover](game.view(state, mover))
        return sum(share * worth(game.play(state, action)) for action, share in mix.items())

    return sum(chance * worth(BluffState(hands)) for hands, chance in _deals(game).items())


def best_by_the_book(game, seat, rival):
    """What the best answer in a seat gets: information set by information set."""
    sign = 1 if seat == 0 else -1

    def worth(states):
        """Of states with weights, all alike to the player in the seat."""
        some = next(iter(states))
        mover = game.mover(some)
        if mover < 0:
            return sum(weight * sign * game.payoff(state) for state, weight in states.items())
        if mover == seat:
            actions = game.actions(game.view(some, seat))
            return max(worth({game.play(s, action): w for s, w in states.items()}) for action in actions)
        after: dict = {}
        for state, weight in states.items():
            for action, share in rival(game.view(state, mover)).items():
                after.setdefault(action, {})[game.play(state, action)] = weight * share
        return sum(worth(each) for each in after.values())

    deals: dict = {}
    for hands, chance in _deals(game).items():
        deals.setdefault(hands[seat], {})[BluffState(hands)] = chance
    return sum(worth(each) for each in deals.values())
