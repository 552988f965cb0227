"""One run of a policy at a time, so that slow runs do not pile up behind a schedule."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from sqldiag.errors import CannotRun


@contextlib.contextmanager
def only_run(policy: Path, *, wait: float) -> Iterator[None]:
    """Hold the policy file itself, so that nothing is left behind, whatever ends the process."""
    handle = os.open(policy, os.O_RDONLY)
    try:
        deadline = time.monotonic() + wait
        while not _taken(handle):
            if time.monotonic() >= deadline:
                raise CannotRun(
                    f"another run of {policy.name} is under way; wait for it, or longer with --wait"
                )
            time.sleep(0.05)
        yield
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks: better two runs than none.
        return True
    return True
