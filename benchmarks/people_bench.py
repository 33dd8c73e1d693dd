"""People: 1,000 participants with 10 games each, some 300,000 decisions, made up and fitted."""

import numpy as np

from dicewright.core.crowd import Crowd
from dicewright.families.catalog import parse as game
from dicewright.families.race.people import HYPOTHESES, TERMS
from dicewright.people.findings import hypotheses
from dicewright.people.fit import fit
from dicewright.people.games import meetings, play_crowd
from dicewright.people.losses import learning, loss_by

from .timing import line, once

PLAYERS, GAMES = 1000, 10
LIMIT = 60.0  # seconds for all models


def run() -> bool:
    """Print all lines; whether every limit was kept."""
    rules, rng = game("pig"), np.random.default_rng(1)
    crowd = Crowd(
        rng.normal(0.3, 0.5, PLAYERS),
        rng.normal(100.0, 20.0, PLAYERS),
        np.zeros((PLAYERS, len(TERMS))),
        np.zeros(PLAYERS, np.int64),
    )
    pairs = meetings(PLAYERS, GAMES, rng)
    play_crowd(rules, crowd, pairs[:2], 1)  # compiles
    line(
        f"{len(pairs):,} games of {PLAYERS:,} people made up",
        once(lambda: play_crowd(rules, crowd, pairs, 1)),
        None,
    )
    choices = play_crowd(rules, crowd, pairs, 1).choices
    groups = [("a", "b", "c")[n % 3] for n in range(PLAYERS)]

    def models() -> None:
        fit(choices)
        hypotheses(fit(choices, TERMS), HYPOTHESES)
        loss_by(choices, groups)
        loss_by(choices, [str(n) for n in choices.game])
        learning(choices)

    return line(f"models of {len(choices):,} decisions of {PLAYERS:,} people", once(models), LIMIT)
