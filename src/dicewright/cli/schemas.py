"""The JSON documents of the commands: what each holds, as JSON Schema. `dicewright schema value` prints one.

A shape is a type, or a dictionary of keys and shapes: `key?` may be missing, `*` stands for every other key. Classes
of which documents are made speak for themselves. A number that is not finite is null in a document.
"""

from dataclasses import fields, is_dataclass
from types import GenericAlias, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ..analysis.grade import Costly, LostShare
from ..analysis.moments import JUDGED, NUMBERS, Judgement, Talk
from ..arena.career import Weakness
from ..arena.dice_check import DiceCheck
from ..arena.measured import Leak
from ..arena.ranking import Ranked
from ..arena.statistics import Interval
from ..arena.tournament import Refused
from ..core.errors import NotationError
from ..core.record import Ending, Note
from ..core.results import Duel
from ..front.values import Value
from ..storage.shelf.saved_game import Ply

DIALECT = "https://json-schema.org/draft/2020-12/schema"
KINDS = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}
Number = float | None


def schema_of(shape: Any) -> dict[str, Any]:
    """The schema of a shape.

    >>> schema_of({"game": str, "wins?": float | None})["required"]
    ['game']
    """
    if shape is Any:
        return {}
    if isinstance(shape, dict):
        return _object(shape)
    if isinstance(shape, list):
        return {"type": "array", "items": schema_of(shape[0])}
    if isinstance(shape, tuple):
        return {"anyOf": [schema_of(part) for part in shape]}
    if shape in KINDS:
        return {"type": KINDS[shape]}
    origin, parts = get_origin(shape), get_args(shape)
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(part) for part in parts]}
    if isinstance(shape, GenericAlias):
        if origin is dict:
            return {"type": "object", "additionalProperties": schema_of(parts[1])}
        return {"type": "array", "items": schema_of(parts[0] if parts[-1] is Ellipsis else Union[parts])}  # noqa: UP007
    return _object(like(shape))


def like(kind: Any, **others: Any) -> dict[str, Any]:
    """The shape of a class of ours; `others` are the fields that a document holds otherwise."""
    names = [one.name for one in fields(kind)] if is_dataclass(kind) else kind._fields
    hints = get_type_hints(kind)
    return {name: others.get(name, hints[name]) for name in names}


def _object(shape: dict[str, Any]) -> dict[str, Any]:
    named = {key: part for key, part in shape.items() if key != "*"}
    return {
        "type": "object",
        "properties": {key.removesuffix("?"): schema_of(part) for key, part in named.items()},
        "required": [key for key in named if not key.endswith("?")],
        "additionalProperties": schema_of(shape["*"]) if "*" in shape else False,
    }


