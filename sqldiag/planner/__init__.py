"""Plans questions about sets of columns as SQL; the only place that knows sqlglot."""
