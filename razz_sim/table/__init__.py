"""Hands in a row at a table: who sits where, the loops that play blocks, what an error of a strategy does."""
