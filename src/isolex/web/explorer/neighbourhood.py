"""What is drawn around a word: itself, its neighbours and its translations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from isolex.web.explorer.atlas import Answer, Atlas
from isolex.web.explorer.html import address, shown, text
from isolex.web.explorer.picture import Spot, draw, flat
from isolex.web.report.svg import shape

DRAWN = 8
"""Words of each kind in the picture."""
SHEETS = (("broad", 860, 470), ("narrow", 340, 460))
"""The picture is drawn twice, and the style sheet shows the one that fits the screen."""


def neighbourhood(atlas: Atlas, found: Answer, k: int) -> Iterator[str]:
    """The word, its neighbours and its translations, drawn for wide and for narrow screens."""
    best = [c for c in found.columns if c.translations and c.method == atlas.retrieval.method]
    chosen = {t.word for column in best for t in (column.translations or [])[:1]}
    rows = [(found.asked, found.row, found.word)]
    rows += [(found.asked, one.row, one.word) for one in found.neighbours[:DRAWN]]
    abroad = dict.fromkeys(
        [
            *(t.word for column in best for t in (column.translations or [])[:DRAWN]),
            *(one.word for one in found.abroad[:DRAWN]),
        ]
    )
    index = found.answering.vocabulary.index
    rows += [(found.answering, index[word], word) for word in abroad]
    vectors = [language.vocabulary.vectors[row] for language, row, _ in rows]
    points = flat(np.stack(vectors))
    spots = [
        Spot(
            shown(word),
            address(atlas, language, word, k),
            "a" if language.side == "src" else "b",
            f"{shown(word)} ({language.name})",
            centre=place == 0,
            joined=language is found.answering and word in chosen,
        )
        for place, (language, _, word) in enumerate(rows)
    ]
    title = f"The neighbourhood of {shown(found.word)}"
    yield "<figure>"
    for name, width, height in SHEETS:
        yield f'<div class="{name}">{draw(spots, points, width, height, title)}</div>'
    legend = " ".join(
        '<span><svg class="key" viewBox="0 0 12 12" aria-hidden="true">'
        f"{shape(colour, 6, 6, 4.5)}</svg> {text(language.name)}</span>"
        for colour, language in (("a", atlas.source), ("b", atlas.target))
    )
    yield (
        f'<figcaption class="soft">{legend} <span>Two leading components; a line leads to the '
        "best translation. Every word is a link.</span></figcaption></figure>"
    )
