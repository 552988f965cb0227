"""Checks that the database runs by itself: compiled to functions, scheduled, recorded there."""
