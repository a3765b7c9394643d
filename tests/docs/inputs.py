"""Makes the input files of the recipes, small enough for a run to take seconds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np

from isolex import Embeddings, io
from isolex.core.embeddings import Vectors
from tests.planted import planted, planted_languages


def two_corpora(folder: Path) -> None:
    """Texts about one made-up world in two languages; they share no sentence."""
    for name, prefix, seed in (("upland.txt", "u", 1), ("lowland.txt", "l", 2)):
        (folder / name).write_text(_text(prefix, seed), encoding="utf-8")
    pairs = [f"u{word} l{word}\n" for word in range(WORDS)]
    (folder / "pairs.txt").write_text("".join(pairs[:60]), encoding="utf-8")
    (folder / "held-out.txt").write_text("".join(pairs[60:]), encoding="utf-8")


WORDS = 240


def _text(prefix: str, seed: int) -> str:
    """Sentences that each draw words close to a random point in the space of meanings."""
    meaning = np.random.default_rng(0).normal(size=(WORDS, 6))  # the same in both languages
    rng = np.random.default_rng(seed)
    topics = rng.normal(size=(6_000, 6))
    scores = -2.0 * np.square(topics[:, None, :] - meaning).sum(axis=2)
    scores += rng.gumbel(size=scores.shape)  # makes the top scores a draw without replacement
    chosen = rng.permuted(np.argsort(-scores, axis=1)[:, :12], axis=1)
    return "".join(" ".join(f"{prefix}{word}" for word in row) + "\n" for row in chosen)


MOVED = ("cell", "web", "mouse", "stream", "cloud")


def two_decades(folder: Path) -> None:
    """One language twice: rotated, with noise, and with five words that moved."""
    rng = np.random.default_rng(0)
    words, dims, fields = 400, 30, 25
    centres = rng.normal(size=(fields, dims))
    field = rng.integers(fields, size=words)
    then = centres[field] + 0.5 * rng.normal(size=(words, dims))
    now = then + 0.25 * rng.normal(size=(words, dims))
    names = [f"word{place}" for place in range(words)]
    for name, place in zip(MOVED, np.linspace(20, words - 20, len(MOVED)).astype(int), strict=True):
        names[place] = name
        now[place] = centres[(field[place] + fields // 2) % fields] + 0.5 * rng.normal(size=dims)
    rotation = np.linalg.qr(rng.normal(size=(dims, dims)))[0]
    io.save(Embeddings(names, then), folder / "1900s.vec")
    io.save(Embeddings([*names[:-5], "radio"], (now @ rotation)[:-4]), folder / "1990s.vec")


def between_models(folder: Path) -> None:
    """1,200 documents embedded by an old model (300 dimensions), 1,000 by a new one (100)."""
    rng = np.random.default_rng(0)
    names = [f"doc{place}" for place in range(1_200)]
    topics = rng.normal(size=(60, 80))[rng.integers(60, size=1_200)]
    topics += 0.6 * rng.normal(size=topics.shape)
    old, new = (_embed(topics, dims, rng) for dims in (300, 100))
    io.save(Embeddings(names, old + 0.3), folder / "old.vec")
    io.save(Embeddings(names[:1_000], (new - 0.2)[:1_000]), folder / "new.vec")
    io.save(Embeddings(names[1_000:], (new - 0.2)[1_000:]), folder / "truth.vec")


def _embed(topics: Vectors, dims: int, rng: np.random.Generator) -> Vectors:
    embedded = topics @ rng.normal(size=(topics.shape[1], dims)) / np.sqrt(topics.shape[1])
    return (embedded + 0.05 * rng.normal(size=embedded.shape)).astype(np.float32)


def out_of_vocabulary(folder: Path) -> None:
    """Vectors of frequent and of rare words, and a fastText model."""
    problem = planted(words=300, dims=12)
    src = problem.source
    io.save(src.head(250), folder / "en.vec")
    io.save(problem.target, folder / "es.vec")
    io.save(Embeddings(src.words[250:], src.vectors[250:]), folder / "rare.vec")
    (folder / "pairs.txt").write_text("".join(f"{s} {t}\n" for s, t in problem.pairs[:250]))
    _fasttext(folder)


STEMS = {
    "kind": "amable", "dark": "oscur", "sad": "trist", "quiet": "tranquil", "slow": "lent",
    "bright": "brillant", "sweet": "dulce", "cold": "fri", "rich": "ric", "weak": "debil",
    "proud": "orgullos", "bold": "audaz", "calm": "seren", "deep": "profund", "free": "libre",
    "glad": "alegr", "grave": "grav", "hard": "dur", "loud": "ruidos", "mild": "suav",
    "neat": "pulcr", "odd": "extrañ", "plain": "llan", "rude": "gros", "sharp": "agud",
    "swift": "veloz", "tender": "tiern", "vague": "vag", "wild": "salvaj", "wise": "sabi",
}  # fmt: skip


FORMS = {"{}": "{}o", "{}ly": "{}amente", "{}ness": "{}idad", "un{}": "in{}o", "{}er": "más {}"}


def _fasttext(folder: Path) -> None:
    """A fastText model of English, and its rotated vectors as Spanish."""
    from gensim.models import FastText
    from gensim.models.fasttext import save_facebook_model

    pairs = {
        source.format(stem): target.format(translation).replace(" ", "_")
        for source, target in FORMS.items()
        for stem, translation in STEMS.items()
    }
    unseen_translation = pairs.pop("kindness")
    settings = {"vector_size": 16, "min_count": 1, "bucket": 2_000, "workers": 1, "seed": 1}
    model = FastText(**settings)
    model.build_vocab([list(pairs)])
    model.wv.adjust_vectors()
    save_facebook_model(model, str(folder / "cc.en.bin"))
    rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(16, 16)))[0]
    words = [*pairs, "kindness"]
    vectors = np.stack([model.wv[word] for word in words]) @ rotation
    names = [pairs.get(word, unseen_translation) for word in words]
    io.save(Embeddings(names, vectors), folder / "cc.es.vec")
    (folder / "known.txt").write_text("".join(f"{s} {t}\n" for s, t in pairs.items()))
    (folder / "rare.txt").write_text("kindness\nsadness\nunkindly\n")


def add_a_language(folder: Path) -> None:
    """Five languages, one of them noisy, training pairs for it, and two gold dictionaries."""
    rng, names = np.random.default_rng(0), ("en", "es", "de", "pt", "hu")
    for name, given in zip(names, planted_languages(5, 250, 15), strict=True):
        noise = 0.6 * (name == "hu") * rng.normal(size=given.vectors.shape)
        words = [name + word[1:] for word in given.words]
        io.save(Embeddings(words, given.vectors + noise), folder / f"{name}.vec")
    (folder / "en-hu.txt").write_text("".join(f"en{i} hu{i}\n" for i in range(0, 250, 5)))
    (folder / "gold").mkdir()
    for one, other in (("en", "hu"), ("pt", "de")):
        lines = [f"{one}{i} {other}{i}\n" for i in range(250) if i % 5]
        (folder / "gold" / f"{one}-{other}.txt").write_text("".join(lines))


def vecmap(folder: Path) -> None:
    """Vectors and dictionaries with the file names of VecMap's manual."""
    problem = planted(words=200, dims=10)
    for embeddings, name in ((problem.source, "SRC.EMB"), (problem.target, "TRG.EMB")):
        # Every fourth word is a name that is spelled alike in both languages.
        words = [f"name{w[1:]}" if int(w[1:]) % 4 == 0 else w for w in embeddings.words]
        io.save(Embeddings(words, embeddings.vectors), folder / name, format="word2vec")
    pairs = [(s, t) for s, t in problem.pairs if int(s[1:]) % 4]
    lines = [f"{s} {t}\n" for s, t in pairs]
    (folder / "TRAIN.DICT").write_text("".join(lines[:80]))
    (folder / "TEST.DICT").write_text("".join(lines[80:]))
    scored = [f"{s}\t{t}\t10\n" for s, t in pairs[:60]]
    scored += [f"{s}\t{t}\t1\n" for (s, _), (_, t) in pairwise(pairs)]
    (folder / "TEST_SIMILARITY.TXT").write_text("".join(scored))


