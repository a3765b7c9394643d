"""Download published vectors and dictionaries, and keep them in a cache."""

from isolex.fetching.cache import DownloadCache, default_cache, place
from isolex.fetching.catalogue import HOST, SOURCES, Kind, Remote, fasttext, muse
from isolex.fetching.download import Download, NotThereError, Watcher

__all__ = [
    "HOST",
    "SOURCES",
    "Download",
    "DownloadCache",
    "Kind",
    "NotThereError",
    "Remote",
    "Watcher",
    "default_cache",
    "fasttext",
    "muse",
    "place",
]
