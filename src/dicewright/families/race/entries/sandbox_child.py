"""The other end of the sandbox: run alone, by path, with nothing of ours imported.

Reads one JSON line {"source", "goal", "skip", "seed", "seconds", "megabytes"}, limits itself, defines the strategy
and answers one JSON line {"mine", "yours", "rolls": "0110..."} for each pair of scores, then {"done": true};
or {"error": ...}. What the strategy prints goes nowhere.

Everything an entry may import is loaded first; then nothing needs a file any more. Three fences, none of which can
be taken down again: limits of the system (time, memory, files, processes); where it is Linux on a usual processor, a
seccomp filter by which the kernel refuses all calls but a few for memory, clocks and pipes already open; and an audit
hook that refuses all of Python's audited events but a few. Without the filter the hook alone is no wall.
"""

import json
import os
import random
import resource
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

MODULES = (
    "__future__", "abc", "array", "bisect", "cmath", "collections", "collections.abc", "contextlib", "copy",
    "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "heapq", "itertools", "json",
    "math", "numbers", "operator", "random", "re", "statistics", "string", "struct", "textwrap", "time",
    "types", "typing", "warnings",
)  # fmt: skip
HIDDEN = (
    "__main__", "_ctypes", "_imp", "_signal", "ctypes", "ctypes._endian", "importlib", "importlib._bootstrap",
    "importlib._bootstrap_external", "importlib.machinery", "os", "posix", "resource", "signal",
)  # fmt: skip
ALLOWED_EVENTS = frozenset({"array.__new__", "builtins.id", "compile", "exec", "time.sleep"})
ALLOWED_ATTRIBUTES = frozenset(
    {
        ("object.__getattr__", "__code__"),  # dataclasses read these three
        ("object.__getattr__", "__defaults__"),
        ("object.__getattr__", "__kwdefaults__"),
        ("object.__setattr__", "__defaults__"),  # named tuples set these
        ("object.__setattr__", "__bases__"),
        ("object.__setattr__", "__doc__"),
        ("object.__setattr__", "__module__"),
        ("object.__setattr__", "__name__"),
        ("object.__setattr__", "__qualname__"),
    }
)
# The kernel's numbers: read write mmap mprotect munmap brk rt_sigreturn sched_yield mremap madvise nanosleep exit
# gettimeofday futex restart_syscall clock_gettime clock_nanosleep exit_group getrandom
CALLS = {
    "x86_64": (0xC000003E, (0, 1, 9, 10, 11, 12, 15, 24, 25, 28, 35, 60, 96, 202, 219, 228, 230, 231, 318)),
    "aarch64": (
        0xC00000B7,
        (63, 64, 222, 226, 215, 214, 139, 124, 216, 233, 101, 93, 169, 98, 128, 113, 115, 94, 278),
    ),
}


class SourceError(Exception):
    """What is wrong with a source, in words for who wrote it."""


def main() -> None:
    """Answer one request."""
    request = json.loads(sys.stdin.buffer.readline())
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    for module in MODULES:
        import_module(module)
    fix_chance(f"{request['seed']} {request['source']}")
    limit(request["seconds"], request["megabytes"])
    filter_calls()
    hide()
    sys.addaudithook(hook())
    try:
        for row in table(request):
            answers.write(json.dumps(row) + "\n")
    except MemoryError:
        answers.write(json.dumps({"error": f"it needs more than {request['megabytes']} MB"}) + "\n")
    except SourceError as error:
        answers.write(json.dumps({"error": str(error)}) + "\n")
    except BaseException as error:  # whatever the strategy raised, SystemExit included
        answers.write(json.dumps({"error": f"it raised {type(error).__name__} ({error})"[:300]}) + "\n")
    answers.flush()
    os._exit(0)


def fix_chance(seed: str) -> None:
    """Let the same seed give the same random numbers, also to those who ask the system for a seed."""
    source = random.Random(seed)  # a stream of its own, that an entry does not know of
    plain = random.Random.seed

    def seeded(self: random.Random, a: Any = None, version: int = 2) -> None:
        plain(self, source.getrandbits(64) if a is None else a, version)

    random.Random.seed = seeded  # type: ignore[method-assign]
    random.seed = random._inst.seed
    random._urandom = source.randbytes  # type: ignore[attr-defined]
    random.seed()


