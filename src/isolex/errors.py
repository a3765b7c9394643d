"""What can go wrong, in one line for the person who has to mend it."""

from __future__ import annotations

from collections.abc import Iterable


class IsolexError(Exception):
    """Base of all errors that isolex raises on purpose; its text is one line, fit to be shown."""


class InputError(IsolexError):
    """A file that cannot be read or used; the text names the file, the line and what to do."""


class UsageError(IsolexError):
    """A call that cannot be carried out as asked: an unknown name, an impossible value."""


def did_you_mean(name: object, known: Iterable[str]) -> str | None:
    """The question to ask about an unknown name; nothing where no known one is near."""
    from difflib import get_close_matches  # only a mistake pays for it

    near = get_close_matches(str(name), list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else None
