"""What a finished run consists of, and the tables that are written about it."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from isolex import __version__
from isolex.core.lexicon import Lexicon
from isolex.core.space import Space
from isolex.kernels.parallel import blas
from isolex.run.inputs import PairsInput, VectorInput, describe


@dataclass(frozen=True)
class Results:
    """Everything that a finished run writes.

    Attributes:
        space: The shared space.
        lexicon: Its lexicon.
        vectors: The vector files that were read.
        pairs: The files of training and validation pairs, by ``lexicon`` and ``validation``.
        timings: Seconds of the steps around the alignment.
        options: Options other than the settings, to repeat the run.
    """

    space: Space
    lexicon: Lexicon
    vectors: Sequence[VectorInput]
    pairs: Mapping[str, PairsInput]
    timings: Mapping[str, float]
    options: Mapping[str, Any]

    def describe(self) -> dict[str, Any]:
        """The contents of run.json."""
        space, seconds = self.space, {**self.space.timings, **self.timings}
        return {
            "isolex": __version__,
            "versions": versions(),
            "languages": list(space.names),
            "settings": dict(space.settings),
            "options": dict(self.options),
            "inputs": describe(self.vectors, self.pairs),
            "objective": space.objective,
            "temperature": space.temperature,
            **(space.verdict.as_dict() if space.verdict else {"verdict": None}),
            "attempts": [asdict(attempt) for attempt in space.attempts],
            "validation": space.history[-1].validation if space.history else None,
            "iterations": len(space.history),
            "lexicon": {"entries": len(self.lexicon), "mutual": self.lexicon.mutual_count},
            "timings": {step: round(value, 3) for step, value in seconds.items()},
        }


def history_table(space: Space) -> str:
    """The iterations of self-learning as tab-separated text."""
    validated = any(record.validation is not None for record in space.history)
    header = ["iteration", "keep_prob", "cutoff", "objective", "seconds"]
    lines = ["\t".join([*header, "validation"] if validated else header)]
    for record in space.history:
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
