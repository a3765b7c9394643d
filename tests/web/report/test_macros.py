"""The parts of templates that pages share."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from isolex.web.plots.charts import key, shape
from isolex.web.templating import environment, listed


def render_macro(call: str, **values: object) -> str:
    template = '{% from "macros.html" import counted, legend, table %}' + call
    return environment().from_string(template).render(**values).strip()


def test_a_legend_escapes_names_but_not_keys() -> None:
    keys = [(key(shape("a", 6, 6)), "one & two"), (key(shape("b", 6, 6)), "<b>")]
    root = ET.fromstring(render_macro("{{ legend(keys) }}", keys=keys))
    assert "".join(root.itertext()).split() == ["one", "&", "two", "<b>"]
    assert len(list(root.iter("circle"))) == len(list(root.iter("rect"))) == 1


def test_a_table_marks_its_columns_of_numbers() -> None:
    call = "{% call table(header, [1]) %}<tr><td>{{ cell }}</td></tr>{% endcall %}"
    root = ET.fromstring(render_macro(call, header=["word", "<n>"], cell="<i>"))
    assert [(cell.text, cell.get("class")) for cell in root.iter("th")] == [
        ("word", None),
        ("<n>", "n"),
    ]
    assert [cell.text for cell in root.iter("td")] == ["<i>"]


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 words"), (1, "1 word"), (2, "2 words"), (1000, "1,000 words")]
)
def test_nouns_agree_with_their_number(number: int, text: str) -> None:
    assert render_macro('{{ counted(number, "word", "words") }}', number=number) == text


@pytest.mark.parametrize(
    ("items", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_items_are_listed(items: list[str], text: str) -> None:
    assert listed(items) == text
