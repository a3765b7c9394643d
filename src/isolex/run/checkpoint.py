"""Checkpoints on disk, so that an interrupted run can continue."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from isolex.core.checkpoint import (
    Checkpoint,
    PairRun,
    Position,
    Round,
    Solution,
    SpaceCheckpoint,
)
from isolex.core.choices import Outcome
from isolex.core.files import atomic
from isolex.core.history import Attempt, IterationRecord
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Observer
from isolex.core.tensors import TensorFile, write_tensors
from isolex.core.verdict import Evidence, Verdict
from isolex.errors import InputError

FORMAT, VERSION = "isolex-checkpoint", 2
MAPS = ("source.map", "target.map")


class CheckpointSaver(Observer):
    """Writes a checkpoint from time to time.

    Args:
        path: The file.
        fingerprint: Identifies the run.
        seconds: Minimum time between two checkpoints.
    """

    def __init__(self, path: Path, fingerprint: Mapping[str, Any], seconds: float = 20.0) -> None:
        self._path, self._fingerprint, self._seconds = path, fingerprint, seconds
        self._next = time.monotonic() + seconds
        self._last: Checkpoint | SpaceCheckpoint | None = None

    def checkpoint(self, checkpoint: Checkpoint | SpaceCheckpoint) -> None:
        """Write the checkpoint if the last one is old enough."""
        self._last = checkpoint
        if time.monotonic() >= self._next:
            self.finish()

    def finish(self) -> None:
        """Write the last checkpoint, so that nothing is lost while the results are written."""
        if self._last is not None:
            save(self._last, self._path, self._fingerprint)
        self._next = time.monotonic() + self._seconds


def save(
    checkpoint: Checkpoint | SpaceCheckpoint, path: Path, fingerprint: Mapping[str, Any]
) -> None:
    """Write a checkpoint, with what identifies the run it belongs to."""
    tensors: dict[str, Any] = {}
    facts: dict[str, Any]
    if isinstance(checkpoint, SpaceCheckpoint):
        facts = {"several": _several_facts(checkpoint, tensors)}
    else:
        facts = _pair_facts(checkpoint, tensors, "")
    facts |= {"format": FORMAT, "version": VERSION, "fingerprint": fingerprint}
    with atomic(path) as file:
        write_tensors(file, tensors, {"isolex": json.dumps(facts)})


def _pair_facts(checkpoint: Checkpoint, tensors: dict[str, Any], prefix: str) -> dict[str, Any]:
    """The plain values of the checkpoint of two languages; its arrays are added to ``tensors``."""
    solution = checkpoint.solution
    tensors[f"{prefix}sources"] = solution.lexicon.sources
    tensors[f"{prefix}targets"] = solution.lexicon.targets
    for name, one in zip(MAPS, checkpoint.trained or (), strict=False):
        tensors[f"{prefix}{name}"] = one.matrix
    return {
        "solution": {
            "objective": solution.objective,
            "iterations": solution.iterations,
            "seconds": solution.seconds,
            "position": solution.position and asdict(solution.position),
        },
        "restarts_done": checkpoint.restarts_done,
        "counted": checkpoint.counted,
        "attempts": [asdict(attempt) for attempt in checkpoint.attempts],
        "history": [asdict(record) for record in checkpoint.history],
    }


def _several_facts(checkpoint: SpaceCheckpoint, tensors: dict[str, Any]) -> dict[str, Any]:
    """The same for several languages."""
    facts: dict[str, Any] = {}
    for kind in ("runs", "restarted"):
        facts[kind] = []
        for (one, other), run in getattr(checkpoint, kind).items():
            found = _pair_facts(run.found, tensors, f"{kind}/{one}/{other}/")
            verdict = {"outcome": run.verdict.outcome, "evidence": asdict(run.verdict.evidence)}
            facts[kind].append({"pair": [one, other], "found": found, "verdict": verdict})
    if (here := checkpoint.round) is not None:
        for place, rotation in here.rotations.items():
            tensors[f"rotations/{place}"] = rotation
        facts["round"] = {
            "width": here.width,
            "number": here.number,
            "objective": here.objective,
            "cut": here.cut,
            "history": [asdict(record) for record in here.history],
            "languages": sorted(here.rotations),
        }
    return facts


def load(path: Path, fingerprint: Mapping[str, Any]) -> Checkpoint | SpaceCheckpoint | None:
    """Read a checkpoint; ``None`` if there is none, an error if it belongs to another run."""
    if not path.is_file():
        return None
    try:
        file = TensorFile(path)
        facts = json.loads(file.metadata.get("isolex", "{}"))
        if (facts["format"], facts["version"]) != (FORMAT, VERSION):
            raise ValueError("not a checkpoint of this version")
        own = facts["fingerprint"] == json.loads(json.dumps(fingerprint))
        several = facts.get("several")
        found = _several(file, several) if several else _checkpoint(file, facts)
    except (InputError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: not a readable checkpoint; run without --resume") from error
    if not own:
        raise InputError(
            f"{path}: belongs to a run with other inputs or options; use those, or run without "
            "--resume"
        )
    return found


def fits(path: Path, fingerprint: Mapping[str, Any]) -> bool:
    """Whether there is a checkpoint that the run with this fingerprint can continue from."""
    try:
        return load(path, fingerprint) is not None
    except InputError:
        return False


def is_checkpoint(path: Path) -> bool:
    """Whether a file is a checkpoint, and not something else of the same name."""
    try:
        return f'"{FORMAT}"' in TensorFile(path).metadata.get("isolex", "")
    except (InputError, OSError, ValueError):
        return False


def _checkpoint(file: TensorFile, facts: dict[str, Any], prefix: str = "") -> Checkpoint:
    about = facts["solution"]
    position = about.pop("position")
    lexicon = Lexicon(
        np.array(file.array(f"{prefix}sources", "I32", 1)),
        np.array(file.array(f"{prefix}targets", "I32", 1)),
    )
    trained = [
        LinearMap(np.array(file.array(f"{prefix}{name}", "F32", 2)))
        for name in MAPS
        if f"{prefix}{name}" in file
    ]
    return Checkpoint(
        Solution(lexicon, **about, position=position and Position(**position)),
        restarts_done=facts["restarts_done"],
        counted=facts["counted"],
        attempts=tuple(Attempt(**attempt) for attempt in facts["attempts"]),
        history=tuple(IterationRecord(**record) for record in facts["history"]),
        trained=(trained[0], trained[1]) if trained else None,
    )


def _several(file: TensorFile, facts: dict[str, Any]) -> SpaceCheckpoint:
    runs: dict[str, dict[tuple[int, int], PairRun]] = {}
    for kind in ("runs", "restarted"):
        runs[kind] = {}
        for about in facts[kind]:
            one, other = about["pair"]
            found = _checkpoint(file, about["found"], f"{kind}/{one}/{other}/")
            verdict = about["verdict"]
            judged = Verdict(Outcome(verdict["outcome"]), Evidence(**verdict["evidence"]))
            runs[kind][one, other] = PairRun(found, judged)
    about = facts.get("round")
    here = about and Round(
        {
            place: np.array(file.array(f"rotations/{place}", "F32", 2))
            for place in about["languages"]
        },
        about["width"],
        about["number"],
        about["objective"],
        tuple((one, other) for one, other in about["cut"]),
        tuple(IterationRecord(**record) for record in about["history"]),
    )
    return SpaceCheckpoint(runs["runs"], runs["restarted"], here)
