"""The picture of a word among its neighbours and translations."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from isolex.web.explorer.links import address, colour, readable
from isolex.web.explorer.lookup import Answer
from isolex.web.explorer.served_space import ServedSpace
from isolex.web.plots.neighbourhood import Spot, draw, flat

SHOWN = 8
"""Number of words of each kind in the picture."""

SIZES = {"broad": (860, 470), "narrow": (340, 460)}
"""The picture is drawn twice; the style sheet shows the one that fits the screen."""


def neighbourhood(served: ServedSpace, answer: Answer, k: int) -> dict[str, Markup]:
    """Draw the word, its nearest words and its translations by the system's method, by size."""
    source, target = answer.source, answer.target
    [own] = [c for c in answer.columns if c.method == served.space.retrieval.method]
    here = [answer.row, *(one.row for one in answer.neighbours[:SHOWN])]
    abroad = [one.row for one in answer.abroad[:SHOWN]]
    there = list(dict.fromkeys([*own.rows[:SHOWN], *abroad]))
    rows = [*((source, target, row) for row in here), *((target, source, row) for row in there)]
    seen, theirs = served.space.seen(source, target), served.space.seen(target, source)
    points = flat(np.concatenate([seen[np.array(here)], theirs[np.array(there)]]))
    spots = [
        Spot(
            readable(language.words[row]),
            address(served, language.words[row], language, other, k),
            colour(served, language, other),
            f"{readable(language.words[row])} ({readable(language.name)})",
            centre=place == 0,
            joined=language is target and row in own.rows[:1],
        )
        for place, (language, other, row) in enumerate(rows)
    ]
    title = f"The neighbourhood of {readable(answer.word)}"
    return {name: draw(spots, points, *size, title) for name, size in SIZES.items()}
