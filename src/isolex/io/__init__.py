"""Files: vectors in every common format, dictionaries, and writing whole or not at all."""

from isolex.io.atomic import atomic, write_bytes, write_text
from isolex.io.pairs import read_pairs
from isolex.io.reading import load, read
from isolex.io.repairs import Repairs
from isolex.io.streams import Tick
from isolex.io.writing import FORMATS, save

__all__ = [
    "FORMATS",
    "Repairs",
    "Tick",
    "atomic",
    "load",
    "read",
    "read_pairs",
    "save",
    "write_bytes",
    "write_text",
]