def muse(folder: Path) -> None:
    """Vectors in MUSE's text format, its dictionaries, and a matrix as MUSE saves it."""
    import torch

    problem = planted(words=200, dims=10)
    (folder / "data").mkdir()
    io.save(problem.source, folder / "data" / "wiki.en.vec")
    io.save(problem.target, folder / "data" / "wiki.es.vec")
    lines = [f"{s} {t}\n" for s, t in problem.pairs]
    (folder / "en-es.0-5000.txt").write_text("".join(lines[:100]))
    (folder / "en-es.5000-6500.txt").write_text("".join(lines[100:]))
    src = problem.source.vectors
    trg = problem.target.vectors[[problem.target.index[t] for _, t in problem.pairs]]
    u, _, v = np.linalg.svd(src.T @ trg)
    matrix = (u @ v).T  # for column vectors, as in MUSE
    torch.save(matrix, folder / "best_mapping.pth")
    io.save(Embeddings(problem.source.words, src @ matrix.T), folder / "vectors-en.txt")
    io.save(problem.target, folder / "vectors-es.txt")


INPUTS: dict[str, Callable[[Path], None]] = {
    "two-corpora": two_corpora,
    "two-decades": two_decades,
    "between-models": between_models,
    "out-of-vocabulary": out_of_vocabulary,
    "add-a-language": add_a_language,
    "coming-from-vecmap": vecmap,
    "coming-from-muse": muse,
}
"""For each recipe, the function that makes its files."""
