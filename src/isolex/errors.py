"""What can go wrong, in one line for the person who has to mend it."""


class IsolexError(Exception):
    """Base of all errors that isolex raises on purpose; its text is one line, fit to be shown."""


class InputError(IsolexError):
    """A file that cannot be read or used; the text names the file, the line and what to do."""


class UsageError(IsolexError):
    """A call that cannot be carried out as asked: an unknown name, an impossible value."""
