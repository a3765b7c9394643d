"""Options that several commands take, declared once."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from isolex.cli.complete import languages, system_names
from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.errors import UsageError


class Device(StrEnum):
    """Where training and self-learning run."""

    CPU = "cpu"
    CUDA = "cuda"


class Switch(StrEnum):
    """On or off."""

    ON = "on"
    OFF = "off"


class EngineName(StrEnum):
    """Where the work is done."""

    LOCAL = "local"
    DASK = "dask"


OnDevice = Annotated[
    Device,
    typer.Option("--device", help="Where training and self-learning run; cuda needs PyTorch."),
]
EngineOption = Annotated[
    EngineName, typer.Option("--engine", help="This machine, or the workers of a Dask cluster.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="Scheduler of the cluster: tcp://10.0.0.1:8786."
    ),
]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `isolex map` wrote.")]
OptionalFolder = Annotated[
    Path | None,
    typer.Argument(
        metavar="DIR", help="A folder that `isolex map` wrote, unless --vectors is given."
    ),
]
Vectors = Annotated[
    list[str] | None,
    typer.Option(
        "--vectors",
        metavar="FILE",
        help="Vectors that another program mapped, instead of DIR: once per language, as FILE or "
        "NAME=FILE.",
    ),
]
From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="L",
        autocompletion=languages,
        show_default="the first",
        help="Language to translate from.",
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="L",
        autocompletion=languages,
        show_default="the first other",
        help="Language to translate into.",
    ),
]
Reverse = Annotated[bool, typer.Option("--reverse", help="Swap the two languages.")]
Retrieve = Annotated[
    RetrievalMethod | None,
    typer.Option(
        "--retrieval", show_default="the system's own", help="How translations are chosen."
    ),
]
Temperature = Annotated[
    float | None,
    typer.Option(
        "--temperature",
        min=1e-4,
        metavar="T",
        show_default="as fitted by the system, else 1/30",
        help="Temperature of the inverted softmax; lower is sharper.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print only the result, warnings and errors.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        min=1,
        metavar="N",
        show_default="all cores",
        help="Number of threads; does not change the result.",
    ),
]
System_ = Annotated[
    str,
    typer.Option(
        "--system", metavar="NAME", autocompletion=system_names, help="See `isolex systems`."
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
SpellingSwitch = Annotated[
    Switch | None,
    typer.Option(
        "--spelling",
        show_default="on for robust, if the languages are similar enough",
        help="Whether words that are spelled alike are more likely to be paired.",
    ),
]
Silent = Annotated[bool, typer.Option("--quiet", "-q", help="Print only warnings and errors.")]
MaxWords = Annotated[
    int | None,
    typer.Option("--max-words", min=1, metavar="N", help="Read only the N most frequent words."),
]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        show_default="a quarter of RAM",
        help="Memory limit for similarities, such as 4G; if they do not fit, they are computed "
        "twice, with the same result.",
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")]
Lowercase = Annotated[
    bool, typer.Option("--lowercase", help="Lower-case the words of the gold file.")
]


def parse_size(text: str | None) -> int | None:
    """Bytes of a size such as 4G, 500M or 1000000."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if found is None:
        raise UsageError(f"--memory {text}: give a size such as 4G, 500M or 1000000")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))


def is_on(switch: str | None) -> bool | None:
    """A switch as a truth value; ``None`` if it was not given."""
    return None if switch is None else switch == Switch.ON


def check_engine(engine: EngineName, scheduler: str | None) -> None:
    """Refuse a cluster without an address, and an address without a cluster."""
    if (engine == EngineName.DASK) != (scheduler is not None):
        raise UsageError("give --engine dask and --scheduler ADDRESS together")


def check_temperature(method: RetrievalMethod | None, temperature: float | None) -> None:
    """Refuse a temperature for a method that has none, before anything is read."""
    if temperature is not None and method not in (None, RetrievalMethod.INVSOFTMAX):
        raise UsageError("--temperature works only with --retrieval invsoftmax")


def choose_retrieval(
    own: Retrieval, method: RetrievalMethod | None, temperature: float | None
) -> Retrieval:
    """The requested retrieval; what was not requested is as in ``own``."""
    chosen = own.by(method) if method else own
    if temperature is None:
        return chosen
    check_temperature(chosen.method, temperature)
    return replace(chosen, temperature=temperature)
