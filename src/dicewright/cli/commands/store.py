"""The command `store`: what was solved and kept; list, show, verify, prune."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer
from typer import Argument, Option

from ... import cli
from ...core.errors import DicewrightError, VerificationError
from ..app import Json, app

store = typer.Typer(rich_markup_mode=None, help="See, check and remove the solutions that are kept.")
app.add_typer(store, name="store")

Games = Annotated[list[str] | None, Argument(metavar="GAME...", help="All that are kept unless named.")]


@store.callback()
def verbs() -> None:
    """See, check and remove the solutions that are kept. Example: dicewright store list"""


@store.command("list")
def list_kept(json: Json = False) -> None:
    """List what is kept. Example: dicewright store list"""
    from ...storage.inventory import items, told
    from ...storage.store import store_folder

    found = list(items())
    if json:
        cli.document([told(item) for item in found])
        return
    lines = [
        [item.game or item.path.name, _value(item), f"{item.size:,}", f"{item.written:%Y-%m-%d}", item.fault]
        for item in found
    ]
    columns = ["game", "value", "bytes", "written", "fault"]
    wide = len(columns) if any(item.fault for item in found) else len(columns) - 1
    cli.rows(f"kept in {store_folder()}", columns[:wide], [line[:wide] for line in lines], right=(2,))
    size = sum(item.size for item in found)
    cli.out.print(f"{len(found)} solutions, {size:,} bytes")


@store.command()
def show(games: Games = None, json: Json = False) -> None:
    """Say what is kept of games. Example: dicewright store show pig"""
    from ...storage.inventory import chosen, told

    found = [told(item) for item in chosen(games or [])]
    if json:
        cli.document(found)
        return
    for item in found:
        cli.rows(item["game"] or item["file"], ["", ""], [[key, value] for key, value in item.items()])


@store.command()
def verify(games: Games = None, json: Json = False) -> None:
    """Prove what is kept again, with code no solver shares. Example: dicewright store verify pig

    Exit code 4 if any of it does not hold; an estimate is not proved, and is said to be one.
    """
    from ...storage.inventory import chosen, told
    from ...storage.solution_file import verify as prove

    checked = []
    for item in chosen(games or []):
        name, fault = item.game or item.path.name, item.fault
        with cli.working(f"proving {name} again", json):
            try:
                proved = fault is None and prove(item.path).proved
            except DicewrightError as error:
                proved, fault = False, str(error)
        checked.append({**told(item), "fault": fault, "verified": proved})
        if not json:
            cli.out.print(f"{name}: {fault or ('proved again' if proved else 'an estimate, not proved')}")
    if json:
        cli.document(checked)
    faults = [each for each in checked if each["fault"]]
    if faults:
        raise VerificationError(
            f"{len(faults)} of {len(checked)} do not hold; dicewright store prune removes them"
        )


@store.command()
def prune(
    games: Games = None,
    older: Annotated[int | None, Option(min=0, metavar="DAYS", help="Also what was written earlier.")] = None,
    everything: Annotated[bool, Option("--all", help="Also what is sound.")] = False,
    dry_run: Annotated[bool, Option("--dry-run", help="Only say what would go.")] = False,
    json: Json = False,
) -> None:
    """Remove what cannot be read or is out of date. Example: dicewright store prune --older 90 --dry-run

    Named games go whatever they are: dicewright store prune pig
    """
    from ...storage.inventory import chosen, remove, told

    limit = None if older is None else datetime.now(UTC) - timedelta(days=older)
    found = chosen(games or [])
    gone = [
        item
        for item in found
        if everything or games or item.fault is not None or (limit is not None and item.written < limit)
    ]
    for item in gone:
        if not dry_run:
            remove(item)
    if json:
        cli.document({"removed": [told(item) for item in gone], "dry_run": dry_run})
        return
    for item in gone:
        cli.out.print(f"{item.game or item.path.name}: {item.fault or f'{item.size:,} bytes'}")
    size = sum(item.size for item in gone)
    verb = "would be removed" if dry_run else "removed"
    cli.out.print(f"{len(gone)} of {len(found)} solutions {verb}, {size:,} bytes")


def _value(item: Any) -> str:
    known = item.certificate
    if known is None:
        return ""
    if known.exact is not None and len(str(known.exact)) <= 20:
        return str(known.exact)
    return f"{known.value:+.6f}" + ("" if known.proved else " (estimate)")
