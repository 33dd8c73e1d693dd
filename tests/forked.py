"""Commands in processes of their own that do not start Python anew: one that has the libraries loaded forks for each.

    done = forked.run(["value", "pig", "--json"], text=True, env=...)

takes what `subprocess.run` takes for `python -m dicewright value pig --json` and gives what it gives, but for a second
of processor time. Of dicewright nothing is loaded before the fork: it meets the environment that the test gives. How
a real process starts and ends is told by test_interrupt.py, test_shell.py and test_serve.py.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

LOADED = (
    "numba.np.arraymath",
    "scipy.optimize",
    "scipy.sparse.linalg",
    "scipy.stats",
    "flint",
    "highspy",
    "pydantic.types",
    "typer",
    "rich.console",
    "rich.table",
    "rich.progress",
    "sqlalchemy.dialects.sqlite",
    "alembic",
)
ROOT = Path(__file__).parents[1]


@cache
def _parent() -> subprocess.Popen[str]:
    """The process that forks, one for each that runs tests; it ends with them, at the end of its input."""
    command = [sys.executable, "-m", "tests.forked"]
    parent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    atexit.register(parent.communicate)
    return parent


def run(words, *, input=None, text=False, env=None, cwd=None, check=False):
    """The finished command."""
    parent = _parent()
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder) / name for name in ("in", "out", "err")]
        given = (input or "").encode() if text else input or b""
        streams[0].write_bytes(given)
        asked = {
            "words": ["dicewright", *map(str, words)],
            "streams": list(map(str, streams)),
            "cwd": str(cwd or Path.cwd()),
            "env": {name: str(value) for name, value in (os.environ if env is None else env).items()},
        }
        parent.stdin.write(json.dumps(asked) + "\n")
        parent.stdin.flush()
        code = int(parent.stdout.readline())
        out, err = (stream.read_bytes() for stream in streams[1:])
    if text:
        out, err = (part.decode().replace("\r\n", "\n") for part in (out, err))
    done = subprocess.CompletedProcess(asked["words"], code, out, err)
    if "--json" in asked["words"] and code == 0:
        from tests.documents import check  # not in the process that forks, which loads nothing of dicewright

        check(asked["words"][1:], json.loads(out))
    if check:
        done.check_returncode()
    return done


def _serve() -> None:
    for name in LOADED:
        __import__(name)
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _become(**asked)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(words, streams, cwd, env) -> None:
    """Be the command, and never come back."""
    for number, (path, flags) in enumerate(
        zip(streams, (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT] * 2), strict=True)
    ):
        handle = os.open(path, flags, 0o600)
        os.dup2(handle, number)
        os.close(handle)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 (a handle, not a path)
    sys.stdout = open(1, "w", closefd=False, errors="strict")  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False, errors="backslashreplace")  # noqa: SIM115
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = words
    sys.path[:0] = env.get("PYTHONPATH", "").split(os.pathsep) if env.get("PYTHONPATH") else []
    code: object = 1
    try:
        from dicewright.__main__ import main

        main()
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            continue
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    _serve()
