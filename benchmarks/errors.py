"""What keeps a case from being measured."""

from __future__ import annotations


class BenchmarkError(Exception):
    """A case cannot run; the message is one line that says what to do."""


class MissingError(BenchmarkError):
    """Data or a peer that the case needs is not there."""
