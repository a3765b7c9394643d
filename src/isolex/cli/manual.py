"""Help laid out like a manual page: description, arguments, options, files, exit codes, examples.

All of it comes from the docstring of the command. Paragraphs of it that begin with ``Files:`` or
``Exit codes:`` hold a term and its meaning a line; each ``Example:`` is a line to be typed.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, NamedTuple

from typer import Typer
from typer.core import TyperCommand

EXIT_CODES = {
    "0": "done",
    "2": "wrong usage or an unreadable file; one line on standard error says what to do",
    "130": "interrupted",
    "143": "terminated (SIGTERM)",
}
_VALIDATOR = {
    r"Value error, ": "",
    r"Input should be a valid integer(?:, [^.]*)?": "give a whole number",
    r"Input should be a valid number(?:, [^.]*)?": "give a number",
    r"Input should be a finite number": "give a finite number",
    r"Input should be greater than or equal to ([^ ]+)": r"give a number from \1 up",
    r"Input should be less than or equal to ([^ ]+)": r"give a number up to \1",
}
"""What the library that checks values says, and what a person at a terminal is told."""
_TERM = re.compile(r"(\S[^:]*): (.+)")
_REQUIRED = re.compile(r"\{(.+)\}(?:\.\.\.)?")
_REPEATED = re.compile(r"\[(.+\.\.\.)\]\.\.\.")


class Page(NamedTuple):
    """The parts of a docstring."""

    prose: str
    files: dict[str, str]
    exit_codes: dict[str, str]
    examples: list[str]


def read(docstring: str) -> Page:
    """Take a docstring apart."""
    page = Page("", {}, dict(EXIT_CODES), [])
    prose = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(docstring)):
        label, _, rest = paragraph.partition(":")
        if label == "Example":
            page.examples.append(" ".join(rest.split()))
        elif label == "Files":
            page.files.update(_terms(rest))
        elif label == "Exit codes":
            page.exit_codes.update(_terms(rest))
        else:
            prose.append(paragraph)
    return page._replace(prose="\n\n".join(prose))


def _terms(text: str) -> dict[str, str]:
    """``term: meaning`` lines; one that has no term goes on with the meaning before it."""
    terms: dict[str, str] = {}
    for line in map(str.strip, text.strip().splitlines()):
        if found := _TERM.fullmatch(line):
            terms[found[1]] = found[2]
        elif terms:
            terms[list(terms)[-1]] += f" {line}"
    return terms


class Manual(TyperCommand):
    """A command whose help is a manual page."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage line as manuals write it: no braces around what is required."""
        pieces = super().collect_usage_pieces(ctx)
        return [_REPEATED.sub(r"[\1]", _REQUIRED.sub(r"\1", piece)) for piece in pieces]

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters; arguments are known by their names, without Python's word for them."""
        params: list[Any] = super().get_params(ctx)
        for param in params:
            if param.param_type_name == "argument":
                param.display_type_rich = lambda ctx: None  # noqa: ARG005
        return params

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the description."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(read(self.help or "").prose)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write what comes after the options."""
        page = read(self.help or "")
        if page.files:
            with formatter.section("Files"):
                formatter.write_dl(list(page.files.items()))
        with formatter.section("Exit codes"):
            formatter.write_dl(sorted(page.exit_codes.items(), key=lambda term: int(term[0])))
        if page.examples:
            with formatter.section("Examples"):
                for line in page.examples:  # as it is: to be copied
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def plain(message: str) -> str:
    """What the parser has to say, on one line and in words of the house."""
    for theirs, ours in _VALIDATOR.items():
        message = re.sub(theirs, ours, message)
    return " ".join(message.split()).rstrip(".")


def lay_out(app: Typer) -> None:
    """Give every command of an application its manual page."""
    for command in app.registered_commands:
        command.cls = Manual
    for group in app.registered_groups:
        if group.typer_instance is not None:
            lay_out(group.typer_instance)


def examples(*lines: str) -> str:
    """The examples of a group of commands, as its epilog; lines are not wrapped."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
