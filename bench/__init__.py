"""Measurements of sqldiag against other ways of asking; see each module."""
