"""isolex map: vector files in, a shared space and a lexicon out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isolex.cli.complete import system_names
from isolex.cli.console import Reporter, print_json, print_table, say
from isolex.cli.help import epilog
from isolex.cli.inputs import WARNINGS, read_languages
from isolex.cli.interrupt import interrupt
from isolex.cli.options import Device, Json, MaxWords, Memory, OnDevice, Threads, parse_size
from isolex.core.choices import Outcome, VectorFormat
from isolex.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from isolex.core.checkpoint import Checkpoint
    from isolex.method.system import System
    from isolex.run.folder import RunFolder
    from isolex.run.inputs import PairsInput, VectorInput

EXIT_FAILED = 1
FEW_WORDS = 500

EPILOG = epilog(
    "isolex map en.vec.gz es.vec.gz --out en-es",
    "isolex map en=wiki.vec es=crawl.vec --out en-es --max-words 50000",
    "isolex map en.vec es.vec --out en-es --system semi-supervised --lexicon pairs.txt",
    files={
        "DIR/space.safetensors": "the shared space: words, mapped vectors, maps, verdict",
        "DIR/lexicon.tsv": "source, target, score, mutual",
        "DIR/NAME.vec": "mapped vectors of each language (.bin with --vectors bin)",
        "DIR/history.tsv": "the iterations of self-learning",
        "DIR/run.json": "settings, versions, inputs, timings, verdict",
        "DIR/report.html": "a report to open in a browser",
    },
    exit_codes=True,
)

System_ = Annotated[
    str,
    typer.Option(
        "--system", metavar="NAME", autocompletion=system_names, help="See `isolex systems`."
    ),
]
PairsFile = Annotated[
    Path | None, typer.Option("--lexicon", metavar="FILE", help="Training pairs, one per line.")
]
ValidationFile = Annotated[
    Path | None,
    typer.Option(
        "--validation", metavar="FILE", help="Pairs to measure accuracy on after each iteration."
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, metavar="N", help="Random seed.")]
Cutoff = Annotated[
    int | None,
    typer.Option(
        "--cutoff",
        min=1,
        metavar="N",
        show_default="10000 for robust, 20000 for most others",
        help="Self-learning uses the N most frequent words of each language.",
    ),
]
Budget = Annotated[
    float | None,
    typer.Option(
        "--budget",
        min=0,
        metavar="MINUTES",
        show_default="10",
        help="Time limit for restarts if the first attempt fails.",
    ),
]
Written = Annotated[VectorFormat, typer.Option("--vectors", help="How mapped vectors are written.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Continue an interrupted run in DIR, if there is one.")
]
Silent = Annotated[bool, typer.Option("--quiet", "-q", help="Print only warnings and errors.")]


def run(
    source: Annotated[str, typer.Argument(metavar="A", help="Vectors of the first language.")],
    target: Annotated[str, typer.Argument(metavar="B", help="Vectors of the second language.")],
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="The folder to write.")],
    system: System_ = "robust",
    lexicon: PairsFile = None,
    validation: ValidationFile = None,
    seed: Seed = 0,
    max_words: MaxWords = None,
    cutoff: Cutoff = None,
    budget: Budget = None,
    vectors: Written = VectorFormat.TEXT,
    threads: Threads = None,
    memory: Memory = None,
    device: OnDevice = Device.CPU,
    resume: Resume = False,
    json: Json = False,
    quiet: Silent = False,
) -> None:
    """Map two languages into one space and build a lexicon.

    A language is named after its file up to the first dot, or as given: en=wiki.vec. The verdict
    says, without gold data, whether it worked: succeeded, doubtful or failed.

    An interrupted run continues with --resume and the same inputs and options, to the same result.
    Progress is saved every 20 seconds, but not before training is complete. A finished run in DIR
    is replaced as a whole.
    """
    from isolex.core.files import tidied
    from isolex.kernels.parallel import use_threads
    from isolex.run.folder import RunFolder
    from isolex.run.inputs import LanguageFile, PairsInput
    from isolex.systems.align import configure

    if not out:
        raise UsageError("--out is empty: give the folder to write")
    languages = LanguageFile.parse_all([source, target])
    given = {"lexicon": lexicon, "validation": validation}
    pairs = {role: PairsInput.read(path) for role, path in given.items() if path is not None}
    seed_pairs, gold = (pairs[role].pairs if role in pairs else None for role in given)
    configured = configure(
        system, lexicon=seed_pairs, validation=gold, cutoff=cutoff, budget=budget
    )
    options = {"max-words": max_words, "cutoff": cutoff, "budget": budget}
    options = {name: value for name, value in options.items() if value is not None}
    folder, reporter = RunFolder(Path(out)), Reporter(quiet=quiet)
    run = Run(folder, configured, pairs, seed, vectors, parse_size(memory), device.value, options)
    interrupt.advice = lambda: how_to_continue(kept=resume)
    with use_threads(threads), tidied(folder.path):
        began = time.perf_counter()
        inputs = read_languages(languages, reporter, max_words)
        timings = {"read": time.perf_counter() - began}
        facts = run.execute(inputs, timings, reporter, resume=resume)
    interrupt.advice = lambda: ""
    if json:
        print_json(facts)
    elif not quiet:
        summarise(facts, out)
    conclude(facts, configured, min(len(one.embeddings) for one in inputs))


@dataclass(frozen=True)
class Run:
    """A run of `isolex map` into a folder."""

    folder: RunFolder
    system: System
    pairs: Mapping[str, PairsInput]
    seed: int
    written: VectorFormat
    memory: int | None
    device: str
    options: Mapping[str, Any]

    def execute(
        self,
        inputs: list[VectorInput],
        timings: dict[str, float],
        reporter: Reporter,
        *,
        resume: bool,
    ) -> dict[str, Any]:
        """Align and write, unless this very run is finished already; returns run.json."""
        # All imports come before the folder is created. If a signal arrives while a module defines
        # dataclasses, CPython ends with the exit code of an unhandled interrupt.
        import isolex.cli.heeding
        import isolex.run.results
        import isolex.web.report  # noqa: F401
        from isolex.adapters import extras
        from isolex.run import checkpoint
        from isolex.run.inputs import describe, fingerprint

        extras.require(self.system.extras, f"system {self.system.name!r}")
        self.folder.prepare(inputs, self.written, [one.path for one in self.pairs.values()])
        settings = self.system.describe() | {"seed": self.seed}
        identity = fingerprint(settings, describe(inputs, self.pairs))
        saved = self.folder.checkpoint
        interrupt.advice = lambda: how_to_continue(kept=checkpoint.fits(saved, identity))
        start = checkpoint.load(saved, identity) if resume else None
        if resume and start is None:
            done = self.folder.finished(identity, self.written)
            if done is not None:
                reporter.note(f"{self.folder.path}: this run is already finished")
                return done
        if start is not None:
            reporter.note(f"continuing after iteration {start.solution.iterations}")
        elif resume:
            reporter.note(f"{self.folder.path}: nothing to continue, starting from the beginning")
        saver = checkpoint.CheckpointSaver(saved, identity)
        return self._align(inputs, timings, reporter, saver, start)

    def _align(
        self,
        inputs: list[VectorInput],
        timings: dict[str, float],
        reporter: Reporter,
        saver: Any,
        start: Checkpoint | None,
    ) -> dict[str, Any]:
        from isolex.cli.heeding import Heeding
        from isolex.core.observer import Observers
        from isolex.run.results import Results
        from isolex.systems.align import align
        from isolex.web.report import render

        space = align(
            inputs[0].embeddings,
            inputs[1].embeddings,
            self.system,
            lexicon=self._pairs("lexicon"),
            validation=self._pairs("validation"),
            seed=self.seed,
            memory=self.memory,
            device=self.device,
            progress=reporter.shown,
            observer=Observers(Heeding(), saver),
            resume=start,
        )
        began = time.perf_counter()
        with reporter.task("building the lexicon") as tick:
            found = space.lexicon(tick=tick)
        timings |= {"lexicon": time.perf_counter() - began}
        saver.finish()
        results = Results(space, found, inputs, self.pairs, timings, self.options)
        with reporter.task("writing") as tick:
            return self.folder.write(results, self.written, render, tick)

    def _pairs(self, role: str) -> list[tuple[str, str]] | None:
        given = self.pairs.get(role)
        return given.pairs if given else None


def how_to_continue(*, kept: bool) -> str:
    """What to do after a run was interrupted."""
    return "continue with --resume" if kept else "nothing was saved yet, start again"


def conclude(facts: dict[str, Any], system: System, words: int) -> None:
    """Warn about the result, even with --quiet; a failed verdict is the exit code."""
    if facts["attempts"] and not facts["attempts"][-1]["finished"]:
        say("restarts were cut short: the time limit (--budget) was reached")
    if facts["verdict"] in WARNINGS:
        say(f"{WARNINGS[facts['verdict']]}; {advice(system, words)}")
    if facts["verdict"] == Outcome.FAILED:
        raise typer.Exit(EXIT_FAILED)


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
    found, objective = facts["lexicon"], facts["objective"]
    rows = [
        (f"{role} pairs", f"{given['used']:,} of {given['pairs']:,} in the vocabularies")
        for role, given in facts["inputs"].items()
        if role != "vectors"
    ]
    if facts["validation"] is not None:
        rows.append(("validation (nn, last iteration)", f"{facts['validation']:.2f} %"))
    rows += [
        ("verdict", f"{facts['verdict']}: {facts['reason']}"),
        ("iterations", f"{facts['iterations']:,}"),
        ("objective", "-" if objective is None else f"{objective:.4f}"),
        ("lexicon", f"{found['entries']:,} pairs, {found['mutual']:,} of them mutual best"),
        ("time", f"{sum(facts['timings'].values()):.1f} s"),
        ("written to", out),
    ]
    print_table(("system", facts["settings"]["system"]), rows)
