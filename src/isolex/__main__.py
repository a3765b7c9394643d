"""``python -m isolex``."""

from isolex.cli import main

main()
