"""The pages, rendered from ``web/templates/explorer``; they work without JavaScript."""

from __future__ import annotations

from collections.abc import Sequence

from isolex.core.language import Language
from isolex.core.space_view import count_pairs
from isolex.web.explorer.figure import neighbourhood
from isolex.web.explorer.form import Form
from isolex.web.explorer.links import Link, colour, readable, word_query
from isolex.web.explorer.lookup import Answer, Neighbour
from isolex.web.explorer.served_space import ServedSpace, absence
from isolex.web.explorer.verdicts import about_pair, about_space, summary
from isolex.web.plots.charts import shape
from isolex.web.templating import render
from isolex.web.wording import RETRIEVAL


def index_page(spaces: Sequence[ServedSpace]) -> str:
    """The list of spaces."""
    return render("explorer/index.html", title="isolex", spaces=spaces, summary=summary)


def problem_page(problem: str, spaces: Sequence[ServedSpace]) -> str:
    """What is wrong with a request."""
    return render(
        "explorer/problem.html", title="isolex", problem=problem, spaces=spaces, summary=summary
    )


def start_page(form: Form) -> str:
    """The page of a space before a word is looked up, with some words to try."""
    samples = {}
    for language in form.served.space:
        last = len(language) - 1
        rows = sorted({min(last, 60 * 2**power) for power in range(9)})
        samples[language.name] = [form.link(language.words[row], language) for row in rows]
    space = form.served.space
    counts = count_pairs(space) if form.served.several and space.verdict else None
    title = readable(form.served.title)
    return form.render("start.html", title, focus=True, samples=samples, summary=counts)


def unknown_page(form: Form, suggestions: Sequence[tuple[Language, str]]) -> str:
    """The page of a word that is not in the vocabulary, with words that may have been meant."""
    served = form.served
    word = form.word.strip()
    searched = served.searched(form.source, form.target)
    elsewhere = [one for one in served.space if one not in searched and word in one]
    return form.render(
        "unknown.html",
        f"{readable(form.word)}: not found",
        focus=True,
        absence=absence(searched),
        elsewhere=[form.link(word, language) for language in elsewhere],
        suggestions=[form.link(one, language) for language, one in suggestions],
        verdict=None if served.several else about_space(served.space),
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
        choice=form.choice(answer.word, source),
        all=form.switch(answer.word, source, None),
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
        api=f"/api/translate?{word_query(answer.word, source, target.name, form.k)}"
        f"&dir={served.slug}",
        verdict=about_pair(served.space, source.name, target.name),
        lexicons=form.lexicons(
            [f"{source.name}-{target.name}.tsv", f"{target.name}-{source.name}.tsv"]
        ),
    )


def _neighbours(
    form: Form, found: Sequence[Neighbour], language: Language, other: Language
) -> list[tuple[Link, float]]:
    return [(form.link(one.word, language, other), one.cosine) for one in found]
