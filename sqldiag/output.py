"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path


def write_whole(path: Path, text: str | bytes) -> None:
    """Write beside the file and rename, so that nobody ever sees half of it."""
    content = text.encode() if isinstance(text, str) else text
    if path.exists() and not path.is_file():
        # A device or a pipe takes what it is given, and must stay what it is.
        path.write_bytes(content)
        return
    # A link stays a link, to a new file.
    path = path.resolve()
    # Named before it is made: a signal that comes in between leaves nothing either.
    beside = path.with_name(f".sqldiag.{secrets.token_hex(8)}")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            # A full disk may say so only now; and a crash must not leave a renamed, empty file.
            os.fsync(file.fileno())
        beside.chmod(_mode(path))
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _mode(path: Path) -> int:
    """Who may read the file: as before, or as of any new file."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
