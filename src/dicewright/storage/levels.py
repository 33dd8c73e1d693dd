"""The levels of a game: those that come with the package, those that were found before, else found now and kept.

python -m dicewright.storage.levels [GAMES]     finds those of the package again (`make tables`)
"""

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from ..core.errors import DicewrightError, NotationError, name_of
from ..core.game import WrittenGame
from ..core.notation import fields
from ..core.solution import Solution
from ..families import catalog, family
from ..families.levels import LEVEL, OPTIMAL, Ladder, Rung, find_ladder, level_of
from .store import SHIPPED, kept_path, solution_of

FILE = SHIPPED / "levels.json"
USUAL = (
    *(
        "pig:goal=25",
        "pig:goal=50",
        "pig",
        "piglet:goal=3",
        "piglet",
        "piglet:goal=20",
        "liars-die",
        "mia",
        "bluff",
    ),
    *(
        "bluff:sides=4",
        "bluff-match:dice=1v1",
        "bluff:wild=ones",
        "bluff:wild=none",
        "pig:one=scores",
        "hog:dice=5",
    ),
    *("two-dice-pig:goal=50", "big-pig:goal=50", "mia:keep=yes", "pass-the-pigs:goal=50", "hog", "big-pig"),
    *(
        "pass-the-pigs",
        "two-dice-pig",
        "bluff:dice=2v1",
        "bluff:dice=1v2",
        "bluff:dice=2v2",
        "bluff:dice=3v1",
    ),
    *(
        "bluff:dice=1v3",
        "bluff-match:dice=2v1",
        "bluff-match:dice=1v2",
        "bluff-match",
        "bluff-match:dice=3v1",
    ),
    *("bluff-match:dice=1v3", "liars-dice-poker"),
)  # games, as menus offer them
log = logging.getLogger("dicewright")


def read_ladder(game: WrittenGame) -> Ladder | None:
    """The levels of this game, of the package or found before; None where they are not known yet."""
    name = name_of(game)
    if name in _shipped():
        return _shipped()[name]
    try:
        return _read(json.loads(_kept(game).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("the levels that are kept for %s are found again: %s", name, error)
        return None


def ladder_of(game: WrittenGame, solution: Solution | None = None) -> Ladder:
    """The levels of this game, found now and kept where they are not known; TooLarge where there are none."""
    if (found := read_ladder(game)) is not None:
        return found
    found = find_ladder(solution or solution_of(game), _others(game))
    path = _kept(game)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(_written(found)), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        log.info("no levels were kept for %s: %s", name_of(game), error)
    return found


@lru_cache(maxsize=8)
def level_player(text: str, game: WrittenGame, solution: Solution | None = None) -> Any:
    """The player of this level, from what is kept as far as it is."""
    number = level_of(text)
    assert number is not None, text
    solution = solution or solution_of(game)
    precision = ladder_of(game, solution).precision(number)
    return family(game).leveled(solution, precision, f"{LEVEL}:{number}")


def _kept(game: WrittenGame) -> Path:
    return kept_path(game).with_suffix(".levels.json")


@cache
def _shipped() -> dict[str, Ladder]:
    if not FILE.exists():
        return {}
    return {name: _read(told) for name, told in json.loads(FILE.read_text(encoding="utf-8")).items()}


def _others(game: WrittenGame) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The other players of the catalog that need no field, and how each is made."""
    kin = family(game)
    try:
        names = kin.strategies(game)
    except NotationError:
        return
    for name, builder in names.items():
        text = kin.stand_in if kin.stand_in.partition(":")[0] == name else name
        if name not in (LEVEL, OPTIMAL) and (text != name or not any(f.required for f in fields(builder))):
            yield text, partial(catalog.strategy, text, game)


def _written(ladder: Ladder) -> dict[str, Any]:
    others = {text: [rung.gets, rung.loss] for text, rung in ladder.others}
    return {
        "game": ladder.game,
        "points": ladder.points,
        "levels": [list(rung) for rung in ladder.levels],
        "others": others,
    }


def _read(told: Any) -> Ladder:
    levels, others = told["levels"], told["others"]
    return Ladder(
        str(told["game"]),
        told["points"] is True,
        tuple(Rung(float(gets), loss, float(precision)) for gets, loss, precision in levels),
        tuple((str(text), Rung(float(gets), loss)) for text, (gets, loss) in others.items()),
    )


def main(names: list[str]) -> None:
    """Find the levels of these games, or of all usual ones, and write them into the file of the package."""
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for text in names or USUAL:
        game = catalog.parse(text)
        try:
            known[game.name] = _written(find_ladder(solution_of(game), _others(game)))
        except DicewrightError as error:
            print(f"{text}: {error}", flush=True)
            continue
        print(text, *(f"{rung.precision:g}" for rung in _read(known[game.name]).levels), flush=True)
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known))
        FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
