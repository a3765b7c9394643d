"""What the report says about a run, from the contents of run.json."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isolex.core.choices import Outcome
from isolex.core.embeddings import language_name
from isolex.core.pair import pair_labels
from isolex.run.inputs import pair_files
from isolex.web.wording import STEPS, VERDICTS

Run = Mapping[str, Any]
"""The contents of run.json."""


@dataclass(frozen=True)
class VerdictText:
    """A verdict, what it means, and the evidence for it."""

    outcome: str
    meaning: str
    reason: str


@dataclass(frozen=True)
class RestartSummary:
    """How many restarts there were, how many were used, and whether they all converged."""

    count: int
    taken: int
    finished: bool


@dataclass(frozen=True)
class Step:
    """A step of the run and the seconds it took."""

    name: str
    description: str
    seconds: float


@dataclass(frozen=True)
class InputFile:
    """A file that was read, and the checksum of its content."""

    name: str
    path: str
    content: str
    checksum: str


def vocabularies(run: Run) -> list[str]:
    """The size of each vocabulary."""
    given = run["inputs"]["vectors"].values()
    return [f"{one['words']:,} words \u00d7 {one['dims']} dimensions" for one in given]


def verdict(run: Run) -> VerdictText | None:
    """The verdict, if there is one."""
    outcome = run["verdict"]
    if outcome is None:
        return None
    return VerdictText(outcome, VERDICTS[Outcome(outcome)], run["reason"])


def restarts(run: Run) -> RestartSummary | None:
    """The restarts, if there were any."""
    attempts = run["attempts"]
    if not attempts:
        return None
    taken = sum(attempt["taken"] for attempt in attempts)
    return RestartSummary(len(attempts), taken, attempts[-1]["finished"])


def steps(run: Run) -> list[Step]:
    """The steps of the run in order."""
    timings = run["timings"]
    known = [name for name in STEPS if name in timings]
    others = [name for name in timings if name not in STEPS]
    return [Step(name, STEPS.get(name, ""), timings[name]) for name in (*known, *others)]


def inputs(run: Run) -> list[InputFile]:
    """The files that were read, vectors first."""
    given = run["inputs"]
    files = [
        InputFile(name, one["path"], "vectors", one["vectors_sha256"])
        for name, one in given["vectors"].items()
    ]
    files += [
        InputFile(f"{role} {label}".strip(), one["path"], "pairs", one["sha256"])
        for role, label, one in pair_files(given)
    ]
    return files


def command(run: Run) -> list[str]:
    """The command that repeats the run, as words that are quoted for a shell.

    A language that was added has a command of its own.
    """
    settings, added = run["settings"], run.get("added", [])
    later = {one["language"] for one in added}
    first = [name for name in run["languages"] if name not in later]
    options = {"system": settings["system"], **run["options"], "seed": settings["seed"]}
    words = ["isolex", "map", *_files(run, first), "--out", "DIR", *_options(run, options, first)]
    quoted = [shlex.quote(word) for word in words]
    for one in added:
        new = [one["language"]]
        words = ["isolex", "add", "DIR", *_files(run, new), *_options(run, one["options"], new)]
        quoted += ["&&", *map(shlex.quote, words)]
    return quoted


def _files(run: Run, names: Sequence[str]) -> list[str]:
    paths = {name: run["inputs"]["vectors"][name]["path"] for name in names}
    return [
        path if name == language_name(path) else f"{name}={path}" for name, path in paths.items()
    ]


def _options(run: Run, options: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """The options, and the files of word pairs whose last language is among ``names``."""
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    for role, label, one in pair_files(run["inputs"]):
        both = pair_labels(run["languages"]).get(label, names)
        if max(both, key=run["languages"].index) in names:
            words += [f"--{role}", f"{label}={one['path']}" if label else one["path"]]
    return words


def versions(run: Run) -> str:
    """The versions of isolex and of what it runs on."""
    listed = {"isolex": run["isolex"], **run["versions"]}
    return ", ".join(f"{name} {version}" for name, version in listed.items())


def settings(run: Run) -> str:
    """All settings as JSON text."""
    return json.dumps(run["settings"], indent=1)
