"""Races whose points have a common divisor: turn totals between cannot occur, and take no room in a strategy."""

import pytest

import dicewright as dw


@pytest.mark.parametrize("method", ["auto", "bounds", "balls"])
@pytest.mark.parametrize(
    "line",
    ["race:+2/+4/bust,goal=14", "race:a:+4/bust,b:+2/+6/bust.2,goal=11,skip=yes", "pig:sides=2,goal=9"],
)
def test_their_solutions_are_proved_again(line, method, tmp_path):
    solution = dw.solve(line, method, fresh=True)
    dw.save(tmp_path / "even.npz", solution)
    assert dw.verify(tmp_path / "even.npz").proved
    assert float(dw.evaluate(line, solution, solution).a_first.payoff) == pytest.approx(
        solution.certificate.value
    )


def test_even_points_take_few_runs_and_odd_goals_that_nobody_hits_are_solved():
    line = "race:+2/+4/bust,goal=61,finish=exact"
    solution = dw.solve(line, "estimate", fresh=True)
    assert solution.certificate.value == 0
    assert len(solution.choices.starts) < 4 * 61**2
    solution.arrays()  # few enough for a file
