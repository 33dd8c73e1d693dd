"""The calls of a study's page: a participant proves who they are by the end of their link."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from ...study.questions import MOST_LETTERS
from ...study.roster import Participant
from .asking import Server, Token

router = APIRouter(prefix="/study")


class Answers(BaseModel):
    """What was answered, by question."""

    model_config = ConfigDict(extra="forbid")
    answers: dict[
        Annotated[str, Field(max_length=40)],
        Annotated[str, Field(max_length=MOST_LETTERS)] | int | float | None,
    ] = Field(max_length=200)


async def participant(server: Server, token: Token) -> Participant:
    """Whose link it is; NotYours if nobody's."""
    found: Participant = server.hall.who(token)
    return found


Who = Annotated[Participant, Depends(participant)]


async def _place(server: Server, who: Participant, waiting: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = await server.hall.document(who, waiting)
    return found


@router.get("")
async def place(server: Server, who: Who) -> dict[str, Any]:
    """Where the participant is."""
    return await _place(server, who)


@router.post("/consent")
async def consent(server: Server, who: Who) -> dict[str, Any]:
    """They agree to take part."""
    await server.hall.consent(who)
    return await _place(server, who)


@router.post("/answers")
async def answers(server: Server, who: Who, ask: Answers) -> dict[str, Any]:
    """Their answers, all at once."""
    await server.hall.answer(who, ask.answers)
    return await _place(server, who)


@router.post("/next")
async def next_game(server: Server, who: Who) -> dict[str, Any]:
    """Their next game; `waiting` while nobody is there to play with: ask again within six seconds."""
    return await _place(server, who, await server.hall.next(who))


@router.post("/stop")
async def stop(server: Server, who: Who) -> dict[str, Any]:
    """They stop here; what they did is kept."""
    await server.hall.stop(who)
    return await _place(server, who)


@router.post("/withdraw")
async def withdraw(server: Server, who: Who) -> dict[str, Any]:
    """They withdraw; what was kept of them is deleted."""
    await server.hall.withdraw(who)
    return await _place(server, who)