BOUNDS = {"lower": str, "upper": str, "exact": str | None, "proved": bool, "method": str, "seconds": float}
VALUE = {"game": str, "value": float, "first_wins": Number, **BOUNDS}
DUEL = like(Duel, expected_turns=Number)
CATALOG = {"name": str, "fields": {"*": {"allowed": str, "default": str | None}}, "about": str}
INTERVAL = like(Interval, method=str)
PART = {
    **dict.fromkeys(("games", "a_wins", "b_wins", "stalemates", "cut_offs"), int),
    "mean_payoff": float,
    **dict.fromkeys(("wilson", "clopper_pearson"), INTERVAL),
    "exact": Number,
}
PLAYED = {
    "game": str,
    "a": str,
    "b": str,
    "seed": int,
    "games": int,
    "interrupted": bool,
    "level": float,
    **dict.fromkeys(("a_first", "b_first", "both"), PART),
    "payoff": INTERVAL,
    "exact_payoff": Number,
    "simulation_needed": bool | None,
    "games_to_tell_apart": int | None,
}
TALK = (like(Talk), NoneType)
COUNTS = dict.fromkeys(JUDGED, int)
FIGURES = {
    "player": str,
    **dict.fromkeys(NUMBERS, float),
    **dict.fromkeys(("dearest_ply", "best_ply", "worst_ply"), int | None),
    "counts": COUNTS,
    "talk": TALK,
}
SUMMARY = {
    "game": str,
    "players": list[str],
    "result": Number,
    "payoff": Number,
    "ended": Ending,
    "unit": Literal["points", "chance"],
    "against": str | None,
    "start": float,
    "adjudged": float,
    "estimate?": float,
}
MOMENT = {
    "ply": int,
    "who": Literal["first", "second", "dice"],
    "choice": str,
    "view": str | None,
    **dict.fromkeys(("before", "after", "loss", "luck", "hidden_luck"), float),
    "worths": dict[str, float],
    "best": str | None,
    "mix": dict[str, float],
    "judgement": Judgement | None,
    "reached": bool,
    "note": str,
    "why": str,
    "off?": float,
}
ANALYSIS = {
    **SUMMARY,
    "chances": list[float],
    "moments": [MOMENT],
    "figures": [{**FIGURES, "between?": list[float], "sentences": list[str]}],
    "mistakes": list[int],
    "sentences": list[str],
    "certificate": {"lower": str, "upper": str, "gap": float, "proved": bool, "method": str},
}
HABIT = {
    **INTERVAL,
    "games": int | None,
    "decisions": int,
    "equilibrium": Number,
    "told": bool,
    "answer": str | None,
}
MEANS = ("result", "adjusted", "luck", "loss_per_game")
PLAYER = {
    "player": str,
    "game": str,
    "unit": Literal["points", "chance"],
    "games": int,
    "decisions": int,
    **dict.fromkeys(("loss", "error_rate", "accuracy"), float),
    "counts": COUNTS,
    "talk": TALK,
    **dict.fromkeys(MEANS, (INTERVAL, NoneType)),
    "means": dict.fromkeys(MEANS, Number),
}
HABITS = {
    "player": str,
    "game": str,
    "bluffs?": (HABIT, NoneType),
    "calls?": (HABIT, NoneType),
    "exploit": ({"first_wins": float, "second_wins": float, "value": float, "gain": float}, NoneType),
}
MANY = {"games": [{"number": int, **SUMMARY, "figures": [FIGURES]}], "players": [PLAYER], "habits": [HABITS]}
SUMS = {
    "unit": str,
    **dict.fromkeys(("games", "decisions", "ended"), int),
    **dict.fromkeys(("from", "to"), str | None),
    "loss": float,
    **dict.fromkeys(("rate", "low", "high", "result", "adjusted"), Number),
    "luck": {"sum": float, "share": float, "words": str},
}
CAREER = {
    **dict.fromkeys(("name", "since", "unit"), str),
    **dict.fromkeys(("games", "left_out"), int),
    "all": SUMS,
    "through": [SUMS],
    "kinds": [{"kind": str, **SUMS}],
    "leaks": [{**like(Weakness), "sentence": str}],
    "sentences": list[str],
}
SAVED = {
    "id": str,
    "date": str,
    "game": str,
    "players": list[str],
    "payoff": float,
    "ended": Ending,
    "plies": int,
    "figures": (dict[str, Any], NoneType),
}
KEPT = {
    **dict.fromkeys(("game", "lower", "upper", "method", "fault"), str | None),
    "proved": bool | None,
    "seconds": Number,
    "bytes": int,
    "written": str,
    "file": str,
}
DECISION = {
    "game": str,
    "record": (int, str),
    **dict.fromkeys(("player", "seat", "strategy", "position", "choice", "best", "undo"), str | None),
    "ply": int,
    **dict.fromkeys(("shown", "time"), int | None),
    "worths": dict[str, float],
    **dict.fromkeys(("loss", "luck_before", "luck_after"), Number),
}
GRADE = {
    **dict.fromkeys(("game", "strategy", "against"), str),
    "unit": Literal["points", "winning chance"],
    **dict.fromkeys(("best", "got", "loss", "decisions", "slips", "standstill"), Number),
    "groups": {"*": [like(LostShare)]},
    "dearest": [like(Costly)],
}
TOURNAMENT = {
    "game": str,
    "games_a_pair": int | None,
    "exact": bool,
    "standings": [like(Ranked)],
    "transitive": bool,
    "triangles": int,
    "cycles": [{"members": list[str], "margins": list[float]}],
    "all_cycles_listed": bool,
    "hodge": {"transitive_energy": float, "cyclic_energy": float},
    "nash_unique": bool,
    "refused": [like(Refused)],
    "names": list[str],
    "wins": [list[float]],
}
CHECKED = {"record": int, "game?": str, "fair": bool | None, "why": str | None}
PICTURE = {"picture": str, "numbers": str, "rows": int}
PICTURES = "spread fair-tests box against matrix map surface reachable loss convergence"
REPORT = {
    **dict.fromkeys(("study", "game", "opponent"), str),
    **dict.fromkeys(("games", "forms", "decisions"), int),
    "participants": dict[str, int],
    "answers": dict[str, dict[str, int]],
    **dict.fromkeys(("left_out", "conclusions"), list[str]),
    "*": Any,  # what was worked out, or null: docs/studies.md
}

