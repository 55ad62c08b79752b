"""One hand of Razz in slow, plain Python: the oracle against which the compiled engine is compared."""
