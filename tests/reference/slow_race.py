"""A slow twin for race games without ruin: strategy iteration in exact fractions from the rules."""

from fractions import Fraction

from dicewright.games.race import HOLD, RaceGame, RaceState, RaceView

Line = tuple[Fraction, Fraction]  # a constant, and a multiple of what a bust is worth


class SlowRace:
    """Values and an optimal plan; `values[i, j]` is the mover's, `choices(i, j)` as the checker asks."""

    def __init__(self, game: RaceGame) -> None:
        self.game = game
        self.values: dict[tuple[int, int], Fraction] = {}
        self.plan: dict[RaceView, str] = {}
        pairs = [(i, j) for i in range(game.goal) for j in range(i + 1)]
        for i, j in sorted(pairs, key=sum, reverse=True):
            self.solve_pair(i, j)

    def solve_pair(self, i: int, j: int) -> None:
        for scores in ((i, j), (j, i)):
            for k in range(self.game.goal - scores[0]):
                view = RaceView(*scores, k)
                self.plan.setdefault(view, self.game.actions(view)[0])
        for _ in range(100):
            (a, b), (c, d) = self.turn(i, j), self.turn(j, i)
            stuck = b * d == 1
            self.values[i, j] = Fraction(0) if stuck else (a - b * c) / (1 - b * d)
            self.values[j, i] = Fraction(0) if stuck else (c - d * a) / (1 - b * d)
            before = dict(self.plan)
            self.turn(i, j, -self.values[j, i])
            self.turn(j, i, -self.values[i, j])
            if self.plan == before:
                return
        raise RuntimeError(f"strategy iteration cycles at {i}-{j}")

    def turn(self, i: int, j: int, bust: Fraction | None = None) -> Line:
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
        state = self.game.play(RaceState(0, i, j, k), action)
        if action == HOLD:
            return self.landed(state, i, lines)
        ends = [
            (chance, self.landed(self.game.play(state, face), i, lines))
            for face, chance in self.game.outcomes(state).items()
        ]
        return sum(c * a for c, (a, _) in ends), sum(c * b for c, (_, b) in ends)

    def landed(self, state: RaceState, i: int, lines: dict[int, Line]) -> Line:
        if state.mover == 0 and state.mine + state.turn < self.game.goal:
            return lines[state.turn]
        score, other = (
            (state.mine + state.turn, state.yours) if state.mover == 0 else (state.yours, state.mine)
        )
        if score >= self.game.goal:
            return Fraction(self.game.winnings(score, other)), Fraction(0)
        return (Fraction(0), Fraction(1)) if score == i else (-self.values[other, score], Fraction(0))

    def choices(self, i: int, j: int) -> list[int]:
        names = [HOLD, *dict(self.game.rolls)]
        return [names.index(self.plan[RaceView(i, j, k)]) for k in range(self.game.goal - i)]
