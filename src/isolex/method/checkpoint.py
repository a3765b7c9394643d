"""Checkpoint: how far an alignment has come, so that an interrupted one can go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolex.core.files import write_bytes
from isolex.core.history import Attempt, Record
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap
from isolex.errors import InputError
from isolex.method.self_learning import Iteration, Learnt, Place

FORMAT, VERSION = "isolex-checkpoint", 1


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Where an alignment is.

    Attributes:
        learnt: The lexicon, and the place in the schedule.
        searched: Whether the search, if there was need of one, is over.
        attempts: Those of the search.
        history: All iterations so far.
        maps: Those that were trained, where the system trains.
    """

    learnt: Learnt
    searched: bool = False
    attempts: tuple[Attempt, ...] = ()
    history: tuple[Record, ...] = ()
    maps: tuple[LinearMap, LinearMap] | None = None

    def at(self, iteration: Iteration, history: list[Record]) -> Checkpoint:
        """The same alignment an iteration later."""
        learnt = Learnt(
            iteration.lexicon,
            iteration.objective,
            iteration.number,
            iteration.seconds,
            place=iteration.place,
        )
        return replace(self, learnt=learnt, history=tuple(history))

    def save(self, path: Path, mark: Mapping[str, Any]) -> None:
        """Write it, whole or not at all, with a mark of the run that it belongs to."""
        from safetensors.numpy import save

        lexicon = self.learnt.lexicon
        tensors: dict[str, NDArray[Any]] = {"src": lexicon.src, "trg": lexicon.trg}
        for name, linear in zip(("src.map", "trg.map"), self.maps or (), strict=False):
            tensors[name] = linear.matrix
        place = self.learnt.place
        about = {
            "objective": self.learnt.objective,
            "iterations": self.learnt.iterations,
            "seconds": self.learnt.seconds,
            "place": place and asdict(place),
        }
        facts = {
            "format": FORMAT,
            "version": VERSION,
            "mark": mark,
            "learnt": about,
            "searched": self.searched,
            "attempts": [asdict(attempt) for attempt in self.attempts],
            "history": [asdict(record) for record in self.history],
        }
        arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
        write_bytes(path, save(arrays, {"isolex": json.dumps(facts)}))

    @classmethod
    def load(cls, path: Path, mark: Mapping[str, Any]) -> Checkpoint | None:
        """Read it; nothing where there is none, an error where it is of another run."""
        from safetensors import SafetensorError, safe_open

        if not path.is_file():
            return None
        try:
            with safe_open(path, framework="numpy") as file:
                facts = json.loads((file.metadata() or {})["isolex"])
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            if (facts["format"], facts["version"]) != (FORMAT, VERSION):
                raise ValueError("of another version")
            made, own = cls._of(facts, tensors), facts["mark"] == json.loads(json.dumps(mark))
        except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: not a readable checkpoint; run without --resume") from error
        if not own:
            raise InputError(
                f"{path}: of a run with other inputs or options; give those, or run without "
                "--resume"
            )
        return made

    @classmethod
    def fits(cls, path: Path, mark: Mapping[str, Any]) -> bool:
        """Whether there is one from which a run with that mark can go on."""
        try:
            return cls.load(path, mark) is not None
        except InputError:
            return False

    @staticmethod
    def is_at(path: Path) -> bool:
        """Whether a file is a checkpoint, and not something of the same name."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, framework="numpy") as file:
                return f'"{FORMAT}"' in (file.metadata() or {}).get("isolex", "")
        except (SafetensorError, OSError):
            return False

    @classmethod
    def _of(cls, facts: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> Checkpoint:
        about = facts["learnt"]
        place = about.pop("place")
        trained = [LinearMap(tensors[name]) for name in ("src.map", "trg.map") if name in tensors]
        return cls(
            learnt=Learnt(
                Lexicon(tensors["src"], tensors["trg"]), **about, place=place and Place(**place)
            ),
            searched=facts["searched"],
            attempts=tuple(Attempt(**attempt) for attempt in facts["attempts"]),
            history=tuple(Record(**record) for record in facts["history"]),
            maps=(trained[0], trained[1]) if trained else None,
        )


Keep = Callable[[Checkpoint], None]
"""Told of every checkpoint; it may let most of them pass."""
