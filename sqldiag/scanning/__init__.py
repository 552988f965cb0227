"""Scan: from a table that nobody has described to what its columns probably are."""
