"""The parameters of a request, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from isolex.core.choices import RetrievalMethod
from isolex.core.space import Space
from isolex.errors import UsageError
from isolex.web.explorer.links import readable
from isolex.web.explorer.served_space import ServedSpace

MAX_COUNT = 100
"""The largest number of translations or completions."""

MAX_QUOTED = 40
"""Characters of a wrong value that a message repeats."""


ALL = "*"
"""The target that stands for all other languages, unless a language has this name."""


class NotServedError(UsageError):
    """There is nothing at this address."""


@dataclass(frozen=True)
class Query:
    """The parameters of a request; words may contain bytes that are not UTF-8."""

    given: Mapping[str, str]

    @classmethod
    def of(cls, query_string: bytes) -> Query:
        """Parse a query string; if a parameter is repeated, the first value counts."""
        pairs = parse_qsl(
            query_string.decode("latin-1"), keep_blank_values=True, errors="surrogateescape"
        )
        return cls(dict(reversed(pairs)))

    @property
    def word(self) -> str:
        """The word as it was typed."""
        return self.given.get("word", "")

    def count(self, name: str, default: int) -> int:
        """A number from 1 to `MAX_COUNT`."""
        text = self.given.get(name, str(default))
        short = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_COUNT))
        if not (short and 1 <= int(text) <= MAX_COUNT):
            raise UsageError(
                f"{name}={text[:MAX_QUOTED]}: give a whole number from 1 to {MAX_COUNT}"
            )
        return int(text)

    def language(self, name: str, space: Space) -> str | None:
        """The name of a language; ``None`` if it is missing or empty, or for all targets."""
        text = "" if name == "to" and self.is_for_all(space) else self.given.get(name, "")
        # A form sends a name that is not UTF-8 as it is shown.
        names = {form: one for one in space.names for form in (readable(one), one)}
        if text and text not in names:
            raise UsageError(f"{name}={text[:MAX_QUOTED]}: choose from {', '.join(space.names)}")
        return names.get(text)

    def is_for_all(self, space: Space) -> bool:
        """Whether translations into all other languages were requested."""
        return self.given.get("to") == ALL and ALL not in space.names

    def method(self, default: RetrievalMethod) -> RetrievalMethod:
        """The retrieval method."""
        text = self.given.get("retrieval", default)
        if text not in list(RetrievalMethod):
            raise UsageError(
                f"retrieval={text[:MAX_QUOTED]}: choose from {', '.join(RetrievalMethod)}"
            )
        return RetrievalMethod(text)

    def served(self, spaces: Sequence[ServedSpace]) -> ServedSpace:
        """The space that ``dir`` names; it may be missing if only one is served."""
        slug = self.given.get("dir")
        if slug is None and len(spaces) == 1:
            return spaces[0]
        if slug is None:
            raise UsageError(f"several spaces are served: add dir=, one of {_slugs(spaces)}")
        return by_slug(slug, spaces)


def by_slug(slug: str, spaces: Sequence[ServedSpace]) -> ServedSpace:
    """The space with this name."""
    for served in spaces:
        if served.slug == slug:
            return served
    raise NotServedError(f"no space {slug[:MAX_QUOTED]!r} here: choose from {_slugs(spaces)}")


def _slugs(spaces: Sequence[ServedSpace]) -> str:
    return ", ".join(served.slug for served in spaces)
