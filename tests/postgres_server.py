"""A throwaway Postgres server for the tests, which dies with the process that started it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import psycopg

from tests.leftovers import lock, sweep

PREFIX = "sqldiag-pg-"
# Not tempfile.gettempdir(): a socket's path may have 107 bytes at most, and the server's user must
# be able to reach it.
PARENT = Path("/tmp")
DEBIAN = Path("/usr/lib/postgresql")
START_SECONDS = 60
STOP_SECONDS = 30

# What is lost in a crash does not matter here; speed, and the same behaviour every time, do.
SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "40",
    "shared_buffers": "64MB",
    "timezone": "UTC",
}

# Background workers need no password, nor a line in pg_hba.conf.
CRON = {
    "shared_preload_libraries": "pg_cron",
    "cron.database_name": "postgres",
    "cron.use_background_workers": "on",
}


class PostgresMissing(RuntimeError):
    """There are no server programs on this machine."""


def find_binaries() -> Path:
    """The directory of `initdb` and `postgres`: Debian's newest, else what is on the PATH."""

    def version(directory: Path) -> float:
        name = directory.parent.name
        return float(name) if name.replace(".", "", 1).isdigit() else 0.0

    on_path = shutil.which("initdb")
    candidates = sorted(DEBIAN.glob("*/bin"), key=version, reverse=True)
    if on_path:
        candidates.append(Path(on_path).parent)
    for directory in candidates:
        if (directory / "initdb").exists() and (directory / "postgres").exists():
            return directory
    raise PostgresMissing(
        "The tests need a Postgres server, and initdb and postgres were not found in "
        "/usr/lib/postgresql/*/bin or on the PATH. `make postgres` installs them (as root on "
        "Debian); otherwise: sudo apt-get install postgresql"
    )


class Server:
    """A running server in a directory of its own, reached by a unix socket without a password.

    With `listen` it also listens on 127.0.0.1, where a role needs its password (scram). With `cron`
    it runs pg_cron, for its database `postgres`.
    Start it from the main thread: the kernel ends it when the thread that started it ends.
    """

    def __init__(
        self,
        *,
        listen: bool = False,
        cron: bool = False,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._binaries = find_binaries()
        self._listen, self._cron = listen, cron
        self._settings = settings or {}
        self._process: subprocess.Popen[bytes] | None = None
        sweep(PARENT, PREFIX)
        self.socket_dir = Path(tempfile.mkdtemp(prefix=PREFIX, dir=PARENT))
        self._lock = lock(self.socket_dir)
        self.port = _free_port() if listen else 5432
        self._data = self.socket_dir / "data"
        self._log = self.socket_dir / "log"
        try:
            owner = _server_user()
            if owner is not None:
                os.chown(self.socket_dir, owner.pw_uid, owner.pw_gid)
            self._command = _bound_to_us(owner)
            self._initdb()
            self._start()
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The process id of the postmaster."""
        if self._process is None:
            raise RuntimeError("the Postgres server is stopped")
        return self._process.pid

    def url(self, dbname: str = "postgres", user: str = "postgres") -> str:
        """The URL by unix socket, as a user would write it."""
        return (
            f"postgresql://{quote(user, safe='')}@/{quote(dbname, safe='')}"
            f"?host={self.socket_dir}&port={self.port}"
        )

    def tcp_url(self, user: str, password: str, dbname: str = "postgres") -> str:
        """The URL by host and port, where the password counts."""
        if not self._listen:
            raise RuntimeError("this server was started without listen=True")
        login = f"{quote(user, safe='')}:{quote(password, safe='')}"
        return f"postgresql://{login}@127.0.0.1:{self.port}/{quote(dbname, safe='')}"

    def connect(self, dbname: str = "postgres") -> psycopg.Connection:
        """A new autocommit connection as the superuser."""
        return psycopg.connect(self.url(dbname), autocommit=True, connect_timeout=10)

    def restart(self) -> None:
        """Stop the server, cutting off its clients, and start it again on the same data."""
        self.halt()
        self.start()

    def halt(self) -> None:
        """Stop the server, cutting off its clients, until it is started."""
        self._halt(signal.SIGINT)

    def start(self) -> None:
        self._start()

    def run(self, *command: str) -> None:
        """Run a program as the user that the server runs as."""
        subprocess.run(self.as_its_user(*command), cwd="/", check=True)

    def as_its_user(self, *command: str) -> list[str | Path]:
        return [*self._command, *command]

    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def stop(self) -> None:
        """Stop the server and remove all it wrote; harmless when already stopped."""
        # Immediate shutdown: no checkpoint of data that is about to be deleted.
        self._halt(signal.SIGQUIT)
        shutil.rmtree(self.socket_dir, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _initdb(self) -> None:
        done = subprocess.run(
            [
                *self._command,
                self._binaries / "initdb",
                f"--pgdata={self._data}",
                "--username=postgres",
                "--auth-local=trust",
                "--auth-host=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            ],
            cwd="/",
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"initdb failed:\n{done.stdout.decode(errors='replace')}")

    def _start(self) -> None:
        settings = {
            **SETTINGS,
            **self._settings,
            "listen_addresses": "127.0.0.1" if self._listen else "",
            "unix_socket_directories": str(self.socket_dir),
            "port": str(self.port),
        }
        if self._cron:
            settings |= CRON
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._command, self._binaries / "postgres", "-D", self._data, *options],
                cwd="/",
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C in the terminal is for the test run, which then stops the server.
                start_new_session=True,
            )
        self._wait_until_ready(self._process)

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self.connect().close()
                return
            except psycopg.OperationalError as error:
                if process.poll() is not None or time.monotonic() > deadline:
                    log = self._log.read_text(errors="replace")[-2000:]
                    raise RuntimeError(f"Postgres did not start: {error}\n{log}") from None
            time.sleep(0.02)

    def _halt(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _server_user() -> pwd.struct_passwd | None:
    """Whom the server runs as; None for ourselves. Postgres refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("there is neither a user postgres nor a user nobody to run Postgres as")


def _bound_to_us(owner: pwd.struct_passwd | None) -> list[str | Path]:
    """The prefix of a command that runs as `owner` and gets SIGINT when this thread ends.

    The kernel sends the signal, so not even kill -9 of the test run leaves a server behind.
    """
    command: list[str | Path] = ["setpriv", "--pdeathsig=INT"]
    if owner is not None:
        command += [f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups"]
    return command


def _environment() -> dict[str, str]:
    """Ours without libpq's variables, which Postgres' programs would obey."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
