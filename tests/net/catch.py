"""Catch what the program answers, as text: by its commands, rules, words, records, numbers and web server."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import datetime, timedelta, tzinfo
from itertools import count
from pathlib import Path
from random import Random
from time import sleep
from types import SimpleNamespace
from unittest.mock import patch

from tests.unit.test_conformance import VARIANTS

HERE = Path(__file__).parent
CAUGHT = HERE / "caught"
SOLVER = CAUGHT / "solver.txt"
MOST_PLIES = 40
WIDTH = 140
SEED = 20261117
WEB = [
    "pig:goal=20",
    "two-dice-pig:goal=20",
    "hog:goal=20,dice=3",
    "bluff:sides=3",
    "bluff:dice=2v1,sides=3,spot_on=yes",
    "bluff-match:dice=2v1,sides=3",
    "mia",
    "mia:sides=3,keep=yes",
    "liars-die",
    "liars-dice-poker:dice=3",
]


LIVES = ("mia:lives=2", "piglet:lives=2", "bluff:lives=2")


def catches() -> dict[str, Callable[[Path], str]]:
    """Every text by its name, made in a folder of its own."""
    found: dict[str, Callable[[Path], str]] = {"options": lambda _: options()}
    for group, lines in _groups().items():
        found[f"commands {group}"] = lambda folder, lines=lines: commands(folder, lines)
    for name in VARIANTS:
        if "lives=" in name and name not in LIVES:
            continue  # rounds are caught by themselves
        found[f"play {_plain(name)}"] = lambda _, name=name: playthrough(name)
    for name in WEB:
        found[f"web {_plain(name)}"] = lambda _, name=name: at_the_server(name)
    found["explore"] = lambda _: explored()
    found["numbers"] = lambda _: numbers()
    found["loads"] = loads
    return found


def home(name: str) -> Path:
    """The file of a catch."""
    return CAUGHT / f"{name.replace(' ', '/', 1)}.txt"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9=_-]", "-", name)


def _groups() -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for line in (HERE / "commands.txt").read_text().splitlines():
        if line.startswith("## "):
            groups[line[3:].replace(" ", "-")] = lines = []
        elif line and not line.startswith("# "):
            lines.append(line)
    return groups


def commands(folder: Path, lines: list[str]) -> str:
    """What the commands print, one after another: output, complaint and exit code."""
    places = {"DICEWRIGHT_STORE": str(folder / "store"), "DICEWRIGHT_DATABASE": str(folder / "games.sqlite")}
    found, given = [], ""
    with counted(), patch.dict(os.environ, {**places, "NO_COLOR": "1", "USER": "ada"}):
        for line in lines:
            if line.startswith("< "):
                given = line[2:].replace(" ", "\n") + "\n"
                continue
            full = line.replace("FOLDER", str(folder)).replace("FILES", str(HERE / "files"))
            found.append(f"$ {line}\n{masked(_run(full, given), folder)}")
            given = ""
    return "\n".join(found)


def _run(line: str, given: str) -> str:
    from dicewright import cli

    cli.out.width = cli.err.width = WIDTH  # they ask the environment once, when they are made
    out, complaint = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with (
        patch.object(sys, "argv", shlex.split(line)),
        patch.object(sys, "stdin", io.StringIO(given)),
        redirect_stdout(out),
        redirect_stderr(complaint),
    ):
        code = cli._run()
    printed, said = (_all(stream) for stream in (out, complaint))
    if said.startswith("Usage:"):  # in words of the library that reads options, which change with it
        said = "usage\n"
    return "".join((printed, *(f"! {line}\n" for line in said.splitlines()), f"= {code}\n"))


def _all(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


@contextmanager
def counted() -> Iterator[None]:
    """Ids, tokens and seconds that count up, the same in every run."""
    import dicewright.storage.shelf.shelf  # noqa: F401 (looks at the clock when it is loaded)

    numbers = count(1)

    class Clock(datetime):
        """A second passes whenever somebody looks."""

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime(2026, 11, 17, tzinfo=tz) + timedelta(seconds=next(numbers))

    with (
        patch("secrets.token_urlsafe", lambda size=16: f"ID-{next(numbers):013}"),
        patch("secrets.token_hex", lambda size=32: "5e" * size),
        patch("dicewright.storage.shelf.saved_game.datetime", Clock),
        patch("dicewright.core.times.time", SimpleNamespace(time_ns=lambda: 0, monotonic_ns=lambda: 0)),
    ):
        yield


def options() -> str:
    """Every command with its arguments and options, and what their help says."""
    import typer

    from dicewright.cli import commands  # noqa: F401 (register)
    from dicewright.cli.app import app

    lines = []

    def walk(command: object, path: str) -> None:
        lines.append(f"{path}: {' '.join((getattr(command, 'help', '') or '').split())}")
        for option in getattr(command, "params", []):
            if "completion" in str(option.name):  # typer's own, in its own words
                continue
            names = " ".join((*option.opts, *option.secondary_opts))
            told = getattr(option, "help", "") or ""
            lines.append(f"    {names} = {option.default!r}: {told}")
        for name, inner in sorted(getattr(command, "commands", {}).items()):
            walk(inner, f"{path} {name}")

    walk(typer.main.get_command(app), "dicewright")
    return "\n".join(lines) + "\n"


def masked(text: str, folder: Path | None = None) -> str:
    """The text without what differs in every run: places and times."""
    if folder is not None:
        text = text.replace(str(folder), "FOLDER").replace(str(HERE / "files"), "FILES")
    text = re.sub(r'("seconds": )[0-9.e-]+', r"\1SECONDS", text)
    text = re.sub(r"\bin [0-9.]+ s\b", "in SECONDS", text)
    return text


def playthrough(name: str) -> str:
    """One random game: every state, both views, what is allowed, and all in words."""
    import dicewright as dw
    from dicewright.core.game import CHANCE, OVER
    from dicewright.core.strategy import sample
    from dicewright.families import family

    game, rng = dw.game(name), Random(SEED)
    lines = [game.name, family(game).title(game), *family(game).rules(game)]
    state = game.start()
    for ply in range(MOST_PLIES + 1):
        mover = game.mover(state)
        lines.append(f"{ply}. {game.show_state(state)} | mover {mover}")
        if mover == OVER:
            lines.append(f"   pays {game.payoff(state)}")
            break
        lines += [f"   seen by {player}: {game.show_view(game.view(state, player))}" for player in (0, 1)]
        if mover == CHANCE:
            table = game.outcomes(state)
            choice = sample(table, rng)
            shown = [f"{game.show_choice(one)} {chance}" for one, chance in list(table.items())[:30]]
        else:
            allowed = game.actions(game.view(state, mover))
            choice = rng.choice(allowed)
            shown = [f"{game.show_choice(one)} ({family(game).say(game, one)})" for one in allowed[:30]]
        lines.append(f"   of {', '.join(shown)}")
        lines.append(
            f"   {game.show_choice(choice)}: {family(game).say(game, choice)}, faces {family(game).faces(game, choice)}"
        )
        state = game.play(state, choice)
    return "\n".join(lines) + "\n"


def at_the_server(name: str) -> str:
    """A game of two people with a spectator: what each is sent, the shelf, the record and the analysis."""
    from tests.reference.web_client import make, serving, sit

    lines: list[str] = []
    rng = Random(SEED)
    with counted(), serving() as client:
        rules = client.get("/api/rules", params={"game": name})
        lines += ["GET rules", _document(rules.json())]
        made = make(client, name, "person", seat="first", name="Ada")
        joined = client.post(f"/api/games/{made['id']}/join", json={"invite": made["invite"], "name": "Bo"})
        lines += ["POST games", _document(made), "POST join", _document(joined.json())]
        other = {**made, "token": joined.json()["token"]}
        with sit(client, made) as ada, sit(client, other) as bo, sit(client, made, token=False) as watcher:
            ada.say(type="begin", seed="a")
            bo.say(type="begin", seed="b")
            states = [table.until(lambda now: now["begun"]) for table in (ada, bo, watcher)]
            for number in count():
                if states[0]["ended"] is not None:
                    break
                mover = ("first", "second").index(states[0]["to_move"])
                action = rng.choice(states[mover]["actions"])["action"]
                move = {"id": f"move{number}", "ply": states[mover]["ply"], "action": action}
                (ada, bo)[mover].say(type="move", **move)
                states = [
                    table.until(lambda now, ply=move["ply"]: now["ply"] > ply) for table in (ada, bo, watcher)
                ]
            for who, table in (("first", ada), ("second", bo), ("watcher", watcher)):
                lines += [f"frames of {who}", *_frames(table.frames)]
        for path in ("", "/record", "/analysis"):
            answer = _asked(client, f"/api/games/{made['id']}{path}")
            lines += [f"GET game{path}", answer]
        lines += ["GET games", _asked(client, "/api/games")]
    return masked("\n".join(lines)) + "\n"


def _frames(texts: list[str]) -> list[str]:
    """Every state that play brought, whole the first time and then without what is the same in all."""
    found, ply, whole = [], -1, {}
    for state in map(json.loads, texts):
        if state["begun"] and state["ply"] > ply:  # else told again because somebody came or went
            for player in state["players"]:
                del player["here"]
            found.append(_document({key: value for key, value in state.items() if whole.get(key) != value}))
            ply, whole = state["ply"], whole or state
    return found


def _document(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _asked(client: object, path: str, **query: str) -> str:
    """The answer of the server, once it is ready."""
    while (answer := client.get(path, params=query)).status_code == 202:  # type: ignore[attr-defined]
        sleep(0.01)
    kind = answer.headers["content-type"].partition(";")[0]
    text = _document(answer.json()) if kind == "application/json" else answer.text
    return f"{answer.status_code} {kind}\n{text}"


def explored() -> str:
    """What the rooms of the page ask for: catalog, maps, surfaces, ranges and tournaments."""
    from tests.reference.web_client import serving

    asked: list[tuple[str, dict[str, str]]] = [
        ("/api/catalog", {}),
        *(
            ("/api/rules", {"game": game})
            for game in ("pig:goal=15", "bluff:dice=5v5", "kuhn-poker", "nothing")
        ),
        ("/api/explore/race", {"game": "pig:goal=15", "yours": "5"}),
        ("/api/explore/race", {"game": "pig:goal=15", "strategy": "hold:8"}),
        ("/api/explore/race", {"game": "mia"}),
        ("/api/explore/surface", {"game": "pig:goal=15"}),
        ("/api/explore/surface", {"game": "hog:goal=15"}),
        ("/api/explore/ranges", {"game": "bluff:sides=3"}),
        ("/api/explore/ranges", {"game": "bluff:sides=3", "said": "1x1 1x2"}),
        ("/api/explore/ranges", {"game": "bluff:sides=3", "said": "9x9"}),
        ("/api/explore/ranges", {"game": "liars-die"}),
        ("/api/explore/tournament", {"game": "pig:goal=15"}),
        ("/api/explore/tournament", {"game": "bluff:sides=3"}),
        ("/api/explore/tournament", {"game": "liars-die"}),
        ("/api/games/nothing", {}),
    ]
    with serving() as client:
        return masked(
            "\n".join(f"GET {path} {query}\n{_asked(client, path, **query)}" for path, query in asked)
        )


def loads(folder: Path) -> str:
    """Which large libraries are loaded for a quick answer."""
    large = [
        "alembic",
        "flint",
        "highspy",
        "matplotlib",
        "numba",
        "numpy",
        "rich",
        "scipy",
        "sqlalchemy",
        "typer",
    ]
    show = f"import sys; print(*(name for name in {large} if name in sys.modules), file=sys.stderr)"
    call = "from dicewright import cli; sys.argv = {}; cli._run()"
    words = ["dicewright", "value", "pig:goal=10", "--json"]
    tries = {
        "import dicewright": "import dicewright",
        "dw.game": "import dicewright as dw; dw.game('pig')",
        "value": f"import sys; {call.format(words)}",
        "value, kept": f"import sys; {call.format(words)}",
        "games": f"import sys; {call.format(['dicewright', 'games'])}",
    }
    lines = []
    for what, code in tries.items():
        run = [sys.executable, "-c", f"{code}\n{show}"]
        place = {**os.environ, "DICEWRIGHT_STORE": str(folder), "PYTHONPATH": str(HERE.parents[1] / "src")}
        done = subprocess.run(run, capture_output=True, text=True, env=place, check=True)
        lines.append(f"{what}: {done.stderr.strip() or 'nothing'}")
    return "\n".join(lines) + "\n"


def numbers() -> str:
    """What the compiled code computes, by its sums: every state that counts enters with its own weight."""
    import numpy as np

    import dicewright as dw

    lines = []

    def note(what: str, array: object) -> None:
        line = np.asarray(array, float).ravel()
        weights = np.cos(np.arange(line.size, dtype=float))
        finite = np.isfinite(line)
        parts = (
            line.size,
            int(finite.sum()),
            *(f"{x:.12g}" for x in (line[finite].sum(), line[finite] @ weights[finite])),
        )
        lines.append(f"{what}: {' '.join(map(str, parts))}")

    for name in (
        "pig",
        "pig:goal=30,finish=exact",
        "piglet",
        "two-dice-pig:goal=40",
        "hog:goal=40",
        "pig:goal=30,payoff=difference",
    ):
        game = dw.game(name)
        optimal, other = dw.solve(game).strategies[0], dw.strategy("random", game)
        views = [dw.RaceView(i, j) for i in range(game.goal) for j in range(game.goal)]
        note(f"{name} worths", [max(optimal.action_worths(view).values()) for view in views])
        duel = dw.evaluate(game, optimal, other).a_first
        note(f"{name} against random", [duel.first_wins, duel.second_wins, duel.payoff, duel.expected_turns])
        response = dw.best_response(game, other)
        note(f"{name} best response", [response.first_payoff, response.second_payoff])
    pig = dw.game("pig:goal=30")
    holds = [dw.HoldAt(n) for n in range(1, 31)]
    note("win matrix", dw.win_matrix(pig, holds))
    for name in ("bluff:sides=3", "bluff:sides=4,spot_on=yes", "bluff:dice=2v1,sides=2", "liars-die", "mia"):
        game = dw.game(name)
        solution = dw.solve(game)
        note(f"{name} bounds", [float(solution.certificate.lower), float(solution.certificate.upper)])
    return "\n".join(lines) + "\n"
