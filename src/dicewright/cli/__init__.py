"""The command line: read input, make one call into the layers above, show the result."""

import os
import sys

from ..core.errors import DicewrightError


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code."""
    import click

    from .app import app

    try:
        app(standalone_mode=False)
    except DicewrightError as error:
        _leave(str(error), error.exit_code)
    except click.exceptions.Abort:
        _leave("interrupted", 130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _leave("interrupted", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except MemoryError:
        _leave("not enough memory for this", 1)


def _leave(message: str, code: int) -> None:
    print(f"dicewright: {message}", file=sys.stderr)
    sys.exit(code)
