"""A person's games judged in the background, some at a time, so that their figures can be told."""

from functools import partial
from typing import Any

from ...core.errors import DicewrightError
from ...storage.career import Theirs, unjudged
from ...storage.records.text import write_records
from ...storage.shelf.saved_game import SavedGame
from ..prepare.prepared import Prepared
from ..prepare.remembered import Cost, Task
from .people import People

TOGETHER = 20  # games in one question
MOST_PLIES = 1_500


class Judging:
    """Which games are to be judged next, and what became of them."""

    def __init__(self, people: People, prepared: Prepared) -> None:
        self.people, self.prepared = people, prepared
        self.hopeless: set[str] = set()  # games that are too large to be solved here, as they are written

    async def next(self, games: Theirs) -> tuple[list[SavedGame], Task] | None:
        """Some games of one kind that are being judged now; None once there is nothing left to judge."""
        waiting = [game for game in unjudged(games) if game.game not in self.hopeless]
        for text in dict.fromkeys(game.game for game in waiting):
            try:
                rules = await self.prepared.game(text)
                if not (await self.prepared.look(rules)).judged:
                    raise DicewrightError
                solving = self.prepared.solving(rules)
            except DicewrightError:
                self.hopeless.add(text)
                continue
            if not solving.ready:
                return [], solving
            batch, plies = list[SavedGame](), 0
            for game in (game for game in waiting if game.game == text):
                plies += len(game.choices.split())
                if batch and (plies > MOST_PLIES or len(batch) == TOGETHER):
                    break
                batch.append(game)
            records = await self.prepared.open(Cost.replaying(plies), _written, batch)
            key, cost = (
                ("figures", *(game.id for game in batch)),
                partial(Cost.analysis, min(plies, MOST_PLIES)),
            )
            return batch, self.prepared.document(key, cost, rules, "figures", [records])
        return None

    async def keep(self, batch: list[SavedGame], found: list[dict[str, Any]]) -> None:
        """Write the figures down."""
        shelf = self.people.players.shelf

        def written() -> None:
            for game, figures in zip(batch, found, strict=True):
                shelf.keep_figures(game.id, figures)

        await self.people.write(written)


def _written(batch: list[SavedGame]) -> str:
    return write_records([game.record() for game in batch])
