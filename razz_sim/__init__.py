"""Play millions of hands of Razz."""

__version__ = "0.1.0"
