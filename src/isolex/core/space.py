"""Alignment: two maps into one space, with what is needed to use, keep and check them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.files import write_bytes
from isolex.core.history import Attempt, Record
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import Normaliser, unit
from isolex.core.retrieval import Penalties, Retrieval, Space, means_key
from isolex.core.verdict import Figures, Verdict
from isolex.errors import InputError, UsageError
from isolex.kernels.types import Tick

FORMAT = "isolex-alignment"
VERSION = 1


class Translation(NamedTuple):
    """A translation and its score under the retrieval that found it."""

    word: str
    score: float


@dataclass(frozen=True)
class Origin:
    """What tells the vectors a map was learnt from, without holding them."""

    count: int
    dims: int
    words_checksum: str
    vectors_checksum: str

    @classmethod
    def of(cls, embeddings: Embeddings) -> Origin:
        """The origin that embeddings are."""
        return cls(
            len(embeddings),
            embeddings.dims,
            embeddings.words_checksum,
            embeddings.vectors_checksum,
        )

    def begins(self, embeddings: Embeddings) -> bool:
        """Whether the first of these vectors, or all, are the very ones."""
        if len(embeddings) < self.count or embeddings.dims != self.dims:
            return False
        first = embeddings.head(self.count)
        return first.words_checksum == self.words_checksum and Origin.of(first) == self


@dataclass(frozen=True, eq=False)
class Side:
    """One language of an alignment.

    Attributes:
        normaliser: The steps its vectors go through first.
        linear: The map from there into the shared space.
        origin: What it was learnt from.
        embeddings: The very vectors, or ``None`` where only the mapping was loaded.
    """

    normaliser: Normaliser
    linear: LinearMap
    origin: Origin
    embeddings: Embeddings | None = field(default=None, repr=False)

    def transform(self, vectors: Vectors) -> Vectors:
        """Map ``(n, d)`` vectors of this language, seen before or not, into the shared space."""
        vectors = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
        if vectors.shape[1] != self.origin.dims:
            raise UsageError(
                f"this mapping takes vectors of {self.origin.dims} dimensions, "
                f"not {vectors.shape[1]}"
            )
        if not np.isfinite(vectors).all():
            raise UsageError("vectors must be finite: drop the rows with NaN or infinite values")
        return self.linear.transform(self.normaliser.transform(vectors))

    def inverse_transform(self, mapped: Vectors) -> Vectors:
        """Bring ``(n, k)`` vectors of the shared space back to this side's normalised space."""
        return self.linear.inverse().transform(np.atleast_2d(np.asarray(mapped, np.float32)))

    @property
    def vocabulary(self) -> Embeddings:
        """The vectors it was learnt from."""
        if self.embeddings is None:
            raise UsageError("only the mapping is loaded: load it with its vectors for look-ups")
        return self.embeddings

    @cached_property
    def mapped(self) -> Embeddings:
        """The whole vocabulary in the shared space."""
        mapped = self.transform(self.vocabulary.vectors)
        mapped.flags.writeable = False
        return Embeddings(self.vocabulary.words, mapped)

    def attach(self, embeddings: Embeddings, name: str) -> Side:
        """The same side with its vectors, which must be those it was learnt from."""
        if Origin.of(embeddings) != self.origin:
            raise InputError(
                f"{name}: not the vectors this mapping was learnt from "
                f"({self.origin.count:,} words x {self.origin.dims}, checksums differ); "
                "give the original file"
            )
        return replace(self, embeddings=embeddings)


