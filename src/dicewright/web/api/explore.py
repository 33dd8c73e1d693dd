"""REST: strategies as maps, surfaces, ranges and the tournament matrix."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response

from ...core.errors import NotationError, TooLarge
from ...families import family, kins
from ..prepare.remembered import Cost
from ..rooms.views import OPTIMAL, PERSON, opponents, unit
from .finished import answer
from .games import ANSWERS, GameText, Server, seldom

ANSWERS_202 = {**ANSWERS, 202: {"description": "in progress"}}
router = APIRouter(prefix="/explore", responses=ANSWERS_202, dependencies=[seldom("hard")])
StrategyText = Annotated[str, Query(max_length=200)]


async def _drawn(server: Any, what: str, text: str, strategy: str, *asked: Any) -> Response:
    """The document that the second process draws, once the solution that it needs is there."""
    prepared = server.prepared
    game = await prepared.game(text)
    picture = family(game).drawn(game).get(what)
    if picture is None:
        none = next(kin.pictures[what].none for kin in kins() if what in kin.pictures)
        raise NotationError(none.format(game.name))
    await prepared.read(picture.check, game, *asked)
    if strategy == PERSON:
        raise NotationError("a person is no strategy that could be drawn")
    arguments = [game.name, str(await prepared.checked(game, strategy)), *asked]
    solved = picture.solved or arguments[1] == OPTIMAL
    if solved:
        await prepared.look(game)
    if solved and (waiting := await answer(prepared.solving(game))) is not None:
        return waiting
    key = (what, *map(str, arguments))
    cost = partial(Cost.picture, game, what)
    task = prepared.document(key, cost, game if solved else None, what, arguments)
    return await answer(task) or Response(task.task.result().body, media_type="application/json")


@router.get("/race")
async def race(
    server: Server,
    game: GameText = "pig",
    yours: Annotated[int, Query(ge=0, le=1000)] = 0,
    strategy: StrategyText = OPTIMAL,
) -> Response:
    """What a strategy does at every own score and turn total, and what each action is worth."""
    return await _drawn(server, "race", game, strategy, yours)


@router.get("/surface")
async def surface(server: Server, game: GameText = "pig", strategy: StrategyText = OPTIMAL) -> Response:
    """The first turn total at which a strategy holds, for every pair of scores."""
    return await _drawn(server, "surface", game, strategy)


@router.get("/ranges")
async def hands(
    server: Server,
    game: GameText = "bluff",
    said: Annotated[str, Query(max_length=200)] = "",
    strategy: StrategyText = OPTIMAL,
) -> Response:
    """How often every hand takes every action after the same bids, and what that is worth."""
    return await _drawn(server, "ranges", game, strategy, said)


@router.get("/tournament")
async def tournament(server: Server, game: GameText = "pig") -> Response:
    """Every strategy of the catalog against every other, exactly: winning chances, or points."""
    rules = await server.prepared.game(game)
    if not family(rules).meets(rules):
        raise TooLarge(f"a tournament of {rules.name} takes too long here; smaller rules are allowed")
    names = [one["strategy"] for one in await server.prepared.read(opponents, rules)]
    task = server.prepared.matrix(rules, names)
    if (waiting := await answer(task)) is not None:
        return waiting
    found = task.task.result()
    called = [family(rules).menu.called(text) for text in found["strategies"]]
    return JSONResponse({"unit": unit(rules), **found, "called": called})
