"""What runs found, kept: append-only, and without a value of any row."""

from __future__ import annotations

from sqldiag.history.book import History
from sqldiag.history.record import Record, Verdict, record_of

__all__ = ["History", "Record", "Verdict", "record_of"]
