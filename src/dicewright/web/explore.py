"""REST: strategies as maps, surfaces, ranges and the tournament matrix."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response

from ..core.errors import NotationError, TooLarge
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling_keep import KeepGame
from ..games.race import Effect, RaceGame
from .games_api import ANSWERS, GameText, Server, seldom
from .library import Library, Task
from .playable import OPTIMAL, PERSON, check_opponent, opponents, playable
from .views import unit

ANSWERS_202 = {**ANSWERS, 202: {"description": "in progress"}}
router = APIRouter(prefix="/explore", responses=ANSWERS_202, dependencies=[seldom("hard")])
StrategyText = Annotated[str, Query(max_length=200)]
PATIENCE = 3.0  # seconds until a request is told to ask again
MOST_GOAL = 200
MOST_BIDS = 13  # of a round of Bluff whose tournament is played out within seconds
MOST_RUIN = 25  # the goal of a race game in which all points can be lost, likewise
DIGITS = 6


async def _answer(*tasks: Task) -> Response | None:
    """None once all are ready; else the progress, as an answer."""
    for task in tasks:
        await asyncio.wait({task.task}, timeout=PATIENCE)
        if not task.task.done():
            return JSONResponse({"progress": task.progress}, 202)
        task.task.result()
    return None


async def _computed(
    library: Library, key: tuple[str, ...], work: Callable[[], Any], *needed: Task
) -> Response:
    """The document that `work` makes, once what it needs is there."""
    if (waiting := await _answer(*needed)) is not None:
        return waiting
    task = library.work(key, "drawing", work)
    return await _answer(task) or JSONResponse(task.task.result())


async def _race(text: str) -> RaceGame:
    game = await asyncio.to_thread(playable, text)
    if not isinstance(game, RaceGame):
        raise NotationError(f"{game.name} is no race game; pig and its relatives are")
    if game.goal > MOST_GOAL:
        raise TooLarge(f"goal is {game.goal} in {game.name}; up to {MOST_GOAL} is drawn here")
    return game


def _check_said(game: Any, said: str) -> None:
    from ..analysis.worths import hand_views

    hand_views(game, said.split())


async def _turns(text: str) -> RaceGame:
    """A race game whose turns have totals to hold."""
    game = await _race(text)
    if all(effect in (Effect.BANK, Effect.BUST) for _, roll in game.rolls for _, effect, _ in roll):
        raise NotationError(
            f"in {game.name} one roll is the whole turn, so there is no turn total to draw; pig and others have one"
        )
    return game


async def _strategy(library: Library, game: Any, text: str) -> Task:
    if text == PERSON:
        raise NotationError("a person is no strategy that could be drawn")
    return library.opponent(game, await asyncio.to_thread(check_opponent, game, text), 0)


@router.get("/race")
async def race(
    server: Server,
    game: GameText = "pig",
    yours: Annotated[int, Query(ge=0, le=1000)] = 0,
    strategy: StrategyText = OPTIMAL,
) -> Response:
    """What a strategy does at every own score and turn total, and what each action is worth."""
    rules, library = await _turns(game), server.library
    player, solving = await _strategy(library, rules, strategy), library.solving(rules)

    def work() -> dict[str, Any]:
        from ..analysis.worths import race_map

        values = solving.task.result().strategies[0]
        found = race_map(rules, player.task.result(), values, yours)
        worth = {action: [_rounded(line) for line in lines] for action, lines in found.worth.items()}
        head = {"unit": unit(rules), "goal": rules.goal, "yours": yours, "actions": list(found.actions)}
        return {**head, "choice": found.choice, "worth": worth}

    return await _computed(library, ("race", rules.name, str(yours), strategy), work, player, solving)


def _rounded(line: list[float | None]) -> list[float | None]:
    return [None if number is None else round(number, DIGITS) for number in line]


@router.get("/surface")
async def surface(server: Server, game: GameText = "pig", strategy: StrategyText = OPTIMAL) -> Response:
    """The first turn total at which a strategy holds, for every pair of scores."""
    rules, library = await _turns(game), server.library
    player = await _strategy(library, rules, strategy)

    def work() -> dict[str, Any]:
        from ..analysis.maps import hold_surface

        surface = hold_surface(rules, player.task.result()).tolist()
        return {"unit": unit(rules), "goal": rules.goal, "hold_at": surface}

    return await _computed(library, ("surface", rules.name, strategy), work, player)


@router.get("/ranges")
async def hands(
    server: Server,
    game: GameText = "bluff",
    said: Annotated[str, Query(max_length=200)] = "",
    strategy: StrategyText = OPTIMAL,
) -> Response:
    """How often every hand takes every action after the same bids, and what that is worth."""
    rules, library = await asyncio.to_thread(playable, game), server.library
    await asyncio.to_thread(_check_said, rules, said)
    player, solving = await _strategy(library, rules, strategy), library.solving(rules)

    def work() -> dict[str, Any]:
        from ..analysis.worths import ranges
        from ..solvers.bluff_strategy import both_seats

        solution = solving.task.result()
        chosen = both_seats(solution) if strategy == OPTIMAL and isinstance(rules, Bluff) else None
        found = ranges(rules, chosen or player.task.result(), solution, said.split())
        return {
            "unit": unit(rules),
            **found._asdict(),
            "share": [_rounded(list(line)) for line in found.share],
            "worth": [_rounded(line) for line in found.worth],
        }

    return await _computed(library, ("ranges", rules.name, said, strategy), work, player, solving)


def _meets(game: Any) -> bool:
    """Whether all strategies of the catalog can meet within some ten seconds."""
    match game:
        case RaceGame():
            ruin = any(effect is Effect.RUIN for _, roll in game.rolls for _, effect, _ in roll)
            return not ruin or game.goal <= MOST_RUIN
        case Bluff():
            return len(game.bids) <= MOST_BIDS
    return not isinstance(game, BluffMatch | KeepGame)


@router.get("/tournament")
async def tournament(server: Server, game: GameText = "pig") -> Response:
    """Every strategy of the catalog against every other, exactly: winning chances, or points."""
    rules = await asyncio.to_thread(playable, game)
    if isinstance(rules, RaceGame):
        rules = await _race(game)
    if not _meets(rules):
        raise TooLarge(f"a tournament of {rules.name} takes too long here; smaller rules are allowed")
    names = [one["strategy"] for one in await asyncio.to_thread(opponents, rules)]
    task = server.library.matrix(rules, names)
    answer = await _answer(task)
    return answer or JSONResponse({"unit": unit(rules), **task.task.result()})
