"""A run on the bundled sample, in which some words are hostile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import httpx
import pytest

from isolex import Embeddings, align, io, samples
from isolex.core.choices import VectorFormat
from isolex.core.space import Space
from isolex.run.folder import LEXICONS, RunFolder
from isolex.run.inputs import LanguageFile, VectorInput
from isolex.run.results import Results
from isolex.web.explorer.app import make_app
from isolex.web.explorer.preparation import Preparation, unprepared
from isolex.web.explorer.served_space import ServedSpace
from tests.spelled import with_spelling
from tests.web.explorer.several import four

Get = Callable[..., httpx.Response]

HOSTILE = (
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


def with_hostile_words(sample: Embeddings, words: tuple[str, ...]) -> Embeddings:
    """The most frequent words of a sample, the last ones replaced by ``words``."""
    head = sample.head(WORDS)
    return Embeddings([*head.words[: WORDS - len(words)], *words], head.vectors)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder, moved after the run; the original vector files are gone."""
    home = tmp_path_factory.mktemp("explorer")
    files = home / "en.vec", home / "es.vec"
    io.save(with_hostile_words(samples.english(), HOSTILE), files[0])
    io.save(with_hostile_words(samples.spanish(), (*HOSTILE[:3], "caf\udce9")), files[1])
    vectors = VectorInput.read_all(LanguageFile.parse_all([str(file) for file in files]))
    source, target = (given.embeddings for given in vectors)
    space = with_spelling(align(source, target, system="supervised", lexicon=samples.gold()))
    run = RunFolder(home / "unmoved")
    run.prepare(vectors, VectorFormat.NONE)
    results = Results(space, {space.names: space.lexicon()}, vectors, {}, {}, {})
    run.write(results, VectorFormat.NONE)
    for file in files:
        file.unlink()
    return run.path.rename(home / "en-es")


def open_folder(folder: Path, slug: str = "en-es") -> ServedSpace:
    run = RunFolder(folder)
    return ServedSpace(slug, run.open(), run)


def prepare(*spaces: ServedSpace, note: Callable[[str], None] | None = None) -> Preparation:
    preparation = Preparation(spaces, note=note)
    for served in spaces:
        for pair in unprepared(served.space) if served.several else ():
            preparation.want(served, *pair)
    preparation.start()
    preparation.wait()
    return preparation


@pytest.fixture(scope="session")
def served(folder: Path) -> ServedSpace:
    """That folder, opened and prepared."""
    opened = open_folder(folder)
    assert prepare(opened).done
    return opened


@pytest.fixture(scope="session")
def three() -> ServedSpace:
    """A space of three languages, made from vectors and prepared."""
    english, spanish = samples.english().head(300), samples.spanish().head(400)
    mapped = align(
        english.named("en"), spanish.named("es"), system="supervised", lexicon=samples.gold()
    )
    copy = mapped["es"].embeddings.head(200)
    third = Embeddings([f"{word}!" for word in copy.words], copy.vectors, name="x<y")
    space = Space.from_vectors(mapped["en"].embeddings, mapped["es"].embeddings, third)
    opened = ServedSpace("three", with_spelling(space))
    assert prepare(opened).done
    return opened


@pytest.fixture(scope="session")
def many_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a space of four languages and two of its lexicons."""
    folder = tmp_path_factory.mktemp("explorer") / "many"
    space = with_spelling(four())
    space.save(folder)
    (folder / LEXICONS).mkdir()
    for target in ("es", "pl"):
        space.lexicon("en", target).save(folder / LEXICONS / f"en-{target}.tsv")
    return folder


@pytest.fixture(scope="session")
def many(many_folder: Path) -> ServedSpace:
    """That folder, opened and prepared."""
    opened = open_folder(many_folder, "many")
    assert prepare(opened).done
    return opened


def client(*spaces: ServedSpace, preparation: Preparation | None = None) -> Get:
    """Sends requests to an application that serves some spaces."""
    app = make_app(spaces, preparation or Preparation(spaces))

    def get(address: str, **headers: str) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app)
            base = "http://127.0.0.1:8765"
            async with httpx.AsyncClient(transport=transport, base_url=base) as sender:
                return await sender.get(address, headers=headers)

        return anyio.run(send)

    return get


@pytest.fixture(scope="session")
def get(served: ServedSpace) -> Get:
    """Sends requests to an application with one space."""
    return client(served)
