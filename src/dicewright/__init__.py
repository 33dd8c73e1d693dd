"""Exact laboratory and playing partner for two-player dice games of chance and bluff.

>>> import dicewright as dw
>>> dw.solve(dw.game("piglet:goal=2")).certificate.exact
Fraction(1, 7)

Names are loaded when they are first used, so that importing the package is quick: it loads nothing at all.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOMES = {
    "core.errors": ("DicewrightError", "IllegalAction", "NotationError", "PrecisionError", "RulesError",
                    "StorageError", "StrategyError", "TooLarge", "VerificationError"),
    "core.game": ("Game",),
    "core.record": ("Forfeit", "Note", "Record"),
    "core.pair": ("Pair",),
    "core.results": ("Advice", "Duel", "Evaluation", "Response"),
    "core.solution": ("Certificate", "Solution"),
    "core.strategy": ("MemoryStrategy", "decide"),
    "games.race": ("RaceGame", "RaceState", "RaceView"),
    "games.pig": ("big_pig", "hog", "pass_the_pigs", "pig", "piglet", "two_dice_pig"),
    "solvers.duel": ("iterate_best_responses", "win_matrix"),
    "solvers.journey": ("game_lengths",),
    "solvers.visits": ("visit_chances",),
    "solvers.solitaire": ("best_turn", "fewest_turns"),
    "strategies.race": ("Function", "HoldAt"),
    "analysis.judge": ("judge_of",),
    "analysis.exact": ("state_worth",),
    "front": ("advise", "analyse", "best_response", "evaluate", "load", "nash_conv", "save", "simulate",
              "solution_of", "solve", "verify"),
    "arena.cycles": ("find_cycles",),
    "arena.ranking": ("bradley_terry", "hodge_split", "nash_average", "standings"),
    "arena.tournament": ("Tournament", "play_exactly", "play_simulated"),
    "storage.entrants": ("gather",),
    "storage.record_text": ("read_records", "write_records"),
    "storage.saved_game": ("SavedGame",),
    "storage.shelf": ("Shelf",),
    "arena.play": ("play_match",),
    "arena.tally": ("Series", "Tally"),
    "arena.margin": ("fair_games",),
    "arena.statistics": ("fair_test", "games_needed", "interval", "sprt"),
    "arena.luck": ("luck_adjusted",),
}  # fmt: skip
_RENAMED = {"game": ("games.catalog", "parse"), "strategy": ("storage.strategies", "parse")}
_WHERE = {name: (home, name) for home, names in _HOMES.items() for name in names} | _RENAMED

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> "Any":
    if name not in _WHERE:
        raise AttributeError(f"dicewright has no {name!r}; it has {', '.join(__all__)}")
    from importlib import import_module

    home, inside = _WHERE[name]
    value = getattr(import_module(f"dicewright.{home}"), inside)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
