"""Pieces of HTML: text that cannot run, and addresses of words."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from isolex.web.explorer.atlas import Atlas, Language


def shown(word: str) -> str:
    """A word as it can be shown: bytes that were not UTF-8, and what cannot be seen, spelt out."""
    text = word.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(char if char.isprintable() else _visible(char) for char in text)


def text(word: str) -> str:
    """A word as HTML."""
    return escape(shown(word))


def address(atlas: Atlas, language: Language | None = None, word: str = "", k: int = 0) -> str:
    """The address of a mapping, or of a word in it; not yet escaped for HTML."""
    if language is None:
        return f"/{atlas.slug}/"
    encoded = quote(word.encode("utf-8", "surrogateescape"), safe="")
    more = f"&k={k}" if k else ""
    return f"/{atlas.slug}/?word={encoded}&reverse={language.reverse:d}{more}"


def link(atlas: Atlas, language: Language, word: str, k: int = 0) -> str:
    """A word as a link to what there is to be seen of it."""
    colour = "a" if language.side == "src" else "b"
    to = escape(address(atlas, language, word, k))
    return f'<a class="word {colour}" href="{to}"><bdi>{text(word)}</bdi></a>'


def _visible(char: str) -> str:
    if char in " \u200c\u200d":  # joiners are part of words
        return char
    return char.encode("unicode_escape").decode("ascii")
