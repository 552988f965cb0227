"""`python -m sqldiag`."""

from sqldiag.cli.start import main

main()
