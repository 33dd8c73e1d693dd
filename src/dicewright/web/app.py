"""The application: REST, websocket, and the page's own files."""

import asyncio
import gc
import logging
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from html import escape
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

from ..core.errors import DicewrightError
from ..core.game import WrittenGame
from ..storage.shelf.saved_game import TIME
from ..storage.shelf.shelf import Shelf
from ..study.roster import Roster
from . import sockets
from .api import brought, catalog, drills, games, me, reach, study
from .files import ROOMS, STATIC, Files, document
from .guard import HEADERS, Guard, Turnstile, told
from .prepare.prepared import Prepared
from .prepare.remembered import Task
from .rooms.career import Judging
from .rooms.drills import Drills
from .rooms.hall import Hall
from .rooms.people import People
from .rooms.rooms import Rooms
from .settings import UNREADABLE, Busy, Refusal, Settings, Unavailable

log = logging.getLogger("dicewright")
# the search for rings of objects stops all games, and they leave next to none
GC_THRESHOLD = (100_000, 10, 10)
TIDY_SECONDS = 60.0
UNBEGUN = timedelta(days=1)  # how long a game in which nothing was chosen is kept
QUIET_SECONDS = 0.5  # before the usual games are prepared
BUSY_SECONDS = 3.0  # more, if somebody has come back by then
STUDY = "/study"  # a room of its own: where a study is held there is no other
METHODS = ("get", "post", "put", "patch", "delete")


class Server:
    """What the requests of one server share."""

    def __init__(self, settings: Settings, shelf: Any) -> None:
        self.settings, self.shelf = settings, shelf
        self.prepared = Prepared(settings.limits)
        self.rooms = Rooms(settings, shelf, self.prepared)
        self.turnstile = Turnstile(settings.limits)
        self.sockets = sockets.Sockets(settings, self.rooms, self.turnstile)
        self.people = People(self.rooms)
        self.drills = Drills(self.rooms.speech)
        self.judging = Judging(self.people, self.prepared)
        self.rematches = games.Rematches()
        self.luck = random.SystemRandom()
        if settings.study:
            self.hall = Hall(Roster.open(shelf, *settings.study), self.rooms, self.luck)

    async def tidy(self) -> None:
        """Forget idle rooms from time to time, and games in which nothing was chosen for a day, for ever."""
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            self.rooms.tidy()
            if not self.sockets.count:  # search for rings of objects while nobody plays
                gc.collect()
                gc.freeze()  # what is there now is left out the next time
            yesterday = datetime.now(UTC) - UNBEGUN
            try:
                await self.rooms.journal.write(partial(self.shelf.drop_unbegun, yesterday.strftime(TIME)))
            except Unavailable:  # noted by the journal
                continue

    async def warm(self) -> None:
        """Prepare the usual games in the background; a game that cannot be keeps no other from it.

        Code at once, by another process; the rest when those who come back after a restart are served, the analyses
        last: the first hint is asked before the first game has ended.
        """
        gc.set_threshold(*GC_THRESHOLD)
        gc.disable()  # what is loaded now are many objects and hardly a ring among them
        try:
            games = await _each(self._known, self.settings.warm)
            await asyncio.sleep(QUIET_SECONDS)
            await asyncio.sleep(BUSY_SECONDS if self.sockets.count else 0.0)
            for prepare in (self.prepared.advising, self.prepared.analysing):
                games = await _each(partial(_ready, prepare), games)
        finally:
            gc.freeze()
            gc.enable()

    async def _known(self, name: str) -> Any:
        game = await self.prepared.game(name)
        self.prepared.compiling(game)
        await self.prepared.look(game)
        return game

    def close(self) -> None:
        """Write what waits, stop what runs."""
        self.prepared.close()
        self.rooms.close()
        self.shelf.close()


async def _ready(prepare: Callable[[Any], Task], game: WrittenGame) -> Any:
    await asyncio.shield(prepare(game).task)
    return game


async def _each(prepare: Callable[[Any], Awaitable[Any]], games: Sequence[Any]) -> list[Any]:
    """The games that could be prepared so; of the others the first hint or analysis may be slow, nothing else."""
    found = await asyncio.gather(*map(prepare, games), return_exceptions=True)
    for game, error in zip(games, found, strict=True):
        if isinstance(error, Exception):
            log.warning("%s was not prepared: %s", getattr(game, "name", game), error)
    return [game for game in found if not isinstance(game, BaseException)]


