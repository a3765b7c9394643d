"""Align word embeddings of two languages without a dictionary, and make one from that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isolex import systems as systems
    from isolex.aligning import align as align
    from isolex.alignment import Alignment as Alignment
    from isolex.embeddings import Embeddings as Embeddings
    from isolex.io import load as load
    from isolex.lexicon import Lexicon as Lexicon

__version__ = "0.1.0.dev0"

__all__ = ["Alignment", "Embeddings", "Lexicon", "__version__", "align", "load", "systems"]

_HOMES = {
    "Alignment": "isolex.alignment",
    "Embeddings": "isolex.embeddings",
    "Lexicon": "isolex.lexicon",
    "align": "isolex.aligning",
    "load": "isolex.io",
    "systems": "isolex.systems",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for, so that the command line starts at once."""
    if name not in _HOMES:
        raise AttributeError(f"module 'isolex' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_HOMES[name])
    value = module if name == "systems" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
