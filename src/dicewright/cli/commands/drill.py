"""`drill`: decisions of solved play to practise, in the terminal."""

from contextlib import suppress
from datetime import UTC, date, datetime
from functools import partial
from random import Random, SystemRandom
from typing import Annotated, Any

from typer import Option

from ... import cli
from ...core.errors import DicewrightError
from ..app import Place, app, game_argument

USUAL = "pig"


def today() -> date:
    """As the page counts days."""
    return datetime.now(UTC).date()


@app.command()
def drill(
    game: Annotated[
        str | None, game_argument(f"A game, such as bluff; else what is due, or {USUAL}.")
    ] = None,
    theme: Annotated[str, Option(metavar="THEME", help="One theme only.")] = "",
    count: Annotated[int, Option(metavar="N", min=1, max=1000, help="How many decisions.")] = 5,
    seed: Annotated[int | None, Option(metavar="N", help="The same decisions every time.")] = None,
    themes: Annotated[bool, Option("--themes", help="List the themes of GAME.")] = False,
    database: Place = None,
) -> None:
    """Practise decisions of solved play: right or wrong at once, and why. Example: dicewright drill pig

    Right is what is as good as the best, and every action of the solved mix. With a name (dicewright me) a theme comes
    back when it is time, here and on the page.
    """
    from ...arena.drill import themes_in
    from ...core.errors import TooLarge
    from ...storage import store
    from ...storage.games import parse_game
    from ..play.drill import Drill, shown_themes
    from ..play.plain import say

    notes = Notes(database)
    try:
        due = notes.due() if game is None and not theme else None
        text, theme = due or (game or USUAL, theme)
        rules = parse_game(text)
        if not store.is_quick(rules):
            raise TooLarge(f"{rules.name} is too large to be practised; choose smaller rules")
        with cli.working(f"solving {rules.name}", quiet=False):
            solution = store.solution_of(rules)
        if themes:
            say(*shown_themes(solution, themes_in(rules, solution)))
            return
        level = notes.level(rules.name, theme)
        drawn = Random(seed) if seed is not None else SystemRandom()
        Drill(solution, theme, drawn, level, partial(notes.answered, rules.name)).run(count)
        if notes.told:
            say(notes.told)
    finally:
        notes.close()


class Notes:
    """What whoever has a name here practises, kept with their games; nothing for anybody else."""

    def __init__(self, url: str | None) -> None:
        from ...storage.shelf.mine import known_code, player_here
        from ...storage.shelf.players import Players
        from ...storage.shelf.shelf import Shelf

        self.shelf = self.player = None
        self.told = ""
        if known_code() is None:
            return
        with suppress(DicewrightError, OSError):  # practice does not need it
            self.shelf = Shelf.open(url)
            self.player, self.players = player_here(self.shelf), Players(self.shelf)

    def due(self) -> tuple[str, str] | None:
        """The game and theme whose time has come, else a leak that was never practised."""
        from ...storage.career import career_of

        rows = self._rows()
        there = [(one.game, one.theme) for one in rows if one.due <= today().isoformat()]
        if self.player is not None and not there:
            known = {(one.game, one.theme) for one in rows}
            leaks = career_of(self.player, self.players.games(self.player))["leaks"]
            there = [pair for leak in leaks if (pair := (leak["game"], leak["theme"])) not in known]
        return there[0] if there else None

    def level(self, game: str, theme: str) -> int:
        """Where to begin with a theme."""
        boxes = (one.box for one in self._rows() if (one.game, one.theme) == (game, theme))
        return min(4, next(boxes, 0))

    def answered(self, game: str, theme: str, right: bool) -> None:
        """Note it; when the theme comes back is told at the end."""
        from ...storage.shelf.practice import answer

        if self.player is None:
            return
        after = answer(self.players, self.player, game, theme, right, today())
        if not after.asked:
            self.told = f"A round is done. This theme comes back on {after.due}."

    def close(self) -> None:
        """Leave the database."""
        if self.shelf is not None:
            self.shelf.close()

    def _rows(self) -> list[Any]:
        from ...storage.shelf.practice import practised

        return [] if self.player is None else practised(self.players, self.player)
