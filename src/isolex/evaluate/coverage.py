"""Coverage: whether enough of the gold data is in the vocabularies."""

FEW, SHARE = 50, 0.01
"""Number of entries, and share of all, below which a result says little."""


def too_few(entries: int, total: int) -> bool:
    """Whether so few gold entries are in the vocabularies that the result says little."""
    return entries < max(SHARE * total, min(FEW, total))
