"""How a space is shown in a console and in a notebook."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from isolex.core.choices import Outcome

if TYPE_CHECKING:
    from isolex.core.space import Space


def as_text(space: Space) -> str:
    """The languages, the system and the verdicts in one line."""
    several = len(space) > 2
    languages = []
    for one in space:
        outcome = space.outcome(one.name) if several else None
        languages.append(f"{one.name} ({len(one):,} words{f', {outcome}' if outcome else ''})")
    verdict = ""
    if space.verdict:
        verdict = f"; {count_pairs(space)}" if several else f", {space.verdict.outcome}"
    return f"Space({', '.join(languages)}; {space.settings['system']}{verdict})"


def as_html(space: Space) -> str:
    """A paragraph about the verdicts and a table of the languages."""
    several = len(space) > 2 and space.verdict is not None
    heads = ["language", "words", "dimensions", *(["verdict"] if several else [])]
    rows = [
        [one.name, f"{len(one):,}", str(one.dims)]
        + ([space.outcome(one.name) or "-"] if several else [])
        for one in space
    ]
    verdict = ""
    if several:
        verdict = f"<p><b>Verdicts on {count_pairs(space)}.</b></p>"
    elif space.verdict:
        words = f"{space.verdict.meaning} Evidence: {space.verdict.reason}."
        verdict = f"<p><b>{space.verdict.outcome.capitalize()}.</b> {escape(words)}</p>"
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return (
        f"<p>Shared space, made by <code>{escape(space.settings['system'])}</code></p>{verdict}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def count_pairs(space: Space) -> str:
    """How many pairs of languages have each verdict, in words."""
    counts = Counter(pair.verdict.outcome for pair in space.pairs.values() if pair.verdict)
    parts = [f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome]]
    return f"pairs: {', '.join(parts)}"
