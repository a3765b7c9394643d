"""The JSON interface: translations and completions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from isolex.core.language import Language
from isolex.core.space import Space
from isolex.errors import UsageError
from isolex.web.explorer.links import address, readable
from isolex.web.explorer.lookup import Column, look_up
from isolex.web.explorer.preparation import Preparation
from isolex.web.explorer.query import ALL, Query
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
    for_all = query.is_for_all(space)
    given = query.language("from", space), query.language("to", space)
    searched = served.searched(*given)
    language = next((one for one in searched if word in one), None)
    source, target = space.pair(*given) if language is None else served.pair(language, given[1])
    targets = [one for one in space if one is not source] if for_all else [target]
    facts: dict[str, Any] = {
        "mapping": served.slug,
        "word": word,
        "found": language is not None,
        "from": source.name,
        "to": [one.name for one in targets] if for_all else target.name,
        "retrieval": method.value,
        "translations": {} if for_all else [],
    }
    row = None if language is None else language.row(word)
    if row is None:
        suggestions = [word for _, word in suggest(query.word, served, searched)]
        other = ALL if for_all else given[1]
        facts["error"] = _not_found(word, served, searched, other, suggestions)
        facts["suggestions"] = suggestions
        return as_json(facts, 404)
    columns = {
        one.name: look_up(space, source, one, row, k, [method]).columns[0] for one in targets
    }
    if waiting := [name for name, column in columns.items() if column.translations is None]:
        return _not_ready(facts, served, source.name, waiting, preparation)
    found = {name: _described(column) for name, column in columns.items()}
    facts["translations"] = found if for_all else found[target.name]
    if for_all:
        facts |= _verdicts(space, source, targets)
    return as_json(facts)


def _described(column: Column) -> list[dict[str, Any]]:
    return [
        {**one._asdict(), "mutual": column.mutual and place == 0}
        for place, one in enumerate(column.translations or [])
    ]


def _not_ready(
    facts: dict[str, Any],
    served: ServedSpace,
    source: str,
    targets: Sequence[str],
    preparation: Preparation,
) -> Response:
    """Report that the method is being prepared for some targets, or why it could not be."""
    for target in targets:
        preparation.want(served, source, target)
    failed = [target for target in targets if preparation.failure(served, source, target)]
    status = preparation.status(served, source, (failed or targets)[0])
    facts["error"] = f"{facts['retrieval']} {status}"
    if failed:
        return as_json(facts, 500)
    return as_json(facts, 503, {"Retry-After": str(RETRY_AFTER)})


def _verdicts(space: Space, source: Language, targets: Sequence[Language]) -> dict[str, Any]:
    """The verdict on each pair, and the languages whose pair was recovered through others."""
    pairs = {one.name: space.about(source.name, one.name) for one in targets}
    return {
        "verdicts": {name: pair.verdict and pair.verdict.outcome for name, pair in pairs.items()},
        "recovered": [name for name, pair in pairs.items() if pair.is_recovered],
    }


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
    words = [(searched[place], searched[place].words[row]) for row, place in sorted(found)]
    completions = [
        {
            "word": word,
            "shown": readable(word),
            "language": source.name,
            "url": address(served, word, source, served.chosen(source, given[1])),
        }
        for source, word in _distinct(served, words)[:limit]
    ]
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
    words = [
        (languages[place], languages[place].words[similar.row]) for similar, place in sorted(found)
    ]
    return _distinct(served, words)[:SUGGESTIONS]


def _distinct(served: ServedSpace, words: list[tuple[Language, str]]) -> list[tuple[Language, str]]:
    """Each spelling once; otherwise, with twenty languages, one word would fill the list."""
    if not served.several:
        return words
    first = {word: language for language, word in reversed(words)}
    return [(language, word) for language, word in words if first[word] is language]


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
        one = elsewhere[0]
        to = target if target == ALL else served.pair(one, target)[1].name
        hint = f"; it is a word of {one.name}: use from={one.name}&to={to}"
    return f"{word!r} {absence(searched)}{hint}"