def limit(seconds: float, megabytes: int) -> None:
    """Limits of the system for this process that cannot be lifted."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    whole = max(1, int(seconds + 0.999))
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    signal.alarm(2 * whole + 2)  # in case the parent is gone


def filter_calls() -> bool:
    """Let the kernel refuse all calls but CALLS from now on (no libseccomp needed); whether it does."""
    if sys.platform != "linux" or os.uname().machine not in CALLS:
        return False
    architecture, calls = CALLS[os.uname().machine]
    load, equal, answer = 0x20, 0x15, 0x06  # instructions of the Berkeley packet filter
    steps = [(load, 0, 0, 4), (equal, 1, 0, architecture), (answer, 0, 0, 0x80000000), (load, 0, 0, 0)]
    steps += [(equal, len(calls) - n, 0, call) for n, call in enumerate(calls)]
    steps += [(answer, 0, 0, 0x00050001), (answer, 0, 0, 0x7FFF0000)]  # EPERM, or go ahead
    try:
        import ctypes
    except ImportError:
        return False
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(code)))
    prctl, number = ctypes.CDLL(None).prctl, ctypes.c_ulong
    no_new_privileges, seccomp, by_filter = 38, 22, 2
    prctl(no_new_privileges, number(1), number(0), number(0), number(0))
    return bool(prctl(seccomp, number(by_filter), ctypes.byref(program), number(0), number(0)) == 0)


def hide() -> None:
    """Take away what leads to other modules and to the frames of this one; the hook refuses to load it again."""
    import _imp

    for module, names in (
        (_imp, ("create_builtin", "create_dynamic")),
        (sys, ("_getframe", "_current_frames")),
    ):
        for name in names:
            with suppress(AttributeError):
                delattr(module, name)
    with suppress(AttributeError):
        del sys._getframemodulename  # type: ignore[attr-defined]
    for name in HIDDEN:
        sys.modules.pop(name, None)


def hook() -> Callable[[str, tuple[Any, ...]], None]:
    """The audit hook; all that it uses is bound here, where an entry cannot change it."""
    events, attributes, error, plain, kind = ALLOWED_EVENTS, ALLOWED_ATTRIBUTES, PermissionError, str, type

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event in events:
            return
        if event == "import":
            name = arguments[0] if kind(arguments[0]) is plain else "of that name"
            raise error("the module " + name + " is out of bounds")
        if event == "object.__getattr__" or event == "object.__setattr__":
            if kind(arguments[1]) is plain and (event, arguments[1]) in attributes:
                return
            raise error("the attribute " + arguments[1] + " is out of bounds")
        raise error(event + " is out of bounds")

    return refuse


def table(request: dict[str, Any]) -> Any:
    """The rows of answers, asked only where rolling and holding are both allowed."""
    sys.modules["entry"] = entry = type(sys)("entry")  # dataclasses look their module up
    names = vars(entry)
    try:
        code = compile(request["source"], "entry", "exec")
    except SyntaxError as error:
        raise SourceError(f"it is no Python: {error.msg} in line {error.lineno}") from None
    exec(code, names)
    strategy = names.get("strategy")
    if not callable(strategy):
        raise SourceError("it defines no function strategy(mine, yours, turn)")
    goal, first = request["goal"], 0 if request["skip"] else 1
    for mine in range(goal):
        for yours in range(goal):
            answers = ["1"] * first
            for turn in range(first, goal - mine):
                answer = strategy(mine, yours, turn)
                rolls = meaning(answer)
                if rolls is None:
                    place, allowed = f"{mine}-{yours}+{turn}", "True or False, 'roll' or 'hold'"
                    raise SourceError(f"its answer {str(answer)[:60]} at {place} is not {allowed}")
                answers.append("1" if rolls else "0")
            yield {"mine": mine, "yours": yours, "rolls": "".join(answers)}
    yield {"done": True}


def meaning(answer: Any) -> bool | None:
    """Whether the answer means to roll; None if it means nothing."""
    if answer is True or answer is False:
        return bool(answer)
    return {"roll": True, "hold": False}.get(answer.strip().lower()) if isinstance(answer, str) else None


if __name__ == "__main__":
    main()
