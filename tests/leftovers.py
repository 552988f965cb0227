"""What runs that were killed left behind: directories that nobody holds any more."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from pathlib import Path


def lock(directory: Path) -> int | None:
    """Lock the directory for as long as this process lives; None if another one has it."""
    try:
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def sweep(parent: Path, prefix: str) -> None:
    """Remove what killed runs left: a server dies with its run, its files cannot."""
    for directory in parent.glob(f"{prefix}*"):
        handle = lock(directory)
        if handle is None:
            continue
        try:
            # A minute's grace: a run that just made its directory has yet to lock it.
            if time.time() - os.fstat(handle).st_mtime > 60:
                shutil.rmtree(directory, ignore_errors=True)
        finally:
            os.close(handle)
