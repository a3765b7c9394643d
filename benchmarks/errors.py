"""Errors of the benchmarks."""

from __future__ import annotations


class BenchmarkError(Exception):
    """A case cannot run; the message is one line that says what to do."""


class MissingError(BenchmarkError):
    """Data or another program that the case needs is missing."""
