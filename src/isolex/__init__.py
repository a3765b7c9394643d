"""Align word embeddings of different languages without a dictionary, and build dictionaries.

The method begins in `isolex.method.pipeline`; `isolex.align` is in `isolex.systems.align`.
"""

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
    from isolex.core.space import Space as Space
    from isolex.io import load as load
    from isolex.run.opening import open_space as open  # noqa: A004
    from isolex.systems.add import add as add
    from isolex.systems.align import align as align

__version__ = "0.1.0.dev0"

__all__ = [
    "Embeddings",
    "Lexicon",
    "Space",
    "__version__",
    "add",
    "align",
    "evaluate",
    "load",
    "open",
    "systems",
]

_PARTS = ("errors", "evaluate", "io", "sklearn", "systems")
"""Modules that can be reached as attributes of the package."""

_HOMES = {
    "Embeddings": ("isolex.core.embeddings", "Embeddings"),
    "Lexicon": ("isolex.core.lexicon", "Lexicon"),
    "Space": ("isolex.core.space", "Space"),
    "add": ("isolex.systems.add", "add"),
    "align": ("isolex.systems.align", "align"),
    "load": ("isolex.io", "load"),
    "open": ("isolex.run.opening", "open_space"),
}
"""Where the names of the front door are defined."""


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that the command line starts quickly."""
    from importlib import import_module

    if name in _PARTS:
        return import_module(f"isolex.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'isolex' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
