"""One table of a plan file: its values with their types checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from isolex.core.file_errors import refuse
from isolex.errors import InputError

KINDS: Mapping[Any, str] = {
    int: "a whole number",
    (int, float): "a number",
    str: "a string",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


@dataclass(frozen=True)
class PlanSection:
    """A table of a plan file.

    Attributes:
        file: The name of the plan.
        where: Where in the file it is, such as ``[systems.robust]``; empty for the top level.
        values: Its values.
    """

    file: str
    where: str
    values: Mapping[str, Any]

    def titled(self, key: str) -> PlanSection:
        """The same table, with one of its values added to its place in messages."""
        return replace(self, where=f"{self.where} {self.values.get(key, '')}".strip())

    def sections(self, key: str) -> Iterator[PlanSection]:
        """The tables of an array of tables; at least one."""
        found = self.values.get(key)
        tables = found if isinstance(found, list) else []
        if not tables or not all(isinstance(table, dict) for table in tables):
            raise self.wrong(f"no [[{key}]]: a plan needs at least one")
        return (PlanSection(self.file, f"[[{key}]]", table) for table in tables)

    def allow(self, known: set[str]) -> None:
        """Refuse unknown keys."""
        if unknown := sorted(set(self.values) - known):
            raise self.wrong(f"unknown key {unknown[0]!r}; known keys: {', '.join(sorted(known))}")

    def get(self, key: str, kind: Any, default: Any = None) -> Any:
        """A value of a type in `KINDS`, or the default if the key is missing."""
        if key not in self.values:
            return default
        value = self.values[key]
        mistaken = isinstance(value, bool) and kind is not bool  # Python counts true as a number
        if mistaken or not isinstance(value, kind):
            raise self.wrong(f"{key} must be {KINDS[kind]}, not {value!r}")
        return value

    def count(self, key: str) -> int | None:
        """A whole number of at least one, if the key is there."""
        value: int | None = self.get(key, int)
        if value is not None and value < 1:
            raise self.wrong(f"{key} must be a whole number of at least 1, not {value}")
        return value

    def line(self, key: str, default: str = "") -> str:
        """A string that fits into one line of a table."""
        text: str = self.get(key, str, default)
        if key in self.values and (not text.strip() or text.splitlines() != [text]):
            raise self.wrong(f"{key} must be one line of text, not {text!r}")
        return text

    def wrong(self, what: str) -> InputError:
        """Build the error to raise about this table."""
        return refuse(self.file, f"{self.where}: {what}" if self.where else what)
