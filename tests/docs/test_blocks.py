"""What holds the pages to the truth can tell truth from lies."""

from __future__ import annotations

import pytest

from tests.docs.blocks import Step, agrees, steps

PAGE = """
# A page

```console
$ one --option
some output
$ two
```

```python
print(1)
```

```output
1
```

```text
not run
```
"""


def test_a_page_is_taken_apart() -> None:
    assert list(steps(PAGE)) == [
        Step("command", "one --option", "some output\n"),
        Step("command", "two", ""),
        Step("python", "print(1)\n", "1\n"),
    ]


TABLE = """
 word   translation    score
 ──────────────────────────
 dog    perro         0.3943
"""


@pytest.mark.parametrize(
    ("real", "same"),
    [
        ("word\ttranslation\tscore\ndog\tperro\t0.4001\n", True),
        ("word\ttranslation\tscore\ndog\tperro\t0.6\n", False),
        ("word\ttranslation\tscore\ndog\tgato\t0.3943\n", False),
        ("word\ttranslation\tscore\n", False),
        ("word\ttranslation\tscore\ndog\tperro\t0.3943\nmore\tof\tit\n", False),
    ],
)
def test_a_lie_is_told_from_a_figure_of_another_machine(real: str, same: bool) -> None:
    assert agrees(TABLE, real) is same


def test_dots_stand_for_what_is_left_out() -> None:
    assert agrees("a\n...\nz 1 ...\n", "a\nb\nc\nz 1 2 3\n")
    assert not agrees("a\n...\nz 1 ...\n", "a\nb\nc\n")
    assert not agrees("a\nz\n", "a\nb\nz\n")
