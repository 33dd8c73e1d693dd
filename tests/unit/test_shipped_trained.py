"""The trained players that come with the package are made by one command that goes on where it was stopped."""

from types import MappingProxyType

import pytest

from dicewright.families.bluff.large.lessons import memory_of
from dicewright.families.bluff.match_family import FAMILY
from dicewright.families.catalog import parse
from dicewright.storage import shipped, store, trained

SMALL = "bluff-match:dice=2v1,sides=2"


@pytest.mark.slow
def test_the_files_of_trained_players_are_made_and_copied(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shipped, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "package")
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "mine"))
    monkeypatch.setattr(type(FAMILY), "taught", MappingProxyType({SMALL: 3}))
    (tmp_path / "package").mkdir()
    shipped.teach([])
    made = sorted((tmp_path / "package" / "trained").iterdir())
    assert len(made) == 3
    assert f"{SMALL}: 3 rounds" in capsys.readouterr().out
    before = [file.read_bytes() for file in made]
    shipped.teach([SMALL])  # nothing is left to be done
    assert [file.read_bytes() for file in made] == before
    shipped.teach(["perudo"])
    assert sorted((tmp_path / "package" / "trained").iterdir()) == made


def test_both_rule_sets_ship():
    assert set(FAMILY.taught) == {"bluff-match:dice=5v5", "perudo"}


@pytest.mark.parametrize("text", FAMILY.taught)
def test_who_trains_what_ships_anew_gets_no_weaker_player(text):
    """Perudo's first round was trained with a hint, and its recipe had none: .132 instead of .103."""
    game = parse(text)
    lessons = FAMILY.lessons(game)
    for part in lessons.parts:
        whole, jump, least, *hint = trained.read(part, lessons).header["memory"]
        memory = memory_of(part)
        assert (memory.whole, memory.jump, memory.least) == (whole, jump, least)
        assert memory.hint in (*(hint or ["none"]), "face")
    assert sum(lessons.takes(part).seconds for part in lessons.parts) < 3600
    assert sum(sorted(lessons.takes(part).memory for part in lessons.parts)[-2:]) < 12 * 10**9
