"""The JSON beside the pages: translations and completions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from isolex.core.space import unknown
from isolex.errors import UsageError
from isolex.web.explorer.atlas import Atlas, Language
from isolex.web.explorer.html import address, shown
from isolex.web.explorer.preparing import Preparation
from isolex.web.explorer.query import Query

TRANSLATIONS, COMPLETIONS, SUGGESTIONS = 5, 10, 8
RETRY = 10
"""Seconds after which a method that is being prepared may be asked again."""


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer in ASCII: what is not UTF-8 leaves as the escape of its surrogate."""
    return Response(json.dumps(value), status, headers, media_type="application/json")


def translate(query: Query, atlases: Sequence[Atlas], preparation: Preparation) -> Response:
    """``/api/translate``: the best translations of a word."""
    atlas = query.mapping(atlases)
    if not query.word:
        raise UsageError("word is missing: add word=W, the word to translate")
    k, method = query.count("k", TRANSLATIONS), query.method(atlas.retrieval.method)
    reverse = bool(query.reverse)
    asked, answering = atlas.languages(reverse=reverse)
    facts: dict[str, Any] = {
        "mapping": atlas.slug,
        "word": query.word,
        "found": query.word in asked.vocabulary,
        "from": asked.name,
        "to": answering.name,
        "reverse": reverse,
        "retrieval": method.value,
        "translations": [],
    }
    if not facts["found"]:
        hint = f"it is a word of {answering.name}: ask with reverse={not reverse:d}"
        there = query.word in answering.vocabulary
        facts["error"] = unknown(query.word, asked.vocabulary, hint if there else "")
        facts["suggestions"] = [word for _, word in alike(query.word, [asked])]
        return as_json(facts, 404)
    column = atlas.translate(query.word, k, method, reverse=reverse)
    if column.translations is None:
        facts["error"] = f"{method} {preparation.status(atlas)}"
        if preparation.failure(atlas):
            return as_json(facts, 500)
        return as_json(facts, 503, {"Retry-After": str(RETRY)})
    facts["translations"] = [one._asdict() for one in column.translations]
    return as_json(facts)


def complete(query: Query, atlases: Sequence[Atlas]) -> Response:
    """``/api/complete``: the most frequent words that begin so, with where they lead."""
    atlas = query.mapping(atlases)
    prefix = query.given.get("prefix", "")
    limit, reverse = query.count("limit", COMPLETIONS), query.reverse
    found = [
        (row, language)
        for language in (atlas.asked(reverse) if prefix.strip() else [])
        for row in language.spelling.complete(prefix, limit)
    ]
    found.sort(key=lambda pair: pair[0])
    words = [
        {
            "word": language.vocabulary.words[row],
            "shown": shown(language.vocabulary.words[row]),
            "language": language.name,
            "reverse": language.reverse,
            "url": address(atlas, language, language.vocabulary.words[row]),
        }
        for row, language in found[:limit]
    ]
    return as_json({"mapping": atlas.slug, "prefix": prefix, "completions": words})


def alike(word: str, languages: Sequence[Language]) -> list[tuple[Language, str]]:
    """Words that may have been meant, the likeliest first, whatever their language."""
    found = [
        (one, language)
        for language in languages
        for one in language.spelling.alike(word, SUGGESTIONS)
    ]
    found.sort(key=lambda pair: pair[0])
    return [(language, language.vocabulary.words[one.row]) for one, language in found[:SUGGESTIONS]]
