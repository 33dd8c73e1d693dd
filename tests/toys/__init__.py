"""Packages of somebody else: with this folder on the path, dicewright finds them as if they were installed."""

import sys
from pathlib import Path

from dicewright.families import catalog
from dicewright.web.api import catalog as catalog_api
from dicewright.web.rooms import views

TOYS = str(Path(__file__).parent)
PACKAGES = ("nerve",)


def forget():
    """Families are found once in a process: let them be looked for again, and games of the toys be read anew."""
    for found in (catalog.named, catalog.others, catalog_api._catalog, views.playable):
        found.cache_clear()
    for module in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
        del sys.modules[module]
