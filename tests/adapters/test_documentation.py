"""The code in docs/formats.md and docs/ecosystem.md runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isolex import Embeddings, io
from isolex.cli import app
from tests.fasttext_models import train
from tests.planted import planted

for library in ("fasttext", "gensim", "pandas", "pyarrow", "sklearn", "spacy"):
    pytest.importorskip(library)

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create small versions of the files that the pages use, in the current folder."""
    problem = planted(words=300, dims=10)
    io.save(problem.source, tmp_path / "en.vec")
    io.save(problem.target, tmp_path / "es.vec")
    io.save(problem.source, tmp_path / "mapped-en.vec")
    io.save(problem.source, tmp_path / "mapped-es.vec")
    (tmp_path / "pairs.txt").write_text("".join(f"{s} {t}\n" for s, t in problem.pairs[:99]))
    (tmp_path / "words.txt").write_text("s1\ns1s1\n")
    (tmp_path / "text").write_text((" ".join(problem.source.words) + "\n") * 3)
    train(tmp_path / "text", dim=10).save_model(str(tmp_path / "cc.en.300.bin"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rotate_model(home: Path) -> None:
    """Write the rotated space of the fastText model as the target language."""
    model = io.load(home / "cc.en.300.bin")
    rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(10, 10)))[0]
    words = [word.replace("s", "t") for word in model.words]
    io.save(Embeddings(words, model.vectors @ rotation), home / "es.vec")


def code_blocks(page: str) -> list[tuple[str, str]]:
    """Return language and text of each code block."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^```(python|sh)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["formats.md", "ecosystem.md"])
def test_every_code_block_of_the_page_runs(page: str, home: Path) -> None:
    if page == "formats.md":
        rotate_model(home)
    namespace: dict[str, Any] = {}
    blocks = code_blocks(page)
    assert blocks
    for language, code in blocks:
        if language == "python":
            exec(compile(code, page, "exec"), namespace)
            continue
        for line in code.splitlines():
            program, *arguments = shlex.split(line)
            assert program == "isolex"
            assert not app(arguments, standalone_mode=False), line
