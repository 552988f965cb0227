"""The policy file: which tables are checked, for what, and where the answers are kept."""

from __future__ import annotations

from sqldiag.policy.model import Policy, Search, TablePolicy
from sqldiag.policy.read import DEFAULT_FILE, read_policy

__all__ = ["DEFAULT_FILE", "Policy", "Search", "TablePolicy", "read_policy"]
