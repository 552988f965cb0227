"""A diagnosis as a page: a file to hand on, or a cell of a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqldiag.answers import Diagnosis
from sqldiag.errors import CannotRun
from sqldiag.output import write_whole

if TYPE_CHECKING:
    from sqldiag.report.html.trend import Trend


@dataclass(frozen=True, slots=True)
class Page:
    """What ``report`` gives: ``save`` writes it, a notebook shows it, ``diagnosis`` holds its
    numbers."""

    diagnosis: Diagnosis
    trend: Trend | None = None

    def html(self) -> str:
        # Templates are loaded only when somebody wants a page.
        from sqldiag.report.html import page

        return page(self.diagnosis, trend=self.trend)

    def save(self, path: str | Path) -> Path:
        """Write the page, whole or not at all."""
        return put(Path(path), self.html())

    def _repr_html_(self) -> str | None:
        return self.diagnosis._repr_html_()


def put(path: Path, text: str) -> Path:
    """Write a page, or say in a sentence why not."""
    try:
        write_whole(path, text)
    except OSError as error:
        raise CannotRun(f"cannot write {path}: {error.strerror}") from None
    return path
