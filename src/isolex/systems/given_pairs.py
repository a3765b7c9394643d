"""Word pairs that a user gives: for two languages, or for some pairs of several languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from isolex.core.embeddings import Embeddings
from isolex.core.lexicon import match_directed
from isolex.errors import UsageError
from isolex.method.joining import Groups, Key
from isolex.method.pair_tasks import Pairs
from isolex.method.system import System

GivenPairs = Pairs | Mapping[str, str] | Mapping[tuple[str, str], Pairs | Mapping[str, str]]


@dataclass(frozen=True)
class WordPairs:
    """The word pairs of an alignment, by the positions of two languages, the earlier one first.

    Attributes:
        lexicon: Training pairs.
        validation: Validation pairs.
    """

    lexicon: Mapping[Key, Pairs]
    validation: Mapping[Key, Pairs]

    @classmethod
    def of(
        cls,
        languages: Sequence[Embeddings],
        lexicon: GivenPairs | None,
        validation: GivenPairs | None,
    ) -> WordPairs:
        """The pairs that the user gave for these languages."""
        names = [one.name for one in languages]
        return cls(by_pair(lexicon, names), by_pair(validation, names))

    @property
    def roles(self) -> dict[str, bool]:
        """Which kinds of pairs there are."""
        return {"lexicon": bool(self.lexicon), "validation": bool(self.validation)}


def by_pair(given: GivenPairs | None, names: Sequence[str]) -> dict[Key, Pairs]:
    """Word pairs by the two languages they belong to, the earlier language first."""
    if given is None:
        return {}
    named = isinstance(given, Mapping) and any(isinstance(key, tuple) for key in given)
    if not named:
        if len(names) > 2:
            raise UsageError(
                "with more than two languages, say which ones the word pairs belong to: "
                f"{{({names[0]!r}, {names[-1]!r}): pairs}}"
            )
        return {(0, 1): _word_pairs(given)}
    found: dict[Key, Pairs] = {}
    for languages, pairs in given.items():  # type: ignore[union-attr]
        unknown = [name for name in languages if name not in names]
        if unknown or len(languages) != 2 or len(set(languages)) != 2:
            hint = f"choose from {', '.join(names)}"
            raise UsageError(f"{languages!r}: give the names of two languages; {hint}")
        first, second = (names.index(name) for name in languages)
        words = _word_pairs(pairs)
        if first > second:
            first, second, words = second, first, [(other, one) for one, other in words]
        found[first, second] = [*found.get((first, second), ()), *words]
    return found


def check_pairs(languages: Sequence[Embeddings], words: WordPairs, system: System) -> None:
    """Refuse pairs that do not fit the vocabularies, and a lexicon that connects too little."""
    for role, by_languages in (("training", words.lexicon), ("validation", words.validation)):
        for key, pairs in by_languages.items():
            _check_usable(role, pairs, languages[key[0]], languages[key[1]])
    groups = Groups(len(languages), words.lexicon)
    if system.takes_lexicon and not groups.is_one:
        apart = [languages[place].name for place in list(groups)[1]]
        raise UsageError(
            f"system {system.name!r} needs training pairs that connect all languages, and none "
            f"connect {' and '.join(apart)} with {languages[0].name}: add pairs, or use robust"
        )


def _check_usable(role: str, pairs: Pairs, source: Embeddings, target: Embeddings) -> None:
    label = f"{source.name}-{target.name}"
    try:
        usable = len(match_directed(pairs, source, target)[0])
    except UsageError as error:
        raise UsageError(f"{label}: {error}") from error
    if not usable:
        raise UsageError(
            f"{label}: no {role} pair has both words in the vocabularies: check direction and "
            "spelling"
        )


def _word_pairs(given: Any) -> Pairs:
    """Word pairs from a sequence or a dict; refuse anything else."""
    if isinstance(given, str | PathLike):
        raise UsageError("align takes word pairs, not a file: use isolex.io.read_pairs first")
    pairs = list(given.items() if isinstance(given, Mapping) else given)
    for pair in pairs:
        words = pair if isinstance(pair, tuple | list) else ()
        if len(words) != 2 or not all(isinstance(word, str) for word in words):
            raise UsageError(f"a pair is two words, such as ('dog', 'perro'), not {pair!r}")
    return [(source, target) for source, target in pairs]
