"""The end of a help text: files, exit codes and examples, one per line and not wrapped."""

from __future__ import annotations

from collections.abc import Mapping

EXIT_CODES = {
    "0": "done",
    "1": "`isolex map`, `isolex add`: the verdict is failed; the files are still written",
    "2": "wrong usage or unreadable input; one line on standard error says what to do",
    "70": "unexpected error; --debug shows the traceback",
    "130": "interrupted",
    "143": "terminated",
}


def epilog(*examples: str, files: Mapping[str, str] | None = None, exit_codes: bool = False) -> str:
    """The epilog of a command: what it writes, its exit codes, and examples to copy."""
    sections = []
    if files:
        sections.append(_section("Files", _columns(files)))
    if exit_codes:
        sections.append(_section("Exit codes", _columns(EXIT_CODES)))
    sections.append(_section("Examples", examples))
    return "\n\n".join(sections)


def _columns(terms: Mapping[str, str]) -> list[str]:
    width = max(map(len, terms)) + 2
    return [f"{term:{width}}{meaning}" for term, meaning in terms.items()]


def _section(title: str, lines: tuple[str, ...] | list[str]) -> str:
    # The parser leaves a paragraph that begins with \b as it is.
    return f"\b\n{title}:\n" + "\n".join(f"  {line}" for line in lines)
