"""The pages: plain HTML that needs no script to look a word up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from isolex.core.choices import Method
from isolex.web.explorer.atlas import Answer, Atlas, Column, Language, Neighbour
from isolex.web.explorer.html import address, link, shown, text
from isolex.web.explorer.neighbourhood import neighbourhood

COUNTS = (5, 10, 20, 50)
MEANINGS = {
    Method.NN: "the cosine",
    Method.CSLS: "twice the cosine, less both neighbourhoods",
    Method.INVSOFTMAX: "log-probability, given the translation",
    Method.INVNN: "cosine, less its rank as the translation sees it",
    Method.GC: "the same, among frequent words only",
}
FINDINGS = {
    "doubtful": "The verdict on this mapping is doubtful: look twice before you trust it.",
    "failed": "The verdict on this mapping is failed: it is most likely useless.",
}


@dataclass(frozen=True)
class Head:
    """What stands above every page of a mapping: its name and the form.

    Attributes:
        atlas: The mapping.
        several: Whether there are others.
        word: What was typed.
        k: How many answers of each kind are shown.
        reverse: Which language was chosen, if one was.
    """

    atlas: Atlas
    several: bool
    word: str
    k: int
    reverse: bool | None

    def render(self, *, focus: bool = False) -> str:
        """As HTML; ``focus`` where a word is to be typed next."""
        atlas, chosen = self.atlas, "" if self.reverse is None else str(int(self.reverse))
        sides = (("", "either"), ("0", atlas.source.name), ("1", atlas.target.name))
        counts = [(str(n), str(n)) for n in sorted({*COUNTS, self.k})]
        up = '<a href="/">all mappings</a>' if self.several else ""
        finding = FINDINGS.get(atlas.finding or "")
        warning = f'<p class="verdict {atlas.finding}">{finding}</p>' if finding else ""
        return (
            f'<header><h1><a href="{address(atlas)}">{text(atlas.title)}</a></h1>{up}</header>'
            f'{warning}<form method="get" action="{address(atlas)}" role="search">'
            '<div class="box"><label for="word">Word</label>'
            f'<input id="word" name="word" value="{text(self.word)}" dir="auto" required '
            f'autocomplete="off" autocapitalize="off" spellcheck="false" data-dir="{atlas.slug}"'
            f"{' autofocus' if focus else ''}></div>"
            '<div><label for="reverse">Of</label><select id="reverse" name="reverse">'
            f"{_options(sides, chosen)}</select></div>"
            '<div><label for="k">Show</label><select id="k" name="k">'
            f"{_options(counts, str(self.k))}</select></div><button>Look up</button></form>"
        )


def page(title: str, body: Iterable[str]) -> str:
    """A whole page."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{text(title)}</title>",
            '<link rel="icon" href="/static/icon.svg">',
            '<link rel="stylesheet" href="/static/explore.css">',
            '<script src="/static/explore.js" defer></script></head><body>',
            *body,
            "</body></html>\n",
        ]
    )


def index(atlases: Sequence[Atlas]) -> str:
    """The page that leads to each of several mappings."""
    return page("isolex", ["<h1>isolex</h1><p>Choose a mapping.</p>", *_list(atlases)])


def _list(atlases: Sequence[Atlas]) -> Iterator[str]:
    yield '<ul class="mappings">'
    for atlas in atlases:
        finding = f", {escape(atlas.finding)}" if atlas.finding else ""
        given = str(atlas.folder)
        name = atlas.slug if given == atlas.slug else f"{atlas.slug} ({text(given)})"
        yield (
            f'<li><a href="{address(atlas)}">{text(atlas.title)}</a> '
            f'<span class="soft">{name}: {_size(atlas)}{finding}</span></li>'
        )
    yield "</ul>"


def problem(what: str, atlases: Sequence[Atlas]) -> str:
    """A page for what cannot be done."""
    return page("isolex", [f"<h1>That did not work</h1><p>{text(what)}</p>", *_list(atlases)])


def start(head: Head) -> str:
    """The page of a mapping before a word is asked."""
    atlas = head.atlas
    body = [head.render(focus=True), "<h2>Some words to begin with</h2>"]
    for language in (atlas.source, atlas.target):
        words = language.vocabulary.words
        ranks = sorted({min(len(words) - 1, 60 * 2**power) for power in range(9)})
        some = " ".join(link(atlas, language, words[rank], head.k) for rank in ranks)
        body.append(f'<p class="some"><span class="soft">{text(language.name)}</span> {some}</p>')
    return page(atlas.title, [*body, *_foot(atlas)])


