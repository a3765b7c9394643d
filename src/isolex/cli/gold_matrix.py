"""isolex evaluate lexicon --gold-dir: all pairs of languages that have a gold file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isolex.cli.console import Reporter, print_json, print_table, print_text, say, terminal_width
from isolex.cli.verdicts import warn_of_pairs
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.core.choices import Retrieval
    from isolex.core.space import Space
    from isolex.evaluate import LexiconMatrix
    from isolex.run.gold_folder import GoldFile

Names = tuple[str, str]

SWAPPED = "*"
"""Marks figures that were measured with the gold file of the opposite direction."""

GAP = 2
"""Number of spaces between two columns of a table on a terminal."""


class TableFormat(StrEnum):
    """How a table is printed."""

    MARKDOWN = "markdown"
    LATEX = "latex"


GoldFolder = Annotated[
    Path | None,
    typer.Option(
        "--gold-dir",
        metavar="FOLDER",
        help="Evaluate every pair of languages with a gold file in FOLDER, instead of one.",
    ),
]
GoldPattern = Annotated[
    str | None,
    typer.Option(
        "--gold-pattern",
        metavar="NAME",
        show_default="{from}-{to}.*",
        help="Names of the files in FOLDER, such as '{from}-{to}.test.*'; * and ? are wildcards.",
    ),
]
Codes = Annotated[
    list[str] | None,
    typer.Option(
        "--as",
        metavar="L=CODE",
        help="What the files in FOLDER call a language, such as eng=en; once per language.",
    ),
]
Format = Annotated[
    TableFormat | None,
    typer.Option("--format", help="Print the table of --gold-dir in this format."),
]


@dataclass(frozen=True)
class MatrixRequest:
    """The values of --gold-dir and of the options that go with it.

    Attributes:
        folder: The folder of gold files.
        pattern: The pattern of file names; ``None`` for the default.
        codes: Codes of languages in file names, as given on the command line.
        style: The format of the table.
        lowercase: Whether words are lower-cased.
        json: Whether JSON is printed.
    """

    folder: Path
    pattern: str | None
    codes: Sequence[str]
    style: TableFormat | None
    lowercase: bool
    json: bool

    @classmethod
    def parse(
        cls,
        folder: Path | None,
        pattern: str | None,
        codes: Sequence[str] | None,
        style: TableFormat | None,
        *,
        lowercase: bool,
        json: bool,
        pair: bool,
    ) -> MatrixRequest | None:
        """From the options; ``None`` without --gold-dir. ``pair``: whether a pair was chosen."""
        if folder is None and (pattern or codes or style):
            raise UsageError("--gold-pattern, --as and --format work only with --gold-dir")
        if folder is None:
            return None
        if pair:
            raise UsageError("--gold-dir evaluates all pairs: leave out --from, --to and --reverse")
        if style and json:
            raise UsageError("give either --format or --json")
        return cls(folder, pattern, codes or (), style, lowercase, json)

    def run(
        self, folder: Path | None, space: Space, retrieval: Retrieval, reporter: Reporter
    ) -> None:
        """Evaluate the pairs of languages that have a gold file, and print the result."""
        from isolex.evaluate import evaluate_lexicons
        from isolex.run.gold_folder import find_gold

        files = find_gold(self.folder, space.names, self.pattern, self._parse_codes(space))
        warn_of_pairs(folder, space, files)
        gold = {names: file.read(lowercase=self.lowercase) for names, file in files.items()}
        with reporter.task(f"evaluating {len(gold)} pairs of languages") as tick:
            matrix = evaluate_lexicons(space, gold, retrieval, tick=tick)
        _warn_of_low_coverage(matrix)
        if self.json:
            print_json({"retrieval": retrieval.method, **_plain(matrix, files)})
            return
        header, *body = _lines(matrix, files)
        notes = f"Precision@1 in percent ({retrieval.method}); rows: from, columns: to."
        if any(file.swapped for file in files.values()):
            notes += f" {SWAPPED}: with the gold file of the opposite direction, columns swapped."
        self._print(header, body, notes, reporter)

    def _parse_codes(self, space: Space) -> dict[str, str]:
        codes = {}
        for given in self.codes:
            name, _, code = given.partition("=")
            if not name or not code:
                raise UsageError(f"--as {given}: give a language and its code, such as eng=en")
            codes[space[name].name] = code
        return codes

    def _print(
        self, header: Sequence[str], body: Sequence[Sequence[str]], notes: str, reporter: Reporter
    ) -> None:
        from isolex.evaluate import markup

        match self.style:
            case TableFormat.MARKDOWN:
                print_text(f"{markup.markdown_table(header, body, 1)}\n{notes}\n")
            case TableFormat.LATEX:
                head = " & ".join(map(markup.tex, header))
                table = markup.latex_table([head], body, 1, notes)
                print_text(f"{markup.LATEX_PACKAGES}\n{table}")
            case None:
                for part in _parts([header, *body]):
                    print_table(part[0], part[1:], right=len(part[0]) - 1)
                reporter.note(notes)


def _warn_of_low_coverage(matrix: LexiconMatrix) -> None:
    """Warn, even with --quiet, if few words of some gold files are in the vocabularies."""
    from isolex.evaluate.coverage import too_few

    low = [
        f"{'-'.join(names)}: {one.entries:,} of {total:,}"
        for names, one in matrix.results.items()
        if too_few(one.entries, total := one.entries + len(one.oov))
    ]
    if low:
        say(
            f"few gold source words are in the vocabularies ({', '.join(low)}); are these the "
            "right gold files?"
        )


def _lines(matrix: LexiconMatrix, files: Mapping[Names, GoldFile]) -> list[list[str]]:
    """The header and a row for each source language; a pair without gold data is blank."""
    lines = [["from / to", *matrix.languages]]
    for source in matrix.languages:
        line = [source]
        for target in matrix.languages:
            result = matrix.results.get((source, target))
            mark = SWAPPED if result and files[source, target].swapped else ""
            line.append(f"{result.precision[1]:.2f}{mark}" if result else "")
        lines.append(line)
    return lines


def _parts(lines: Sequence[Sequence[str]]) -> Iterator[list[list[str]]]:
    """The table in parts that fit the terminal; each part repeats the first column."""
    first, *others = (max(map(len, column)) + GAP for column in zip(*lines, strict=True))
    width = terminal_width()
    size = len(others) if width is None else max(1, (width - first) // max(others))
    for start in range(1, len(lines[0]), size):
        yield [[line[0], *line[start : start + size]] for line in lines]


def _plain(matrix: LexiconMatrix, files: Mapping[Names, GoldFile]) -> dict[str, Any]:
    """Plain values, with the gold file of each pair."""
    plain = matrix.as_dict()
    for about in plain["pairs"].values():
        source, target = about["languages"]
        file = files[source, target]
        about |= {"gold": file.path.name, "swapped": file.swapped}
    return plain
