"""Options that several cases take, declared once."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

RUNS = 5


def positive(text: str) -> int:
    """A whole number from one up."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from one up")
    return value


def runs(parser: ArgumentParser, rival: int | None = None) -> None:
    """How often each side is measured; ``rival`` is for a rival too slow for as many."""
    parser.add_argument("--runs", type=positive, default=RUNS, metavar="N", help="median of N runs")
    if rival is not None:
        parser.add_argument(
            "--rival-runs", type=positive, default=rival, metavar="N", help="at most, of the rival"
        )


def size(parser: ArgumentParser, words: int, dims: int = 300) -> None:
    """The size of a made-up pair."""
    parser.add_argument("--size", type=positive, default=words, metavar="N", help="words a side")
    parser.add_argument("--dims", type=positive, default=dims, metavar="D", help="dimensions")
    parser.add_argument("--seed", type=int, default=0, help="of the made-up vectors")


def head(parser: ArgumentParser) -> None:
    """A smaller size of a real pair, to try a case out."""
    parser.add_argument(
        "--size", type=positive, metavar="N", help="only the N most frequent words a side"
    )


def iterations(parser: ArgumentParser, count: int) -> None:
    """How many iterations of VecMap are timed before it is stopped."""
    parser.add_argument(
        "--iterations", type=positive, default=count, metavar="N", help="of VecMap, then stop it"
    )
