"""Options that several cases take, declared once."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence

RUNS = 5


def positive(text: str) -> int:
    """Parse a whole number of at least 1."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return value


def runs(parser: ArgumentParser, rival: int | None = None) -> None:
    """Number of runs; ``rival`` is the default for a rival that is too slow for as many."""
    parser.add_argument(
        "--runs", type=positive, default=RUNS, metavar="N", help="number of runs; the median counts"
    )
    if rival is not None:
        parser.add_argument(
            "--rival-runs",
            type=positive,
            default=rival,
            metavar="N",
            help="highest number of runs of the rival",
        )


def size(parser: ArgumentParser, words: int, dims: int = 300) -> None:
    """The size of a planted pair."""
    parser.add_argument(
        "--size", type=positive, default=words, metavar="N", help="words per language"
    )
    _dims_and_seed(parser, dims)


def sizes(parser: ArgumentParser, words: Sequence[int], dims: int = 300) -> None:
    """Several sizes of a planted pair."""
    parser.add_argument(
        "--size",
        type=positive,
        nargs="+",
        default=list(words),
        metavar="N",
        help="words per language",
    )
    _dims_and_seed(parser, dims)


def _dims_and_seed(parser: ArgumentParser, dims: int) -> None:
    parser.add_argument("--dims", type=positive, default=dims, metavar="D", help="dimensions")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the vectors")


def head(parser: ArgumentParser) -> None:
    """A smaller size of a real dataset, to try a case."""
    parser.add_argument(
        "--size", type=positive, metavar="N", help="only the N most frequent words per language"
    )


def iterations(parser: ArgumentParser, count: int) -> None:
    """How many iterations of VecMap are timed before it is stopped."""
    parser.add_argument(
        "--iterations",
        type=positive,
        default=count,
        metavar="N",
        help="iterations of VecMap that are timed",
    )