@dataclass(frozen=True, eq=False, repr=False)
class Alignment:
    """Two languages in one space.

    Attributes:
        source: The source language.
        target: The target language.
        settings: The system and its parts, seed included, as plain values.
        objective: Where self-learning ended, ``None`` without self-learning.
        temperature: Of the inverted softmax, where the system fits one: for source to target. Both
            directions use it.
        verdict: Whether it worked, as far as can be told without gold data.
        attempts: Those of the search, where there was one; not part of the saved mapping.
        history: Its iterations; likewise.
        timings: Seconds per step; likewise.
        penalties: What retrieval has computed of each word so far. The neighbourhood means among
            it are saved with the mapping: they make CSLS immediate.
    """

    source: Side
    target: Side
    settings: Mapping[str, Any]
    objective: float | None = None
    temperature: float | None = None
    verdict: Verdict | None = None
    attempts: tuple[Attempt, ...] = field(default=(), repr=False)
    history: tuple[Record, ...] = field(default=(), repr=False)
    timings: Mapping[str, float] = field(default_factory=dict, repr=False)
    penalties: Penalties = field(default_factory=Penalties, repr=False)

    def __repr__(self) -> str:
        sides = (self.source.origin, self.target.origin)
        sizes = " and ".join(f"{origin.count:,} words x {origin.dims}" for origin in sides)
        return f"Alignment({self.settings['system']}: {sizes})"

    @cached_property
    def space(self) -> Space:
        """Both mapped vocabularies as unit vectors, ready for retrieval."""
        return Space(
            unit(self.source.mapped.vectors), unit(self.target.mapped.vectors), self.penalties
        )

    @property
    def retrieval(self) -> Retrieval:
        """The retrieval of the system that made this alignment."""
        chosen = Retrieval(**self.settings["retrieval"])
        return replace(chosen, temperature=self.temperature or chosen.temperature)

    def _chosen(self, retrieval: str | Retrieval | None) -> Retrieval:
        """A method by its name has the parameters of the system's own retrieval."""
        if isinstance(retrieval, Retrieval):
            return retrieval
        return self.retrieval.by(retrieval) if retrieval else self.retrieval

    def translate(
        self,
        word: str,
        k: int = 5,
        retrieval: str | Retrieval | None = None,
        *,
        reverse: bool = False,
    ) -> list[Translation]:
        """The ``k`` best translations of a word; from target to source with ``reverse``."""
        if not isinstance(word, str):
            raise UsageError("translate takes one word: translate_all takes several")
        found = self.translate_all([word], k, retrieval, reverse=reverse)
        if not found:
            asked, other = self.source.vocabulary, self.target.vocabulary
            if reverse:
                asked, other = other, asked
            hint = f"it is a word of the other language: ask with reverse={not reverse}"
            raise UsageError(unknown(word, asked, hint if word in other else ""))
        return found[word]

    def translate_all(
        self,
        words: Iterable[str],
        k: int = 5,
        retrieval: str | Retrieval | None = None,
        *,
        reverse: bool = False,
    ) -> dict[str, list[Translation]]:
        """The ``k`` best translations of each word that has a vector, in one pass.

        Those are the words of the vocabulary, and where its vectors came from a fastText model all
        others that the model can make a vector of.
        """
        asked, answering = self.source, self.target
        space = self.space
        if reverse:
            asked, answering, space = answering, asked, space.reversed()
        words = list(dict.fromkeys(words))
        chosen = self._chosen(retrieval)
        known = [word for word in words if word in asked.vocabulary]
        rows = np.array([asked.vocabulary.index[word] for word in known], dtype=np.int32)
        found = [(known, space.retrieve(rows, k, chosen))]
        others = asked.vocabulary.compose(word for word in words if word not in asked.vocabulary)
        if others:
            vectors = unit(asked.transform(np.stack(list(others.values()))))
            found.append((list(others), space.retrieve_vectors(vectors, k, chosen)))
        candidates = answering.vocabulary.words
        translations = {
            word: [Translation(candidates[i], s) for i, s in zip(row, scores, strict=True)]
            for some, best in found
            for word, row, scores in zip(
                some, best.indices.tolist(), best.scores.tolist(), strict=True
            )
        }
        return {word: translations[word] for word in words if word in translations}

    def lexicon(
        self,
        k: int = 1,
        retrieval: str | Retrieval | None = None,
        tick: Tick | None = None,
        *,
        reverse: bool = False,
    ) -> Lexicon:
        """The ``k`` best translations of every word, mutual best pairs marked.

        From the target language into the source with ``reverse``.
        """
        words = self.source.vocabulary.words, self.target.vocabulary.words
        space = self.space.reversed() if reverse else self.space
        found = space.lexicon(k, self._chosen(retrieval), tick)
        return replace(found, words=words[::-1] if reverse else words)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the mapping as safetensors: maps, means, checksums and settings, no vectors."""
        from safetensors.numpy import save

        tensors: dict[str, Vectors] = {}
        sides = {}
        for name, side, known in (
            ("src", self.source, self.penalties.src),
            ("trg", self.target, self.penalties.trg),
        ):
            tensors[f"{name}.map"] = side.linear.matrix
            for position, learnt in enumerate(side.normaliser.learnt):
                tensors[f"{name}.normalise.{position}"] = learnt
            if (means := known.get(means_key(self.retrieval.neighbours))) is not None:
                tensors[f"{name}.means"] = means
            sides[name] = {"normalise": side.normaliser.steps, "origin": vars(side.origin)}
        facts = {
            "format": FORMAT,
            "version": VERSION,
            "settings": self.settings,
            "objective": self.objective,
            "temperature": self.temperature,
            "verdict": self.verdict and asdict(self.verdict.figures),
            "sides": sides,
        }
        # One metadata key: the order of several is not fixed in the file.
        write_bytes(path, save(tensors, {"isolex": json.dumps(facts, sort_keys=True)}))

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        src: Embeddings | None = None,
        trg: Embeddings | None = None,
    ) -> Alignment:
        """Read a saved mapping; with the vectors it was learnt from it can translate again."""
        tensors, facts = _read(Path(path))
        sides = {}
        for name, embeddings in (("src", src), ("trg", trg)):
            about = facts["sides"][name]
            steps = tuple(about["normalise"])
            learnt = tuple(tensors[f"{name}.normalise.{place}"] for place in range(len(steps)))
            side = Side(
                Normaliser(steps, learnt),
                LinearMap(tensors[f"{name}.map"]),
                Origin(**about["origin"]),
            )
            sides[name] = side if embeddings is None else side.attach(embeddings, name)
        figures = facts.get("verdict")
        made = cls(
            sides["src"],
            sides["trg"],
            facts["settings"],
            facts["objective"],
            facts.get("temperature"),
            figures and Verdict.of(Figures(**figures)),
        )
        for name, known in (("src", made.penalties.src), ("trg", made.penalties.trg)):
            if f"{name}.means" in tensors:
                known[means_key(made.retrieval.neighbours)] = tensors[f"{name}.means"]
        return made


def unknown(word: str, vocabulary: Embeddings, elsewhere: str = "") -> str:
    """What to say of a word that is not there; where it is, or one spelt alike, is named."""
    forms = (unicodedata.normalize(form, word.strip()) for form in ("NFC", "NFD"))
    alike = [form for plain in forms for form in (plain, plain.lower()) if form in vocabulary]
    hint = f"; did you mean {alike[0]!r} (other case, blanks or Unicode form)?" if alike else ""
    hint = f"; {elsewhere}" if elsewhere else hint
    return f"{word!r} is not among the {len(vocabulary):,} words of the vocabulary{hint}"


def _read(path: Path) -> tuple[dict[str, Vectors], dict[str, Any]]:
    from safetensors import SafetensorError, safe_open

    def refuse(why: str) -> InputError:
        return InputError(f"{path}: {why}; give the mapping.safetensors that `isolex map` wrote")

    if path.is_dir():
        raise refuse("is a folder")
    try:
        with safe_open(path, framework="numpy") as file:
            facts = json.loads((file.metadata() or {}).get("isolex", "{}"))
            if facts.get("format") != FORMAT:
                raise refuse("not a saved alignment")
            if facts["version"] != VERSION:
                raise refuse(f"written by another version of isolex (format {facts['version']})")
            return {name: file.get_tensor(name) for name in file.keys()}, facts  # noqa: SIM118
    except FileNotFoundError as error:
        raise refuse("no such file") from error
    except (SafetensorError, OSError, ValueError) as error:
        raise refuse("not a readable safetensors file") from error
