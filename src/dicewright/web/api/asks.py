"""What clients send by POST, checked at the door."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.functional_validators import AfterValidator

from ..settings import GAME_LETTERS, NAME_LETTERS


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("only letters that can be printed are allowed")
    return " ".join(text.split())


Name = Annotated[str, StringConstraints(max_length=NAME_LETTERS), AfterValidator(_printable)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=GAME_LETTERS), AfterValidator(_printable)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class _Ask(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewGame(_Ask):
    """A game to be made."""

    game: Text = "pig"
    opponent: Text = Field("optimal", description="a strategy, or `person` for a second person")
    seat: Literal["first", "second", "random"] = "first"
    hints: bool = False
    name: Name = ""


class Join(_Ask):
    """The second person's answer to an invitation."""

    invite: Word
    name: Name = ""


class Again(_Ask):
    """Where to stand again."""

    ply: int = Field(ge=0, le=1_000_000)
    hints: bool = False
