"""REST: the catalog and the shelf, and strategies as maps, surfaces, ranges and the tournament matrix."""

import asyncio
from collections.abc import Callable
from functools import lru_cache, partial
from math import inf
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from ...core.errors import DicewrightError, NotationError, TooLarge
from ...core.game import SEATS, WrittenGame
from ...core.notation import fields
from ...core.record import players_of
from ...families import catalog, family, kins
from ...families.levels import level_of
from ...families.minds import LEARNER
from ...storage.shelf.players import Player, Players
from ...storage.shelf.shelf import UnknownGame
from ..prepare.remembered import Cost
from ..rooms import views
from ..rooms.views import OPTIMAL, PERSON, check_opponent, page_of, playable, unit
from ..settings import GAME_LETTERS, STRATEGY_LETTERS, Refusal
from .asking import ANSWERS, Server, Token, seldom
from .games import answer, may_solve

router = APIRouter(responses=ANSWERS)
ANSWERS_202 = {**ANSWERS, 202: {"description": "in progress"}}
explore = APIRouter(prefix="/explore", responses=ANSWERS_202, dependencies=[seldom("hard")])
Strategies = Annotated[tuple[Annotated[str, Field(max_length=STRATEGY_LETTERS)], ...], Query(max_length=4)]
StrategyText = Annotated[str, Query(max_length=STRATEGY_LETTERS)]
GameText = Annotated[str, Query(max_length=GAME_LETTERS)]
Cursor = Annotated[str | None, Query(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")]
NEXT = 100.0  # the place of games that are offered before variants, behind those in front
TOURNAMENT = {"view": "tournament", "words": "Tournament", "script": "rooms/explore-tournament"}


@router.get("/catalog")
async def games_catalog() -> dict[str, Any]:
    """The games that can be played here, with their fields."""
    return await asyncio.to_thread(_catalog)


@lru_cache(maxsize=1)
def _catalog() -> dict[str, Any]:
    games, places = list[dict[str, Any]](), list[float]()
    for name, builder in catalog.GAMES.items():
        if _is_table(name):
            continue
        game = catalog.parse(name)
        try:
            kind = page_of(game)
        except DicewrightError:
            continue
        kin, about = family(game), (builder.__doc__ or "").strip().split("\n\n")[0]
        about = " ".join(about.split())
        front = kin.menu.front.get(name)
        places.append(front.place if front else NEXT if name in kin.menu.usual else inf)
        games.append(
            {
                "game": name,
                "title": family(game).title(game),
                "family": kind,
                "about": about,
                "fields": [_field(field, kin.menu.saying(name, field.name)) for field in fields(builder)],
                "name": kin.short(game),
                "line": kin.menu.about.get(name, about),
                "dice": list(front.dice) if front else [],
                "usual": split_values(kin.menu.usual.get(name, name)),
            }
        )
    games = [games[i] for i in sorted(range(len(games)), key=places.__getitem__)]
    return {"games": games, "views": _views(), "designs": _designs()}


def split_values(text: str) -> dict[str, str]:
    """The fields that a game's text gives.

    >>> split_values("bluff-match:dice=5v5")
    {'dice': '5v5'}
    """
    parts = [part.partition("=") for part in text.partition(":")[2].split(",")]
    return {name: value for name, sign, value in parts if sign}


def _designs() -> list[dict[str, Any]]:
    """The games whose tables are drawn up on the page: the script that does it, one to begin with, and its fields."""
    found = []
    for kin in kins():
        for name, script in kin.designs.items():
            drawn = (each for each in fields(catalog.GAMES[name]) if not each.kind.bare)
            known = [each for each in drawn if each.name in kin.menu.fields]  # no lives: a round is drawn up
            told = [_field(each, kin.menu.saying(name, each.name)) for each in known]
            found.append({"game": catalog.parse(name).name, "script": script, "fields": told})
    return found


def _views() -> list[dict[str, Any]]:
    """The ways of looking at strategies, each with the games that are offered; tournaments last."""
    sights: dict[str, list[Any]] = {}
    for kin in kins():
        for view, sight in kin.sights.items():
            sights.setdefault(view, []).append(sight)
    found = []
    for view, those in sights.items():
        those.sort(key=lambda sight: not sight.first)
        games = [_offered(text) for sight in those for text in sight.games]
        label, script, _, pair, _, captions = those[0]
        shown = {"view": view, "words": label, "script": script, "pair": pair, "games": games}
        found.append({**shown, "captions": {**captions}})
    meetings = dict.fromkeys(text for kin in kins() for text in kin.menu.meetings)
    return [*found, {**TOURNAMENT, "games": list(map(_offered, meetings))}]


def _offered(text: str) -> dict[str, str]:
    """A game as the menus of Explore name it: without what is chosen there by itself."""
    game = catalog.parse(text)
    kin, (name, _, rest) = family(game), text.partition(":")
    if _is_table(name):
        return {"game": text, "name": kin.title(game)}
    said = [
        (part, kin.menu.saying(name, field)) for part in rest.split(",") if (field := part.partition("=")[0])
    ]
    kept = [(part, saying) for part, saying in said if not saying.apart]
    words = [kin.short(game), *(saying.say(part.partition("=")[2]) for part, saying in kept)]
    return {
        "game": ":".join(filter(None, (name, ",".join(part for part, _ in kept)))),
        "name": ", ".join(words),
    }


def _is_table(name: str) -> bool:
    """Whether games of this name are whole tables, for which no menu has room."""
    return any(field.kind.bare for field in fields(catalog.GAMES[name]))


def _field(field: Any, saying: Any) -> dict[str, Any]:
    allowed = field.kind.allowed
    values = None
    if " or " in allowed and " " not in allowed.replace(" or ", "").replace(", ", ""):
        values = [word.strip() for part in allowed.split(" or ") for word in part.split(",")]
    return {
        "name": field.name,
        "allowed": allowed,
        "default": None if field.required else field.kind.show(field.default),
        "values": values,
        "label": saying.label,
        "options": saying.offered(values),
        "otherwise": saying.otherwise,
        "free": values is None and isinstance(saying.words, str),
        "main": saying.main,
        "apart": saying.apart,
        "most": saying.most,
    }


@router.get("/rules")
async def rules(
    request: Request, server: Server, game: GameText = "pig", strategy: Strategies = ()
) -> dict[str, Any]:
    """A game in words, its opponents, and whether its solution is ready; asking begins to prepare it.

    Of each `strategy` that is given it says how it is called.
    """
    prepared = server.prepared
    found = await prepared.game(game)
    told = await prepared.known(_rules, game)
    ready, progress = False, None
    if (await prepared.look(found)).judged:
        try:
            may_solve(server, request, found)
            task, solving = prepared.advising(found), prepared.solving(found)
            ready, progress = task.ready, solving.progress or task.progress
        except DicewrightError as error:
            progress = str(error)
    called = {text: family(found).menu.called(text) for text in strategy}
    told = {**told, "opponents": await prepared.opponents(found)}
    return {
        **told,
        "ready": ready,
        "progress": progress,
        "called": called,
        **_measured(prepared, found, told),
    }


def _measured(prepared: Any, game: WrittenGame, told: dict[str, Any]) -> dict[str, Any]:
    """The opponents by strength as far as it is known, and whether it is being measured; nothing where it never is."""
    if not family(game).reference:
        return {}
    try:
        names = [one["strategy"] for one in told["opponents"] if one["strategy"] != LEARNER]
        task = prepared.strengths(game, names)
    except DicewrightError:  # who has had much worked out is told less
        return {"measuring": False}
    ranked = _ranked(told["opponents"], task.task.result() if task.ready else {})
    return {"opponents": ranked, "measuring": not task.task.done()}


def _ranked(opponents: list[dict[str, str]], strengths: dict[str, str]) -> list[dict[str, str]]:
    """The opponents with how strong they are, the strongest first; those of whom that is unknown stay in front.

    The learner has no strength of its own: it stays behind perfect play.
    """
    place = {text: number for number, text in enumerate(strengths)}
    place[LEARNER] = place.get(OPTIMAL, -1)
    found = [{**one, "strength": strengths.get(one["strategy"], "")} for one in opponents]
    return sorted(found, key=lambda one: place.get(one["strategy"], -1))


def _rules(text: str) -> dict[str, Any]:
    game = playable(text)
    kin = family(game)
    looks = [*kin.looks(game), TOURNAMENT["view"]]
    return {
        **views.head(game),
        "stand_in": kin.stand_in,
        "views": looks,
        "named": _offered(game.name),
        "rule": _example(game),
    }


def _example(game: WrittenGame) -> str | None:
    """A rule of one line that plays this game; None if none does."""
    try:
        return check_opponent(game, f"expr:{family(game).rule(game)}").removeprefix("expr:")
    except DicewrightError:
        return None


@router.get("/games")
async def games(
    server: Server,
    token: Token,
    q: Annotated[str, Query(max_length=100)] = "",
    before: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    mine: bool = False,
) -> dict[str, Any]:
    """Finished games, newest first, `mine` alone if asked; `before` is the `next` of the page before."""
    player = await server.people.who(token) if mine else None
    try:
        text = q.encode("utf-8", "replace").decode().replace("\0", " ")
        return await asyncio.to_thread(_page, server.people.players, player, text, before or None, limit)
    except UnknownGame as error:
        raise Refusal(str(error)) from error


def _page(
    players: Players, player: Player | None, text: str, before: str | None, limit: int
) -> dict[str, Any]:
    whose = None if player is None else player.number
    found = players.shelf.find(text, ended="finished", limit=limit, before=before, player=whose)
    lines = [_line(game) for game in found if not game.secret.get("private")]
    if player is not None:
        mine = players.seats_in(player, [line["id"] for line in lines])
        lines = [{**line, "mine": mine.get(line["id"])} for line in lines]
    return {"games": lines, "next": found[-1].id if len(found) == limit else None}


@lru_cache(maxsize=512)
def _listed(text: str) -> tuple[dict[str, Any], Callable[[str], str]]:
    """What the list says of the rules, and how strategies are called there."""
    try:
        game = catalog.parse(text)
        found = {"title": family(game).title(game), "solvable": views.look(game).judged, "unit": unit(game)}
        return {**found, "game": text}, family(game).menu.called
    except DicewrightError:
        return {"title": text, "game": text, "solvable": False, "unit": "chance"}, str


def _line(saved: Any) -> dict[str, Any]:
    known, tags = saved.figures or {}, dict(saved.tags)
    rules, called = _listed(saved.game)
    strategies = [tags.get(f"{seat.capitalize()}Strategy") for seat in SEATS]
    return {
        "id": saved.id,
        **rules,
        "players": players_of(tags),
        "called": [None if text is None else called(text) for text in strategies],
        "date": saved.date,
        "payoff": saved.payoff,
        "ended": saved.ended,
        "error_rate": known.get("error_rate"),
        "luck": known.get("luck"),
    }


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


@explore.get("/race")
async def race(
    server: Server,
    game: GameText = "pig",
    yours: Annotated[int, Query(ge=0, le=1000)] = 0,
    strategy: StrategyText = OPTIMAL,
) -> Response:
    """What a strategy does at every own score and turn total, and what each action is worth."""
    return await _drawn(server, "race", game, strategy, yours)


@explore.get("/surface")
async def surface(server: Server, game: GameText = "pig", strategy: StrategyText = OPTIMAL) -> Response:
    """The first turn total at which a strategy holds, for every pair of scores."""
    return await _drawn(server, "surface", game, strategy)


@explore.get("/measures")
async def measures(server: Server, game: GameText = "pig", strategy: StrategyText = OPTIMAL) -> Response:
    """What the first player gets, and how long a game takes, if both play as solved; what a strategy gets from that."""
    return await _drawn(server, "measures", game, strategy)


@explore.get("/ranges")
async def hands(
    server: Server,
    game: GameText = "bluff",
    said: Annotated[str, Query(max_length=200)] = "",
    strategy: StrategyText = OPTIMAL,
) -> Response:
    """How often every hand takes every action after the same bids, and what that is worth."""
    return await _drawn(server, "ranges", game, strategy, said)


def _is_fitted(text: str) -> bool:
    """Whether it is a level, or learns whom it plays with."""
    return text == LEARNER or level_of(text) is not None


@explore.get("/tournament")
async def tournament(server: Server, game: GameText = "pig") -> Response:
    """Every strategy of the catalog against every other, exactly: winning chances, or points."""
    rules = await server.prepared.game(game)
    if not family(rules).meets(rules):
        raise TooLarge(f"a tournament of {rules.name} takes too long here; smaller rules are allowed")
    offered = await server.prepared.opponents(rules)
    names = [one["strategy"] for one in offered if not _is_fitted(one["strategy"])]
    task = server.prepared.matrix(rules, names)
    if (waiting := await answer(task)) is not None:
        return waiting
    found = task.task.result()
    called = [family(rules).menu.called(text) for text in found["strategies"]]
    return JSONResponse({"unit": unit(rules), **found, "called": called})
