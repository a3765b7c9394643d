"""ServedSpace: a space with its place in the address bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from isolex.core.language import Language
from isolex.core.space import Space
from isolex.run.folder import LEXICON, RunFolder, lexicon_files
from isolex.web.explorer.spelling import Suggestions
from isolex.web.templating import listed

RESERVED = ("api", "static", LEXICON)
"""Names that a space cannot have in an address."""

NAMED = 4
"""Up to this many languages are named; more are only counted."""


@dataclass(frozen=True, eq=False)
class ServedSpace:
    """A space that is served.

    Attributes:
        slug: Its name in addresses.
        space: The space.
        folder: Its run folder; ``None`` if the vectors were given as files.
    """

    slug: str
    space: Space
    folder: RunFolder | None = None
    _spellings: dict[str, Suggestions] = field(default_factory=dict, init=False, repr=False)

    @property
    def title(self) -> str:
        """The names of its languages, or of the first ones."""
        names = self.space.names
        if len(names) > NAMED:
            names = (*names[: NAMED - 1], f"{len(names) - NAMED + 1} more languages")
        return listed(names)

    @property
    def several(self) -> bool:
        """Whether there are more than two languages."""
        return len(self.space) > 2

    @property
    def lexicon(self) -> Path | None:
        """The lexicon that `isolex map` wrote, if it is still there."""
        path = self.folder and self.folder.path / LEXICON
        return path if path and path.is_file() else None

    @property
    def lexicons(self) -> Mapping[str, Path]:
        """The lexicons of several languages that `isolex map` wrote, by name: ``en-es.tsv``."""
        if self.folder is None or not self.several:
            return {}
        paths = [self.folder.path / name for name in lexicon_files(self.space.names)]
        return {path.name: path for path in paths if path.is_file()}

    def spelling(self, language: Language) -> Suggestions:
        """The words of a language, sorted for completion and suggestions."""
        if language.name not in self._spellings:
            self._spellings[language.name] = Suggestions(language.words)
        return self._spellings[language.name]

    def searched(self, source: str | None, target: str | None) -> list[Language]:
        """The languages in which a word is looked for, in order.

        Args:
            source: Name of the language of the word, if it was given.
            target: Name of the language to translate into, if it was given.
        """
        self.space.pair(source, target)  # refuses two equal names
        if source is not None:
            return [self.space[source]]
        return [language for language in self.space if language.name != target]

    def pair(self, language: Language, target: str | None) -> tuple[Language, Language]:
        """A language and the one to translate it into: ``target``, or the first other one."""
        return self.space.pair(language.name, None if target == language.name else target)

    def chosen(self, language: Language, target: str | None) -> Language | None:
        """The language to translate into: like `pair`, but ``None`` for all of several languages.

        Args:
            language: The language of the word.
            target: Name of the language to translate into, if it was chosen.
        """
        if self.several and target in (None, language.name):
            return None
        return self.pair(language, target)[1]


def absence(searched: Sequence[Language]) -> str:
    """What is said of a word that is in none of these languages."""
    if len(searched) > NAMED:
        return f"is not in the vocabulary of any of {len(searched)} languages"
    plural = "ies" if len(searched) > 1 else "y"
    names = listed([f"{language.name} ({len(language):,} words)" for language in searched])
    return f"is not in the vocabular{plural} of {names}"


def make_slugs(names: Sequence[str], taken: Sequence[str] = RESERVED) -> list[str]:
    """Different names that can be part of an address, one for each of ``names``."""
    used = set(taken)
    slugs = []
    for name in names:
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)
        plain = plain.strip("-") or "space"
        slug, number = plain, 2
        while slug in used:
            slug, number = f"{plain}-{number}", number + 1
        used.add(slug)
        slugs.append(slug)
    return slugs
