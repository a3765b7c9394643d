"""Options that several commands take, declared once."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.core.retrieval import Retrieval


class Method(StrEnum):
    """The retrieval methods; the names of `isolex.core.choices.Method`, without its imports."""

    NN = "nn"
    CSLS = "csls"
    INVSOFTMAX = "invsoftmax"
    INVNN = "invnn"
    GC = "gc"


class SideName(StrEnum):
    """The two sides of a mapping."""

    SRC = "src"
    TRG = "trg"


class Device(StrEnum):
    """Where training and self-learning run."""

    CPU = "cpu"
    CUDA = "cuda"


OnDevice = Annotated[
    Device,
    typer.Option("--device", help="Where training and self-learning run; cuda needs PyTorch."),
]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `isolex map` wrote.")]
OptionalSrc = Annotated[
    Path | None, typer.Option("--src", metavar="FILE", help="Where the source vectors are now.")
]
OptionalTrg = Annotated[
    Path | None, typer.Option("--trg", metavar="FILE", help="Where the target vectors are now.")
]
Retrieve = Annotated[
    Method | None,
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
        show_default="the system's own, 1/30 where it fits none",
        help="Of the inverted softmax: lower is sharper.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Beside the result only warnings and errors.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads", min=1, metavar="N", show_default="all cores", help="Workers; same result."
    ),
]
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
        help="Room for all similarities, such as 4G; past it they are computed twice.",
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")]
Lowercase = Annotated[
    bool, typer.Option("--lowercase", help="Lower-case the words of the file before look-up.")
]


def parse_size(text: str | None) -> int | None:
    """Bytes of a size such as 4G, 500M or 1000000."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if found is None:
        raise UsageError(f"--memory {text}: give a size such as 4G, 500M or 1000000")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))


def check_temperature(method: Method | None, temperature: float | None) -> None:
    """Refuse a temperature for what has none, before anything is read."""
    if temperature is not None and method not in (None, Method.INVSOFTMAX):
        raise UsageError("--temperature belongs to --retrieval invsoftmax")


def retrieval(own: Retrieval, method: Method | None, temperature: float | None) -> Retrieval:
    """What was asked for; what was not is as in ``own``, the system's."""
    chosen = own.by(method.value) if method else own
    if temperature is None:
        return chosen
    if chosen.method.value != Method.INVSOFTMAX.value:
        raise UsageError("--temperature belongs to --retrieval invsoftmax")
    return replace(chosen, temperature=temperature)
