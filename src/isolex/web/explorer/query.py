"""What an address asks for, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from isolex.core.choices import Method
from isolex.errors import UsageError
from isolex.web.explorer.atlas import Atlas

MOST = 100
"""Translations that may be asked for."""


class NoSuchMappingError(UsageError):
    """A mapping that is not being served."""


@dataclass(frozen=True)
class Query:
    """The parameters of an address; words may hold bytes that are not UTF-8."""

    given: Mapping[str, str]

    @classmethod
    def of(cls, query_string: bytes) -> Query:
        """The query of an address as it came over the wire; of a repeated one the first counts."""
        pairs = parse_qsl(
            query_string.decode("latin-1"), keep_blank_values=True, errors="surrogateescape"
        )
        return cls(dict(reversed(pairs)))

    @property
    def word(self) -> str:
        """The word that is asked, as it was typed."""
        return self.given.get("word", "")

    def count(self, name: str, default: int) -> int:
        """A number from one to `MOST`."""
        text = self.given.get(name, str(default))
        short = text.isascii() and text.isdigit() and len(text) <= len(str(MOST))
        if not (short and 1 <= int(text) <= MOST):
            raise UsageError(f"{name}={text[:40]}: give a whole number from 1 to {MOST}")
        return int(text)

    @property
    def reverse(self) -> bool | None:
        """Whether to ask from target to source; ``None`` where it is left open."""
        text = self.given.get("reverse", "")
        if text not in ("", "0", "1"):
            raise UsageError(f"reverse={text[:40]}: give 1, from target to source, or 0")
        return text == "1" if text else None

    def method(self, default: Method) -> Method:
        """The retrieval method."""
        text = self.given.get("retrieval", default)
        if text not in list(Method):
            raise UsageError(f"retrieval={text[:40]}: choose from {', '.join(Method)}")
        return Method(text)

    def mapping(self, atlases: Sequence[Atlas]) -> Atlas:
        """The mapping that is asked; it need not be named where there is only one."""
        slug = self.given.get("dir")
        if slug is None and len(atlases) == 1:
            return atlases[0]
        choice = ", ".join(atlas.slug for atlas in atlases)
        if slug is None:
            raise UsageError(f"several mappings are served: add dir=, one of {choice}")
        return mapping_of(slug, atlases)


def mapping_of(slug: str, atlases: Sequence[Atlas]) -> Atlas:
    """The mapping of that name."""
    for atlas in atlases:
        if atlas.slug == slug:
            return atlas
    choice = ", ".join(atlas.slug for atlas in atlases)
    raise NoSuchMappingError(f"no mapping {slug[:40]!r} is served: choose from {choice}")
