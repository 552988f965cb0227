"""The search through sets of columns: which to look at next, and when it is known enough.

Strategies are generators: they yield batches of sets (bit masks) and are sent what was found.
They know no SQL.
"""