def unknown(
    head: Head, alike: Sequence[tuple[Language, str]], others: Sequence[Language] = ()
) -> str:
    """The page of a word that is not there, with others that may have been meant.

    Args:
        head: What was asked.
        alike: The others, and their languages.
        others: Languages that were not asked and have the word.
    """
    names = " or ".join(
        f"the {len(one.vocabulary):,} words of {text(one.name)}"
        for one in head.atlas.asked(head.reverse)
    )
    body = [
        head.render(focus=True),
        f'<h2 class="asked"><bdi>{text(head.word)}</bdi></h2>',
        f'<p role="status">This word is not among {names}.</p>',
    ]
    body += [
        f"<p>It is a word of {text(one.name)}: {link(head.atlas, one, head.word.strip(), head.k)}."
        "</p>"
        for one in others
    ]
    if alike:
        body.append('<p>Did you mean one of these?</p><ul class="words">')
        body += [
            f"<li>{link(head.atlas, language, one, head.k)} "
            f'<span class="soft">{text(language.name)}</span></li>'
            for language, one in alike
        ]
        body.append("</ul>")
    return page(f"{shown(head.word)}: not there", [*body, *_foot(head.atlas)])


def answer(head: Head, found: Answer, status: str) -> str:
    """The page of a word; ``status`` says of the methods that are not ready how far they are."""
    atlas, k = head.atlas, head.k
    other = ""
    if found.word in found.answering.vocabulary:
        same = link(atlas, found.answering, found.word, k)
        other = f" It is also a word of {text(found.answering.name)}: {same}."
    body = [
        head.render(),
        f'<h2 class="asked"><bdi>{text(found.word)}</bdi></h2>',
        f'<p class="soft">Word {found.row + 1:,} of {len(found.asked.vocabulary):,} of '
        f"{text(found.asked.name)}, most frequent first.{other}</p>",
        f"<h3>Translations into {text(found.answering.name)}</h3>",
        '<div class="columns">',
        *(_column(atlas, found, column, k, status) for column in found.columns),
        "</div>",
        '<p class="soft"><span class="mutual">\u2713</span> mutual best: each word is the '
        "other\u2019s best translation. Scores compare within one column only.</p>",
        "<h3>Neighbourhood</h3>",
        *neighbourhood(atlas, found, k),
        '<div class="columns">',
        *_neighbours(atlas, found.asked, found.neighbours, k),
        *_neighbours(atlas, found.answering, found.abroad, k),
        "</div>",
    ]
    foot = _foot(atlas, _api_address(atlas, found, k))
    return page(f"{shown(found.word)}: {atlas.title}", [*body, *foot])


def _options(values: Iterable[tuple[str, str]], chosen: str) -> str:
    return "".join(
        f'<option value="{value}"{" selected" if value == chosen else ""}>{text(name)}</option>'
        for value, name in values
    )


def _foot(atlas: Atlas, api: str = "") -> Iterator[str]:
    answer = f' \u00b7 <a href="{escape(api)}">this answer as JSON</a>' if api else ""
    yield (
        f'<footer class="soft"><a href="/{atlas.slug}/lexicon.tsv" download>download the lexicon'
        f"</a>{answer} \u00b7 {_size(atlas)}</footer>"
    )


def _size(atlas: Atlas) -> str:
    source, target = atlas.source, atlas.target
    return (
        f"{len(source.vocabulary):,} words of {text(source.name)}, "
        f"{len(target.vocabulary):,} of {text(target.name)}"
    )


def _column(atlas: Atlas, found: Answer, column: Column, k: int, status: str) -> str:
    own = " own" if column.method == atlas.retrieval.method else ""
    head = (
        f'<section class="column{own}"><h4>{column.method}</h4>'
        f'<p class="soft small">{MEANINGS[column.method]}</p>'
    )
    if column.translations is None:
        return f'{head}<p class="waiting">{text(status)}</p></section>'
    if len(column.translations) < min(k, len(found.answering.vocabulary)):
        head += '<p class="soft small">only words that have it among their nearest</p>'
    mark = ' <abbr class="mutual" title="mutual best">\u2713</abbr>'
    rows = "".join(
        f"<li>{link(atlas, found.answering, one.word, k)}{mark if one.mutual else ''}"
        f' <span class="n">{one.score:.3f}</span></li>'
        for one in column.translations
    )
    return f"{head}<ol>{rows}</ol></section>"


def _neighbours(
    atlas: Atlas, language: Language, found: Sequence[Neighbour], k: int
) -> Iterator[str]:
    yield f'<section class="column"><h4>Nearest in {text(language.name)}</h4><ol>'
    for one in found:
        yield (
            f'<li>{link(atlas, language, one.word, k)} <span class="n">{one.cosine:.3f}</span></li>'
        )
    yield "</ol></section>"


def _api_address(atlas: Atlas, found: Answer, k: int) -> str:
    query = address(atlas, found.asked, found.word, k).partition("?")[2]
    return f"/api/translate?{query}&dir={atlas.slug}"
