"""isolex add: one more language for an existing space."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from isolex.cli.console import Reporter, print_json
from isolex.cli.help import epilog
from isolex.cli.options import (
    Budget,
    Cutoff,
    Device,
    Folder,
    Json,
    MaxWords,
    Memory,
    OnDevice,
    Seed,
    Silent,
    SpellingSwitch,
    System_,
    Threads,
    parse_size,
)

EPILOG = epilog(
    "isolex add eu cs.vec.gz",
    "isolex add eu cs=wiki.vec --lexicon en-cs=pairs.txt",
    "isolex add en-es de.vec.gz --budget 2",
    exit_codes=True,
)


def run(
    folder: Folder,
    file: Annotated[
        str, typer.Argument(metavar="NEW", help="Vectors of the new language: FILE or NAME=FILE.")
    ],
    system: System_ = "robust",
    lexicon: Annotated[
        list[str] | None,
        typer.Option(
            "--lexicon",
            metavar="A-B=FILE",
            help="Training pairs of the new language and another one; repeatable.",
        ),
    ] = None,
    seed: Seed = 0,
    max_words: MaxWords = None,
    cutoff: Cutoff = None,
    budget: Budget = None,
    spelling: SpellingSwitch = None,
    threads: Threads = None,
    memory: Memory = None,
    device: OnDevice = Device.CPU,
    json: Json = False,
    quiet: Silent = False,
) -> None:
    """Add a language to the space in DIR.

    The languages already in the space stay exactly where they are: their vectors, maps and
    verdicts do not change, and their original files are not needed. The files in DIR are rewritten
    to include the new language.
    """
    from isolex.cli.add_run import AddRun
    from isolex.cli.map_summary import conclude_addition, summarise

    options = {
        "system": system,
        "seed": seed,
        "max-words": max_words,
        "cutoff": cutoff,
        "budget": budget,
        "spelling": spelling,
    }
    given = {name: value for name, value in options.items() if value is not None}
    add = AddRun.of(folder, file, lexicon or (), given)
    resources = {"threads": threads, "memory": parse_size(memory), "device": device.value}
    began = time.perf_counter()
    facts = add.execute(Reporter(quiet=quiet), resources)
    if json:
        print_json(facts)
    elif not quiet:
        summarise(facts, str(folder), time.perf_counter() - began)
    conclude_addition(facts, add.before, add.system, add.language.name)
