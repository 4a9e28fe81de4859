"""``python -m contienda``."""

from contienda.cli import main

main()
