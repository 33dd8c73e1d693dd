"""`make bench-web`: the server under 1,000 players at one move a second, and killed 20 times under 100 live games.

    python -m benchmarks.web [load] [kills] [hints] [attack]

The server is a process of its own and so are the players. Limits: p99 at most 50 ms from a move sent to its state
received (in the middle one of three runs), no error, at most 500 MB of memory; no acknowledged move lost, nor its
time, everybody back within 2 s of its start; the first hint within 0.2 s. While one address asks for all
the work that it may, another one's slowest list, move and hint within 50 ms or three times the middle quiet one (in the
middle one of three runs), and 500 MB.
"""

import asyncio
import gc
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

import uvloop

from dicewright.core.game import FIRST, OVER
from dicewright.storage.shelf.shelf import Shelf

from . import web_attack, web_echo, web_hints, web_study
from .web_players import Player, Tally, ask

PLAYERS, SECONDS, RAMP, ECHO = 1_000, 30.0, 15.0, 10.0
GAME = "pig"  # ends after some forty moves; its player begins the next one
MOST_P99, MOST_BYTES, MOST_RESUME, MOST_HINT = 0.050, 500e6, 2.0, 0.2
LOADS = 3  # runs of the load: on a shared machine any one may be disturbed
WINDOW = 0.5  # seconds in which the most is looked for that the host took at once
KILLS, KILL_GAMES = 20, 100
MOST_RATIO = 1.5  # of a choice in a study to one without


def free_port() -> int:
    """A port that nobody listens on, below those the system gives away: still free for a server started again."""
    for _ in range(100):
        port = 20_000 + secrets.randbelow(10_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port from 20000 to 29999 can be taken")


def start(port: int, database: Path | None, *words: str) -> subprocess.Popen[bytes]:
    """A server as its own process; without a database one that only echoes."""
    command = (
        ["benchmarks.web_server", str(port), str(database), *words]
        if database
        else ["benchmarks.web_echo", str(port)]
    )
    return subprocess.Popen([sys.executable, "-m", *command], stdout=-3)


def wait(port: int, seconds: float = 60.0) -> float:
    """Wait until it answers; how long that took."""
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return time.perf_counter() - started
        time.sleep(0.02)
    raise RuntimeError("the server does not answer")


def memory(process: subprocess.Popen[bytes]) -> int:
    """The bytes of the server that are in memory."""
    lines = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def helpers(process: subprocess.Popen[bytes]) -> int:
    """The bytes in memory of the processes that the server has started."""
    found = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError, KeyError, ValueError):
            lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
            if int(lines["PPid"]) == process.pid:
                found += int(lines["VmHWM"].split()[0]) * 1024
    return found


