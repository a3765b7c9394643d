"""Align word embeddings of two languages without a dictionary, and make one from that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isolex import errors as errors
    from isolex import evaluate as evaluate
    from isolex import io as io
    from isolex import sklearn as sklearn
    from isolex import systems as systems
    from isolex.core.embeddings import Embeddings as Embeddings
    from isolex.core.lexicon import Lexicon as Lexicon
    from isolex.core.space import Alignment as Alignment
    from isolex.io import load as load
    from isolex.systems.align import align as align

__version__ = "0.1.0.dev0"

__all__ = ["Alignment", "Embeddings", "Lexicon", "__version__", "align", "load", "systems"]

_PARTS = ("errors", "evaluate", "io", "sklearn", "systems")
"""Modules that are reached through the package; those that only the documentation names, too."""

_HOMES = {
    "Alignment": "isolex.core.space",
    "Embeddings": "isolex.core.embeddings",
    "Lexicon": "isolex.core.lexicon",
    "align": "isolex.systems.align",
    "load": "isolex.io",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for, so that the command line starts at once."""
    from importlib import import_module

    if name in _PARTS:
        return import_module(f"isolex.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'isolex' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
