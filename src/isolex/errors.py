"""Errors that isolex raises on purpose. Each message is one line: what, where, what to do.

A message is worded where it is raised; those about files are worded in `isolex.core.file_errors`.
"""

from __future__ import annotations

from collections.abc import Iterable


class IsolexError(Exception):
    """Base class of all errors that isolex raises on purpose."""


class InputError(IsolexError):
    """A file cannot be read or used; the message names the file, the line and what to do."""


class UsageError(IsolexError):
    """A call cannot be carried out, because of an unknown name or an impossible value."""


def did_you_mean(name: object, known: Iterable[str]) -> str | None:
    """A question that suggests the closest known name, if one is close."""
    from difflib import get_close_matches  # needed only after a mistake

    near = get_close_matches(str(name), list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else None
