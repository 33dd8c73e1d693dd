"""REST: decisions to practise, one after another, and the position of the day."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from ...core.errors import TooLarge
from ...core.game import WrittenGame
from ...families import family
from ...storage.shelf.practice import Practice, ahead, practised, solve_day, solved_days, streak
from ...storage.shelf.practice import answer as note
from ..rooms.drills import Asked, drilled, of_day, spoken, told
from ..rooms.views import playable
from ..settings import GAME_LETTERS
from .asking import ANSWERS, Ask, Owner, Server, Word, seldom
from .games import answer
from .me import Who

router = APIRouter(responses=ANSWERS)
SEEDS = 1 << 48
MOST_KEPT = 200  # letters of a game that is practised under a name
GameText = Annotated[str, Query(max_length=GAME_LETTERS)]
Theme = Annotated[str, Query(max_length=40)]
Level = Annotated[int, Query(ge=0, le=4)]


class DrillAnswer(Ask):
    """What somebody would do in a question."""

    game: str = Field(max_length=GAME_LETTERS)
    theme: str = Field("", max_length=40)
    level: int = Field(0, ge=0, le=4)
    seed: int = Field(ge=0, lt=SEEDS)
    action: Word


class Daily(Ask):
    """What somebody would do in the position of the day; the date says which day it was shown."""

    action: Word
    date: str = Field(max_length=10)


async def _solved(server: Any, text: str) -> tuple[Any, Any]:
    """The game with its solution, or with an answer that says how far it is."""
    game = await server.prepared.game(text)
    if not (await server.prepared.look(game)).judged:
        raise TooLarge(f"{game.name} is too large to be solved here; choose smaller rules")
    solving = server.prepared.solving(game)
    if (waiting := await answer(solving)) is not None:
        return game, waiting
    return game, solving.task.result()


@router.get("/drills", dependencies=[seldom("asks")])
async def drills(server: Server, game: GameText = "pig") -> Response:
    """The games that are offered, and the themes of one of them."""
    rules, solution = await _solved(server, game)
    if isinstance(solution, Response):
        return solution
    offered = await server.prepared.read(_offered)
    themes = await server.prepared.practise(told, rules, solution)
    return JSONResponse({"games": offered, "game": rules.name, "themes": themes})


def _offered() -> list[dict[str, str]]:
    return [{"game": text, "words": family(playable(text)).title(playable(text))} for text in drilled()]


@router.get("/drills/question", dependencies=[seldom("asks")])
async def question(
    server: Server,
    game: GameText = "pig",
    theme: Theme = "",
    level: Level = 0,
    seed: Annotated[int | None, Query(ge=0, lt=SEEDS)] = None,
) -> Response:
    """A decision as the table document of its player; `asked` names it. 202 while its game is being solved."""
    drawn = server.luck.randrange(SEEDS) if seed is None else seed
    return await _shown(server, Asked(game, theme, level, drawn))


async def _shown(server: Any, asked: Asked, head: str = "{") -> Response:
    game, solution = await _solved(server, asked.game)
    if isinstance(solution, Response):
        return solution
    text = await server.prepared.practise(server.drills.shown, asked._replace(game=game.name), game, solution)
    return Response(head + text[1:], media_type="application/json")


@router.post("/drills/answer", dependencies=[seldom("asks")])
async def answered(server: Server, owner: Owner, ask: DrillAnswer) -> Response:
    """Whether it is right and why; of a player with a code it is noted what to practise when."""
    asked = Asked(ask.game, ask.theme, ask.level, ask.seed)
    game, found = await _judged(server, asked, ask.action)
    if isinstance(found, Response):
        return found
    kept: Practice | None = None
    if owner is not None and len(game.name) <= MOST_KEPT:
        today, players = server.settings.today(), server.people.players
        kept = await server.people.write(
            lambda: note(players, owner, game.name, found["theme"], found["right"], today)
        )
    return JSONResponse({**found, "practice": kept and vars(kept)})


async def _judged(server: Any, asked: Asked, action: str) -> tuple[Any, Any]:
    game, solution = await _solved(server, asked.game)
    if isinstance(solution, Response):
        return game, solution
    asked = asked._replace(game=game.name)
    return game, await server.prepared.practise(server.drills.answered, asked, game, solution, action)


@router.get("/me/practice")
async def practice(server: Server, who: Who) -> dict[str, Any]:
    """What the player practises, what is due first in front, and the positions of the days."""
    players, today = server.people.players, server.settings.today()
    rows = await asyncio.to_thread(practised, players, who)
    days = await asyncio.to_thread(solved_days, players, who)
    known = [(row, spoken(row.game, row.theme)) for row in rows]
    themes = [{**vars(row), **words, "now": row.due <= today.isoformat()} for row, words in known if words]
    late = ahead(rows, today)
    note = late and f"The server's clock says {today}, but you practised on {late} already; nothing is lost."
    return {
        "today": today.isoformat(),
        "note": note,
        "themes": themes,
        "days": days,
        "streak": streak(days, today),
    }


@router.get("/day", dependencies=[seldom("asks")])
async def day(server: Server) -> Response:
    """The position of the day: one decision, the same for everybody on this server, as the questions of drills."""
    today = server.settings.today()
    return await _shown(server, of_day(today), f'{{"date":"{today}",')


@router.post("/day", dependencies=[seldom("asks")])
async def solved(server: Server, owner: Owner, ask: Daily) -> Response:
    """Whether it was found, with a line to share; the first answer of a player counts."""
    today = server.settings.today()
    if ask.date != today.isoformat():
        return JSONResponse(
            {"error": f"it is {today} here: that position was another day's; load this one"}, 409
        )
    asked = of_day(today)
    game, found = await _judged(server, asked, ask.action)
    if isinstance(found, Response):
        return found
    count, first = 0, found["right"]
    if owner is not None:
        players = server.people.players
        first = await server.people.write(lambda: solve_day(players, owner, found["right"], today))
        count = streak(await asyncio.to_thread(solved_days, players, owner), today)
    return JSONResponse({**found, "first": first, "streak": count, "line": _line(game, today, first, count)})


def _line(game: WrittenGame, today: Any, right: bool, count: int) -> str:
    """What is shared: nothing in it tells the answer."""
    days = f", {count} days in a row" if count > 1 else ""
    return f"dicewright {today}, {family(game).title(game)}: {'found' if right else 'missed'}{days}"
