"""`python -m razz_sim.cli` is `razz-sim`."""

from razz_sim.cli import main

main()
