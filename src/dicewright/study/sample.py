"""A sample study of people made up: to see what a report looks like before anybody has played."""

from dataclasses import replace
from random import Random

import numpy as np

from ..arena.table import play_game
from ..people.games import crowds_of, meetings
from ..storage.shelf.saved_game import SavedGame
from ..storage.shelf.shelf import Shelf
from .plan_file import check_plan
from .questions import AVERSE, EXETER, LOVING, NEUTRAL
from .roster import Roster
from .template import template

TITLE = "Sample study: synthetic, of people made up"
PEOPLE, GAMES, SEED = 30, 3, 2017
PRECISION = (90.0, 25.0)  # mean and spread over people, of the noisy character
BIAS = {AVERSE: (0.7, 0.4), NEUTRAL: (0.2, 0.4), LOVING: (0.1, 0.4)}  # likewise, by what they state


def text() -> str:
    """The sample's file."""
    return template(participants=PEOPLE, games=GAMES).replace("Pig and attitude to risk", TITLE)


def fill(shelf: Shelf, seed: int = SEED) -> Roster:
    """Put the sample into a database: noisy players whose hold bias leans, a little, as they state."""
    plan, _ = check_plan(text())
    assert plan is not None
    roster, rng, luck = Roster.open(shelf, plan, text()), np.random.default_rng(seed), Random(seed)
    game, stated = plan.rules, rng.choice(list(BIAS), PEOPLE).tolist()
    players = []
    for name, attitude in zip(plan.participants, stated, strict=True):
        bias, precision = rng.normal(*BIAS[attitude]), max(10.0, rng.normal(*PRECISION))
        players.append(crowds_of(game).person(game, bias, precision))
        gambles = [each.options[int(rng.random() < GAMBLES[attitude])] for each in EXETER[1:]]
        roster.consent(name)
        named = (question.name for question in EXETER)
        roster.answer(name, dict(zip(named, (attitude, *gambles), strict=True)))
    for first, second in meetings(PEOPLE, GAMES, rng).tolist():
        record = play_game(game, (players[first], players[second]), luck)
        saved = SavedGame.of(replace(record, tags=(("First", ""), ("Second", ""))))
        shelf.save([saved])
        roster.sit(saved.id, {0: plan.participants[first], 1: plan.participants[second]})
    return roster


GAMBLES = {AVERSE: 0.3, NEUTRAL: 0.5, LOVING: 0.7}  # how many of them take a gamble