def processor(process: subprocess.Popen[bytes]) -> float:
    """The processor seconds of the server so far."""
    parts = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def taken() -> float:
    """The seconds for which the host gave this machine's processors to others, so far (0 where it does not say)."""
    try:
        first = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()
        return int(first[8]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0


def line(what: str, found: str, limit: str, kept: bool) -> bool:
    """Print one measurement; whether it is within its limit."""
    print(f"{what:<58} {found:>12}  limit {limit:>8}  {'ok' if kept else 'MISSED'}", flush=True)
    return kept


def run_echo(players: int) -> None:
    """The baseline: the same websockets at the same pace, and a server that does nothing."""
    port = free_port()
    server = start(port, None)
    try:
        wait(port)
        before, stolen = processor(server), taken()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            times = runner.run(web_echo.measure(port, players, ECHO / 2, ECHO))
        spent, stolen = (processor(server) - before) / ECHO / 1.5, (taken() - stolen) / ECHO / 1.5
    finally:
        server.terminate()
        server.wait()
    p50, p99 = (times[int(len(times) * share)] for share in (0.50, 0.99))
    print(
        f"baseline, an echo to {players} websockets: p50 {1e3 * p50:.1f} ms, p99 {1e3 * p99:.1f} ms,", end=" "
    )
    print(
        f"longest {1e3 * times[-1]:.1f} ms, server {100 * spent:.0f} %, host took {100 * stolen:.1f} % of a core"
    )


async def until_ready(port: int, game: str) -> None:
    """Wait until the game is solved."""
    while not (await ask(port, f"/api/rules?game={game}"))["ready"]:
        await asyncio.sleep(0.5)


def run_load(folder: Path, players: int) -> bool:
    """The load so many times, on a new server each; all runs are printed, and the middle one is judged by its time."""
    p99s, kept = [], []
    for number in range(LOADS):
        port = free_port()
        server = start(port, folder / f"load{number}.sqlite")
        try:
            wait(port)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                p99, right = runner.run(load(port, server, "optimal", players))
        finally:
            server.terminate()
            server.wait()
        p99s.append(p99)
        kept.append(right)
    p99 = median(p99s)
    kept.append(
        line(f"p99 of the middle one of {LOADS} runs", f"{1e3 * p99:.1f} ms", "50 ms", p99 <= MOST_P99)
    )
    return all(kept)


async def load(port: int, server: subprocess.Popen[bytes], opponent: str, players: int) -> tuple[float, bool]:
    """All players at one move a second: p99 of a move, and whether the other limits were kept."""
    await until_ready(port, GAME)
    tally, stop = Tally(), asyncio.Event()
    people = [Player(port, GAME, opponent, tally) for _ in range(players)]
    tasks = []
    for person in people:
        tasks.append(asyncio.create_task(person.play(stop)))
        await asyncio.sleep(RAMP / 2 / players)
    await asyncio.sleep(RAMP / 2)
    for person in people:
        person.measuring = True
    before, marks, began = processor(server), [taken()], time.perf_counter()
    for _ in range(round(SECONDS / WINDOW)):
        await asyncio.sleep(WINDOW)
        marks.append(taken())
    seconds = time.perf_counter() - began
    spent, stolen = (processor(server) - before) / seconds, (marks[-1] - marks[0]) / seconds
    burst = max(late - early for early, late in pairwise(marks))
    stop.set()
    await asyncio.wait(tasks, timeout=20.0)
    times = sorted(tally.seconds)
    p50, p99 = (times[int(len(times) * share)] for share in (0.50, 0.99))
    print(
        f"{players} players against {opponent}: {len(times):,} moves in {seconds:.1f} s, {tally.games} games ended,"
    )
    print(
        f"p50 {1e3 * p50:.1f} ms, p99 {1e3 * p99:.1f} ms, longest {1e3 * times[-1]:.1f} ms from a move sent to its",
        f"state received, server {100 * spent:.0f} % of a core,",
    )
    print(
        f"while the host took {100 * stolen:.1f} % of a core away from this machine,",
        f"at most {1e3 * burst:.0f} ms within {WINDOW:g} s",
    )
    pace = len(times) / seconds
    right = [
        line("moves a second", f"{pace:,.0f}", f"{0.95 * players:,.0f}", pace >= 0.95 * players),
        line("errors", str(len(tally.errors)), "0", not tally.errors),
        line(
            "memory of the server", f"{memory(server) / 1e6:.0f} MB", "500 MB", memory(server) <= MOST_BYTES
        ),
    ]
    for error in tally.errors[:5]:
        print("  ", error)
    return p99, all(right)


async def run_kills(port: int, database: Path, kills: int, games: int) -> tuple[Tally, list[float]]:
    """Kill the server and start it again while games go on; how long each start took until it listened."""
    server = start(port, database)
    wait(port)
    tally, stop = Tally(), asyncio.Event()
    people = [Player(port, "pig", "hold:20", tally, every=0.1) for _ in range(games)]
    tasks = [asyncio.create_task(person.play(stop)) for person in people]
    starts = []
    try:
        await asyncio.sleep(3.0)
        for _ in range(kills):
            await asyncio.sleep(0.5 + random.random())
            server.send_signal(signal.SIGKILL)
            server.wait()
            server = start(port, database)
            starts.append(await asyncio.to_thread(wait, port))
            back = time.perf_counter()
            for person in people:
                if person.cut is not None:
                    person.cut = back  # a client cannot resume before the server listens
            await asyncio.sleep(1.0)
            while any(person.cut is not None for person in people) and time.perf_counter() - back < 10.0:
                await asyncio.sleep(0.1)
        stop.set()
        await asyncio.wait(tasks, timeout=20.0)
    finally:
        server.kill()
        server.wait()
    return tally, starts


def untimed(database: Path) -> int:
    """How many choices of the people (who sit first) have no time; nobody is asked to hold at the goal."""
    count = 0
    with Shelf.open(str(database), only_read=True) as shelf:
        for saved in shelf.all(timed=True):
            record = saved.record()
            game = record.game
            for ply, (state, _) in enumerate(zip(record.states(), record.choices, strict=False)):
                if game.mover(state) == FIRST and ply not in saved.times:
                    actions = game.actions(game.view(state, FIRST))
                    count += len(actions) > 1 or game.mover(game.play(state, actions[0])) != OVER
    return count


def report_kills(tally: Tally, starts: list[float], database: Path, kills: int, games: int) -> bool:
    """Print what the kills did."""
    print(
        f"{kills} kills under {games} games: {tally.moves:,} moves acknowledged, {len(tally.resumed)} resumptions,"
    )
    print(f"the server listens again after {max(starts):.2f} s at most")
    longest = max(tally.resumed, default=99.0)
    kept = [
        line("acknowledged moves lost", str(len(tally.lost)), "0", not tally.lost),
        line("choices of people without their time", str(late := untimed(database)), "0", not late),
        line("longest resumption once the server listens", f"{longest:.2f} s", "2 s", longest <= MOST_RESUME),
    ]
    for lost in tally.lost[:5]:
        print("  ", lost)
    return all(kept)


def run_hints(folder: Path) -> bool:
    """The first hint of each usual game, each from a server that has just started."""
    kept = []
    for game in web_hints.GAMES:
        port = free_port()
        server = start(port, folder / "hints.sqlite")
        try:
            wait(port)
            time.sleep(web_hints.PAUSE)
            seconds = asyncio.run(web_hints.first_hint(port, game))
        finally:
            server.terminate()
            server.wait()
        kept.append(line(f"first hint of {game}", f"{1e3 * seconds:.0f} ms", "200 ms", seconds <= MOST_HINT))
    return all(kept)


def run_attack(folder: Path) -> bool:
    """Each attack so many times, on a new server each: the other client's times, quiet and attacked."""
    kept = []
    for name, asks in web_attack.ATTACKS.items():
        runs = []
        for number in range(web_attack.RUNS):
            port = free_port()
            server = start(port, folder / f"attack{name[:2]}{number}.sqlite", "limits")
            try:
                wait(port)
                stolen = taken()
                quiet, attacked, met = asyncio.run(web_attack.run(port, asks))
                stolen, size, others = taken() - stolen, memory(server), helpers(server)
            finally:
                server.terminate()
                server.wait()
            runs.append((quiet, attacked))
            kept.append(
                line(f"attack by {name}: memory", f"{size / 1e6:.0f} MB", "500 MB", size <= MOST_BYTES)
            )
            told = ", ".join(
                f"{kind} {1e3 * quiet.middle(kind):.1f} then {1e3 * attacked.middle(kind):.1f} ms"
                f" (slowest {1e3 * quiet.worst(kind):.1f} then {1e3 * attacked.worst(kind):.1f})"
                for kind in web_attack.KINDS
            )
            print(f"  {told};")
            print(f"  {met};")
            if met.harmless:
                print("  nothing was done for the attacker: these times show nothing of an attack")
            kept.append(not met.harmless)
            print(f"  other processes {others / 1e6:.0f} MB, host took {stolen:.1f} s")
        for kind in web_attack.KINDS:
            limits = [max(web_attack.SHORT, web_attack.FACTOR * quiet.middle(kind)) for quiet, _ in runs]
            shares = [attacked.worst(kind) / limit for (_, attacked), limit in zip(runs, limits, strict=True)]
            place = shares.index(sorted(shares)[len(shares) // 2])
            found, limit = runs[place][1].worst(kind), limits[place]
            what = f"attack by {name}: slowest {kind}, the middle of {len(runs)} runs"
            kept.append(line(what, f"{1e3 * found:.1f} ms", f"{1e3 * limit:.0f} ms", found <= limit))
    return all(kept)


def run_study(folder: Path) -> bool:
    """The same games without and within a study, one after the other: the processor time of a choice."""
    file, keys = web_study.write_study(folder)
    costs = []
    for words in ((), (str(file),)):
        port, tally = free_port(), Tally()
        server = start(port, file.with_suffix(".sqlite") if words else folder / "plain.sqlite", *words)
        people = [
            web_study.Participant(port, key, tally) if words else web_study.Even(port, tally) for key in keys
        ]
        try:
            wait(port)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                if not words:
                    runner.run(until_ready(port, web_study.GAME))
                measured = web_study.cost_of_choices(people, partial(processor, server))
                cost, made = runner.run(measured)
        finally:
            server.terminate()
            server.wait()
        costs.append(cost)
        where = "in a study" if words else "without a study"
        told = f"{1e3 * cost:.2f} ms of processor a choice, {made:,} choices, {len(tally.errors)} errors"
        print(f"{len(people)} players {where}: {told}")
        for error in tally.errors[:5]:
            print("  ", error)
    ratio = costs[1] / costs[0]
    return line(
        "a choice in a study, beside one without", f"{ratio:.2f}", f"{MOST_RATIO:g}", ratio <= MOST_RATIO
    )


def main() -> None:
    """Run the parts named on the command line, or all."""
    gc.disable()  # the players' own pauses are not the server's
    parts = [part for part in sys.argv[1:] if not part.isdigit()] or [
        "load",
        "kills",
        "hints",
        "attack",
        "study",
    ]
    players = next((int(part) for part in sys.argv[1:] if part.isdigit()), PLAYERS)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        if "load" in parts:
            run_echo(players)
            results.append(run_load(Path(folder), players))
        if "kills" in parts:
            database = Path(folder) / "kills.sqlite"
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                tally, starts = runner.run(run_kills(free_port(), database, KILLS, KILL_GAMES))
            results.append(report_kills(tally, starts, database, KILLS, KILL_GAMES))
        if "hints" in parts:
            results.append(run_hints(Path(folder)))
        if "attack" in parts:
            results.append(run_attack(Path(folder)))
        if "study" in parts:
            results.append(run_study(Path(folder)))
    if not all(results):
        sys.exit("a limit was missed (a loaded machine misses some: run it again alone)")


if __name__ == "__main__":
    main()
