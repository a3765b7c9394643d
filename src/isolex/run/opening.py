"""Open the space of a run folder. Look-ups start here, so this module imports little."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from isolex.core.embeddings import Subwords, Vectors
from isolex.core.file_errors import StrPath
from isolex.core.space import RUN, SPACE, Space
from isolex.core.space_file import read_space
from isolex.errors import InputError


def open_space(folder: StrPath) -> Space:
    """Open a space that `isolex map` or `Space.save` wrote.

    The folder may have been moved, and the original vector files are not needed. Vectors are read
    from disk when they are used.

    Raises:
        InputError: If the folder does not contain a space.
    """
    path = Path(folder)
    if path.is_file():
        raise InputError(f"{path}: is a file; give a folder that `isolex map` wrote")
    if not path.exists():
        raise InputError(f"{path}: no such folder; check the path")
    if not (path / SPACE).is_file():
        raise InputError(f"{path}: no {SPACE}; give a folder that `isolex map` wrote")
    space = read_space(path / SPACE)
    models = _subword_models(path)
    languages = (replace(one, subwords=models.get(one.name)) for one in space)
    return replace(space, languages=tuple(languages)) if models else space


def read_facts(folder: Path) -> dict[str, Any]:
    """The contents of run.json."""
    try:
        run: dict[str, Any] = json.loads((folder / RUN).read_text(encoding="utf-8"))
        for key in ("languages", "settings"):
            run[key]
        for given in run["inputs"]["vectors"].values():
            given["path"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{folder / RUN}: not readable; give a folder that `isolex map` wrote"
        ) from error
    return run


@dataclass(frozen=True)
class FastTextFile:
    """A fastText model on disk, opened when the first word is composed."""

    path: Path

    @cached_property
    def _model(self) -> Subwords | None:
        from isolex import io

        return io.model_of(self.path)

    def compose(self, words: Iterable[str]) -> dict[str, Vectors]:
        """A vector ``(dims,)`` for each word that the model can compose."""
        words = list(words)
        return self._model.compose(words) if words and self._model else {}


def _subword_models(folder: Path) -> dict[str, Subwords]:
    """The fastText models of the languages, if they are still where they were."""
    try:
        inputs = read_facts(folder)["inputs"]["vectors"]
    except InputError:
        return {}
    paths = {name: Path(given["path"]) for name, given in inputs.items() if given.get("subwords")}
    return {name: FastTextFile(path) for name, path in paths.items() if path.is_file()}
