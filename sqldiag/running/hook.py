"""The command that is told of a failure."""

from __future__ import annotations

import subprocess

_SECONDS = 60


def tell(command: str, text: str, folder: str) -> str | None:
    """Run it in the policy's folder with the JSON on its stdin; a sentence where it failed.

    What it prints is its own business, and does not mix with the answer.
    """
    try:
        done = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            input=text,
            encoding="utf-8",
            stdout=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"on_failure was stopped after {_SECONDS} s"
    except OSError as error:
        return f"on_failure could not be started: {error.strerror}"
    return f"on_failure ended with exit code {done.returncode}" if done.returncode else None
