"""The command line: options in, questions asked, reports out. Thin."""
