"""Align word embeddings of two languages without a dictionary, and make one from that."""

__version__ = "0.1.0.dev0"
