"""Jinja2 templates of the pages; everything is escaped unless it was made by `plots`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from isolex.core.file_errors import shown


@cache
def environment() -> Environment:
    """The templates in ``web/templates``, with autoescape and no undefined names."""
    made = Environment(
        loader=PackageLoader("isolex.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["shown"] = shown
    made.filters["thousands"] = "{:,}".format
    made.filters["listed"] = listed
    return made


def listed(items: Sequence[str]) -> str:
    """Items as text, such as ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def render(template: str, **values: object) -> str:
    """Render a template."""
    return environment().get_template(template).render(**values)
