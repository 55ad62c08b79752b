"""Shared by all tests: the engine is compiled once for all pytest processes."""
