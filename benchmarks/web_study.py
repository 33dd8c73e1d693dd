"""Participants of a study for the benchmarks: what a choice costs the server, beside the same games without a study.

Moves that come together cost less each, for the server wakes once and writes once for all of them. How many come
together depends on how long the first games took to begin, which is longer in a study. So everybody here, in a study or
not, moves at a part of the second of their own.
"""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from dicewright.storage.shelf.shelf import Shelf
from dicewright.study.plan_file import check_plan
from dicewright.study.roster import Roster

from .web_players import Player, Tally, ask

PEOPLE, SECONDS, RAMP = 200, 15.0, 5.0
GAME, OPPONENT = "pig", "hold:20"
PLAN = f'game = "{GAME}"\nopponent = "{OPPONENT}"\ngames = 1000\nseats = "first"\nparticipants = {PEOPLE}\n'


class Even(Player):
    """A player of the benchmark's game whose moves are due at a part of the second drawn once."""

    def __init__(self, port: int, tally: Tally) -> None:
        super().__init__(port, GAME, OPPONENT, tally)
        self.phase = random.random() * self.every

    async def _in_step(self) -> float:
        now = time.perf_counter()
        wait = (self.phase - now) % self.every
        await asyncio.sleep(wait)
        return now + wait


class Participant(Even):
    """A player whose games are those of a study."""

    def __init__(self, port: int, key: str, tally: Tally) -> None:
        super().__init__(port, tally)
        self.key = key

    async def begin(self) -> dict:
        """The next game of this participant, after consent and answers."""
        now = await ask(self.port, "/api/study", token=self.key)
        if "consent" in now:
            now = await ask(self.port, "/api/study/consent", {}, self.key)
        if "questions" in now:
            answers = {question["name"]: question["options"][0] for question in now["questions"]}
            await ask(self.port, "/api/study/answers", {"answers": answers}, self.key)
        return (await ask(self.port, "/api/study/next", {}, self.key))["game"]


def write_study(folder: Path) -> tuple[Path, list[str]]:
    """The study's file, with its database begun beside it, and everybody's keys."""
    file = folder / "study.toml"
    file.write_text(PLAN, encoding="utf-8")
    plan, _ = check_plan(PLAN)
    with Shelf.open(str(file.with_suffix(".sqlite"))) as shelf:
        roster = Roster.open(shelf, plan, PLAN)
        return file, [roster.key(name) for name in plan.participants]


async def cost_of_choices(people: Sequence[Player], processor: Callable[[], float]) -> tuple[float, int]:
    """Processor seconds of a choice of all these players, one a second each, and how many choices they made."""
    tally, stop = people[0].tally, asyncio.Event()
    tasks = [asyncio.create_task(person.play(stop)) for person in people]
    await asyncio.sleep(RAMP)
    before, moves = processor(), tally.moves
    await asyncio.sleep(SECONDS)
    spent, made = processor() - before, tally.moves - moves
    stop.set()
    await asyncio.wait(tasks, timeout=20.0)
    return spent / made, made
