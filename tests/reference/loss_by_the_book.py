"""A slow twin of the critic: states, the seven questions and fractions only."""

from fractions import Fraction

from flint import fmpq, fmpq_mat

from dicewright.core.game import CHANCE, FIRST, OVER


def solved_linear(matrix, right):
    """x of matrix x = right in fractions."""

    def number(value):
        return fmpq(value.numerator, value.denominator)

    rows = fmpq_mat([[number(value) for value in row] for row in matrix])
    found = rows.solve(fmpq_mat([[number(value)] for value in right]))
    return [Fraction(int(value.p), int(value.q)) for value in found.entries()]


class ByTheBook:
    """A game that always ends, with pure or mixed strategies in fractions, as a chain of its states."""

    def __init__(self, game, strategies):
        self.game, self.strategies = game, strategies
        self.number, todo = {game.start(): 0}, [game.start()]
        while todo:
            for then in self.steps(todo.pop()):
                if then not in self.number:
                    self.number[then] = len(self.number)
                    todo.append(then)
        self.states = list(self.number)

    def mix(self, state):
        """What happens there, with chances."""
        game, mover = self.game, self.game.mover(state)
        if mover == OVER:
            return {}
        return game.outcomes(state) if mover == CHANCE else self.strategies[mover](game.view(state, mover))

    def steps(self, state):
        """The states that follow, with chances."""
        found = {}
        for choice, chance in self.mix(state).items():
            then = self.game.play(state, choice)
            found[then] = found.get(then, 0) + Fraction(chance)
        return found

    def chain(self):
        """I minus the matrix of steps."""
        matrix = [[Fraction(n == m) for m in range(len(self.states))] for n in range(len(self.states))]
        for state, n in self.number.items():
            for then, chance in self.steps(state).items():
                matrix[n][self.number[then]] -= chance
        return matrix

    def worths(self):
        """The expected payoff to FIRST from each state on."""
        paid = [self.game.payoff(s) if self.game.mover(s) == OVER else 0 for s in self.states]
        return dict(zip(self.states, solved_linear(self.chain(), list(map(Fraction, paid))), strict=True))

    def visits(self):
        """The mean number of visits to each state."""
        matrix = [list(column) for column in zip(*self.chain(), strict=True)]
        start = [Fraction(n == 0) for n in range(len(self.states))]
        return dict(zip(self.states, solved_linear(matrix, start), strict=True))


def taken_apart(game, strategy, rival, answer, seat):
    """{(view, action): lost} of the strategy in `seat`, and the gap to `answer`, the best answer to the rival."""

    def pair(mine):
        return (mine, rival) if seat == FIRST else (rival, mine)

    sign = 1 if seat == FIRST else -1
    played, best = ByTheBook(game, pair(strategy)), ByTheBook(game, pair(answer))
    everywhere = ByTheBook(game, pair(lambda view: anything(game, view)))
    known = best.worths()

    def worth(state):
        """Of states that the answer itself never comes to, by playing on with it."""
        if state not in known:
            known.update(ByTheBook(_Begun(game, state), pair(answer)).worths())
        return sign * known[state]

    assert set(played.states) <= set(everywhere.states)
    lost, visits = {}, played.visits()
    for state, often in visits.items():
        if game.mover(state) != seat:
            continue
        view = game.view(state, seat)
        values = {action: worth(game.play(state, action)) for action in game.actions(view)}
        for action, share in strategy(view).items():
            key = (view, action)
            lost[key] = lost.get(key, 0) + often * Fraction(share) * (max(values.values()) - values[action])
    gap = sign * (best.worths()[game.start()] - played.worths()[game.start()])
    return lost, gap


def anything(game, view):
    """Every action alike, in fractions."""
    actions = game.actions(view)
    return dict.fromkeys(actions, Fraction(1, len(actions)))


class _Begun:
    def __init__(self, game, state):
        self.game, self.state = game, state

    def __getattr__(self, name):
        return getattr(self.game, name)

    def start(self):
        return self.state
