"""The checker of the documentation accepts true output and rejects false output."""

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


def test_the_steps_of_a_page_are_found_in_order() -> None:
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
    ("real", "accepted"),
    [
        ("word\ttranslation\tscore\ndog\tperro\t0.4001\n", True),
        ("word\ttranslation\tscore\ndog\tperro\t0.6\n", False),
        ("word\ttranslation\tscore\ndog\tgato\t0.3943\n", False),
        ("word\ttranslation\tscore\n", False),
        ("word\ttranslation\tscore\ndog\tperro\t0.3943\nmore\tof\tit\n", False),
    ],
)
def test_numbers_may_differ_a_little_but_words_and_lines_may_not(real: str, accepted: bool) -> None:
    assert agrees(TABLE, real) is accepted


def test_dots_match_lines_and_ends_of_lines_that_are_left_out() -> None:
    assert agrees("a\n...\nz 1 ...\n", "a\nb\nc\nz 1 2 3\n")
    assert not agrees("a\n...\nz 1 ...\n", "a\nb\nc\n")
    assert not agrees("a\nz\n", "a\nb\nz\n")
