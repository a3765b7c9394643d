"""The JSON interface: translations and completions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from isolex.core.language import Language
from isolex.errors import UsageError
from isolex.web.explorer.links import address, readable
from isolex.web.explorer.lookup import look_up
from isolex.web.explorer.preparation import Preparation
from isolex.web.explorer.query import Query
from isolex.web.explorer.served_space import ServedSpace, absence

TRANSLATIONS, COMPLETIONS, SUGGESTIONS = 5, 10, 8
"""Default numbers of translations and completions, and the number of suggestions."""

RETRY_AFTER = 10
"""Seconds after which a method that is being prepared may be tried again."""


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON response in ASCII; bytes that are not UTF-8 become escaped surrogates."""
    return Response(json.dumps(value), status, headers, media_type="application/json")


def translate(query: Query, spaces: Sequence[ServedSpace], preparation: Preparation) -> Response:
    """``/api/translate``: the best translations of a word."""
    served = query.served(spaces)
    space, word = served.space, query.word
    if not word:
        raise UsageError("word is missing: add word=W, the word to translate")
    k, method = query.count("k", TRANSLATIONS), query.method(space.retrieval.method)
    given = query.language("from", space), query.language("to", space)
    searched = served.searched(*given)
    language = next((one for one in searched if word in one), None)
    source, target = space.pair(*given) if language is None else served.pair(language, given[1])
    facts: dict[str, Any] = {
        "mapping": served.slug,
        "word": word,
        "found": language is not None,
        "from": source.name,
        "to": target.name,
        "retrieval": method.value,
        "translations": [],
    }
    row = None if language is None else language.row(word)
    if row is None:
        suggestions = [word for _, word in suggest(query.word, served, searched)]
        facts["error"] = _not_found(word, served, searched, given[1], suggestions)
        facts["suggestions"] = suggestions
        return as_json(facts, 404)
    [column] = look_up(space, source, target, row, k, [method]).columns
    if column.translations is None:
        facts["error"] = f"{method} {preparation.status(served, source.name, target.name)}"
        if preparation.failure(served, source.name, target.name):
            return as_json(facts, 500)
        return as_json(facts, 503, {"Retry-After": str(RETRY_AFTER)})
    facts["translations"] = [
        {**one._asdict(), "mutual": column.mutual and place == 0}
        for place, one in enumerate(column.translations)
    ]
    return as_json(facts)


def complete(query: Query, spaces: Sequence[ServedSpace]) -> Response:
    """``/api/complete``: the most frequent words that begin with a prefix."""
    served = query.served(spaces)
    prefix, limit = query.given.get("prefix", ""), query.count("limit", COMPLETIONS)
    given = query.language("from", served.space), query.language("to", served.space)
    searched = served.searched(*given) if prefix.strip() else []
    found = [
        (row, place)
        for place, language in enumerate(searched)
        for row in served.spelling(language).complete(prefix, limit)
    ]
    completions = []
    for row, place in sorted(found)[:limit]:
        source, target = served.pair(searched[place], given[1])
        word = source.words[row]
        completions.append(
            {
                "word": word,
                "shown": readable(word),
                "language": source.name,
                "url": address(served, word, source, target),
            }
        )
    return as_json({"mapping": served.slug, "prefix": prefix, "completions": completions})


def suggest(
    word: str, served: ServedSpace, languages: Sequence[Language]
) -> list[tuple[Language, str]]:
    """Words that may have been meant, best first, from all languages together."""
    found = [
        (similar, place)
        for place, language in enumerate(languages)
        for similar in served.spelling(language).similar(word, SUGGESTIONS)
    ]
    return [
        (languages[place], languages[place].words[similar.row])
        for similar, place in sorted(found)[:SUGGESTIONS]
    ]


def _not_found(
    word: str,
    served: ServedSpace,
    searched: Sequence[Language],
    target: str | None,
    suggestions: Sequence[str],
) -> str:
    """Why there are no translations, and what to try."""
    hint = f"; did you mean {suggestions[0]!r}?" if suggestions else ""
    elsewhere = [one for one in served.space if one not in searched and word in one]
    if elsewhere:
        one, other = served.pair(elsewhere[0], target)
        hint = f"; it is a word of {one.name}: use from={one.name}&to={other.name}"
    return f"{word!r} {absence(searched)}{hint}"
