"""A private PostgreSQL server for the tests that need one: in a temporary folder, on a free port, gone with the run."""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

DEBIAN = Path("/usr/lib/postgresql")  # where Debian keeps the programs, by version and not on the PATH
USERS = ("postgres", "nobody")  # whom root lends the server to: it refuses to be root's
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
}
# The server ends when this process closes the pipe, or ends in whatever way.
UNTIL_THE_PIPE_CLOSES = 'exec 3<&0; (read -r _ <&3; kill -QUIT $$) & exec "$@" 3<&-'
TRIES = 5  # another program may take the free port first


def programs():
    """The folder of initdb and postgres, the newest on this machine; none if there is no PostgreSQL."""
    if found := shutil.which("postgres"):
        return Path(found).resolve().parent
    return max(DEBIAN.glob("*/bin"), key=lambda folder: float(folder.parent.name), default=None)


@contextmanager
def server(bin_folder):
    """A server of its own as the URL of its database; its user needs the password."""
    with tempfile.TemporaryDirectory(prefix="dicewright-postgres-") as name:
        folder, password = Path(name), secrets.token_hex(8)
        lent = _lent(folder)
        secret = folder / "password"
        secret.write_text(password, encoding="ascii")
        secret.chmod(0o644)  # the folder is its user's alone
        words = ["--pgdata", folder / "data", "--username", "dicewright", "--pwfile", secret, "--no-sync"]
        kinds = ["--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C"]
        subprocess.run(
            [bin_folder / "initdb", *words, *kinds],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
            **lent,
        )
        for _ in range(TRIES):
            url = sa.URL.create(
                "postgresql+psycopg", "dicewright", password, "127.0.0.1", _free_port(), "postgres"
            )
            process = _start(bin_folder, folder, url.port, lent)
            try:
                if _answers(url, process):
                    yield url.render_as_string(hide_password=False)
                    return
            finally:
                process.stdin.close()
                process.wait()
        raise RuntimeError(f"PostgreSQL does not start: {(folder / 'log').read_text(encoding='utf-8')}")


def _lent(folder):
    """The options that start a program as the user the folder is given to."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = next(known[name] for name in USERS if name in known)
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _start(bin_folder, folder, port, lent):
    settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
    words = [bin_folder / "postgres", "-D", folder / "data", "-p", str(port), *settings]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            ["sh", "-c", UNTIL_THE_PIPE_CLOSES, "sh", *words],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
            **lent,
        )


def _answers(url, process):
    """Wait until the server answers; no if it has ended."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    while process.poll() is None:
        try:
            with engine.connect():
                return True
        except sa.exc.OperationalError:
            time.sleep(0.02)
    return False


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
