"""The page of a word with its translations into all other languages."""

from __future__ import annotations

from collections.abc import Sequence

from isolex.web.explorer.form import Form
from isolex.web.explorer.links import readable, word_query
from isolex.web.explorer.lookup import Answer
from isolex.web.explorer.query import ALL
from isolex.web.explorer.verdicts import about_language, status
from isolex.web.wording import RETRIEVAL


def page(form: Form, answers: Sequence[Answer], statuses: Sequence[str]) -> str:
    """The page of a word.

    Args:
        form: The form.
        answers: The translations into each other language, by one method.
        statuses: The state of the method for each of them, if it is not ready.
    """
    served, source, word = form.served, answers[0].source, answers[0].word
    method = served.space.retrieval.method
    cards = []
    for answer, waiting in zip(answers, statuses, strict=True):
        [column] = answer.columns
        pair = served.space.about(source.name, answer.target.name)
        cards.append(
            {
                "language": form.switch(word, source, answer.target),
                "name": answer.target.name,
                "outcome": pair.verdict and pair.verdict.outcome,
                "status": status(pair),
                "column": column,
                "links": [form.link(one.word, answer.target) for one in column.translations or []],
                "waiting": f"{method} {waiting}",
            }
        )
    return form.render(
        "overview.html",
        readable(f"{word}: {served.title}"),
        word=readable(word),
        row=answers[0].row,
        source=source,
        choice=form.choice(word, source),
        cards=cards,
        method=method,
        meaning=RETRIEVAL[method],
        verdict=about_language(served.space, source.name),
        api=f"/api/translate?{word_query(word, source, ALL, form.k)}&dir={served.slug}",
    )
