"""A saved game as anyone may see it: open once it has ended, with hidden dice until then."""

import random
from dataclasses import replace

import pytest
from tests.reference.random_play import GAMES, random_record

from dicewright.core.errors import StorageError
from dicewright.families.bluff.match import BluffMatch
from dicewright.families.race.rules import RaceGame
from dicewright.storage.shelf.saved_game import SavedGame, exported, hidden, new_id, plies_of


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_that_ended_is_open_and_one_that_goes_on_shows_no_dice(game):
    rng = random.Random(game.name)
    for _ in range(20):
        record = random_record(game, rng, rng.randrange(30), "unfinished")
        plies = plies_of(SavedGame.of(record))
        assert [ply.number for ply in plies] == list(range(1, len(record.choices) + 1))
        if record.ended == "over" or isinstance(game, RaceGame):
            assert not hidden(record)
            assert [ply.choice for ply in plies] == list(map(game.show_choice, record.choices))
            assert all(ply.words and ply.position for ply in plies)
        else:
            dice = [ply.choice for ply in plies if ply.who == "dice"]
            past = record.state_at(len(plies)).past if isinstance(game, BluffMatch) else ()
            open_rolls = sum(len(done.hands) for done in past)
            assert all(dice[:open_rolls])
            assert not any(dice[open_rolls:])
            assert all(ply.position is None for ply in plies)


def test_export_leaves_out_what_is_not_over():
    record = random_record(
        GAMES[0], random.Random(1), 4, "unfinished", tags=(("ServerSeed", "00"), ("First", "A"))
    )
    with pytest.raises(StorageError, match="--unfinished exports it"):
        exported(SavedGame.of(record))
    assert exported(SavedGame.of(record), unfinished=True) == replace(record, tags=(("First", "A"),))
    over = random_record(GAMES[0], random.Random(1), tags=(("ServerSeed", "00"),))
    assert exported(SavedGame.of(over)) == over


def test_ids_fit_in_addresses_and_commands():
    ids = {new_id() for _ in range(2000)}
    assert len(ids) == 2000
    assert all(id[0].isalnum() and id.replace("-", "").replace("_", "").isalnum() for id in ids)
