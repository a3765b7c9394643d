"""isolex map: vector files in, a shared space and lexicons out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from isolex.cli.console import Reporter, print_json
from isolex.cli.help import epilog
from isolex.cli.options import (
    Budget,
    Cutoff,
    Device,
    EngineName,
    EngineOption,
    Json,
    MaxWords,
    Memory,
    OnDevice,
    Scheduler,
    Seed,
    Silent,
    SpellingSwitch,
    System_,
    Threads,
    check_engine,
    parse_size,
)
from isolex.core.choices import VectorFormat
from isolex.errors import UsageError

EPILOG = epilog(
    "isolex map en.vec.gz es.vec.gz --out en-es",
    "isolex map en.vec es.vec de.vec pl.vec --out eu --lexicon en-pl=pairs.txt",
    "isolex map en=wiki.vec es=crawl.vec --out en-es --max-words 50000",
    "isolex map en.vec es.vec --out en-es --system semi-supervised --lexicon pairs.txt",
    "isolex map en.vec pl.vec --out en-pl --counts en.npz --counts pl.npz",
    files={
        "DIR/space.safetensors": "the shared space: words, mapped vectors, maps, verdicts",
        "DIR/lexicon.tsv": "source, target, score, mutual",
        "DIR/lexicons/A-B.tsv": "more than two languages: from the first into each other one",
        "DIR/NAME.vec": "mapped vectors of each language (.bin with --vectors bin)",
        "DIR/history.tsv": "the iterations of self-learning",
        "DIR/run.json": "settings, versions, inputs, timings, verdicts",
        "DIR/report.html": "a report to open in a browser",
    },
    exit_codes=True,
)

PairsFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--lexicon",
        metavar="[A-B=]FILE",
        help="Training pairs, one per line; with more than two languages A-B=FILE, repeatable.",
    ),
]
ValidationFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--validation",
        metavar="[A-B=]FILE",
        help="Pairs to measure accuracy on: after each iteration or, with more than two languages, "
        "at the end.",
    ),
]
CountsFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--counts",
        metavar="FILE",
        help="Co-occurrence counts from isolex train --counts, one file for each language, in the "
        "same order; robust starts from them where they help.",
    ),
]
Written = Annotated[VectorFormat, typer.Option("--vectors", help="How mapped vectors are written.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Continue an interrupted run in DIR, if there is one.")
]


def run(
    files: Annotated[
        list[str],
        typer.Argument(metavar="A B [C]...", help="Vectors of each language: FILE or NAME=FILE."),
    ],
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="The folder to write.")],
    system: System_ = "robust",
    lexicon: PairsFiles = None,
    validation: ValidationFiles = None,
    seed: Seed = 0,
    max_words: MaxWords = None,
    cutoff: Cutoff = None,
    budget: Budget = None,
    spelling: SpellingSwitch = None,
    counts: CountsFiles = None,
    vectors: Written = VectorFormat.TEXT,
    threads: Threads = None,
    memory: Memory = None,
    device: OnDevice = Device.CPU,
    engine: EngineOption = EngineName.LOCAL,
    scheduler: Scheduler = None,
    resume: Resume = False,
    json: Json = False,
    quiet: Silent = False,
) -> None:
    """Map languages into one space and build lexicons.

    A language is named after its file up to the first dot, or as given: en=wiki.vec. The verdict
    says, without gold data, whether it worked: succeeded, doubtful or failed.

    With more than two languages, pairs that align well connect the languages, and then all
    languages are mapped together. Every pair gets its own verdict; the verdict on the run is the
    worst of them.

    An interrupted run can be continued with --resume and the same inputs and options; the result
    is the same. Progress is saved during self-learning or, with more than two languages, after
    each pair and each round, at most every 20 seconds. A finished run in DIR is replaced.

    With --engine dask, the workers of a cluster align pairs of languages in parallel; the result
    is the same. Start one worker per machine: dask worker ADDRESS --nthreads 1.
    """
    from isolex.cli.map_run import MapRun, Resources
    from isolex.cli.map_summary import conclude, summarise

    if not out:
        raise UsageError("--out is empty: give the folder to write")
    if len(files) < 2:
        raise UsageError("missing argument 'B': give the vectors of two or more languages")
    check_engine(engine, scheduler)
    options = {"max-words": max_words, "cutoff": cutoff, "budget": budget, "spelling": spelling}
    resources = Resources(threads, parse_size(memory), device.value, scheduler)
    pairs = {"lexicon": lexicon, "validation": validation}
    run = MapRun.of(files, out, system, pairs, counts or (), options, seed, vectors, resources)
    facts, words = run.execute(Reporter(quiet=quiet), resume=resume)
    if json:
        print_json(facts)
    elif not quiet:
        summarise(facts, out)
    conclude(facts, run.system, words)
