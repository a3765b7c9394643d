"""The inputs of a run: vector files and files of word pairs, with what identifies them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from isolex import io
from isolex.core.embeddings import Embeddings, language_name
from isolex.core.file_errors import StrPath, refuse
from isolex.core.files import stamp
from isolex.core.lexicon import match
from isolex.core.pair import pair_labels
from isolex.errors import UsageError
from isolex.kernels.parallel import side_by_side
from isolex.kernels.types import Tick
from isolex.method.system import active


@dataclass(frozen=True)
class LanguageFile:
    """A vector file and the name of its language, as given on the command line."""

    name: str
    path: Path

    @classmethod
    def parse(cls, given: str) -> LanguageFile:
        """From ``FILE`` or ``NAME=FILE``."""
        name, equals, path = given.partition("=")
        if not equals or Path(given).exists():
            name, path = language_name(given), given
        if not name or not path or set("/\\") & set(name):
            raise UsageError(f"{given}: give a vector file, or NAME=FILE such as en=wiki.vec")
        return cls(name, Path(path))

    @classmethod
    def parse_all(cls, given: Sequence[str]) -> list[LanguageFile]:
        """Parse several; their names must differ."""
        languages = [cls.parse(one) for one in given]
        for place, one in enumerate(languages):
            if one.name in [other.name for other in languages[:place]]:
                raise UsageError(
                    f"two languages are called {one.name!r}: name them with NAME=FILE, such as "
                    f"{one.name}2={one.path}"
                )
        try:
            pair_labels(one.name for one in languages)
        except UsageError as error:
            raise UsageError(f"{error}, with NAME=FILE") from error
        return languages


@dataclass(frozen=True)
class VectorInput:
    """A vector file that was read, and the file of co-occurrence counts of its text, if any."""

    path: Path
    embeddings: Embeddings
    repairs: str = ""
    counts: Path | None = None

    @classmethod
    def read(
        cls,
        path: StrPath,
        max_words: int | None = None,
        tick: Tick | None = None,
        *,
        name: str | None = None,
    ) -> VectorInput:
        """Read a vector file and remember where it came from."""
        embeddings, repairs = io.read(path, max_words=max_words, tick=tick)
        named = embeddings if name is None else embeddings.named(name)
        return cls(Path(path).absolute(), named, repairs.describe(path))

    @classmethod
    def read_words(
        cls, path: StrPath, words: Sequence[str], tick: Tick | None = None
    ) -> tuple[VectorInput, list[str]]:
        """Read the vectors of some words; returns also the words that have none.

        A fastText model composes the vectors of words it has not seen.
        """
        repairs = ""
        if (model := io.model_of(path)) is not None:
            found = model.compose(words)
        else:
            given = cls.read(path, tick=tick)
            found, repairs = given.embeddings.compose(words), given.repairs
        missing = [word for word in words if word not in found]
        if not found:
            raise refuse(path, "contains none of the requested words; is this the right file?")
        made = Embeddings.from_numpy(found, np.stack(list(found.values())))
        return cls(Path(path).absolute(), made, repairs), missing

    @classmethod
    def read_all(
        cls,
        languages: Sequence[LanguageFile],
        max_words: int | None = None,
        tick: Tick | None = None,
    ) -> list[VectorInput]:
        """Read several vector files, at the same time if all of them are plain files."""
        tasks = [partial(_read, language, max_words) for language in languages]
        # Pipes may wait for one another.
        at_once = all(stamp(language.path) is not None for language in languages)
        return side_by_side(tasks, tick, at_once=at_once)

    def with_counts(self, path: Path) -> VectorInput:
        """The same with the co-occurrence counts in a file."""
        try:
            counted = self.embeddings.with_counts(io.read_counts(path))
        except UsageError as error:
            raise refuse(path, str(error)) from error
        return replace(self, embeddings=counted, counts=path.absolute())

    def describe(self) -> dict[str, Any]:
        """Plain values for run.json."""
        counts = self.embeddings.counts
        about = counts and {"path": str(self.counts), "sha256": counts.checksum}
        return {
            **({"counts": about} if about else {}),
            "path": str(self.path),
            "words": len(self.embeddings),
            "dims": self.embeddings.dims,
            "words_sha256": self.embeddings.words_checksum,
            "vectors_sha256": self.embeddings.vectors_checksum,
            "subwords": self.embeddings.subwords is not None,
            "repairs": self.repairs,
        }


def _read(language: LanguageFile, max_words: int | None, tick: Tick | None) -> VectorInput:
    return VectorInput.read(language.path, max_words, tick, name=language.name)


@dataclass(frozen=True)
class PairsInput:
    """A file of word pairs that was read.

    Attributes:
        path: The file.
        pairs: The pairs.
        languages: The language of the first word of each pair, and the language of the second.
    """

    path: Path
    pairs: list[tuple[str, str]]
    languages: tuple[str, str]

    @classmethod
    def parse(cls, given: str, names: Sequence[str]) -> PairsInput:
        """Read what was given as ``A-B=FILE``, or as ``FILE`` if there are only two languages."""
        for label, languages in pair_labels(names).items():
            path = given.removeprefix(f"{label}=")
            if path not in ("", given):
                return cls(Path(path).absolute(), io.read_pairs(path), languages)
        if len(names) == 2:
            return cls(Path(given).absolute(), io.read_pairs(given), (names[0], names[1]))
        example = f"{names[0]}-{names[-1]}={given.rpartition('=')[2] or 'FILE'}"
        raise UsageError(
            f"{given}: say which languages the word pairs belong to, such as {example}"
        )

    @classmethod
    def parse_all(cls, given: Sequence[str], names: Sequence[str]) -> list[PairsInput]:
        """Parse several; each must belong to a different pair of languages."""
        found = [cls.parse(one, names) for one in given]
        for place, one in enumerate(found):
            if any(set(one.languages) == set(other.languages) for other in found[:place]):
                raise UsageError(
                    f"{given[place]}: a second file for {' and '.join(one.languages)}; put all "
                    "their word pairs into one file"
                )
        return found

    @property
    def label(self) -> str:
        """The names of the two languages."""
        return "-".join(self.languages)

    def describe(self, source: Embeddings, target: Embeddings) -> dict[str, Any]:
        """Plain values for run.json: how many pairs there are, and how many were usable."""
        text = "".join(f"{source}\t{target}\n" for source, target in self.pairs)
        return {
            "path": str(self.path),
            "pairs": len(self.pairs),
            "used": len(match(self.pairs, source, target)[0]),
            "sha256": sha256(text.encode("utf-8", "surrogateescape")).hexdigest(),
        }


PairFiles = Mapping[str, Sequence[PairsInput]]
"""Files of word pairs by their role, ``lexicon`` or ``validation``."""


def describe(
    vectors: Sequence[VectorInput], pairs: PairFiles, known: Iterable[Embeddings] = ()
) -> dict[str, Any]:
    """All inputs as plain values: ``vectors`` by language, and the files of pairs by their role.

    With more than two languages, the files of a role are listed by their languages.

    Args:
        vectors: The vector files.
        pairs: The files of word pairs.
        known: Languages that were in the space before; pairs may include them.
    """
    languages = {one.name: one for one in (*known, *(given.embeddings for given in vectors))}
    described: dict[str, Any] = {
        "vectors": {given.embeddings.name: given.describe() for given in vectors}
    }
    for role, files in pairs.items():
        about = {
            one.label: one.describe(*(languages[name] for name in one.languages)) for one in files
        }
        described[role] = about if len(languages) > 2 else about.popitem()[1]
    return described


def pair_files(inputs: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The role, the languages if there are more than two, and the facts of each file of pairs.

    Args:
        inputs: Inputs as `describe` returns them.
    """
    for role, about in inputs.items():
        if role == "vectors":
            continue
        files = {"": about} if "path" in about else about
        for label, one in files.items():
            yield role, label, one


def extended(before: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of a run to which a language was added.

    Args:
        before: The inputs of the run, as `describe` returns them.
        new: The inputs of the addition.
    """
    names = list(before["vectors"])
    inputs: dict[str, Any] = {"vectors": {**before["vectors"], **new["vectors"]}}
    for given in (before, new):
        for role, label, one in pair_files(given):
            inputs.setdefault(role, {})[label or f"{names[0]}-{names[1]}"] = one
    return inputs


def fingerprint(settings: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What identifies a run: its settings and the checksums of its inputs, but not their paths."""
    return {
        "settings": active(dict(settings)),
        "languages": list(inputs["vectors"]),  # equal dicts may differ in their order
        "inputs": _checksums(inputs),
    }


def _checksums(described: Any) -> Any:
    """Of described inputs only the checksums."""
    if not isinstance(described, Mapping):
        return described
    return {
        name: _checksums(value)
        for name, value in described.items()
        if isinstance(value, Mapping) or name.endswith("sha256")
    }
