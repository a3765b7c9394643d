"""isolex demo: the whole way on the bundled English-Spanish sample."""

from __future__ import annotations

import time
from typing import Any

from isolex.cli.console import Reporter, print_json, print_table
from isolex.cli.options import Json, Quiet, Threads

WORDS = ("house", "mother", "night", "red", "seven", "died", "beautiful", "slowly")


def run(threads: Threads = None, json: Json = False, quiet: Quiet = False) -> None:
    """Align English and Spanish words, with no dictionary.

    The vectors come with isolex: 5,000 words of old novels on each side. The novels are not
    translations of one another; a list of gold pairs serves only to measure the result.

    Example: isolex demo
    """
    from isolex import samples
    from isolex.evaluate import evaluate_lexicon
    from isolex.kernels.parallel import use_threads
    from isolex.systems.align import align

    reporter = Reporter(quiet=quiet)
    began = time.perf_counter()
    src, trg, gold = samples.english(), samples.spanish(), samples.gold()
    reporter.note(f"aligning {len(src):,} English and {len(trg):,} Spanish words, no dictionary")
    with use_threads(threads):
        with reporter.learning() as shown:
            alignment = align(
                src,
                trg,
                callbacks=[shown.iteration],
                on_step=shown.step,
            )
        seconds = time.perf_counter() - began
        result = evaluate_lexicon(
            alignment.source.mapped, alignment.target.mapped, gold, space=alignment.space
        )
        facts: dict[str, Any] = result.as_dict() | {
            "verdict": alignment.verdict and alignment.verdict.outcome.value,
            "objective": alignment.objective,
            "iterations": len(alignment.history),
            "seconds": round(seconds, 1),
            "translations": {
                word: [t._asdict() for t in alignment.translate(word, k=3)] for word in WORDS
            },
        }
    if json:
        print_json(facts)
    else:
        _show(facts)


def _show(facts: dict[str, Any]) -> None:
    rows = [
        (word, ", ".join(f"{t['word']} ({t['score']:.2f})" for t in found))
        for word, found in facts["translations"].items()
    ]
    print_table(("word", "translations (csls)"), rows)
    cuts = [(f"precision@{cut}", f"{value:.1f} %") for cut, value in facts["precision"].items()]
    print_table(
        ("against the gold list", ""),
        [
            *cuts,
            ("entries", f"{facts['entries']:,}"),
            ("verdict", facts["verdict"]),
            ("iterations", f"{facts['iterations']:,}"),
            ("objective", f"{facts['objective']:.4f}"),
            ("time", f"{facts['seconds']:.1f} s"),
        ],
        right=1,
    )
