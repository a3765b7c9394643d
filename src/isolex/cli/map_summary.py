"""What `isolex map` says about a finished run."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer

from isolex.cli.console import print_table, say
from isolex.cli.inputs import WARNINGS
from isolex.core.choices import Outcome
from isolex.core.verdict import MEANINGS
from isolex.method.system import System
from isolex.run.inputs import pair_files

EXIT_FAILED = 1
FEW_WORDS = 500
SHOWN = 8


def conclude(facts: dict[str, Any], system: System, words: int) -> None:
    """Warn about the result, even with --quiet; a failed verdict is the exit code."""
    if not all(attempt["finished"] for attempt in facts["attempts"]):
        say("restarts were cut short: the time limit (--budget) was reached")
    if "pairs" in facts:
        _warn_of_pairs(facts)
    elif facts["verdict"] in WARNINGS:
        say(f"{WARNINGS[facts['verdict']]}; {advice(system, words)}")
    if facts["verdict"] == Outcome.FAILED:
        raise typer.Exit(EXIT_FAILED)


def _warn_of_pairs(facts: dict[str, Any]) -> None:
    """Name the languages that nothing connects, and the pairs that others cannot make good."""
    first, *others = facts["languages"]
    apart = [name for name in others if facts["language_verdicts"][name] == Outcome.FAILED]
    for name in apart:
        say(
            f"{name}: nothing connects it with the other languages, so its translations are most "
            f"likely useless; give some pairs (--lexicon {first}-{name}=FILE), a longer --budget, "
            "or vectors from more, or more similar, text"
        )
    unsure = {
        outcome: [
            label
            for label, about in facts["pairs"].items()
            if about["verdict"] == outcome and not set(about["languages"]) & set(apart)
        ]
        for outcome in (Outcome.DOUBTFUL, Outcome.FAILED)
    }
    for outcome, labels in unsure.items():
        if labels:
            listed = ", ".join(labels[:SHOWN]) + (", ..." if len(labels) > SHOWN else "")
            count = f"{len(labels)} of {len(facts['pairs'])} pairs"
            say(f"{count} are {outcome}: {listed}. {MEANINGS[outcome]}".removesuffix("."))


def advice(system: System, words: int) -> str:
    """What to do about an alignment of so many words that did not succeed."""
    if system.takes_lexicon:
        once = ", or thousands of them with --system supervised" if system.schedule else ""
        return f"give more pairs{once}, or vectors from more, or more similar, text"
    if words < FEW_WORDS:
        return f"{words:,} words are too few: give vectors of thousands of words, or training pairs"
    pairs = "give some pairs (--system semi-supervised --lexicon FILE)"
    if system.restarts is None:
        return f"try --system robust, or {pairs}"
    return f"try another --seed or a longer --budget, {pairs}, or use more, or more similar, text"


def summarise(facts: dict[str, Any], out: str) -> None:
    """Print the result in a few lines."""
    objective = facts["objective"]
    rows = [
        (
            f"{role} pairs {label}".strip(),
            f"{one['used']:,} of {one['pairs']:,} in the vocabularies",
        )
        for role, label, one in pair_files(facts["inputs"])
    ]
    if facts["validation"] is not None:
        rows.append(("validation (nn, last iteration)", f"{facts['validation']:.2f} %"))
    rows += _several(facts) if "pairs" in facts else _two(facts)
    rows += [
        ("objective", "-" if objective is None else f"{objective:.4f}"),
        ("time", f"{sum(facts['timings'].values()):.1f} s"),
        ("written to", out),
    ]
    print_table(("system", facts["settings"]["system"]), rows)


def _two(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """What there is to say about two languages."""
    found = facts["lexicon"]
    return [
        ("verdict", f"{facts['verdict']}: {facts['reason']}"),
        ("iterations", f"{facts['iterations']:,}"),
        ("lexicon", f"{found['entries']:,} pairs, {found['mutual']:,} of them mutual best"),
    ]


def _several(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """What there is to say about each of several languages, and about all of them."""
    rows = []
    for name, neighbour in joined_with(facts):
        outcome = facts["language_verdicts"][name]
        if neighbour is None:
            rows.append((name, outcome))
        elif outcome == Outcome.FAILED:
            rows.append((name, f"{outcome}: not connected"))
        else:
            rows.append((name, f"{outcome}, joined with {neighbour}"))
    counts = Counter(about["verdict"] for about in facts["pairs"].values())
    verdicts = ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome)
    recovered = [label for label, about in facts["pairs"].items() if about["recovered"]]
    rows.append(("pairs of languages", verdicts))
    if recovered:
        rows.append(("recovered through others", ", ".join(recovered)))
    rows += [
        (f"validation {label} (precision@1)", f"{about['validation']:.2f} %")
        for label, about in facts["pairs"].items()
        if about["validation"] is not None
    ]
    sizes = [about["mutual"] for about in facts["lexicons"].values()]
    rows.append(("mutual best pairs per lexicon", f"{min(sizes):,} to {max(sizes):,}"))
    return rows


def joined_with(facts: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Each language with its neighbour on the way to the first one, which has none."""
    names, edges = facts["languages"], [set(edge) for edge in facts["tree"]]
    found: dict[str, str | None] = {names[0]: None}
    while len(found) < len(names):
        for edge in edges:
            known = edge & set(found)
            if len(known) == 1:
                [neighbour] = known
                [new] = edge - known
                found[new] = neighbour
    return [(name, found[name]) for name in names]
