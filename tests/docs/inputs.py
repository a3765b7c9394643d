"""The files that the recipes begin with, small enough to be used in seconds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np

from isolex import Embeddings, io
from isolex.core.embeddings import Vectors
from tests.planted import planted


def two_corpora(folder: Path) -> None:
    """Two texts of one world in two languages, no sentence of one being in the other."""
    for name, spell, seed in (("upland.txt", "u", 1), ("lowland.txt", "l", 2)):
        (folder / name).write_text(_text(spell, seed), encoding="utf-8")
    pairs = [f"u{word} l{word}\n" for word in range(WORDS)]
    (folder / "pairs.txt").write_text("".join(pairs[:60]), encoding="utf-8")
    (folder / "held-out.txt").write_text("".join(pairs[60:]), encoding="utf-8")


WORDS = 240


def _text(spell: str, seed: int) -> str:
    """Sentences about a random place each, of the words that live around it."""
    meaning = np.random.default_rng(0).normal(size=(WORDS, 6))  # the same in both languages
    rng = np.random.default_rng(seed)
    places = rng.normal(size=(6_000, 6))
    near = -2.0 * np.square(places[:, None, :] - meaning).sum(axis=2)
    near += rng.gumbel(size=near.shape)  # the highest are then a draw without replacement
    chosen = rng.permuted(np.argsort(-near, axis=1)[:, :12], axis=1)
    return "".join(" ".join(f"{spell}{word}" for word in row) + "\n" for row in chosen)


MOVED = ("cell", "web", "mouse", "stream", "cloud")


def two_decades(folder: Path) -> None:
    """One language twice: a turn, some noise, and five words that went to live elsewhere."""
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
    turn = np.linalg.qr(rng.normal(size=(dims, dims)))[0]
    io.save(Embeddings(names, then), folder / "1900s.vec")
    io.save(Embeddings([*names[:-5], "radio"], (now @ turn)[:-4]), folder / "1990s.vec")


def between_models(folder: Path) -> None:
    """1,200 documents seen by an old model in 300 dimensions, 1,000 of them by a new one in 100."""
    rng = np.random.default_rng(0)
    names = [f"doc{place}" for place in range(1_200)]
    about = rng.normal(size=(60, 80))[rng.integers(60, size=1_200)]
    about += 0.6 * rng.normal(size=about.shape)
    old, new = (_model(about, dims, rng) for dims in (300, 100))
    io.save(Embeddings(names, old + 0.3), folder / "old.vec")
    io.save(Embeddings(names[:1_000], (new - 0.2)[:1_000]), folder / "new.vec")
    io.save(Embeddings(names[1_000:], (new - 0.2)[1_000:]), folder / "truth.vec")


def _model(about: Vectors, dims: int, rng: np.random.Generator) -> Vectors:
    looks = about @ rng.normal(size=(about.shape[1], dims)) / np.sqrt(about.shape[1])
    return (looks + 0.05 * rng.normal(size=looks.shape)).astype(np.float32)


def out_of_vocabulary(folder: Path) -> None:
    """Frequent words to map, rare ones left out; and a fastText model that knows parts of words."""
    problem = planted(words=300, dims=12)
    src = problem.src
    io.save(src.head(250), folder / "en.vec")
    io.save(problem.trg, folder / "es.vec")
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
    """A fastText model whose vectors follow spelling, and a turned image of it as Spanish."""
    from gensim.models import FastText
    from gensim.models.fasttext import save_facebook_model

    pairs = {
        source.format(stem): target.format(translation).replace(" ", "_")
        for source, target in FORMS.items()
        for stem, translation in STEMS.items()
    }
    spanish_of_the_unheard = pairs.pop("kindness")
    settings = {"vector_size": 16, "min_count": 1, "bucket": 2_000, "workers": 1, "seed": 1}
    model = FastText(**settings)
    model.build_vocab([list(pairs)])
    model.wv.adjust_vectors()
    save_facebook_model(model, str(folder / "cc.en.bin"))
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(16, 16)))[0]
    words = [*pairs, "kindness"]
    vectors = np.stack([model.wv[word] for word in words]) @ turn
    names = [pairs.get(word, spanish_of_the_unheard) for word in words]
    io.save(Embeddings(names, vectors), folder / "cc.es.vec")
    (folder / "known.txt").write_text("".join(f"{s} {t}\n" for s, t in pairs.items()))
    (folder / "rare.txt").write_text("kindness\nsadness\nunkindly\n")


def vecmap(folder: Path) -> None:
    """Vectors and dictionaries under the names that VecMap's manual uses."""
    problem = planted(words=200, dims=10)
    for side, name in ((problem.src, "SRC.EMB"), (problem.trg, "TRG.EMB")):
        # Every fourth word is a name, spelt alike in both languages.
        words = [f"name{w[1:]}" if int(w[1:]) % 4 == 0 else w for w in side.words]
        io.save(Embeddings(words, side.vectors), folder / name, format="word2vec")
    pairs = [(s, t) for s, t in problem.pairs if int(s[1:]) % 4]
    lines = [f"{s} {t}\n" for s, t in pairs]
    (folder / "TRAIN.DICT").write_text("".join(lines[:80]))
    (folder / "TEST.DICT").write_text("".join(lines[80:]))
    scored = [f"{s}\t{t}\t10\n" for s, t in pairs[:60]]
    scored += [f"{s}\t{t}\t1\n" for (s, _), (_, t) in pairwise(pairs)]
    (folder / "TEST_SIMILARITY.TXT").write_text("".join(scored))


def muse(folder: Path) -> None:
    """Vectors in MUSE's text format, its dictionaries, and a matrix as it saves one."""
    import torch

    problem = planted(words=200, dims=10)
    (folder / "data").mkdir()
    io.save(problem.src, folder / "data" / "wiki.en.vec")
    io.save(problem.trg, folder / "data" / "wiki.es.vec")
    lines = [f"{s} {t}\n" for s, t in problem.pairs]
    (folder / "en-es.0-5000.txt").write_text("".join(lines[:100]))
    (folder / "en-es.5000-6500.txt").write_text("".join(lines[100:]))
    src = problem.src.vectors
    trg = problem.trg.vectors[[problem.trg.index[t] for _, t in problem.pairs]]
    u, _, v = np.linalg.svd(src.T @ trg)
    matrix = (u @ v).T  # of column vectors, as PyTorch has it
    torch.save(matrix, folder / "best_mapping.pth")
    io.save(Embeddings(problem.src.words, src @ matrix.T), folder / "vectors-en.txt")
    io.save(problem.trg, folder / "vectors-es.txt")


INPUTS: dict[str, Callable[[Path], None]] = {
    "two-corpora": two_corpora,
    "two-decades": two_decades,
    "between-models": between_models,
    "out-of-vocabulary": out_of_vocabulary,
    "coming-from-vecmap": vecmap,
    "coming-from-muse": muse,
}
"""By recipe: what makes the files that its page speaks of."""
