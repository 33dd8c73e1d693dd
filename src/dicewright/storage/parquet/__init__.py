"""Parquet files, written and read with numpy and zlib alone: what tables of ours need of the format, no more.

The format is that of https://parquet.apache.org/docs/file-format. A library that reads all of it takes 170 MB.
"""

from .columns import Column, assembled
from .kinds import NUMBER, SMALL, TEXT, WHOLE, Kind, List, Map, Struct, kind_of
from .reader import Group, Reader
from .thrift import Damage
from .writer import Writer

__all__ = [
    "NUMBER",
    "SMALL",
    "TEXT",
    "WHOLE",
    "Column",
    "Damage",
    "Group",
    "Kind",
    "List",
    "Map",
    "Reader",
    "Struct",
    "Writer",
    "assembled",
    "kind_of",
]
