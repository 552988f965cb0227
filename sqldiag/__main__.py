"""`python -m sqldiag`."""

from sqldiag.cli.main import main

main()
