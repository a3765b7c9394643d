"""What a finished run consists of, and the tables that are written about it."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from isolex import __version__
from isolex.core.history import IterationRecord
from isolex.core.lexicon import Lexicon
from isolex.core.space import Space
from isolex.errors import InputError
from isolex.kernels.parallel import blas
from isolex.run.inputs import PairFiles, VectorInput, describe, extended


@dataclass(frozen=True)
class Results:
    """Everything that a finished run writes.

    Attributes:
        space: The shared space.
        lexicons: The lexicons of the first language with each other one, by their names.
        vectors: The vector files that were read.
        pairs: The files of training and validation pairs.
        timings: Seconds of the steps around the alignment.
        options: Options other than the settings, to repeat the run.
        before: The contents of run.json of the run that a language was added to, if any.
    """

    space: Space
    lexicons: Mapping[tuple[str, str], Lexicon]
    vectors: Sequence[VectorInput]
    pairs: PairFiles
    timings: Mapping[str, float]
    options: Mapping[str, Any]
    before: Mapping[str, Any] | None = None

    def describe(self) -> dict[str, Any]:
        """The contents of run.json."""
        space, seconds = self.space, {**self.space.timings, **self.timings}
        about = {
            "-".join(names): {"entries": len(lexicon), "mutual": lexicon.mutual_count}
            for names, lexicon in self.lexicons.items()
        }
        several = {
            "lexicons": about,
            "pairs": {
                "-".join(names): {"languages": list(names), **pair.as_dict()}
                for names, pair in space.pairs.items()
            },
            "language_verdicts": {name: space.outcome(name) for name in space.names},
            "tree": [list(names) for names in space.tree],
        }
        return {
            "isolex": __version__,
            "versions": versions(),
            "languages": list(space.names),
            "settings": dict(space.settings),
            "options": dict(self.options),
            "inputs": None if self.before else describe(self.vectors, self.pairs),
            "objective": space.objective,
            "temperature": space.temperature,
            **(space.verdict.as_dict() if space.verdict else {"verdict": None}),
            **(self._evidence() if len(space) == 2 else {}),
            "attempts": [asdict(attempt) for attempt in space.attempts],
            "validation": space.history[-1].validation if space.history else None,
            "iterations": len(space.history),
            **({"lexicon": next(iter(about.values()))} if len(space) == 2 else several),
            "timings": {step: round(value, 3) for step, value in seconds.items()},
            **(self._addition(self.before) if self.before else {}),
        }

    def _evidence(self) -> dict[str, Any]:
        """What the run of two languages used besides vectors."""
        found = self.space.about(*self.space.names)
        return {"spelling": found.spelling and found.spelling.as_dict(), "counted": found.counted}

    def _addition(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """What run.json keeps from the run that a language was added to."""
        new = describe(self.vectors, self.pairs, (one.embeddings for one in self.space))
        [given] = self.vectors
        added = {"language": given.embeddings.name, "options": dict(self.options)}
        seconds = Counter(before["timings"])
        seconds.update({**self.space.timings, **self.timings})
        return {
            "options": before["options"],
            "inputs": extended(before["inputs"], new),
            "attempts": [*before["attempts"], *(asdict(one) for one in self.space.attempts)],
            "validation": before["validation"],
            "added": [*before.get("added", ()), added],
            "timings": {step: round(value, 3) for step, value in seconds.items()},
        }


def history_table(space: Space) -> str:
    """The iterations of self-learning as tab-separated text."""
    validated = any(record.validation is not None for record in space.history)
    header = ["iteration", "keep_prob", "cutoff", "objective", "seconds"]
    several = len(space) > 2
    lines = ["\t".join([*["pair"] * several, *header, *["validation"] * validated])]
    for record in space.history:
        row = [
            *[record.pair] * several,
            str(record.iteration),
            f"{record.keep_prob:g}",
            str(record.cutoff),
            f"{record.objective:.8f}",
            f"{record.seconds:.3f}",
        ]
        if validated:
            row.append("" if record.validation is None else f"{record.validation:.2f}")
        lines.append("\t".join(row))
    return "\n".join(lines) + "\n"


def read_history(path: Path, names: Sequence[str]) -> tuple[IterationRecord, ...]:
    """The iterations that `history_table` wrote, for languages with these names."""
    try:
        header, *lines = path.read_text(encoding="utf-8").splitlines()
        rows = [dict(zip(header.split("\t"), one.split("\t"), strict=True)) for one in lines]
        return tuple(
            IterationRecord(
                int(row["iteration"]),
                float(row["keep_prob"]),
                int(row["cutoff"]),
                float(row["objective"]),
                float(row["seconds"]),
                float(row["validation"]) if row.get("validation") else None,
                row.get("pair", "-".join(names)),
            )
            for row in rows
        )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: not readable; give a folder that `isolex map` wrote") from error


def versions() -> dict[str, str]:
    """Versions of everything that may change the last bits of a result."""
    import numba
    import numpy as np

    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "blas": blas(),
        "numba": numba.__version__,
        "platform": platform.platform(),
    }
