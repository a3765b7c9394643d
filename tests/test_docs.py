"""The Python examples of the documentation run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from isolex import Embeddings
from tests.corpora.made_up import topic_text
from tests.fetching.conftest import pairs, vec
from tests.fetching.server import Shelf, serve

DOCS = Path(__file__).parents[1] / "docs"


def snippets(name: str) -> list[str]:
    text = (DOCS / name).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def test_the_examples_of_fetch_and_train_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch, train = snippets("fetch-and-train.md")
    monkeypatch.chdir(tmp_path)
    topic_text(tmp_path / "english.txt", 300)
    files = {
        "fasttext/vectors-wiki/wiki.en.vec": vec(200),
        "arrival/dictionaries/en-es.5000-6500.txt": pairs(10),
    }
    names: dict[str, object] = {}
    with serve(Shelf(files)) as shelf:
        exec(fetch, names | {"mirror": shelf.url}, names)
    exec(train, {}, names)
    assert names["english"] == Path("cache/fasttext/wiki.en.top100.vec")
    assert Path("cache/muse/en-es.5000-6500.txt").read_bytes() == pairs(10)
    assert isinstance(names["vectors"], Embeddings)
    assert names["vectors"].dims == 10
