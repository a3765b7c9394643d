"""The page itself: sections of HTML, with everything that it needs inside."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from isolex.core.lexicon import Lexicon
from isolex.core.space import Alignment
from isolex.evaluate import evaluate_lexicon
from isolex.web.report import look, svg
from isolex.web.report.svg import Line

WORDS = {
    "succeeded": (
        "Succeeded",
        "The two spaces were brought together. Rare words are translated less well than frequent "
        "ones: see the samples below.",
    ),
    "doubtful": (
        "Doubtful",
        "Something was found, but not everything fits together. Read the samples below before you "
        "trust it; another seed, some training pairs or more text may help.",
    ),
    "failed": (
        "Failed",
        "The mapping is most likely useless: its pairs do not support one another. Give some "
        "training pairs, or vectors of more, or more similar, text.",
    ),
}

STEPS = {
    "read": "the vector files are read",
    "compile": "the inner loops are compiled for this machine",
    "normalise": "the vectors are prepared, say brought to length one",
    "train": "the system trains a first mapping",
    "initialise": "the first lexicon is made",
    "learn": "self-learning, mapping and lexicon in turn",
    "check": "whether that found something clear, or other starts are needed",
    "search": "other starts are tried",
    "widen": "self-learning goes on with more words",
    "map": "the final mapping is made from the last lexicon",
    "judge": "the verdict is reached: it is learnt again from a few of the pairs",
    "lexicon": "the dictionary is looked up",
}
"""What is done in each step that is timed, in their order."""


def render(
    alignment: Alignment,
    lexicon: Lexicon,
    run: Mapping[str, Any],
    gold: Sequence[tuple[str, str]] | None = None,
) -> str:
    """The report on a run as one HTML page that needs nothing else.

    Args:
        alignment: The alignment, with its vectors.
        lexicon: Its dictionary, one translation a word.
        run: What run.json holds.
        gold: Pairs to score it by, where some were given.
    """
    style = (files("isolex.web.report") / "style.css").read_text(encoding="utf-8")
    title = f"{_name(run, 'src')} and {_name(run, 'trg')}"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>isolex: {_text(title)}</title>",
        f"<style>{style}</style></head><body>",
        f"<h1>{_text(title)}</h1>",
        *_head(run),
        *_verdict(run),
        *_accuracy(alignment, gold),
        *_course(alignment),
        *_figure_one(alignment, lexicon),
        *_pictures(alignment, lexicon, run),
        *_samples(alignment, lexicon),
        *_hubs(alignment, lexicon),
        *_timings(run),
        *_settings(run),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _name(run: Mapping[str, Any], side: str) -> str:
    return str(run["inputs"][side]["path"]).replace("\\", "/").rpartition("/")[2]


def _text(text: str) -> str:
    """Text as HTML; bytes that were not UTF-8 are shown as such."""
    return escape(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def _head(run: Mapping[str, Any]) -> Iterator[str]:
    sizes = [run["inputs"][side] for side in ("src", "trg")]
    vectors = " and ".join(f"{size['words']:,} words \u00d7 {size['dims']}" for size in sizes)
    found = run["lexicon"]
    yield (
        f'<p class="soft">{vectors}, mapped by <code>{_text(run["settings"]["system"])}</code>. '
        f"{found['entries']:,} dictionary entries, {found['mutual']:,} of them mutual best.</p>"
    )


def _verdict(run: Mapping[str, Any]) -> Iterator[str]:
    outcome = run.get("verdict")
    if outcome not in WORDS:
        return
    name, meaning = WORDS[outcome]
    yield f'<div class="verdict {outcome}"><strong>{name}</strong><p>{meaning}</p>'
    yield f'<p class="soft">Why: {_text(run["reason"])}.</p></div>'
    tried = run["attempts"]
    if tried:
        taken = sum(attempt["taken"] for attempt in tried)
        short = "" if tried[-1]["finished"] else " The search was cut short by its budget."
        yield (
            f"<p>The first start found nothing clear: {len(tried)} others were tried, "
            f"{taken} of them taken.{short}</p>"
        )


def _accuracy(alignment: Alignment, gold: Sequence[tuple[str, str]] | None) -> Iterator[str]:
    if gold is None:
        return
    mapped = alignment.source.mapped, alignment.target.mapped
    found = evaluate_lexicon(*mapped, gold, alignment.retrieval, space=alignment.space)
    yield "<h2>Accuracy</h2>"
    rows = [(f"precision@{cut}", f"{value:.2f} %") for cut, value in found.precision.items()]
    asked = found.entries + len(found.oov)
    rows.append(("words asked; the others are not in both", f"{found.entries:,} of {asked:,}"))
    yield _table(("measure", "on the validation pairs"), rows)


def _course(alignment: Alignment) -> Iterator[str]:
    history = alignment.history
    if len(history) < 2:
        return
    yield "<h2>Self-learning</h2>"
    yield (
        '<p class="soft">The objective is the mean highest similarity of all words that take part, '
        "both ways. It compares only where as many words take part in as many dimensions.</p>"
    )
    figures = (
        ("objective", [record.objective for record in history], 236, False),
        ("keep_prob", [record.keep_prob for record in history], 140, True),
        ("words", list(map(float, look.taking_part(alignment))), 140, True),
    )
    for name, values, height, zero in figures:
        points = [(float(r.iteration), value) for r, value in zip(history, values, strict=True)]
        drawn = svg.stairs(points) if zero else points
        yield svg.chart([Line(name, drawn)], "iteration", name, height, zero=zero)
    validated = [(float(r.iteration), r.validation) for r in history if r.validation is not None]
    if len(validated) > 1:
        line = Line("validation", validated, "b")
        yield svg.chart([line], "iteration", "validation in %", 180, zero=True)


def _figure_one(alignment: Alignment, lexicon: Lexicon) -> Iterator[str]:
    found = look.distributions(alignment, lexicon)
    if not found:
        return
    yield '<section class="whole"><h2>Why it can work</h2>'
    yield (
        '<p class="soft">How alike a word is to all other words of its language, with the same of '
        "its translation and of an unrelated word about as frequent. Often the curve of the "
        "translation lies nearer to that of the word than the curve of the stranger does: the "
        "first lexicon is made from that (Figure 1 of the paper). Where it does not, this word "
        "gave the start nothing to go by; it needs enough others that do.</p>"
    )
    for one in found:
        labels = (one.words[0], f"{one.words[1]} (its translation)", f"{one.words[2]} (unrelated)")
        lines = [
            Line(
                _plain(label),
                list(zip(one.centres.tolist(), row.tolist(), strict=True)),
                colour,
                filled=colour == "a",
            )
            for label, row, colour in zip(labels, one.densities, "abc", strict=True)
        ]
        told = svg.legend([(svg.key(svg.dash(line.colour)), line.label) for line in lines])
        yield f"<figure>{told}{svg.chart(lines, 'cosine', 'density', 206, zero=True)}</figure>"
    yield "</section>"


def _pictures(alignment: Alignment, lexicon: Lexicon, run: Mapping[str, Any]) -> Iterator[str]:
    chosen = look.mutual_pairs(lexicon, 30, 60)
    drawn = look.picture(alignment, chosen)
    if drawn is None:
        return
    src, trg = (side.vocabulary.words for side in (alignment.source, alignment.target))
    named = chosen[:: max(1, len(chosen) // 10)]
    order = [*named, *(pair for pair in chosen if pair not in named)]
    labels = [(_plain(src[s]), _plain(trg[t])) for s, t in named]
    place = {pair: number for number, pair in enumerate(chosen)}
    yield '<section class="whole"><h2>Before and after</h2>'
    yield (
        f'<p class="soft">{len(chosen)} pairs of the dictionary in two dimensions, a few of them '
        "named. Before: each language by its own leading components. After: the shared space.</p>"
    )
    keys = [
        (svg.key(svg.shape(colour, 18, 6)), _plain(_name(run, side)))
        for colour, side in (("a", "src"), ("b", "trg"))
    ]
    yield svg.legend(keys)
    for title, couples in zip(("Before", "After"), drawn, strict=True):
        drawing = svg.pairs([couples[place[pair]] for pair in order], labels, title)
        yield f"<figure><figcaption>{title}</figcaption>{drawing}</figure>"
    yield "</section>"


def _samples(alignment: Alignment, lexicon: Lexicon) -> Iterator[str]:
    yield "<h2>Samples</h2>"
    yield (
        '<p class="soft">From the most frequent to the rarest word, with its three best '
        "translations; ✓ where the first is mutual: each is the other's best.</p>"
    )
    rows = [
        (
            f"{sample.rank:,}",
            sample.word,
            ", ".join(t.word for t in sample.translations),
            ("✓ " if sample.mutual else "") + f"{sample.translations[0].score:.3f}",
        )
        for sample in look.samples(alignment, lexicon)
    ]
    yield _table(("rank", "word", "translations", "score"), rows, numbers=(0, 3))


def _hubs(alignment: Alignment, lexicon: Lexicon) -> Iterator[str]:
    yield '<section class="whole"><h2>Hubs</h2>'
    yield (
        '<p class="soft">Target words that are the best translation of many source words. A few '
        "dozen are normal for names, numbers and rare words; thousands are a bad sign.</p>"
    )
    rows = [(word, f"{times:,}") for word, times in look.hubs(alignment, lexicon)]
    yield _table(("word", "translation of"), rows) + "</section>"


def _timings(run: Mapping[str, Any]) -> Iterator[str]:
    timings = run["timings"]
    yield '<section class="whole"><h2>Time</h2>'
    steps = [step for step in (*STEPS, *timings) if step in timings]
    rows = [(step, STEPS.get(step, ""), f"{timings[step]:.1f}") for step in dict.fromkeys(steps)]
    rows.append(("together", "", f"{sum(timings.values()):.1f}"))
    yield _table(("step", "what is done", "seconds"), rows) + "</section>"


def _settings(run: Mapping[str, Any]) -> Iterator[str]:
    yield "<h2>To repeat it</h2>"
    yield (
        '<p class="soft">On the same machine the command runs as it stands, in any folder; DIR is '
        "the folder that it writes.</p>"
    )
    yield f"<pre>{' '.join(_unbroken(word) for word in _command(run))}</pre>"
    yield "<dl>"
    for name, given in run["inputs"].items():
        of, checksum = (
            ("the vectors", given["vectors_sha256"])
            if "vectors_sha256" in given
            else ("the pairs", given["sha256"])
        )
        yield f"<dt>{_text(name)}</dt><dd>{_text(given['path'])}</dd>"
        yield f'<dd class="soft">sha256 of {of}: <code>{_text(checksum)}</code></dd>'
    yield "</dl>"
    yield (
        '<p class="soft">The checksums are of what was read, not of the file: of the vectors as '
        "float32, and of the pairs, one a line with a tab between.</p>"
    )
    versions = {"isolex": run["isolex"], **run["versions"]}
    listed = ", ".join(f"{name} {version}" for name, version in versions.items())
    yield f"<p>Made by {_text(listed)}.</p>"
    if run["temperature"] is not None:
        yield f"<p>Temperature of its inverted softmax, as fitted: {run['temperature']:.4f}.</p>"
    settings = _text(json.dumps(run["settings"], indent=1))
    yield f"<details><summary>All settings</summary><pre>{settings}</pre></details>"


def _unbroken(word: str) -> str:
    """A word of a command; lines do not end amidst the name of an option."""
    quoted = _text(shlex.quote(word))
    return f"<span>{quoted}</span>" if word.startswith("--") else quoted


def _command(run: Mapping[str, Any]) -> list[str]:
    settings, inputs = run["settings"], run["inputs"]
    words = ["isolex", "map", inputs["src"]["path"], inputs["trg"]["path"], "--out", "DIR"]
    words += ["--system", settings["system"]]
    for name, value in (*run["options"].items(), ("seed", settings["seed"])):
        words += [f"--{name}", str(value)]
    for name in ("lexicon", "validation"):
        words += [f"--{name}", inputs[name]["path"]] if name in inputs else []
    return words


def _table(
    header: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] | None = None
) -> str:
    """A table; the columns ``numbers`` hold numbers, by default the last."""
    numeric = numbers or (len(header) - 1,)
    marks = [' class="n"' if place in numeric else "" for place in range(len(header))]

    def line(tag: str, cells: Sequence[str]) -> str:
        return "".join(
            f"<{tag}{mark}>{_text(cell)}</{tag}>" for mark, cell in zip(marks, cells, strict=True)
        )

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return (
        f'<div class="wide"><table><thead><tr>{line("th", header)}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
