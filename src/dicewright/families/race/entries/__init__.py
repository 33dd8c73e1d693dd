"""Race strategies of strangers: lines of arithmetic, tables, and Python in a process of its own."""

from collections.abc import Callable
from typing import Any

from ..expressed import from_expression
from .sandbox import from_python
from .table_csv import read_csv

READERS: dict[str, Callable[..., Any]] = {".csv": read_csv, ".txt": from_expression, ".py": from_python}
