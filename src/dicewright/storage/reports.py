"""Reports on disk: a folder with the page for people and the results for programs."""

import json
from pathlib import Path
from typing import Any

from ..core.errors import StorageError


def save_report(folder: Path, page: str, results: dict[str, Any]) -> Path:
    """Write index.html and results.json into the folder, made if it is not there; the path of the page."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "results.json").write_text(
            json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        (folder / "index.html").write_text(page, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"cannot write {error.filename or folder}: {error.strerror}") from error
    return folder / "index.html"


def save_page(path: Path, page: str) -> None:
    """Write one web page."""
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
