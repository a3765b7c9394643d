"""Rivals that are Python packages; a missing one is reported with the line that installs it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.errors import MissingError

PACKAGES = {"gensim": "gensim", "faiss": "faiss-cpu", "matplotlib": "matplotlib"}


def need(name: str) -> None:
    """Refuse to continue without a package, before anything is measured."""
    if find_spec(name) is None:
        raise MissingError(f"{name} is not installed: pip install {PACKAGES[name]}")


def peer(module: str) -> Any:
    """Import a module of a rival."""
    need(module.partition(".")[0])
    return import_module(module)
