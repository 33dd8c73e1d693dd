"""A slow twin for race games without ruin: strategy iteration in exact fractions from the rules."""

from fractions import Fraction

from flint import fmpq

from dicewright.families.race.rules import HOLD, RaceGame, RaceState, RaceView

Line = tuple[fmpq, fmpq]  # a constant, and a multiple of what a bust is worth


class SlowRace:
    """Values and an optimal plan; `values[i, j]` is the mover's, `choices(i, j)` as the checker asks.

    `exact` are the same values as numbers of flint, which are added ten times as fast.
    """

    def __init__(self, game: RaceGame) -> None:
        self.game = game
        self.exact: dict[tuple[int, int], fmpq] = {}
        self.plan: dict[RaceView, str] = {}
        self.moves: dict[tuple[int, int, int, str], list[tuple[fmpq, RaceState]]] = {}
        pairs = [(i, j) for i in range(game.goal) for j in range(i + 1)]
        for i, j in sorted(pairs, key=sum, reverse=True):
            self.solve_pair(i, j)
        self.values = {scores: Fraction(int(v.p), int(v.q)) for scores, v in self.exact.items()}

    def solve_pair(self, i: int, j: int) -> None:
        for scores in ((i, j), (j, i)):
            for k in range(self.game.goal - scores[0]):
                view = RaceView(*scores, k)
                self.plan.setdefault(view, self.game.actions(view)[0])
        for _ in range(100):
            (a, b), (c, d) = self.turn(i, j), self.turn(j, i)
            stuck = b * d == 1
            self.exact[i, j] = fmpq(0) if stuck else (a - b * c) / (1 - b * d)
            self.exact[j, i] = fmpq(0) if stuck else (c - d * a) / (1 - b * d)
            before = self.plans_of(i, j)
            self.turn(i, j, -self.exact[j, i])
            self.turn(j, i, -self.exact[i, j])
            if self.plans_of(i, j) == before:
                return
        raise RuntimeError(f"strategy iteration cycles at {i}-{j}")

    def plans_of(self, i: int, j: int) -> list[str]:
        """What the plan says at this pair of scores, the only part that solving it can change."""
        views = (
            RaceView(*scores, k) for scores in ((i, j), (j, i)) for k in range(self.game.goal - scores[0])
        )
        return [self.plan[view] for view in views]

    def turn(self, i: int, j: int, bust: fmpq | None = None) -> Line:
        """One turn under the plan, as a line; the plan is improved first if the worth of a bust is given."""
        lines: dict[int, Line] = {}
        for k in range(self.game.goal - i - 1, -1, -1):
            view = RaceView(i, j, k)
            worth = {action: self.action_line(i, j, k, action, lines) for action in self.game.actions(view)}
            if bust is not None:
                values = {action: a + b * bust for action, (a, b) in worth.items()}
                best = max(values, key=values.__getitem__)
                if values[best] > values[self.plan[view]]:
                    self.plan[view] = best
            lines[k] = worth[self.plan[view]]
        return lines[0]

    def action_line(self, i: int, j: int, k: int, action: str, lines: dict[int, Line]) -> Line:
        if (moves := self.moves.get((i, j, k, action))) is None:
            moves = self.moves[i, j, k, action] = self.follow(RaceState(0, i, j, k), action)
        a = b = fmpq(0)
        for chance, state in moves:
            constant, multiple = self.landed(state, i, lines)
            a, b = a + chance * constant, b + chance * multiple
        return a, b

    def follow(self, state: RaceState, action: str) -> list[tuple[fmpq, RaceState]]:
        """The states after an action, with their chances."""
        after = self.game.play(state, action)
        if action == HOLD:
            return [(fmpq(1), after)]
        return [
            (fmpq(chance.numerator, chance.denominator), self.game.play(after, face))
            for face, chance in self.game.outcomes(after).items()
        ]

    def landed(self, state: RaceState, i: int, lines: dict[int, Line]) -> Line:
        if state.mover == 0 and state.mine + state.turn < self.game.goal:
            return lines[state.turn]
        score, other = (
            (state.mine + state.turn, state.yours) if state.mover == 0 else (state.yours, state.mine)
        )
        if score >= self.game.goal:
            return fmpq(*self.game.winnings(score, other).as_integer_ratio()), fmpq(0)
        return (fmpq(0), fmpq(1)) if score == i else (-self.exact[other, score], fmpq(0))

    def choices(self, i: int, j: int) -> list[int]:
        names = [HOLD, *dict(self.game.rolls)]
        return [names.index(self.plan[RaceView(i, j, k)]) for k in range(self.game.goal - i)]
