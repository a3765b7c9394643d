"""Words as they are shown, and the addresses of their pages."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from isolex.core.language import Language
from isolex.core.words import encode
from isolex.web.explorer.served_space import ServedSpace

JOINERS = "\u200c\u200d"
"""Invisible characters that are part of the spelling of words in some languages."""


class Link(NamedTuple):
    """A word that leads to its page.

    Attributes:
        text: The word as it is shown.
        url: The address of its page.
        colour: ``a`` for the first language of the pair or for all languages, ``b`` for the second.
        language: The name of its language.
    """

    text: str
    url: str
    colour: str
    language: str


def readable(word: str) -> str:
    """A word as it can be shown: bytes that are not UTF-8 and invisible characters as escapes."""
    text = word.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(
        char
        if char.isprintable() or char in JOINERS
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def word_query(word: str, source: Language, target: str | None, k: int = 0) -> str:
    """The query string for a word; bytes that are not UTF-8 are sent as they are."""
    given = {"word": word, "from": source.name}
    given |= ({"to": target} if target else {}) | ({"k": str(k)} if k else {})
    return "&".join(f"{name}={quote(encode(value), safe='')}" for name, value in given.items())


def address(
    served: ServedSpace, word: str, source: Language, target: Language | None, k: int = 0
) -> str:
    """The address of the page of a word, translated into one language or into all of several."""
    name = None if target is None else target.name
    return f"/{served.slug}/?{word_query(word, source, name, k)}"


def link(served: ServedSpace, word: str, source: Language, target: Language | None, k: int) -> Link:
    """A link to the page of a word, translated into one language or into all of several."""
    shade = "a" if target is None else colour(served, source, target)
    return Link(readable(word), address(served, word, source, target, k), shade, source.name)


def colour(served: ServedSpace, language: Language, other: Language) -> str:
    """The colour of a language in a pair, which does not depend on the direction."""
    names = served.space.names
    return "a" if names.index(language.name) < names.index(other.name) else "b"
