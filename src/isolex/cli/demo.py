"""isolex demo: everything at once, on the bundled English-Spanish sample."""

from __future__ import annotations

import time
from typing import Any

from isolex.cli.console import Reporter, print_json, print_table
from isolex.cli.help import epilog
from isolex.cli.options import Json, Quiet, Threads

WORDS = ("house", "mother", "night", "red", "seven", "died", "beautiful", "slowly")
EPILOG = epilog("isolex demo")


def run(threads: Threads = None, json: Json = False, quiet: Quiet = False) -> None:
    """Align English and Spanish words without a dictionary.

    The vectors come with isolex: 5,000 words per language from old novels, which are not
    translations of one another. A list of gold pairs is used only to measure the result.
    """
    from isolex import samples
    from isolex.cli.heeding import Heeding
    from isolex.evaluate import evaluate_lexicon
    from isolex.kernels.parallel import use_threads
    from isolex.systems.align import align

    reporter = Reporter(quiet=quiet)
    began = time.perf_counter()
    english, spanish, gold = samples.english(), samples.spanish(), samples.gold()
    reporter.note(
        f"aligning {len(english):,} English and {len(spanish):,} Spanish words, no dictionary"
    )
    with use_threads(threads):
        space = align(english, spanish, progress=reporter.shown, observer=Heeding())
        seconds = time.perf_counter() - began
        facts: dict[str, Any] = evaluate_lexicon(space, gold).as_dict() | {
            "verdict": space.verdict and space.verdict.outcome.value,
            "objective": space.objective,
            "iterations": len(space.history),
            "seconds": round(seconds, 1),
            "translations": {
                word: [t._asdict() for t in space.translate(word, k=3)] for word in WORDS
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
        ("compared with the gold list", ""),
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
