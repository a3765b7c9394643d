"""Reports of small runs, and a parser that checks the pages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from isolex import Embeddings, io
from isolex.core.choices import VectorFormat
from isolex.core.lexicon import Lexicon
from isolex.core.space import Space
from isolex.run.folder import RunFolder
from isolex.run.inputs import PairsInput, VectorInput
from isolex.run.results import Results
from isolex.systems import get
from isolex.systems.align import align
from isolex.web.report import render

VOID = {"meta", "br", "circle", "path", "rect"}


class Page(HTMLParser):
    """The tags and the text of a page; checks that every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@dataclass(frozen=True)
class Report:
    """A run folder with its report."""

    folder: Path
    space: Space
    lexicon: Lexicon

    @property
    def path(self) -> Path:
        return self.folder / "report.html"

    @property
    def html(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def page(self) -> Page:
        return Page(self.html)

    @property
    def run(self) -> dict[str, Any]:
        run: dict[str, Any] = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        return run


def make_report(
    folder: Path,
    source: Embeddings,
    target: Embeddings,
    system: str = "robust",
    *,
    lexicon: list[tuple[str, str]] | None = None,
    gold: list[tuple[str, str]] | None = None,
    files: tuple[str, str] = ("s.vec", "t.vec"),
    names: tuple[str | None, str | None] = (None, None),
) -> Report:
    """Align two vector files in a folder and write the report to its subfolder ``out``."""
    vectors = []
    for file, name, embeddings in zip(files, names, (source, target), strict=True):
        io.save(embeddings, folder / file)
        vectors.append(VectorInput.read(folder / file, name=name))
    languages = [given.embeddings for given in vectors]
    pairs = lexicon if get(system).takes_lexicon else None
    space = align(*languages, system=system, lexicon=pairs, validation=gold, progress=False)
    run = RunFolder(folder / "out")
    run.prepare(vectors, VectorFormat.NONE)
    both = (languages[0].name, languages[1].name)
    given = {"validation": [PairsInput(folder / "gold.txt", gold, both)]} if gold else {}
    results = Results(space, {space.names: space.lexicon()}, vectors, given, {}, {})
    run.write(results, VectorFormat.NONE, render)
    return Report(run.path, space, results.lexicons[both])
