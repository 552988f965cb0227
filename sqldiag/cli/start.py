"""Where the command begins: before anything is loaded it can be stopped, and hides what it must."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from pathlib import Path
from types import FrameType

# What stands between the user and the host of a URL; and a password that is a parameter.
_SECRETS = re.compile(r"://[^/?#@:]*:(.*)@|[?&](?:ssl)?password=([^&]*)", re.IGNORECASE)
_STOPPED = 3
# The last is our own, for a stop that had to wait.
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
_MOMENT = 0.02
# What is loaded stays until the end: to look through it for garbage again and again takes a good
# part of the time of a small command.
_SELDOM = 100_000

_stops: list[int] = []


def main() -> None:
    try:
        gc.set_threshold(_SELDOM)
        sys.unraisablehook = _unheard
        for asked_to_stop in STOPS:
            # All as Ctrl-C, so that the statement stops on the server too; nohup stays nohup.
            if signal.getsignal(asked_to_stop) is not signal.SIG_IGN:
                signal.signal(asked_to_stop, _stop)
        hide_passwords(sys.argv[1:])
        open_streams()
        from sqldiag.cli.main import main as command

        command()
    except KeyboardInterrupt:
        # Once more, or before there was anything to stop.
        sys.stderr.write("sqldiag: cancelled\n")
        sys.exit(_STOPPED)


def stopped() -> bool:
    """Whether a signal came, also if nobody caught what it raised."""
    return bool(_stops)


def _stop(number: int, frame: FrameType | None) -> None:
    _stops.append(number)
    if _is_loading(frame):
        # A library that is interrupted while it is set up takes the process down: a moment later.
        signal.setitimer(signal.ITIMER_REAL, _MOMENT)
        return
    raise KeyboardInterrupt


def _is_loading(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _unheard(lost: sys.UnraisableHookArgs) -> None:
    """An interrupt may fall into a place from which nothing can be raised, such as the end of an
    import. It is heeded before anything is written."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


def open_streams() -> None:
    """Who closes a stream (`>&-`) wants nothing of it, only the exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115


def hide_passwords(arguments: list[str]) -> None:
    """Overwrite passwords where `ps` looks for the arguments of this process, on Linux."""
    secrets = {
        secret
        for argument in arguments
        for found in _SECRETS.finditer(argument)
        if (secret := found[1] or found[2])
    }
    if not secrets:
        return
    import ctypes

    try:
        # After the name in brackets, which may hold anything: fields 48 and 49 of proc(5).
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        start, end = int(fields[45]), int(fields[46])
    except (OSError, ValueError, IndexError):
        return
    if not 0 < start < end:
        return
    shown = (ctypes.c_char * (end - start)).from_address(start).raw
    for secret in secrets:
        hidden = secret.encode(errors="surrogateescape")
        position = shown.find(hidden)
        while position >= 0:
            ctypes.memset(start + position, ord("*"), len(hidden))
            position = shown.find(hidden, position + len(hidden))
