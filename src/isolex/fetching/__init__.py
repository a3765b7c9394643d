"""Vectors and dictionaries from the net: what there is, how it comes, where it is kept."""

from isolex.fetching.catalogue import HOST, SOURCES, Kind, Remote, fasttext, muse
from isolex.fetching.download import Download, NotThereError, Watcher
from isolex.fetching.store import Store, default_cache, place

__all__ = [
    "HOST",
    "SOURCES",
    "Download",
    "Kind",
    "NotThereError",
    "Remote",
    "Store",
    "Watcher",
    "default_cache",
    "fasttext",
    "muse",
    "place",
]
