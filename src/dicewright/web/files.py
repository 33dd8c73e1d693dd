"""The page's own files: sent packed, and each room's document names all modules that it will need.

A browser finds out what a module imports when it has read it, so a room three imports deep would be asked for in four
rounds; with the names in the document it is one.
"""

import gzip
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
SHELL = "app.js"
ROOMS: Mapping[str, str] = MappingProxyType(
    {
        "/": "rooms/table.js",
        "/g/{id}": "rooms/game.js",
        "/explore": "rooms/explore.js",
        "/design": "rooms/design.js",
        "/games": "rooms/shelf.js",
        "/you": "rooms/you.js",
        "/study": "rooms/study.js",
    }
)
PACKED = (".js", ".css", ".svg", ".html")
IMPORT = re.compile(r'^(?:import|export)\b[^"(]*"(\.[^"]+)"', re.MULTILINE)  # what is imported at once


class Files(StaticFiles):
    """Files as they stand; those of text are packed for whoever reads that."""

    def file_response(
        self, full_path: Any, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """The file, or that it has not changed."""
        found = super().file_response(full_path, stat_result, scope, status_code)
        headers, path = Headers(scope=scope), Path(full_path)
        if path.suffix not in PACKED or not hasattr(found, "path"):
            return found
        found.headers["vary"] = "accept-encoding"
        if "gzip" not in headers.get("accept-encoding", ""):
            return found
        known = {name: value for name, value in found.headers.items() if name != "content-length"}
        body = packed(path, stat_result.st_mtime_ns)
        return Response(body, status_code, {**known, "content-encoding": "gzip"})


@cache
def packed(path: Path, changed: int) -> bytes:
    """The file as it was at that time, packed once."""
    return gzip.compress(path.read_bytes(), mtime=0)


def modules(name: str) -> Iterator[str]:
    """The script and all that it imports at once, each before what it imports."""
    waiting, known = [name], set[str]()
    while waiting:
        if (name := waiting.pop(0)) in known:
            continue
        known.add(name)
        yield name
        folder = (STATIC / name).parent
        found = IMPORT.findall((STATIC / name).read_text(encoding="utf-8"))
        waiting += [os.path.relpath(folder / other, STATIC).replace(os.sep, "/") for other in found]


@cache
def document(room: str) -> str:
    """The page at the address of a room."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    names = dict.fromkeys([*modules(SHELL), *modules(ROOMS[room])])
    links = "".join(f'  <link rel="modulepreload" href="/static/{name}">\n' for name in names)
    return text.replace("</head>", f"{links}</head>")
