"""Exact laboratory and playing partner for two-player dice games of chance and bluff.

>>> import dicewright as dw
>>> dw.solve("piglet:goal=2").certificate.exact
Fraction(1, 7)

Names are loaded when they are first used, so that importing the package is quick: it loads nothing at all.
"""

import sys

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOMES = {
    "core.errors": ("DicewrightError", "IllegalAction", "NotationError", "PrecisionError", "RulesError",
                    "StorageError", "StrategyError", "TooLarge", "VerificationError"),
    "core.game": ("Game",),
    "core.record": ("Forfeit", "Note", "Record"),
    "core.results": ("Advice", "Duel", "Evaluation", "Response"),
    "core.solution": ("Certificate", "Pair", "Solution"),
    "core.strategy": ("MemoryStrategy",),
    "families.race.named": ("big_pig", "hog", "pass_the_pigs", "pig", "piglet", "two_dice_pig"),
    "families.race.rules": ("RaceGame", "RaceState", "RaceView"),
    "families.race.strategies": ("Function", "HoldAt"),
    "arena.ranking": ("bradley_terry", "find_cycles", "hodge_split", "nash_average", "standings"),
    "arena.tournament": ("Tournament",),
    "analysis.grade": ("Grade",),
    "people.choices": ("Choices",),
    "people.findings": ("agreement", "hypotheses"),
    "people.fit": ("Fit", "fit"),
    "people.forms": ("Forms",),
    "people.games": ("Games", "games_of"),
    "people.losses": ("learning", "loss_by"),
    "people.power": ("Design", "power"),
    "storage.records.text": ("read_records", "write_records"),
    "storage.shelf.saved_game": ("SavedGame",),
    "storage.shelf.shelf": ("Shelf",),
    "arena.simulate": ("Series", "Tally"),
    "arena.margin": ("fair_games",),
    "arena.measured": ("Measured",),
    "arena.statistics": ("games_needed", "interval"),
    "storage.solution_file": ("load", "save", "verify"),
    "storage.store": ("solution_of", "solve"),
    "storage.strategies": ("gather",),
    "front.answers": ("advise", "analyse", "best_response", "best_rules", "best_turn", "decide", "evaluate",
                      "fewest_turns", "game_lengths", "iterate_best_responses", "judge_of", "nash_conv", "state_worth",
                      "visit_chances", "win_chances", "win_matrix"),
    "front.decisions": ("decisions",),
    "front.grade": ("grade",),
    "front.progress": ("progress",),
    "sweeps.plan": ("Plan",),
    "sweeps.run": ("Swept", "sweep"),
    "front.tables": ("export_strategy", "strategy_table"),
    "front.values": ("Value", "values"),
    "bridges.gambit": ("to_efg",),
    "bridges.openspiel": ("from_policy", "to_openspiel", "to_policy"),
    "front.arena": ("fair_test", "luck_adjusted", "measure", "play_exactly", "play_game", "play_match",
                    "play_simulated", "simulate", "sprt"),
}  # fmt: skip
_RENAMED = {
    "game": ("storage.games", "parse_game"),
    "plot": ("plots.draw", ""),  # the module itself
    "strategy": ("storage.strategies", "parse"),
}
_WHERE = {name: (home, name) for home, names in _HOMES.items() for name in names} | _RENAMED

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> "Any":
    if name not in _WHERE:
        raise AttributeError(f"dicewright has no {name!r}; it has {', '.join(__all__)}")
    from importlib import import_module

    home, inside = _WHERE[name]
    module = import_module(f"dicewright.{home}")
    value = getattr(module, inside) if inside else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


class _Moved:
    """Asked for what no other finder finds: paths that were taught before."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> "Any":
        if not name.startswith("dicewright."):
            return None
        from .moved import spec_of

        return spec_of(name)


sys.meta_path.append(_Moved)
