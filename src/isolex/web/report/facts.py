"""What the report says about a run, from the contents of run.json."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from isolex.core.choices import Outcome
from isolex.core.embeddings import language_name
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


def first_lexicon(run: Run) -> Mapping[str, int]:
    """The figures of the lexicon of the first two languages."""
    found: Mapping[str, int] = (
        run["lexicon"] if "lexicon" in run else next(iter(run["lexicons"].values()))
    )
    return found


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
    """The command that repeats the run, as words that are quoted for a shell."""
    settings, given = run["settings"], run["inputs"]
    words = ["isolex", "map"]
    for name, one in given["vectors"].items():
        path = one["path"]
        words.append(path if name == language_name(path) else f"{name}={path}")
    words += ["--out", "DIR", "--system", settings["system"]]
    for option, value in (*run["options"].items(), ("seed", settings["seed"])):
        words += [f"--{option}", str(value)]
    for role, label, one in pair_files(given):
        words += [f"--{role}", f"{label}={one['path']}" if label else one["path"]]
    return [shlex.quote(word) for word in words]


def versions(run: Run) -> str:
    """The versions of isolex and of what it runs on."""
    listed = {"isolex": run["isolex"], **run["versions"]}
    return ", ".join(f"{name} {version}" for name, version in listed.items())


def settings(run: Run) -> str:
    """All settings as JSON text."""
    return json.dumps(run["settings"], indent=1)
