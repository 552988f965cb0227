"""`python -m tests.refresh_docs`: run the documentation's examples and write down what they print.

Read the difference before you commit it: a changed output is a change for users.
"""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from tests.doc_examples import DOCUMENTS, ROOT, World, refreshed
from tests.postgres_server import Server


def main() -> None:
    with contextlib.ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        world = World(directory, serve=lambda: stack.enter_context(Server()))
        for path in DOCUMENTS:
            old = path.read_text(encoding="utf-8")
            new = refreshed(old, world)
            path.write_text(new, encoding="utf-8")
            print(f"{'same   ' if new == old else 'changed'}  {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
