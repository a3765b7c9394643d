"""Optional dependencies: check for them and name the ``pip`` command that installs them."""

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
"""The package's extras, each with a module whose presence shows that it is installed."""


def missing(extras: Sequence[str]) -> list[str]:
    """Return the extras that are not installed."""
    return [extra for extra in extras if find_spec(MODULES[extra]) is None]


def pip_line(extras: Sequence[str]) -> str:
    """Return the command that installs extras."""
    return f"pip install 'isolex[{','.join(extras)}]'"


def require(extras: Sequence[str], what: str) -> None:
    """Raise `UsageError` if an extra that ``what`` needs is not installed."""
    if absent := missing(extras):
        raise UsageError(f"{what} needs packages that are not installed: {pip_line(absent)}")


def load(extras: Sequence[str]) -> None:
    """Import extras now, so that a later timing does not include the import."""
    for extra in extras:
        import_module(MODULES[extra])
