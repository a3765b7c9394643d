"""Coverage: whether enough of the gold data could be asked."""

FEW, SHARE = 50, 0.01
"""Entries, and the share of all, below which a result says little."""


def few(entries: int, total: int) -> bool:
    """Whether so few of all entries could be asked that the result says little."""
    return entries < max(SHARE * total, min(FEW, total))
