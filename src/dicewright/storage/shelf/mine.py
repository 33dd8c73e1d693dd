"""The code that this machine keeps for whoever plays in its terminal."""

from pathlib import Path

from ...core.errors import DicewrightError, StorageError
from ...core.names import read_code
from .database import default_path
from .players import Player, Players
from .shelf import Shelf


def code_path() -> Path:
    """Beside the games of this user; nobody else may read it."""
    return default_path().with_name("code")


def known_code() -> str | None:
    """The code that is kept, if there is one that can be read."""
    try:
        return read_code(code_path().read_text(encoding="ascii"))
    except (OSError, UnicodeError, DicewrightError):
        return None


def remember(code: str) -> None:
    """Keep this code in the place of any other."""
    path = code_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)
        path.chmod(0o600)
        path.write_text(f"{read_code(code)}\n", encoding="ascii")
    except OSError as error:
        raise StorageError(f"cannot keep the code in {path}: {error.strerror}") from error


def forget() -> None:
    """Keep none."""
    code_path().unlink(missing_ok=True)


def player_here(shelf: Shelf) -> Player | None:
    """Who plays in this terminal, if they have a name on this shelf."""
    code = known_code()
    return None if code is None else Players(shelf).find(code)
