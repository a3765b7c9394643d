"""The folder that `isolex map` writes, and how an alignment is opened from it again."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Literal

from isolex import __version__, io
from isolex.alignment import Alignment, Origin, Side
from isolex.cache import Cache, stamp
from isolex.checkpoint import Checkpoint
from isolex.embeddings import Embeddings
from isolex.errors import InputError, UsageError
from isolex.evaluate import LexiconResult, evaluate_lexicon
from isolex.files import StrPath, write_text
from isolex.kernels.parallel import side_by_side
from isolex.kernels.types import Tick, part
from isolex.lexicon import Lexicon, match
from isolex.report import render

MAPPING, LEXICON, HISTORY, RUN = "mapping.safetensors", "lexicon.tsv", "history.tsv", "run.json"
REPORT, CHECKPOINT = "report.html", "checkpoint.safetensors"

CACHE = "cache"
VectorFormat = Literal["text", "bin", "none"]
SUFFIXES = {"text": ".vec", "bin": ".bin"}


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
    def read_both(
        cls, src: StrPath, trg: StrPath, max_words: int | None = None, tick: Tick | None = None
    ) -> tuple[Input, Input]:
        """Read the vector files of both sides at the same time."""
        tasks = [partial(cls.read, path, max_words) for path in (src, trg)]
        first, second = side_by_side(tasks, tick, at_once=_files(src, trg))
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


@dataclass(frozen=True)
class RunFolder:
    """A folder with a mapping, its lexicon and its history; each file whole or not at all."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """Where a run that is under way notes how far it has come."""
        return self.path / CHECKPOINT

    def finished(self, mark: Mapping[str, Any], vectors: VectorFormat) -> dict[str, Any] | None:
        """What run.json holds, if a run with that mark is there, vectors in that format too."""
        try:
            run = self._run()
        except InputError:
            return None
        wanted = {f"{side}{SUFFIXES[vectors]}" for side in ("src", "trg") if vectors in SUFFIXES}
        whole = all((self.path / name).is_file() for name in (MAPPING, LEXICON, HISTORY, *wanted))
        return run if whole and run_mark(run["settings"], run["inputs"]) == mark else None

    def prepare(
        self, src: Input, trg: Input, vectors: VectorFormat = "text", *others: Path | None
    ) -> None:
        """Make the folder, before any work is done for it.

        Args:
            src: The source vectors.
            trg: The target vectors.
            vectors: How the mapped ones will be written; they must be able to hold the words.
            others: Further files that must not be overwritten.
        """
        cached = {f"{CACHE}/{self._cache.file(side).name}" for side in ("src", "trg")}
        names = {MAPPING, LEXICON, HISTORY, RUN, REPORT, CHECKPOINT, *self._vector_files(), *cached}
        targets = {(self.path / name).resolve() for name in names}
        for path in filter(None, others):
            if path.resolve() in targets:
                raise UsageError(f"{path}: writing to {self.path} would overwrite this input")
        for name, given in (("src", src), ("trg", trg)):
            if given.path.resolve() in targets:
                raise UsageError(f"{given.path}: writing to {self.path} would overwrite this input")
            if vectors != "none":
                io.check(self.path / f"{name}{SUFFIXES[vectors]}", given.embeddings.words)
        strangers = sorted(name for name in names if (self.path / name).exists())
        if strangers and RUN not in strangers and not Checkpoint.is_at(self.checkpoint):
            raise UsageError(
                f"{self.path}: holds a {strangers[0]} that is not of an isolex run; "
                "choose another folder"
            )
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=self.path):
                pass
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be written to ({error.strerror})") from error

    def write(
        self,
        alignment: Alignment,
        lexicon: Lexicon,
        src: Input,
        trg: Input,
        vectors: VectorFormat = "text",
        pairs: Mapping[str, PairsInput] | None = None,
        timings: Mapping[str, float] | None = None,
        tick: Tick | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Write every file; returns what run.json holds.

        Args:
            alignment: The alignment.
            lexicon: Its dictionary.
            src: The source vectors as they were read.
            trg: The target vectors likewise.
            vectors: How the mapped vectors are written.
            pairs: The files of training and validation pairs, by ``lexicon`` and ``validation``.
            timings: Seconds of steps around the alignment.
            tick: Told the share of the vectors that is written.
            options: What was asked for beside the settings, to repeat it.
        """
        alignment.save(self.path / MAPPING)
        lexicon.save(self.path / LEXICON)
        write_text(self.path / HISTORY, history_table(alignment))
        seconds_per_step = {**alignment.timings, **(timings or {})}
        inputs = describe(src, trg, pairs or {})
        run = {
            "isolex": __version__,
            "versions": _versions(),
            "settings": dict(alignment.settings),
            "options": dict(options or {}),
            "inputs": inputs,
            "objective": alignment.objective,
            **(alignment.verdict.as_dict() if alignment.verdict else {"verdict": None}),
            "attempts": [asdict(attempt) for attempt in alignment.attempts],
            "validation": alignment.history[-1].validation if alignment.history else None,
            "iterations": len(alignment.history),
            "lexicon": {"entries": len(lexicon), "mutual": lexicon.mutual_count},
            "timings": {step: round(seconds, 3) for step, seconds in seconds_per_step.items()},
        }
        gold = pairs["validation"].pairs if pairs and "validation" in pairs else None
        write_text(self.path / REPORT, render(alignment, lexicon, run, _accuracy(alignment, gold)))
        self._write_vectors(alignment, vectors, tick)
        for name, given in (("src", src), ("trg", trg)):
            if vectors == "none" or given.stamp is None:  # as little as can be, or a pipe
                self._cache.drop(name)
            else:
                self._cache.keep(name, given.embeddings)
        write_text(self.path / RUN, json.dumps(run, indent=2) + "\n")  # last: now it is done
        if Checkpoint.is_at(self.checkpoint):
            self.checkpoint.unlink()
        return run

    def _write_vectors(
        self, alignment: Alignment, vectors: VectorFormat, tick: Tick | None
    ) -> None:
        written = set()
        if vectors != "none":
            for done, (name, side) in enumerate(_sides(alignment)):
                written.add(f"{name}{SUFFIXES[vectors]}")
                path = self.path / f"{name}{SUFFIXES[vectors]}"
                io.save(side.mapped, path, tick=part(tick, done, 2))
        for stale in set(self._vector_files()) - written:  # of an earlier run in this folder
            (self.path / stale).unlink(missing_ok=True)

    @property
    def _cache(self) -> Cache:
        return Cache(self.path / CACHE)

    @staticmethod
    def _vector_files() -> Iterator[str]:
        return (f"{side}{suffix}" for side in ("src", "trg") for suffix in SUFFIXES.values())

    def open(
        self,
        src: StrPath | None = None,
        trg: StrPath | None = None,
        tick: Tick | None = None,
    ) -> Alignment:
        """The alignment with its vectors, found where they were or where they are said to be."""
        alignment = self.mapping()
        inputs = self._run()["inputs"]
        tasks = [
            partial(self._find, "src", alignment.source, inputs, src),
            partial(self._find, "trg", alignment.target, inputs, trg),
        ]
        source, target = side_by_side(tasks, tick, at_once=_files(src, trg))
        return replace(alignment, source=source, target=target)

    def mapping(self) -> Alignment:
        """The alignment without its vectors."""
        if not (self.path / MAPPING).is_file():
            what = "is a file" if self.path.is_file() else f"no {MAPPING}"
            raise InputError(f"{self.path}: {what}; give a folder that `isolex map` wrote")
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
        self,
        name: str,
        side: Side,
        inputs: Mapping[str, Any],
        given: StrPath | None,
        tick: Tick,
    ) -> Side:
        recorded = Path(inputs[name]["path"])
        beside = (self.path.absolute().parent / recorded.name, self.path / recorded.name)
        places = (recorded, *beside) if given is None else (Path(given),)
        known = inputs[name].get("stamp") if given is None else None  # what is named is read
        refused: InputError | None = None
        for path in places:
            if given is not None or path.is_file():
                try:
                    return side.attach(self._vectors(name, side, path, known, tick), str(path))
                except InputError as error:
                    refused = refused or error
        raise refused or InputError(f"{recorded}: no longer there; find it with --{name} FILE")

    def _vectors(self, name: str, side: Side, path: Path, known: Any, tick: Tick) -> Embeddings:
        """The vectors of ``path``; of the cache, if they are right and the file is as ``known``."""
        cached = self._cache.find(name, path, known)
        if cached is not None and Origin.of(cached) == side.origin:
            return cached
        return io.read(path, max_words=side.origin.count, tick=tick)[0]


def _accuracy(alignment: Alignment, gold: Sequence[tuple[str, str]] | None) -> LexiconResult | None:
    if gold is None:
        return None
    mapped = alignment.source.mapped, alignment.target.mapped
    return evaluate_lexicon(*mapped, gold, alignment.retrieval, space=alignment.space)


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
    return {"settings": dict(settings), "inputs": checksums}


def _files(*paths: StrPath | None) -> bool:
    """Whether all that are given are plain files: pipes may wait for one another."""
    return all(path is None or stamp(path) is not None for path in paths)


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


def _versions() -> dict[str, str]:
    import numba
    import numpy as np

    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "platform": platform.platform(),
    }
