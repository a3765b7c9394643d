"""The form at the top of every page of a space, and the links that keep what was chosen in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from isolex.core.language import Language
from isolex.core.words import encode
from isolex.run.folder import LEXICONS
from isolex.web.explorer.links import Link, link, readable
from isolex.web.explorer.served_space import ServedSpace
from isolex.web.explorer.verdicts import about_space
from isolex.web.templating import render

COUNTS = (5, 10, 20, 50)
"""The numbers of translations that the form offers."""


@dataclass(frozen=True)
class Form:
    """The form as filled in.

    Attributes:
        served: The space.
        several: Whether other spaces are served, too.
        word: What was typed.
        k: Number of translations and neighbours.
        usual: That number by default.
        source: Name of the language of the word, if it was chosen.
        target: Name of the language to translate into, if it was chosen.
    """

    served: ServedSpace
    several: bool
    word: str
    k: int
    usual: int
    source: str | None
    target: str | None

    def render(self, template: str, title: str, **values: Any) -> str:
        """Render a page with this form."""
        return render(
            f"explorer/{template}",
            form=self,
            title=title,
            typed=readable(self.word),
            counts=sorted({*COUNTS, self.k}),
            languages=self.served.space.names,
            **{
                "focus": False,
                "api": None,
                "verdict": about_space(self.served.space),
                "lexicons": self.lexicons(self.served.lexicons),
            }
            | values,
        )

    def link(self, word: str, language: Language, other: Language | None = None) -> Link:
        """A link to a word, to be translated into ``other``, by default as chosen."""
        target = other or self.served.chosen(language, self.target)
        return link(self.served, word, language, target, self.k)

    def switch(self, word: str, language: Language, target: Language | None) -> Link:
        """A link between the pages of one target and of all: each has its own default ``k``."""
        k = 0 if self.k == self.usual else self.k
        return link(self.served, word, language, target, k)

    def choice(self, word: str, language: Language) -> list[Link]:
        """The page of a word in each language that has it; empty if no other language has it."""
        having = [one for one in self.served.space if word in one]
        return [self.link(word, one) for one in having] if having != [language] else []

    def lexicons(self, names: Iterable[str]) -> list[tuple[str, str]]:
        """The label and the address of each of these lexicons that exists."""
        start = f"/{self.served.slug}/{LEXICONS}"
        return [
            (name.removesuffix(".tsv"), f"{start}/{quote(encode(name), safe='')}")
            for name in names
            if name in self.served.lexicons
        ]
