"""`python -m razz_sim` is `razz-sim`."""

from razz_sim.cli import main

if __name__ == "__main__":
    main()