SHAPES: dict[str, Any] = {
    "value": VALUE,
    "solve": {**VALUE, "file": str},
    "verify": {"file": str, "verified": bool, **BOUNDS},
    "evaluate": {
        **dict.fromkeys(("game", "a", "b", "at?"), str),
        **dict.fromkeys(("a_first", "b_first"), DUEL),
        **dict.fromkeys(("a_overall", "b_overall"), float),
        "saved?": Any,
    },
    "best-response": {
        **dict.fromkeys(("game", "b"), str),
        **dict.fromkeys(("first_wins", "second_wins"), Number),
        **dict.fromkeys(("first_payoff", "second_payoff"), float),
    },
    # every action is a key of its own
    "advise": {
        **dict.fromkeys(("game", "state", "best"), str),
        "mix": dict[str, float],
        **dict.fromkeys(("reached?", "kept?"), bool),
        "*": Number,
    },
    "strategies": [
        {
            **CATALOG,
            "levels?": [
                {"strategy": str, "chance?": float, "points?": float, "loss": Number, "precision": float}
            ],
        }
    ],
    "games": [{**CATALOG, "played": bool}],
    "analyse": (ANALYSIS, MANY),
    "me": CAREER,
    "simulate": {
        **PLAYED,
        "luck_adjusted?": {"plain": INTERVAL, "adjusted": INTERVAL, "variance_reduction": Number},
    },
    "fair-test": {
        **PLAYED,
        "games_needed_for_margin": int,
        "verdict": Literal["better", "worse", "inseparable"],
        "mean": float,
        "series": int,
        "series_outside_margin": int,
        "margin": float,
        "rates": list[float],
    },
    "measure": {
        **dict.fromkeys(("game", "strategy"), str),
        "unit": Literal["points", "winning chance"],
        **dict.fromkeys(("seed", "games", "decisions", "clean", "forfeits"), int),
        **dict.fromkeys(("value", "gap"), float),
        "interrupted": bool,
        **dict.fromkeys(("plain", "result", "loss", "per_decision"), INTERVAL),
        "variance_reduction": Number,
        "why": list[str],
        "leaks": [like(Leak, loss=INTERVAL)],
    },
    "sprt": {
        **PLAYED,
        "verdict": Literal["better", "not better", "undecided"],
        **dict.fromkeys(("log_ratio", "p0", "p1", "alpha", "beta"), float),
        "cap": int,
    },
    "ranges": [
        {
            **dict.fromkeys(("said", "hand", "action"), str),
            **dict.fromkeys(("hand_chance", "share", "holds"), Number),
        }
    ],
    "match-table": [
        {"dice": list[int], "opener": int, "fixed": bool, "lower": str, "upper": str, "round_value": float}
    ],
    "decisions": (
        {"file": str, "decisions": int},
        [DECISION],
        [{"column": str, "type": str, "about": str}],
    ),
    "export": {"game": str, "nodes": int, "efg": str},
    "grade": {"game": str, "against": str, "grades": [GRADE], "refused": [like(Refused)]},
    "best-rule": [
        {
            **dict.fromkeys(("form", "source", "words", "expression"), str),
            "size": int,
            "numbers": list[int],
            "loss": float,
            "tried": int,
            "next_loss": Number,
            "grid": list[str],
        }
    ],
    "reproduce": {
        "depth": Literal["quick", "default", "full"],
        "seconds": float,
        "verdicts": dict[str, int],
        "failed": int,
        "rows": [
            {
                **dict.fromkeys(("source", "place", "what", "paper", "ours", "verdict"), str),
                **dict.fromkeys(("reason", "expected", "command"), str),
                "failed": bool,
                "seconds": float,
            }
        ],
        "exhibits": list[dict[str, Any]],
        "trees": list[dict[str, Any]],
        "left_out": list[str],
    },
    "values": [like(Value)],
    "verify-dice": [{**CHECKED, **{f"{name}?": kind for name, kind in like(DiceCheck).items()}}],
    "sweep": (
        [
            {
                "game": str,
                "measure": str,
                **dict.fromkeys(("value", "low", "high"), Number),
                "how": str,
                "*": str | None,
            }
        ],
        dict[str, str],
    ),
    "tournament": TOURNAMENT,
    "train": [{"part": str, "iterations": int, "seconds": float, "at_least": Number}],
    **{f"plot {name}": PICTURE for name in PICTURES.split()},
    "games add": {"added": list[str], "there": list[str]},
    "games list": [SAVED],
    "games show": {
        **SAVED,
        "plies": [like(Ply, notes=[like(Note)])],
        "tags": dict[str, str],
    },
    "store list": [KEPT],
    "store show": [KEPT],
    "store verify": [{**KEPT, "verified": bool}],
    "store prune": {"removed": [KEPT], "dry_run": bool},
    "strategy export": {
        **dict.fromkeys(("game", "strategy", "csv?", "parquet?", "npy?"), str),
        "rows": int,
        "columns": list[str],
    },
    "study check": {"file": str, "good": bool, "faults": [{"line": int | None, "fault": str}]},
    "study import": {
        "forms": int,
        "turns": int,
        "aside": {"rows": int, "file": str | None},
        "faults": [{"row": int, "sentence": str}],
    },
    "study status": [{"participant": str, "stage": str, "*": (int, str, NoneType)}],
    "study export": {"folder": str, "rows": dict[str, int]},
    "study report": REPORT,
    "study sample": REPORT,
}


def schema(command: str) -> dict[str, Any]:
    """The JSON Schema of what a command prints with --json; NotationError if it prints none."""
    if command not in SHAPES:
        raise NotationError(f"{command!r} prints no JSON document; {', '.join(SHAPES)} do")
    return {"$schema": DIALECT, "title": f"dicewright {command} --json", **schema_of(SHAPES[command])}
