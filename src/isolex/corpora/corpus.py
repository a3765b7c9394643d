"""A corpus: plain-text files, read once into lines of words and the count of each word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TextIO

from isolex.core.files import StrPath, refuse, refuse_os
from isolex.corpora.text import Tokeniser
from isolex.errors import InputError, UsageError
from isolex.io.streams import Stream, Tick

_BLOCK = 1 << 20
_LONGEST = 1 << 24  # bytes without a line's end that are waited for; a space serves after that
_SENTENCE = 1000  # words; what is longer, such as a book on one line, is cut
_MOST_WORDS = 20_000_000  # different words that are counted at a time
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Corpus:
    """Text that is ready for training.

    Attributes:
        path: Plain text: a sentence a line, its words separated by spaces.
        counts: How often each word occurs; the rarest may be gone from a huge vocabulary.
        sentences: Lines.
        words: Words in all.
    """

    path: Path
    counts: Counter[str]
    sentences: int
    words: int

    @classmethod
    def read(
        cls,
        files: Sequence[StrPath],
        path: Path,
        tokeniser: Tokeniser | None = None,
        tick: Tick | None = None,
    ) -> Self:
        """Read text files into ``path``, without holding more than a piece of them in memory.

        Args:
            files: UTF-8 text, also under ``.gz``, ``.bz2``, ``.xz`` or ``.zst``; a line is a
                sentence.
            path: The file to write.
            tokeniser: Says what a word is.
            tick: Told the share of the bytes that is read, in [0, 1].

        Raises:
            InputError: If a file is not text, or there is not one word in all of them.
        """
        corpus = cls.of(sentences(files, tokeniser or Tokeniser(), tick), path)
        if not corpus.words:
            raise InputError(f"{', '.join(map(str, files))}: no words in it; give text")
        return corpus

    @classmethod
    def of(cls, lines: Iterator[list[str]], path: Path) -> Self:
        """Write sentences to ``path`` and count their words."""
        counts = _Counts()
        try:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                return cls(path, counts.words, *_write(lines, file, counts))
        except OSError as error:
            raise refuse_os(path, error) from error

    def lines(self, tick: Tick | None = None) -> Iterator[list[str]]:
        """The sentences, again; ``tick`` is told the share that is done."""
        tick = tick or (lambda _: None)
        with self.path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file):
                if number % 1000 == 0:
                    tick(number / self.sentences)
                yield line.split()


def find_files(given: Sequence[Path]) -> list[Path]:
    """The files that are named, and those in the folders that are, in order of their names."""
    found: list[Path] = []
    for path in given:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(part for part in path.rglob("*") if part.is_file() and _visible(part, path))
        if not inside:
            raise refuse(path, "a folder without files; put text files into it")
        found += inside
    if not found:
        raise UsageError("no corpus; name text files or a folder of them")
    return found


def sentences(
    files: Sequence[StrPath], tokeniser: Tokeniser, tick: Tick | None = None
) -> Iterator[list[str]]:
    """The words of each line of each file; long lines are cut, those without words left out."""
    tick = tick or (lambda _: None)
    sizes = [Path(file).stat().st_size if Path(file).is_file() else 0 for file in files]
    total, before = max(1, sum(sizes)), 0
    for file, size in zip(files, sizes, strict=True):
        with Stream(file) as stream:
            for text in _texts(stream):
                for line in tokeniser.clean(text).splitlines():
                    words = tokeniser.words(line)
                    for start in range(0, len(words), _SENTENCE):
                        yield words[start : start + _SENTENCE]
                tick((before + stream.done * size) / total)
        before += size


class _Counts:
    """Counts of words in bounded memory: where there are too many, the rarest are forgotten."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()
        self._floor = 1

    def add(self, words: list[str]) -> None:
        self.words.update(words)
        if len(self.words) <= _MOST_WORDS:
            return
        for word in [word for word, count in self.words.items() if count <= self._floor]:
            del self.words[word]
        self._floor += 1


def _write(lines: Iterator[list[str]], file: TextIO, counts: _Counts) -> tuple[int, int]:
    number = words = 0
    for line in lines:
        file.write(" ".join(line) + "\n")
        counts.add(line)
        number += 1
        words += len(line)
    return number, words


def _texts(stream: Stream) -> Iterator[str]:
    """Pieces of a file, each of whole lines if these are not too long."""
    head = stream.peek(_BLOCK)
    if head.startswith(_UTF16):
        raise refuse(stream.path, "UTF-16 text; convert it to UTF-8")
    lines = 0
    rest = b""
    while piece := stream.read(_BLOCK):
        rest += piece
        cut = rest.rfind(b"\n") + 1
        if not cut and len(rest) > _LONGEST:
            cut = rest.rfind(b" ") + 1 or _refuse_endless(stream.path)
        if cut:
            yield _decoded(stream.path, rest[:cut], lines)
            lines += rest.count(b"\n", 0, cut)
            rest = rest[cut:]
    if rest:
        yield _decoded(stream.path, rest, lines)


def _decoded(path: StrPath, block: bytes, lines: int) -> str:
    if (found := block.find(b"\0")) >= 0:
        line = lines + block.count(b"\n", 0, found) + 1
        raise refuse(path, "a zero byte: not a text file; check the path", line)
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        line = lines + block.count(b"\n", 0, error.start) + 1
        what = "not UTF-8; convert it, such as with iconv -f latin1 -t utf-8"
        raise refuse(path, what, line) from error


def _refuse_endless(path: StrPath) -> int:
    raise refuse(path, "a line without end and without spaces: not a text; check the path")


def _visible(path: Path, folder: Path) -> bool:
    return not any(part.startswith(".") for part in path.relative_to(folder).parts)
