"""A mapping of the bundled sample, some of whose words are such as nobody would wish for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import httpx
import pytest

from isolex import Embeddings, align, io, samples
from isolex.run.folder import RunFolder
from isolex.run.inputs import Input
from isolex.web.explorer.app import make_app
from isolex.web.explorer.atlas import Atlas
from isolex.web.explorer.preparing import Preparation

Get = Callable[..., httpx.Response]

ODD = (
    "<script>alert(1)</script>",
    '"><img/src=x/onerror=alert(2)>',
    "either/or?&#%2F+=;",
    "d'oh'",
    "😀",
    "שלום",
    "caf\udce9",
    "x" * 500,
    "..",
    "a\u202eb",
)
WORDS = 800


def odd(sample: Embeddings, words: tuple[str, ...]) -> Embeddings:
    """The most frequent words of a sample; the last ones have other names."""
    kept = sample.head(WORDS)
    return Embeddings([*kept.words[: WORDS - len(words)], *words], kept.vectors)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `isolex map` writes it."""
    home = tmp_path_factory.mktemp("explorer")
    io.save(odd(samples.english(), ODD), home / "en.vec")
    io.save(odd(samples.spanish(), (*ODD[:3], "caf\udce9")), home / "es.vec")
    src, trg = Input.read_both(home / "en.vec", home / "es.vec")
    alignment = align(src.embeddings, trg.embeddings, "supervised", lexicon=samples.gold())
    run = RunFolder(home / "en-es")
    run.prepare(src, trg)
    run.write(alignment, alignment.lexicon(), src, trg)
    return run.path


def open_atlas(folder: Path, slug: str = "en-es") -> Atlas:
    run = RunFolder(folder)
    return Atlas.of(slug, folder, run.open(), run.inputs())


@pytest.fixture(scope="session")
def atlas(folder: Path) -> Atlas:
    """That folder, opened, everything prepared."""
    opened = open_atlas(folder)
    preparation = Preparation([(opened, None)])
    preparation.start()
    preparation.wait()
    assert preparation.done
    return opened


def client(*atlases: Atlas, preparation: Preparation | None = None) -> Get:
    """Asks an application that serves some mappings."""
    app = make_app(atlases, preparation or Preparation([(atlas, None) for atlas in atlases]))

    def get(address: str, **headers: str) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app)
            base = "http://127.0.0.1:8765"
            async with httpx.AsyncClient(transport=transport, base_url=base) as asking:
                return await asking.get(address, headers=headers)

        return anyio.run(ask)

    return get


@pytest.fixture(scope="session")
def get(atlas: Atlas) -> Get:
    """Asks an application with one mapping."""
    return client(atlas)
