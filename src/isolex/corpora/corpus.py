"""Read plain-text files once into a file of tokenised sentences, and count the words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from isolex.core.file_errors import StrPath, refuse, refuse_os
from isolex.corpora.text import Tokeniser
from isolex.errors import InputError, UsageError
from isolex.io.streams import Stream, Tick

_BLOCK_BYTES = 1 << 20
_MAX_LINE_BYTES = 1 << 24  # longer lines are split at a space, to bound memory
_MAX_SENTENCE_WORDS = 1000  # longer sentences, such as a book on one line, are split
_MAX_COUNTED_WORDS = 20_000_000
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Corpus:
    """Tokenised text, ready for training.

    Attributes:
        path: Text file with one sentence per line and spaces between words.
        counts: Number of occurrences of each word. If the vocabulary is huge, the rarest words are
            missing.
        sentences: Number of lines.
        words: Total number of words.
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
        """Tokenise text files and write the sentences to ``path``, block by block.

        Args:
            files: UTF-8 text, plain or compressed (``.gz``, ``.bz2``, ``.xz``, ``.zst``), one
                sentence per line.
            path: File to write.
            tokeniser: Splits lines into words; the default is ``Tokeniser()``.
            tick: Called with the fraction of the bytes read so far, in [0, 1].

        Raises:
            InputError: If a file is not text, or if the files contain no words.
        """
        corpus = cls.from_sentences(_read_sentences(files, tokeniser or Tokeniser(), tick), path)
        if not corpus.words:
            raise InputError(
                f"{', '.join(map(str, files))}: no words found; check that this is plain text"
            )
        return corpus

    @classmethod
    def from_sentences(cls, sentences: Iterable[list[str]], path: Path) -> Self:
        """Write sentences to ``path`` and count their words."""
        counter = _WordCounter()
        lines = words = 0
        try:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                for sentence in sentences:
                    file.write(" ".join(sentence) + "\n")
                    counter.add(sentence)
                    lines += 1
                    words += len(sentence)
        except OSError as error:
            raise refuse_os(path, error) from error
        return cls(path, counter.counts, lines, words)

    def lines(self, tick: Tick | None = None) -> Iterator[list[str]]:
        """Yield the words of each sentence; call ``tick`` with the fraction done, in [0, 1]."""
        tick = tick or (lambda _: None)
        with self.path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file):
                if number % 1000 == 0:
                    tick(number / self.sentences)
                yield line.split()


def find_files(paths: Sequence[Path]) -> list[Path]:
    """List the given files and, sorted by name, all files in the given folders.

    Hidden files and folders are skipped.
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        inside = sorted(
            file for file in path.rglob("*") if file.is_file() and not _is_hidden(file, path)
        )
        if not inside:
            raise refuse(path, "the folder contains no files; add text files or name another")
        files += inside
    if not files:
        raise UsageError("no corpus given; name text files or folders of text files")
    return files


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _read_sentences(
    files: Sequence[StrPath], tokeniser: Tokeniser, tick: Tick | None
) -> Iterator[list[str]]:
    """Yield the words of each line of each file; split long lines, skip lines without words."""
    tick = tick or (lambda _: None)
    sizes = [Path(file).stat().st_size if Path(file).is_file() else 0 for file in files]
    total, before = max(1, sum(sizes)), 0
    for file, size in zip(files, sizes, strict=True):
        with Stream(file) as stream:
            for text in _decoded_blocks(stream):
                for line in tokeniser.clean(text).splitlines():
                    words = tokeniser.words(line)
                    for start in range(0, len(words), _MAX_SENTENCE_WORDS):
                        yield words[start : start + _MAX_SENTENCE_WORDS]
                tick((before + stream.done * size) / total)
        before += size


class _WordCounter:
    """Counts words in bounded memory: if there are too many words, it drops the rarest."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._drop_up_to = 1

    def add(self, words: list[str]) -> None:
        self.counts.update(words)
        if len(self.counts) <= _MAX_COUNTED_WORDS:
            return
        for word in [word for word, count in self.counts.items() if count <= self._drop_up_to]:
            del self.counts[word]
        self._drop_up_to += 1


def _decoded_blocks(stream: Stream) -> Iterator[str]:
    """Yield the text in blocks that end at a line break, or at a space if a line is too long."""
    if stream.peek(_BLOCK_BYTES).startswith(_UTF16_MARKS):
        raise refuse(stream.path, "the text is UTF-16; convert it to UTF-8")
    lines = 0
    rest = b""
    while block := stream.read(_BLOCK_BYTES):
        rest += block
        end = rest.rfind(b"\n") + 1
        if not end and len(rest) > _MAX_LINE_BYTES:
            end = rest.rfind(b" ") + 1
            if not end:
                what = f"no line break or space in {len(rest):,} bytes, so it is not text"
                raise refuse(stream.path, f"{what}; check the path")
        if end:
            yield _decode(stream.path, rest[:end], lines)
            lines += rest.count(b"\n", 0, end)
            rest = rest[end:]
    if rest:
        yield _decode(stream.path, rest, lines)


def _decode(path: StrPath, block: bytes, lines_before: int) -> str:
    if (zero := block.find(b"\0")) >= 0:
        line = lines_before + block.count(b"\n", 0, zero) + 1
        raise refuse(path, "contains a zero byte, so it is not text; check the path", line)
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        line = lines_before + block.count(b"\n", 0, error.start) + 1
        what = "not valid UTF-8; convert it, for example with iconv -f latin1 -t utf-8"
        raise refuse(path, what, line) from error
