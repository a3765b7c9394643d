"""The pages, rendered from ``web/templates/explorer``; they work without JavaScript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from isolex.core.choices import Outcome
from isolex.core.language import Language
from isolex.web.explorer.figure import neighbourhood
from isolex.web.explorer.links import Link, colour, link, readable, word_query
from isolex.web.explorer.lookup import Answer, Neighbour
from isolex.web.explorer.served_space import ServedSpace, absence
from isolex.web.plots.charts import shape
from isolex.web.templating import render
from isolex.web.wording import RETRIEVAL

COUNTS = (5, 10, 20, 50)
"""The numbers of translations that the form offers."""


@dataclass(frozen=True)
class Form:
    """The form at the top of every page of a space, as it was filled in.

    Attributes:
        served: The space.
        several: Whether other spaces are served, too.
        word: What was typed.
        k: Number of translations and neighbours.
        source: Name of the language of the word, if it was chosen.
        target: Name of the language to translate into, if it was chosen.
    """

    served: ServedSpace
    several: bool
    word: str
    k: int
    source: str | None
    target: str | None

    def render(self, template: str, title: str, **values: Any) -> str:
        """Render a page with this form."""
        verdict = self.served.space.verdict
        doubt = verdict and verdict.outcome != Outcome.SUCCEEDED
        return render(
            f"explorer/{template}",
            form=self,
            title=title,
            typed=readable(self.word),
            counts=sorted({*COUNTS, self.k}),
            languages=self.served.space.names,
            verdict=verdict if doubt else None,
            **{"focus": False, "api": None} | values,
        )

    def link(self, word: str, language: Language, other: Language | None = None) -> Link:
        """A link to a word, to be translated into ``other``, by default as chosen."""
        source, target = self.served.pair(language, other.name if other else self.target)
        return link(self.served, word, source, target, self.k)


def index_page(spaces: Sequence[ServedSpace]) -> str:
    """The list of spaces."""
    return render("explorer/index.html", title="isolex", spaces=spaces)


def problem_page(problem: str, spaces: Sequence[ServedSpace]) -> str:
    """What is wrong with a request."""
    return render("explorer/problem.html", title="isolex", problem=problem, spaces=spaces)


def start_page(form: Form) -> str:
    """The page of a space before a word is looked up, with some words to try."""
    samples = {}
    for language in form.served.space:
        last = len(language) - 1
        rows = sorted({min(last, 60 * 2**power) for power in range(9)})
        samples[language.name] = [form.link(language.words[row], language) for row in rows]
    return form.render("start.html", readable(form.served.title), focus=True, samples=samples)


def unknown_page(form: Form, suggestions: Sequence[tuple[Language, str]]) -> str:
    """The page of a word that is not in the vocabulary, with words that may have been meant."""
    word = form.word.strip()
    searched = form.served.searched(form.source, form.target)
    elsewhere = [one for one in form.served.space if one not in searched and word in one]
    return form.render(
        "unknown.html",
        f"{readable(form.word)}: not found",
        focus=True,
        absence=absence(searched),
        elsewhere=[form.link(word, language) for language in elsewhere],
        suggestions=[form.link(one, language) for language, one in suggestions],
    )


def word_page(form: Form, answer: Answer, status: str) -> str:
    """The page of a word; ``status`` says how far the methods are that are not ready."""
    served, source, target = form.served, answer.source, answer.target
    others = [one for one in served.space if one not in (source, target)]
    return form.render(
        "word.html",
        readable(f"{answer.word}: {served.title}"),
        answer=answer,
        status=status,
        word=readable(answer.word),
        own=served.space.retrieval.method,
        meanings=RETRIEVAL,
        expected=min(form.k, len(target)),
        columns=[
            (column, [form.link(one.word, target, source) for one in column.translations or []])
            for column in answer.columns
        ],
        also=[
            form.link(answer.word, one, source)
            for one in served.space
            if one is not source and answer.word in one
        ],
        targets=[(one.name, form.link(answer.word, source, one)) for one in others],
        nearest=[
            (source, _neighbours(form, answer.neighbours, source, target)),
            (target, _neighbours(form, answer.abroad, target, source)),
        ],
        pictures=neighbourhood(served, answer, form.k),
        legend=sorted(
            (colour(served, one, other), shape(colour(served, one, other), 6, 6, 4.5), one.name)
            for one, other in ((source, target), (target, source))
        ),
        api=f"/api/translate?{word_query(answer.word, source, target, form.k)}&dir={served.slug}",
    )


def _neighbours(
    form: Form, found: Sequence[Neighbour], language: Language, other: Language
) -> list[tuple[Link, float]]:
    return [(form.link(one.word, language, other), one.cosine) for one in found]
