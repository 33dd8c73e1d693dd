"""The command line: read input, make one call into the layers above, show the result."""

import os
import sys
from typing import Any

from ..core.errors import DicewrightError


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code."""
    import typer

    from .app import app

    usage_error: Any = typer.BadParameter.__base__  # wherever this version of typer keeps it
    try:
        sys.exit(app(standalone_mode=False))
    except DicewrightError as error:
        _leave(str(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        _leave("interrupted", 130)
    except usage_error as error:
        error.show()
        sys.exit(2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except MemoryError:
        _leave("not enough memory for this", 1)


def _leave(message: str, code: int) -> None:
    print(f"dicewright: {message}", file=sys.stderr)
    sys.exit(code)
