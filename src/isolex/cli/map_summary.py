"""What `isolex map` says about a finished run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import typer

from isolex.cli.console import print_table, say
from isolex.cli.verdicts import UNSURE, describe, describe_pairs
from isolex.core.choices import Outcome
from isolex.method.joining import Groups
from isolex.method.system import System
from isolex.run.inputs import pair_files

EXIT_FAILED = 1
FEW_WORDS = 500


def conclude(facts: dict[str, Any], system: System, words: int) -> None:
    """Warn about the result, even with --quiet; exit with code 1 if the verdict is failed."""
    _warn_of_limit(facts["attempts"])
    if "pairs" in facts:
        _warn_of_pairs(facts, system, facts["languages"], words)
    elif facts["verdict"] in UNSURE:
        say(f"{describe(facts['verdict'])}; {advice(system, words)}")
    if facts["verdict"] == Outcome.FAILED:
        raise typer.Exit(EXIT_FAILED)


def conclude_addition(
    facts: dict[str, Any], before: Mapping[str, Any], system: System, name: str
) -> None:
    """Warn about a language that was added; if it is not connected, set the exit code.

    Args:
        facts: The contents of run.json.
        before: The contents of run.json before the addition.
        system: The system.
        name: The language.
    """
    _warn_of_limit(facts["attempts"][len(before["attempts"]) :])
    _warn_of_pairs(facts, system, [name], facts["inputs"]["vectors"][name]["words"])
    if facts["language_verdicts"][name] == Outcome.FAILED:
        raise typer.Exit(EXIT_FAILED)


def _warn_of_limit(attempts: Sequence[Mapping[str, Any]]) -> None:
    if not all(attempt["finished"] for attempt in attempts):
        say("restarts were cut short: the time limit (--budget) was reached")


def _warn_of_pairs(facts: dict[str, Any], system: System, named: Sequence[str], words: int) -> None:
    """Warn about pairs of the languages ``named`` that are not connected, or not reliable."""
    names, budget = facts["languages"], ", a longer --budget" if system.restarts else ""
    more = f"{budget}, or vectors trained on more, or more similar, text"
    places = {name: place for place, name in enumerate(names)}
    groups = Groups(len(names), [(places[one], places[other]) for one, other in facts["tree"]])
    largest = max(groups, key=len)
    connected = [names[place] for place in largest] if len(largest) > 1 else []
    found = [[names[place] for place in group] for group in groups]
    apart = [group for group in found if group != connected]
    for group in apart:
        if not set(group) & set(named):
            continue
        partner = next(name for name in (*connected, *names) if name not in group)
        example = f"--lexicon {partner}-{group[0]}=FILE"
        if len(group) == 1:
            say(
                f"{group[0]}: nothing connects it with the other languages, so its translations "
                f"are most likely useless; give some training pairs ({example}){more}"
            )
        else:
            say(
                f"{' and '.join(group)}: connected with each other, but not with the other "
                f"languages; give some training pairs ({example}){more}"
            )
    alone = {group[0] for group in apart if len(group) == 1}
    verdicts = {
        label: None if set(about["languages"]) & alone else about["verdict"]
        for label, about in facts["pairs"].items()
        if set(about["languages"]) & set(named)
    }
    for line in describe_pairs(verdicts):
        say(line)
    if words < FEW_WORDS and (alone & set(named) or set(verdicts.values()) & set(UNSURE)):
        say(f"{words:,} words are too few for a reliable verdict: give thousands of words")


def advice(system: System, words: int) -> str:
    """What to do about an alignment of this many words that did not succeed."""
    if system.takes_lexicon:
        once = ", or thousands of them with --system supervised" if system.schedule else ""
        return f"give more pairs{once}, or vectors from more, or more similar, text"
    if words < FEW_WORDS:
        return f"{words:,} words are too few: give vectors of thousands of words, or training pairs"
    pairs = "give some pairs (--system semi-supervised --lexicon FILE)"
    if system.restarts is None:
        return f"try --system robust, or {pairs}"
    return f"try another --seed or a longer --budget, {pairs}, or use more, or more similar, text"


def summarise(facts: dict[str, Any], out: str, seconds: float | None = None) -> None:
    """Print the result in a few lines; ``seconds`` is the time of all steps by default."""
    objective, seconds = facts["objective"], seconds or sum(facts["timings"].values())
    found = "-" if objective is None else f"{objective:.4f}"
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
        *([] if "added" in facts else [("objective", found)]),
        ("time", f"{seconds:.1f} s"),
        ("written to", out),
    ]
    print_table(("system", facts["settings"]["system"]), rows)


def _two(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """The lines about two languages."""
    found = facts["lexicon"]
    return [
        ("verdict", f"{facts['verdict']}: {facts['reason']}"),
        ("iterations", f"{facts['iterations']:,}"),
        *([("counts", "gave the first lexicon")] if facts["counted"] else []),
        *_spelling(facts["spelling"]),
        ("lexicon", f"{found['entries']:,} pairs, {found['mutual']:,} of them mutual best"),
    ]


def _spelling(found: dict[str, Any] | None) -> list[tuple[str, str]]:
    """The line about spelling, if the system considers it."""
    if found is None:
        return []
    share = f"{found['alike']:.0%} of the surest pairs are spelled alike"
    return [("spelling", f"{'used' if found['used'] else 'not used'}: {share}")]


def _several(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """The lines about each of several languages, and about all of them."""
    rows = []
    for name, neighbour in joined_with(facts).items():
        outcome = facts["language_verdicts"][name]
        if outcome == Outcome.FAILED:
            rows.append((name, f"{outcome}: not connected"))
        else:
            rows.append((name, f"{outcome}, joined with {neighbour}" if neighbour else outcome))
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
    fewest, most = f"{min(sizes):,}", f"{max(sizes):,}"
    both = fewest if fewest == most else f"{fewest} to {most}"
    rows.append(("mutual best pairs per lexicon", both))
    return rows


def joined_with(facts: dict[str, Any]) -> dict[str, str | None]:
    """Each language with its neighbour on the way to the first language of its group."""
    found: dict[str, str | None] = {}
    for first in facts["languages"]:
        waiting = [] if first in found else [first]
        found.setdefault(first, None)
        for name in waiting:  # grows during the loop
            new = {other for edge in facts["tree"] if name in edge for other in edge} - set(found)
            found |= dict.fromkeys(new, name)
            waiting += new
    return {name: found[name] for name in facts["languages"]}