def create_app(settings: Settings | None = None, shelf: Shelf | None = None) -> FastAPI:
    """The application with these settings; its shelf is that of the settings, opened when it starts, or this one."""
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        server = app.state.server = Server(settings, shelf or Shelf.open(settings.database))
        tasks = [asyncio.create_task(server.tidy()), asyncio.create_task(server.warm())]
        yield
        for task in tasks:
            task.cancel()
        server.close()

    app = FastAPI(title="dicewright", version=_version(), lifespan=lifespan, docs_url=None, redoc_url=None)
    app.add_middleware(Guard, settings=settings)

    app.include_router(sockets.router)  # the first route: after a restart everybody asks for it at once
    routers = (
        games.router,
        brought.router,
        reach.router,
        catalog.router,
        catalog.explore,
        me.router,
        drills.router,
    )
    for router in (study.router,) if settings.study else routers:
        app.include_router(router, prefix="/api")
    _explain_errors(app)
    _add_page(app, [room for room in ROOMS if (room == STUDY) == bool(settings.study)])
    return app


def _version() -> str:
    try:
        return version("dicewright")
    except PackageNotFoundError:
        return "0"


def _explain_errors(app: FastAPI) -> None:
    """Every error is one sentence; nobody is shown where the program failed."""

    @app.exception_handler(DicewrightError)
    async def refused(_: Request, error: DicewrightError) -> Response:
        status = error.status if isinstance(error, Refusal) else 422
        if (sentence := told(error)) == UNREADABLE and status == 422:
            log.error("a request could not be answered: %s", error)
            status = 503
        headers = {"Retry-After": str(max(1, round(error.seconds)))} if isinstance(error, Busy) else None
        return JSONResponse({"error": sentence}, status, headers)

    @app.exception_handler(RequestValidationError)
    async def unreadable(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0] if error.errors() else {"loc": (), "msg": "unreadable"}
        place = ".".join(str(part) for part in first["loc"][1:]) or "the request"
        return JSONResponse({"error": f"{place[:80]}: {first['msg']}"}, 422)

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> Response:
        return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Response:
        number = secrets.token_hex(4)
        log.error("request failed (%s)", number, exc_info=error)
        return JSONResponse(
            {"error": f"a mistake of the server's; it was noted under {number}"}, 500, HEADERS
        )


def _add_page(app: FastAPI, rooms: Sequence[str]) -> None:
    """The rooms are one document; its modules stand under /static/."""

    for room in rooms:
        app.add_api_route(room, partial(_page, room), include_in_schema=False)
    app.add_api_route("/docs", listing_page, include_in_schema=False)
    app.mount("/static", Files(directory=STATIC), name="static")


async def _page(room: str) -> Response:
    return HTMLResponse(document(room))


async def listing_page(request: Request) -> HTMLResponse:
    """`/docs`: the calls with their parameters and answers; no script and no style, so any browser shows it."""
    document = request.app.openapi()
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>{escape(document['info']['title'])}: the calls</title>",
        f"<h1>{escape(document['info']['title'])} {escape(document['info']['version'])}: the calls</h1>",
        "<p>As a document for programs: <a href='/openapi.json'>/openapi.json</a>. ",
        "Live play goes by the websocket <code>/ws/games/ID</code>.</p>",
    ]
    for path, calls in document["paths"].items():
        for method, call in calls.items():
            if method in METHODS:
                parts += _call(document, path, method, call)
    return HTMLResponse("\n".join(parts))


def _call(document: dict[str, Any], path: str, method: str, call: dict[str, Any]) -> list[str]:
    parts = [f"<h2><code>{method.upper()} {escape(path)}</code></h2>"]
    parts.append(f"<p>{escape(call.get('description') or call.get('summary', ''))}</p>")
    rows = [(one["name"], one["in"], one.get("schema", {})) for one in call.get("parameters", [])]
    body = call.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    model = (
        document.get("components", {}).get("schemas", {}).get(str(body.get("$ref")).rsplit("/", 1)[-1], {})
    )
    rows += [(name, "body", schema) for name, schema in model.get("properties", {}).items()]
    if rows:
        cells = "".join(
            f"<tr><td><code>{escape(name)}</code><td>{escape(place)}<td>{escape(_kind(schema))}"
            for name, place, schema in rows
        )
        parts.append(f"<table><tr><th>name<th>in<th>kind{cells}</table>")
    answers = ", ".join(f"{code} {answer['description']}" for code, answer in call["responses"].items())
    parts.append(f"<p>Answers: {escape(answers)}</p>")
    return parts


def _kind(schema: dict[str, Any]) -> str:
    words = [str(schema.get("type", "text or null" if "anyOf" in schema else "text"))]
    if "enum" in schema:
        words.append("one of " + ", ".join(map(str, schema["enum"])))
    if "default" in schema:
        words.append(f"default {schema['default']!r}")
    return "; ".join(words)
