"""A database that is opened with its tables up to date, and whose failures are sentences."""

import errno
import logging
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from threading import Lock, RLock
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import PoolProxiedConnection, StaticPool

from ...core.errors import StorageError
from ..files import sync_folder

VERSION = "6"  # of the tables: the newest module in migrations/versions
PATIENCE = 10.0  # seconds to wait while another program writes
LOG_PAGES = 16_000  # of 4 kB: then the log is copied into the database, and whoever writes waits some 50 ms
DAMAGE = (SQLAlchemyError, sqlite3.Error, OSError, UnicodeError)
log = logging.getLogger("dicewright")
_UPGRADING = Lock()  # alembic knows one upgrade at a time

metadata = sa.MetaData()
versions = sa.Table("alembic_version", metadata, sa.Column("version_num", sa.String(32)))


def default_path() -> Path:
    """games.sqlite in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "dicewright" / "games.sqlite"


class Database:
    """Connections to one database; one writer at a time, readers beside it.

    Without a URL it is at $DICEWRIGHT_DATABASE, else in the user's data folder, which is made; a folder that
    somebody named is not, for the name may be mistyped. With `only_read` an SQLite file is opened also where
    nothing can be written, not even the files that SQLite puts beside it, and none is made: one that somebody
    named must be there, and else there are no games.
    """

    def __init__(self, url: str | None = None, patience: float = PATIENCE, only_read: bool = False) -> None:
        named = url or os.environ.get("DICEWRIGHT_DATABASE")
        self.url = _url(named or str(default_path()))
        self.lite = self.url.get_backend_name() == "sqlite"
        shown = self.url.set(query={}).render_as_string(hide_password=True)  # options may hold one, too
        self.place = self.url.database or "memory" if self.lite else shown
        if only_read and not named and not Path(self.place).exists():
            self.url = URL.create("sqlite")  # in memory, where nothing is
        memory = self.lite and self.url.database in (None, "", ":memory:")
        self._writing = RLock()
        self._open: PoolProxiedConnection | None = None
        self._reading: Any = self._writing if memory else nullcontext()  # one connection is all of a memory
        options: dict[str, Any] = {"poolclass": StaticPool} if memory else {"pool_pre_ping": not self.lite}
        if self.lite:
            options["connect_args"] = {"timeout": patience, "check_same_thread": False}
        sealed = False  # whether nothing can be written there, and nothing need be
        try:
            if self.lite and not memory and not self.url.query.get("uri"):
                path = Path(self.place)
                self._check_folder(path.parent, make=not named)
                if only_read and not path.exists():
                    told = f"there is no such file; {ELSEWHERE}"
                    raise StorageError(f"cannot read the games database {path}: {told}")
                sealed = only_read and not all(os.access(part, os.W_OK) for part in (path, path.parent))
            if sealed:
                options = {"creator": lambda: self._read_only(patience)}
            self._engine = sa.create_engine(self.url, **options)
        except (SQLAlchemyError, OSError, ImportError) as error:
            raise self.failure("open", error) from error
        if self.lite:
            sa.event.listen(self._engine, "connect", lambda opened, _: _prepare(opened, patience, sealed))
            sa.event.listen(self._engine, "begin", _begin)
        self.version = VERSION  # of the tables: may be older where they are only read
        try:
            self._migrate(only_read)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read from; failures are StorageErrors."""
        try:
            with self._reading, self._engine.connect() as connection:
                yield connection
        except DAMAGE as error:
            raise self.failure("read", error) from error

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is on disk when the block is left, or has changed nothing if that failed."""
        try:
            with self._writing, self._engine.connect() as connection:
                connection = connection.execution_options(writing=True)
                with connection.begin():
                    yield connection
        except DAMAGE as error:
            raise self.failure("write", error) from error

    @contextmanager
    def writing_lite(self) -> Iterator[sqlite3.Connection]:
        """`writing` for SQLite alone, on a connection that stays open: a third of the time for one move."""
        try:
            with self._writing:
                if self._open is None:
                    self._open = self._engine.raw_connection()
                connection: Any = self._open.driver_connection
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    self._take_back(self._open)
                    raise
        except DAMAGE as error:
            raise self.failure("write", error) from error

    def _take_back(self, opened: PoolProxiedConnection) -> None:
        """Roll back; a connection that cannot even do that is given up."""
        try:
            opened.rollback()
        except sqlite3.Error:
            opened.invalidate()
            self._open = None

    def close(self) -> None:
        """Give back all connections."""
        with self._writing:  # what is being written is finished first
            opened, self._open = self._open, None
            if opened is not None:
                opened.close()
        self._engine.dispose()

    def _check_folder(self, folder: Path, make: bool) -> None:
        if make:
            folder.mkdir(parents=True, exist_ok=True)
        there = next(part for part in (folder, *folder.parents) if part.exists())
        if not there.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(there))
        if there != folder:
            told = f"there is no folder {folder}; make it, or name another place by --database or"
            raise StorageError(f"cannot open the games database {self.place}: {told} DICEWRIGHT_DATABASE")

    def _read_only(self, patience: float) -> sqlite3.Connection:
        """A connection to a file that cannot be written: beside a program that writes to it, or to it alone."""
        path = Path(self.place).absolute()
        log, index = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
        if log.exists() and log.stat().st_size > 0 and not index.exists():
            told = f"{log.name} holds what only a program that may write there can read"
            raise sqlite3.OperationalError(told)
        how = "mode=ro" if index.exists() else "immutable=1"
        return sqlite3.connect(f"{path.as_uri()}?{how}", patience, uri=True, check_same_thread=False)

    def failure(self, verb: str, error: BaseException) -> StorageError:
        """What went wrong, in a sentence that says what can be done."""
        what = getattr(error, "strerror", None) or str(getattr(error, "orig", None) or error).strip()
        for secret in _secrets(self.url):
            what = what.replace(secret, "***")
        meant = next((meaning for sign, meaning in FAILURES.items() if sign in what.lower()), None)
        if meant is None and isinstance(error, ImportError):
            module = (error.name or "its driver").partition(".")[0]
            meant = f"its driver is not installed; pip install {DRIVERS.get(module, module)}"
        reason = what.splitlines()[0][:200] if meant is None else meant
        return StorageError(f"cannot {verb} the games database {self.place}: {reason}")

    def _migrate(self, only_read: bool) -> None:
        """Bring the tables up to date, unless they are only read; those of a newer dicewright are refused."""
        with self.reading() as connection:
            found = self._version(connection)
        if found == VERSION:
            return
        if only_read and found is not None:
            self.version = found
            return
        try:
            with _UPGRADING, self.writing() as connection:
                found = self._version(connection)
                if found != VERSION:  # nobody else did it meanwhile
                    if found is not None and self.lite:
                        self._copy(connection, found)
                    self._upgrade(connection)
        except StorageError:  # on a server writers do not take turns: another program may have been quicker
            with self.reading() as connection:
                if self._version(connection) != VERSION:
                    raise

    def _version(self, connection: Connection) -> str | None:
        if not sa.inspect(connection).has_table(versions.name):
            return None
        found = connection.execute(sa.select(versions.c.version_num)).scalar()
        if found is not None and not (str(found).isdecimal() and int(found) <= int(VERSION)):
            raise StorageError(
                f"the games database {self.place} has tables of version {str(found)[:40]}, of a newer dicewright or "
                f"of another program; this one knows versions up to {VERSION}"
            )
        return None if found is None else str(found)

    def _copy(self, connection: Connection, version: str) -> None:
        """Copy an SQLite file beside itself, as it was before its tables change; nobody else writes meanwhile."""
        *_, name = next(iter(connection.exec_driver_sql("PRAGMA database_list")))
        if not name:
            return  # in memory
        path = Path(name)
        names = (
            f"{path.name}.version-{version}{again}" for again in ("", *(f"-{n}" for n in range(2, 1000)))
        )
        place = next(copy for copy in map(path.with_name, names) if not copy.exists())
        handle, temporary = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
        try:
            with os.fdopen(handle, "rb") as written:
                with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(temporary)) as copy:
                    source.backup(copy)
                os.fsync(written.fileno())
            Path(temporary).chmod(path.stat().st_mode & 0o777)  # it is closed: Windows moves no open file
            Path(temporary).replace(place)
            sync_folder(place.parent)
        finally:
            Path(temporary).unlink(missing_ok=True)
        log.info("the tables of %s are brought up to date; as it was, it is kept in %s", path, place)

    def _upgrade(self, connection: Connection) -> None:
        from alembic import command  # slow to load, and seldom needed
        from alembic.config import Config

        config, folder = Config(), Path(__file__).parent / "migrations"
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


DRIVERS = {  # packages of modules
    "MySQLdb": "mysqlclient",
    "psycopg": "'psycopg[binary]'",
    "psycopg2": "psycopg2-binary",
    "cx_Oracle": "oracledb",
}
ELSEWHERE = "--database or DICEWRIGHT_DATABASE names another"
FAILURES = {
    "file exists": f"its folder is a file; {ELSEWHERE} place",
    "not a directory": f"its folder is a file; {ELSEWHERE} place",
    "locked": "another program is writing to it; try again when that has finished",
    "full": "the disk is full; what was saved before is still there",
    "disk i/o": "the disk refused, or is full; what was saved before is still there",
    "readonly": f"it is read-only; {ELSEWHERE} place",
    "read-only": f"it is read-only; {ELSEWHERE} place",
    "permission denied": f"it is not yours to write; {ELSEWHERE} place",
    "unable to open": f"it is no file that can be written there; {ELSEWHERE}",
    "no such file": f"there is no such folder, and it cannot be made; {ELSEWHERE}",
    "authentication failed": "the user or the password is wrong",
    "access denied": "the user or the password is wrong",
    "refused": "nobody answers there; start the database server, or correct the address",
    "not a database": "the file is damaged or something else; move it away and a new one is begun",
    "malformed": "the file is damaged; restore a copy, or move it away and a new one is begun",
}


def _url(text: str) -> URL:
    """A URL as SQLAlchemy reads it, or the path of an SQLite file."""
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).expanduser()))
    shown = f"{text.partition(':')[0][:40]}://..."  # the rest may hold a password
    try:
        url = make_url(text)
        dialect = url.get_dialect()
    except (SQLAlchemyError, ImportError, ValueError) as error:
        told = "names no database; a path or a URL such as sqlite:///games.sqlite is allowed"
        raise StorageError(f"{shown!r} {told}") from error
    if dialect.is_async:
        told = "names an asynchronous driver; others, such as postgresql+psycopg, are allowed"
        raise StorageError(f"{shown!r} {told}")
    return url


def _secrets(url: URL) -> list[str]:
    """What no message may hold: the password, of the user or among the options."""
    options = url.normalized_query.items()
    texts = [text for name, values in options if "pass" in name or "pwd" in name for text in values]
    return [text for text in (url.password, *texts) if text]


def _prepare(connection: Any, patience: float, sealed: bool = False) -> None:
    """Each connection: transactions are ours to begin, commits are on disk when they return."""
    connection.isolation_level = None
    if not sealed:
        _log_ahead(connection, time.monotonic() + patience)
    for pragma in ("synchronous = FULL", "foreign_keys = ON", f"wal_autocheckpoint = {LOG_PAGES}"):
        connection.execute(f"PRAGMA {pragma}").close()


def _log_ahead(connection: Any, late: float) -> None:
    """Keep a log beside the database; where several open a new one at once, SQLite itself does not wait here."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").close()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > late:
                raise
        time.sleep(0.02)


def _begin(connection: Connection) -> None:
    """A writer takes its turn at once, so that what it reads first cannot be outdated when it writes."""
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
