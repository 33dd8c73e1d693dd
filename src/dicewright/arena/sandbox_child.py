"""The other end of the sandbox: run alone, by path, with nothing of ours imported.

Reads one JSON line {"source", "goal", "skip", "seconds", "megabytes"}, limits itself, defines the strategy
and answers one JSON line {"mine", "yours", "rolls": "0110..."} for each pair of scores, then {"done": true};
or {"error": ...}. What the strategy prints goes nowhere.

The limits of the system (time, memory, files, processes) cannot be lifted again. The audit hook refuses other
processes, signals, sockets, native code and files outside Python's library; it is a fence, not a wall.
"""

import json
import os
import resource
import signal
import sys
from typing import Any

ALLOWED_EVENTS = ("os.listdir", "os.scandir", "os.stat", "os.urandom")
REFUSED = ("os.", "subprocess.", "socket.", "ctypes.", "shutil.", "signal.", "resource.", "fcntl.", "pty.",
           "_posixsubprocess", "tempfile.", "mmap.", "sys.addaudithook", "cpython.run_")  # fmt: skip
REFUSED_MODULES = ("ctypes", "_ctypes", "_posixsubprocess")


def main() -> None:
    """Answer one request."""
    request = json.loads(sys.stdin.buffer.readline())
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    limit(request["seconds"], request["megabytes"])
    try:
        for row in table(request):
            answers.write(json.dumps(row) + "\n")
    except MemoryError:
        answers.write(json.dumps({"error": f"it needs more than {request['megabytes']} MB"}) + "\n")
    except BaseException as error:  # whatever the strategy raised, SystemExit included
        answers.write(json.dumps({"error": f"it raised {type(error).__name__} ({error})"[:300]}) + "\n")
    answers.flush()
    os._exit(0)


def limit(seconds: float, megabytes: int) -> None:
    """Limits for this process that cannot be lifted, and the audit hook."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    whole = max(1, int(seconds + 0.999))
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    signal.alarm(2 * whole + 2)  # in case the parent is gone
    library = os.path.dirname(os.__file__)  # noqa: PTH120 (pathlib would be imported for the strategy too)

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if not str(path).startswith(library) or flags & (os.O_WRONLY | os.O_RDWR):
                raise PermissionError(f"the file {path!r} is out of bounds")
        elif event == "import":
            if arguments[0] in REFUSED_MODULES:
                raise PermissionError(f"the module {arguments[0]} is out of bounds")
        elif event.startswith(REFUSED) and event not in ALLOWED_EVENTS:
            raise PermissionError(f"{event} is out of bounds")

    sys.addaudithook(refuse)


def table(request: dict[str, Any]) -> Any:
    """The rows of answers, asked only where rolling and holding are both allowed."""
    names: dict[str, Any] = {"__name__": "entry"}
    exec(compile(request["source"], "entry", "exec"), names)
    strategy = names.get("strategy")
    if not callable(strategy):
        raise TypeError("it defines no function strategy(mine, yours, turn)")
    goal, first = request["goal"], 0 if request["skip"] else 1
    for mine in range(goal):
        for yours in range(goal):
            answers = ["1"] * first
            for turn in range(first, goal - mine):
                answer = strategy(mine, yours, turn)
                if answer is not True and answer is not False:
                    raise TypeError(f"{str(answer)[:60]} at {mine}-{yours}+{turn} is not True or False")
                answers.append("1" if answer else "0")
            yield {"mine": mine, "yours": yours, "rolls": "".join(answers)}
    yield {"done": True}


if __name__ == "__main__":
    main()
