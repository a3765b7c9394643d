"""isolex map: two vector files in, a shared space and a dictionary out."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isolex.cli.complete import system_names
from isolex.cli.console import Reporter, print_json, print_table, say
from isolex.cli.inputs import FINDINGS, read_both, warn_of_pipes
from isolex.cli.interrupt import interrupt
from isolex.cli.options import Device, Json, MaxWords, Memory, OnDevice, Threads, parse_size
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.systems import System


EXIT_FAILED = 1
FEW_WORDS = 500


class VectorFormat(StrEnum):
    """How the mapped vectors are written."""

    TEXT = "text"
    BIN = "bin"
    NONE = "none"


def run(
    src: Annotated[Path, typer.Argument(metavar="SRC", help="Vectors of the source language.")],
    trg: Annotated[Path, typer.Argument(metavar="TRG", help="Vectors of the target language.")],
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="The folder to write.")],
    system: Annotated[
        str,
        typer.Option(
            "--system",
            metavar="NAME",
            autocompletion=system_names,
            help="See `isolex systems`.",
        ),
    ] = "robust",
    lexicon: Annotated[
        Path | None, typer.Option("--lexicon", metavar="FILE", help="Training pairs, one a line.")
    ] = None,
    validation: Annotated[
        Path | None,
        typer.Option(
            "--validation", metavar="FILE", help="Pairs to measure accuracy on as it learns."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="N", help="Of every random choice.")
    ] = 0,
    max_words: MaxWords = None,
    cutoff: Annotated[
        int | None,
        typer.Option(
            "--cutoff",
            min=1,
            metavar="N",
            show_default="robust 10000, else 20000",
            help="Self-learning takes the N most frequent words of each side.",
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            min=0,
            metavar="MINUTES",
            show_default="10",
            help="Other starts may take so long when the first one finds nothing.",
        ),
    ] = None,
    vectors: Annotated[
        VectorFormat, typer.Option("--vectors", help="How mapped vectors are written.")
    ] = VectorFormat.TEXT,
    threads: Threads = None,
    memory: Memory = None,
    device: OnDevice = Device.CPU,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with the run in DIR that was interrupted, if any."),
    ] = False,
    json: Json = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Only warnings and errors; the result is in DIR."),
    ] = False,
) -> None:
    """Map two vector files into one space and make a dictionary.

    A run that was interrupted goes on with --resume and the same inputs and options, to the same
    end; one that is done is not done again. Of a system that trains, the training itself is kept
    only when it is over: one that is interrupted begins anew.

    The verdict says, without gold data, whether it worked: succeeded, doubtful or failed.

    Files:
        DIR/mapping.safetensors: both maps, means, checksums, settings and verdict
        DIR/lexicon.tsv: the dictionary: source, target, score, mutual
        DIR/src.vec, trg.vec: the mapped vectors (.bin with --vectors bin)
        DIR/history.tsv: the iterations
        DIR/run.json: how it was made: settings, versions, inputs, timings, verdict
        DIR/report.html: a page to look at
        DIR/cache: what was read, for quick look-ups; it may be deleted; not with --vectors none

    Exit codes:
        1: the verdict is failed; the files are written all the same

    Example: isolex map en.vec.gz es.vec.gz --out en-es

    Example: isolex map en.vec es.vec --out en-es --system semi-supervised --lexicon pairs.txt

    Example: isolex map en.vec es.vec --out en-es --system identical --max-words 50000
    """
    from isolex.adapters import extras
    from isolex.core.files import tidied
    from isolex.kernels.parallel import use_threads
    from isolex.method.checkpoint import Checkpoint
    from isolex.run.checkpoint import Saver
    from isolex.run.folder import RunFolder
    from isolex.run.inputs import PairsInput, describe, run_mark
    from isolex.systems.align import align, configure
    from isolex.web.report import render

    if not out:
        raise UsageError("--out is empty: name the folder to write")
    reporter = Reporter(quiet=quiet)
    bytes_kept = parse_size(memory)
    named = {"lexicon": lexicon, "validation": validation}
    given = {name: PairsInput.read(path) for name, path in named.items() if path is not None}
    pairs = given["lexicon"].pairs if lexicon else None
    gold = given["validation"].pairs if validation else None
    configured = configure(system, lexicon=pairs, validation=gold, cutoff=cutoff, budget=budget)
    extras.require(configured.extras, f"system {configured.name!r}")
    folder = RunFolder(Path(out))
    interrupt.advice = lambda: how_to_go_on(kept=resume)
    with use_threads(threads), tidied(folder.path):
        began = time.perf_counter()
        sides = read_both(src, trg, reporter, max_words)
        read = time.perf_counter() - began
        warn_of_pipes(*sides)
        folder.prepare(*sides, vectors.value, lexicon, validation)
        asked = {"max-words": max_words, "cutoff": cutoff, "budget": budget}
        options = {name: value for name, value in asked.items() if value is not None}
        mark = run_mark(configured.describe() | {"seed": seed}, describe(*sides, given))
        interrupt.advice = lambda: how_to_go_on(kept=Checkpoint.fits(folder.checkpoint, mark))
        start = Checkpoint.load(folder.checkpoint, mark) if resume else None
        done = folder.finished(mark, vectors.value) if resume and start is None else None
        if done is not None:
            reporter.note(f"{out}: done before, with these inputs and options")
            facts = done
        else:
            if start is not None:
                reporter.note(f"going on after iteration {start.learnt.iterations}")
            saver = Saver(folder.checkpoint, mark)
            with reporter.learning() as shown:
                alignment = align(
                    sides[0].embeddings,
                    sides[1].embeddings,
                    configured,
                    lexicon=pairs,
                    validation=gold,
                    seed=seed,
                    callbacks=[shown.iteration],
                    on_step=shown.step,
                    on_epoch=shown.epoch,
                    memory=bytes_kept,
                    device=device.value,
                    resume=start,
                    on_checkpoint=saver,
                )
            began = time.perf_counter()
            with reporter.task("dictionary") as tick:
                found = alignment.lexicon(tick=tick)
            timings = {"read": read, "lexicon": time.perf_counter() - began}
            saver.finish()
            with reporter.task("writing") as tick:
                facts = folder.write(
                    alignment, found, *sides, vectors.value, given, timings, tick, options, render
                )
    interrupt.advice = lambda: ""
    if json:
        print_json(facts)
    elif not quiet:
        summarise(facts, out)
    fewest = min(len(side.embeddings) for side in sides)
    conclude(facts, configured, fewest)


def how_to_go_on(*, kept: bool) -> str:
    """What to do about a run that was ended early."""
    return "go on with --resume" if kept else "nothing was kept yet"


def conclude(facts: dict[str, Any], system: System, words: int) -> None:
    """Say what is to be known of a run, to the quiet too; a failure is the exit code."""
    if facts["attempts"] and not facts["attempts"][-1]["finished"]:
        say("the search was cut short: its --budget was used up")
    if facts["verdict"] in FINDINGS:
        say(f"{FINDINGS[facts['verdict']]}; {advice(system, words)}")
    if facts["verdict"] == "failed":
        raise typer.Exit(EXIT_FAILED)


def advice(system: System, words: int) -> str:
    """What to do about a mapping of so many words that did not succeed."""
    if system.takes_lexicon:
        once = ", or thousands of them to --system supervised" if system.schedule else ""
        return f"give more pairs{once}, or vectors of more, or more similar, text"
    if words < FEW_WORDS:
        return f"{words:,} words are few to go by: give vectors of thousands, or training pairs"
    pairs = "give some pairs (--system semi-supervised --lexicon FILE)"
    if system.search is None:
        return f"try --system robust, or {pairs}"
    return (
        f"try another --seed or a longer --budget, or {pairs} or vectors of more, or more similar, "
        "text"
    )


def summarise(facts: dict[str, Any], out: str) -> None:
    """Say in a few lines how it went."""
    found = facts["lexicon"]
    objective = facts["objective"]
    seconds = sum(facts["timings"].values())
    rows = [
        (f"{name} pairs", f"{given['used']:,} of {given['pairs']:,} in the vocabularies")
        for name, given in facts["inputs"].items()
        if "used" in given
    ]
    if facts["validation"] is not None:
        rows.append(("validation (nn, last iteration)", f"{facts['validation']:.2f} %"))
    rows += [
        ("verdict", f"{facts['verdict']}: {facts['reason']}"),
        ("iterations", f"{facts['iterations']:,}"),
        ("objective", "-" if objective is None else f"{objective:.4f}"),
        ("dictionary", f"{found['entries']:,} pairs, {found['mutual']:,} of them mutual best"),
        ("time", f"{seconds:.1f} s"),
        ("written to", out),
    ]
    print_table(("system", facts["settings"]["system"]), rows)
