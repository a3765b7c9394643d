"""The folder that `isolex map` writes, and how an alignment is opened from it again."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from isolex import __version__, io
from isolex.alignment import Alignment, Side
from isolex.embeddings import Embeddings
from isolex.errors import InputError, UsageError
from isolex.files import StrPath, write_text
from isolex.induce import Tick
from isolex.lexicon import Lexicon

MAPPING, LEXICON, HISTORY, RUN = "mapping.safetensors", "lexicon.tsv", "history.tsv", "run.json"

VectorFormat = Literal["text", "bin", "none"]
SUFFIXES = {"text": ".vec", "bin": ".bin"}


@dataclass(frozen=True)
class Input:
    """A vector file as it was read."""

    path: Path
    embeddings: Embeddings
    repairs: str = ""

    @classmethod
    def read(cls, path: StrPath, max_words: int | None = None, tick: Tick | None = None) -> Input:
        """Read a vector file and remember where it came from."""
        embeddings, repairs = io.read(path, max_words=max_words, tick=tick)
        return cls(Path(path).absolute(), embeddings, repairs.describe(path))

    def describe(self) -> dict[str, Any]:
        """Plain values for run.json."""
        return {
            "path": str(self.path),
            "words": len(self.embeddings),
            "dims": self.embeddings.dims,
            "words_sha256": self.embeddings.words_checksum,
            "vectors_sha256": self.embeddings.vectors_checksum,
            "repairs": self.repairs,
        }


@dataclass(frozen=True)
class RunFolder:
    """A folder with a mapping, its lexicon and its history; each file whole or not at all."""

    path: Path

    def prepare(self, *inputs: Input) -> None:
        """Make the folder; refuse one whose files would overwrite an input."""
        names = {MAPPING, LEXICON, HISTORY, RUN} | set(self._vector_files())
        for given in inputs:
            if given.path.resolve().parent == self.path.resolve() and given.path.name in names:
                raise UsageError(f"{given.path}: writing to {self.path} would overwrite this input")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be made a folder ({error.strerror})") from error

    def write(
        self,
        alignment: Alignment,
        lexicon: Lexicon,
        src: Input,
        trg: Input,
        vectors: VectorFormat = "text",
        tick: Tick | None = None,
    ) -> dict[str, Any]:
        """Write every file, run.json last; returns what run.json holds."""
        alignment.save(self.path / MAPPING)
        lexicon.save(self.path / LEXICON)
        self._write_vectors(alignment, vectors, tick)
        write_text(self.path / HISTORY, history_table(alignment))
        run = {
            "isolex": __version__,
            "versions": _versions(),
            "settings": dict(alignment.settings),
            "inputs": {"src": src.describe(), "trg": trg.describe()},
            "objective": alignment.objective,
            "iterations": len(alignment.history),
            "lexicon": {"entries": len(lexicon), "mutual": lexicon.mutual_count},
            "timings": {step: round(seconds, 3) for step, seconds in alignment.timings.items()},
        }
        write_text(self.path / RUN, json.dumps(run, indent=2) + "\n")
        return run

    def _write_vectors(
        self, alignment: Alignment, vectors: VectorFormat, tick: Tick | None
    ) -> None:
        written = set()
        if vectors != "none":
            for done, (name, side) in enumerate(_sides(alignment)):
                written.add(f"{name}{SUFFIXES[vectors]}")
                io.save(
                    side.mapped, self.path / f"{name}{SUFFIXES[vectors]}", tick=_half(tick, done)
                )
        for stale in set(self._vector_files()) - written:  # of an earlier run in this folder
            (self.path / stale).unlink(missing_ok=True)

    @staticmethod
    def _vector_files() -> Iterator[str]:
        return (f"{side}{suffix}" for side in ("src", "trg") for suffix in SUFFIXES.values())

    def open(self, src: StrPath | None = None, trg: StrPath | None = None) -> Alignment:
        """The alignment with its vectors, found where they were or where they are said to be."""
        alignment = self.mapping()
        inputs = self._run()["inputs"]
        return Alignment.load(
            self.path / MAPPING,
            self._find("src", alignment.source, inputs, src),
            self._find("trg", alignment.target, inputs, trg),
        )

    def mapping(self) -> Alignment:
        """The alignment without its vectors."""
        if not (self.path / MAPPING).is_file():
            raise InputError(f"{self.path}: no {MAPPING}; give a folder that `isolex map` wrote")
        return Alignment.load(self.path / MAPPING)

    def _run(self) -> dict[str, Any]:
        try:
            run: dict[str, Any] = json.loads((self.path / RUN).read_text(encoding="utf-8"))
            run["inputs"]["src"]["path"], run["inputs"]["trg"]["path"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{self.path / RUN}: not readable; give a folder that `isolex map` wrote"
            ) from error
        return run

    def _find(
        self, name: str, side: Side, inputs: Mapping[str, Any], given: StrPath | None
    ) -> Embeddings:
        if given is not None:
            return side.attach(io.load(given, max_words=side.origin.count), str(given)).vocabulary
        recorded = Path(inputs[name]["path"])
        beside = (self.path.absolute().parent / recorded.name, self.path / recorded.name)
        refused: InputError | None = None
        for path in (recorded, *beside):
            if path.is_file():
                try:
                    embeddings = io.load(path, max_words=side.origin.count)
                    return side.attach(embeddings, str(path)).vocabulary
                except InputError as error:
                    refused = refused or error
        raise refused or InputError(f"{recorded}: no longer there; find it with --{name} FILE")


def history_table(alignment: Alignment) -> str:
    """The iterations of self-learning as tab-separated text, with validation where it was asked."""
    validated = any(record.validation is not None for record in alignment.history)
    header = ["iteration", "keep_prob", "cutoff", "objective", "seconds"]
    lines = ["\t".join([*header, "validation"] if validated else header)]
    for record in alignment.history:
        row = [
            str(record.iteration),
            f"{record.keep_prob:g}",
            str(record.cutoff),
            f"{record.objective:.8f}",
            f"{record.seconds:.3f}",
        ]
        if record.validation is not None:
            row.append(f"{record.validation:.2f}")
        lines.append("\t".join(row))
    return "\n".join(lines) + "\n"


def _sides(alignment: Alignment) -> tuple[tuple[str, Side], tuple[str, Side]]:
    return ("src", alignment.source), ("trg", alignment.target)


def _half(tick: Tick | None, done: int) -> Tick | None:
    return None if tick is None else lambda share: tick((done + share) / 2)


def _versions() -> dict[str, str]:
    import numba
    import numpy as np

    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "platform": platform.platform(),
    }
