"""The folder that `isolex map` writes, and how an alignment is opened from it again."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Literal

from isolex import __version__, io
from isolex.core.embeddings import Embeddings
from isolex.core.files import StrPath, write_text
from isolex.core.lexicon import Lexicon
from isolex.core.space import Alignment, Origin, Side
from isolex.errors import InputError, UsageError
from isolex.kernels.parallel import blas, side_by_side
from isolex.kernels.types import Tick, part
from isolex.method.checkpoint import Checkpoint
from isolex.run.cache import Cache
from isolex.run.inputs import Input, PairsInput, describe, plain_files, run_mark

MAPPING, LEXICON, HISTORY, RUN = "mapping.safetensors", "lexicon.tsv", "history.tsv", "run.json"
REPORT, CHECKPOINT = "report.html", "checkpoint.safetensors"

CACHE = "cache"
VectorFormat = Literal["text", "bin", "none"]
SUFFIXES = {"text": ".vec", "bin": ".bin"}


@dataclass(frozen=True)
class RunFolder:
    """A folder with a mapping, its lexicon and its history; each file whole or not at all."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """Where a run that is under way notes how far it has come."""
        return self.path / CHECKPOINT

    def finished(self, mark: Mapping[str, Any], vectors: VectorFormat) -> dict[str, Any] | None:
        """What run.json holds, if a run with that mark is there, vectors in that format too.

        Raises:
            UsageError: If the run that is there has another mark.
        """
        try:
            run = self._run()
        except InputError:
            return None
        if run_mark(run["settings"], run["inputs"]) != mark:
            raise UsageError(
                f"{self.path}: a finished run of other inputs or options; leave --resume out to "
                "replace it, or name another folder"
            )
        wanted = {f"{side}{SUFFIXES[vectors]}" for side in ("src", "trg") if vectors in SUFFIXES}
        whole = all((self.path / name).is_file() for name in (MAPPING, LEXICON, HISTORY, *wanted))
        return run if whole else None

    def owns(self, path: Path) -> bool:
        """Whether a path is that of a file of the run that is here, cache included."""
        if not (self.path / RUN).is_file():
            return False
        target, cache = path.resolve(), (self.path / CACHE).resolve()
        own = {(self.path / name).resolve() for name in self._names()}
        return target in own or cache in target.parents

    def sources(self) -> list[Path]:
        """The files that the run was made from, as far as that is known."""
        try:
            inputs = self.inputs()
        except InputError:
            return []
        places = (self._places(Path(given["path"])) for given in inputs.values())
        found = (next((path for path in some if path.is_file()), None) for some in places)
        return [path for path in found if path is not None]

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
        names = self._names()
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
        except FileExistsError as error:
            raise UsageError(f"{self.path}: is a file; --out names a folder") from error
        except OSError as error:
            raise UsageError(
                f"{self.path}: cannot be written to ({error.strerror}); name another folder"
            ) from error

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
        render: Callable[..., str] | None = None,
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
            render: Makes the report; without it none is written.
        """
        alignment.save(self.path / MAPPING)
        lexicon.save(self.path / LEXICON)
        write_text(self.path / HISTORY, history_table(alignment))
        seconds_per_step = {**alignment.timings, **(timings or {})}
        run = {
            "isolex": __version__,
            "versions": _versions(),
            "settings": dict(alignment.settings),
            "options": dict(options or {}),
            "inputs": describe(src, trg, pairs or {}),
            "objective": alignment.objective,
            "temperature": alignment.temperature,
            **(alignment.verdict.as_dict() if alignment.verdict else {"verdict": None}),
            "attempts": [asdict(attempt) for attempt in alignment.attempts],
            "validation": alignment.history[-1].validation if alignment.history else None,
            "iterations": len(alignment.history),
            "lexicon": {"entries": len(lexicon), "mutual": lexicon.mutual_count},
            "timings": {step: round(seconds, 3) for step, seconds in seconds_per_step.items()},
        }
        gold = pairs["validation"].pairs if pairs and "validation" in pairs else None
        if render is not None:
            write_text(self.path / REPORT, render(alignment, lexicon, run, gold))
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

    def _names(self) -> set[str]:
        """What the files of a run are called."""
        cached = {f"{CACHE}/{self._cache.file(side).name}" for side in ("src", "trg")}
        return {MAPPING, LEXICON, HISTORY, RUN, REPORT, CHECKPOINT, *self._vector_files(), *cached}

    def _places(self, recorded: Path) -> tuple[Path, ...]:
        """Where a file that was read may be by now."""
        beside = self.path.absolute().parent / recorded.name
        return recorded, beside, self.path / recorded.name

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
        inputs = self.inputs()
        tasks = [
            partial(self._find, "src", alignment.source, inputs, src),
            partial(self._find, "trg", alignment.target, inputs, trg),
        ]
        source, target = side_by_side(tasks, tick, at_once=plain_files(src, trg))
        return replace(alignment, source=source, target=target)

    def inputs(self) -> dict[str, Any]:
        """What run.json says of the files that were read, by ``src`` and ``trg`` and others."""
        inputs: dict[str, Any] = self._run()["inputs"]
        return inputs

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
        places = self._places(recorded) if given is None else (Path(given),)
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
            model = io.model_of(path)
            return Embeddings(cached.words, cached.vectors, model) if model else cached
        return io.read(path, max_words=side.origin.count, tick=tick)[0]


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
        "blas": blas(),
        "numba": numba.__version__,
        "platform": platform.platform(),
    }
