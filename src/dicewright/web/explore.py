"""REST: strategies as maps, surfaces, ranges and the tournament matrix."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response

from ..core.errors import NotationError, TooLarge
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling_keep import KeepGame
from ..games.race import Effect, RaceGame
from . import costs
from .costs import Cost
from .games_api import ANSWERS, GameText, Server, seldom
from .lanes import aside
from .playable import OPTIMAL, PERSON, opponents
from .task import Task
from .views import unit

ANSWERS_202 = {**ANSWERS, 202: {"description": "in progress"}}
router = APIRouter(prefix="/explore", responses=ANSWERS_202, dependencies=[seldom("hard")])
StrategyText = Annotated[str, Query(max_length=200)]
PATIENCE = 3.0  # seconds until a request is told to ask again
MOST_GOAL = 200
MOST_BIDS = 13  # of a round of Bluff whose tournament is played out within seconds
MOST_RUIN = 25  # the goal of a race game in which all points can be lost, likewise


async def _answer(*tasks: Task) -> Response | None:
    """None once all are ready; else the progress, as an answer."""
    for task in tasks:
        async with aside():
            await asyncio.wait({task.task}, timeout=PATIENCE)
        if not task.task.done():
            return JSONResponse({"progress": task.progress}, 202)
        task.task.result()
    return None


async def _drawn(
    server: Any, cost: Callable[[], Cost], game: Any, what: str, arguments: list[Any], solved: bool
) -> Response:
    """The document of drawing.py, once the solution that it needs is there."""
    library = server.library
    if solved:
        await library.look(game)
    if solved and (waiting := await _answer(library.solving(game))) is not None:
        return waiting
    key = (what, *map(str, arguments))
    task = library.document(key, cost, game if solved else None, what, arguments)
    return await _answer(task) or Response(task.task.result().body, media_type="application/json")


async def _race(server: Any, text: str) -> RaceGame:
    game = await server.library.game(text)
    if not isinstance(game, RaceGame):
        raise NotationError(f"{game.name} is no race game; pig and its relatives are")
    if game.goal > MOST_GOAL:
        raise TooLarge(f"goal is {game.goal} in {game.name}; up to {MOST_GOAL} is drawn here")
    return game


def _check_said(game: Any, said: str) -> None:
    from ..analysis.worths import hand_views

    hand_views(game, said.split())


async def _turns(server: Any, text: str) -> RaceGame:
    """A race game whose turns have totals to hold."""
    game = await _race(server, text)
    if all(effect in (Effect.BANK, Effect.BUST) for _, roll in game.rolls for _, effect, _ in roll):
        raise NotationError(
            f"in {game.name} one roll is the whole turn, so there is no turn total to draw; pig and others have one"
        )
    return game


async def _strategy(server: Any, game: Any, text: str) -> str:
    if text == PERSON:
        raise NotationError("a person is no strategy that could be drawn")
    return str(await server.library.checked(game, text))


@router.get("/race")
async def race(
    server: Server,
    game: GameText = "pig",
    yours: Annotated[int, Query(ge=0, le=1000)] = 0,
    strategy: StrategyText = OPTIMAL,
) -> Response:
    """What a strategy does at every own score and turn total, and what each action is worth."""
    rules = await _turns(server, game)
    arguments = [rules.name, await _strategy(server, rules, strategy), yours]
    return await _drawn(server, partial(costs.race_map, rules), rules, "race", arguments, solved=True)


@router.get("/surface")
async def surface(server: Server, game: GameText = "pig", strategy: StrategyText = OPTIMAL) -> Response:
    """The first turn total at which a strategy holds, for every pair of scores."""
    rules = await _turns(server, game)
    text = await _strategy(server, rules, strategy)
    return await _drawn(
        server, partial(costs.surface, rules), rules, "surface", [rules.name, text], solved=text == OPTIMAL
    )


@router.get("/ranges")
async def hands(
    server: Server,
    game: GameText = "bluff",
    said: Annotated[str, Query(max_length=200)] = "",
    strategy: StrategyText = OPTIMAL,
) -> Response:
    """How often every hand takes every action after the same bids, and what that is worth."""
    rules = await server.library.game(game)
    await server.library.read(_check_said, rules, said)
    arguments = [rules.name, await _strategy(server, rules, strategy), said]
    return await _drawn(server, partial(costs.ranges, rules), rules, "ranges", arguments, solved=True)


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
    rules = await server.library.game(game)
    if isinstance(rules, RaceGame):
        rules = await _race(server, game)
    if not _meets(rules):
        raise TooLarge(f"a tournament of {rules.name} takes too long here; smaller rules are allowed")
    names = [one["strategy"] for one in await server.library.read(opponents, rules)]
    task = server.library.matrix(rules, names)
    answer = await _answer(task)
    return answer or JSONResponse({"unit": unit(rules), **task.task.result()})
