"""What the engine does in a second, beside the floor of dealing and evaluating and beside PokerKit.

    python -m benchmarks [--json FILE] [--repeats N] [--quick]

Everything is measured in one process and one run, in rounds: each round takes every figure once, so that what else the
machine does falls on all of them alike. The best round says what the machine can do, the median what it did.
"""
