"""What a run reads: vector files and files of word pairs, and what tells them from others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from isolex import io
from isolex.core.embeddings import Embeddings
from isolex.core.files import StrPath, refuse, stamp
from isolex.core.lexicon import match
from isolex.kernels.parallel import side_by_side
from isolex.kernels.types import Tick
from isolex.method.system import in_force


@dataclass(frozen=True)
class Input:
    """A vector file as it was read."""

    path: Path
    embeddings: Embeddings
    repairs: str = ""
    stamp: dict[str, int] | None = None

    @classmethod
    def read(cls, path: StrPath, max_words: int | None = None, tick: Tick | None = None) -> Input:
        """Read a vector file and remember where it came from."""
        known = stamp(path)  # before it is read: a file that changes meanwhile is noticed
        embeddings, repairs = io.read(path, max_words=max_words, tick=tick)
        return cls(Path(path).absolute(), embeddings, repairs.describe(path), known)

    @classmethod
    def read_words(
        cls, path: StrPath, words: Sequence[str], tick: Tick | None = None
    ) -> tuple[Input, list[str]]:
        """Read the vectors of some words, and say which of them have none.

        A fastText model is asked for these words alone; it makes vectors of those it has not seen.
        """
        repairs = ""
        if (model := io.model_of(path)) is not None:
            found = model.compose(words)
        else:
            given = cls.read(path, tick=tick)
            found, repairs = given.embeddings.compose(words), given.repairs
        missing = [word for word in words if word not in found]
        if not found:
            raise refuse(path, "has a vector of none of the words; check that they belong together")
        made = Embeddings.from_numpy(found, np.stack(list(found.values())))
        return cls(Path(path).absolute(), made, repairs), missing

    @classmethod
    def read_both(
        cls, src: StrPath, trg: StrPath, max_words: int | None = None, tick: Tick | None = None
    ) -> tuple[Input, Input]:
        """Read the vector files of both sides at the same time."""
        tasks = [partial(cls.read, path, max_words) for path in (src, trg)]
        first, second = side_by_side(tasks, tick, at_once=plain_files(src, trg))
        return first, second

    def describe(self) -> dict[str, Any]:
        """Plain values for run.json."""
        return {
            "path": str(self.path),
            "words": len(self.embeddings),
            "dims": self.embeddings.dims,
            "words_sha256": self.embeddings.words_checksum,
            "vectors_sha256": self.embeddings.vectors_checksum,
            "repairs": self.repairs,
            "stamp": self.stamp,
        }


@dataclass(frozen=True)
class PairsInput:
    """A file of word pairs as it was read."""

    path: Path
    pairs: list[tuple[str, str]]

    @classmethod
    def read(cls, path: Path) -> PairsInput:
        """Read a file of word pairs and remember where it came from."""
        return cls(path.absolute(), io.read_pairs(path))

    def describe(self, src: Embeddings, trg: Embeddings) -> dict[str, Any]:
        """Plain values for run.json: how many pairs there are and how many could be used."""
        text = "".join(f"{source}\t{target}\n" for source, target in self.pairs)
        return {
            "path": str(self.path),
            "pairs": len(self.pairs),
            "used": len(match(self.pairs, src, trg)[0]),
            "sha256": sha256(text.encode("utf-8", "surrogateescape")).hexdigest(),
        }


def describe(src: Input, trg: Input, pairs: Mapping[str, PairsInput]) -> dict[str, Any]:
    """All that was read, as plain values."""
    given = {name: one.describe(src.embeddings, trg.embeddings) for name, one in pairs.items()}
    return {"src": src.describe(), "trg": trg.describe(), **given}


def run_mark(settings: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What tells a run from others: its settings and what it read, wherever that lay."""
    checksums = {
        name: {key: value for key, value in given.items() if key.endswith("sha256")}
        for name, given in inputs.items()
    }
    return {"settings": in_force(dict(settings)), "inputs": checksums}


def plain_files(*paths: StrPath | None) -> bool:
    """Whether all that are given are plain files: pipes may wait for one another."""
    return all(path is None or stamp(path) is not None for path in paths)
