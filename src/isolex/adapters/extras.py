"""Libraries that are not always there: what needs them says how to get them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from isolex.errors import UsageError

MODULES = {
    "torch": "torch",
    "ot": "ot",
    "dask": "distributed",
    "web": "starlette",
    "fetch": "pooch",
    "gensim": "gensim",
    "spacy": "spacy",
    "arrow": "pyarrow",
    "sklearn": "sklearn",
}
"""The extras of the package, and the module that tells whether one is installed."""


def missing(extras: Sequence[str]) -> list[str]:
    """Those of the extras that are not installed."""
    return [extra for extra in extras if find_spec(MODULES[extra]) is None]


def pip_line(extras: Sequence[str]) -> str:
    """What to type to install extras."""
    return f"pip install 'isolex[{','.join(extras)}]'"


def require(extras: Sequence[str], what: str) -> None:
    """Refuse where an extra that ``what`` needs is not installed."""
    if absent := missing(extras):
        raise UsageError(f"{what} needs more than is installed: {pip_line(absent)}")


def load(extras: Sequence[str]) -> None:
    """Import what will be needed anyway, before something is timed."""
    for extra in extras:
        import_module(MODULES[extra])
