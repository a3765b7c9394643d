"""What was prepared for a mapping, kept in its cache: it may be deleted, but never be wrong."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from isolex.core.files import write_bytes
from isolex.errors import IsolexError
from isolex.kernels.survey import Surveyed
from isolex.run.folder import CACHE, MAPPING
from isolex.web.explorer.asking import WIDTH
from isolex.web.explorer.atlas import Atlas

FORMAT, VERSION = "isolex-explorer", 1
PARTS = ("nearest", "similarities", "sums")


@dataclass(frozen=True)
class Kept:
    """The file in which the preparations of one mapping are kept.

    Attributes:
        path: Where it is.
        mark: What tells the mapping from others, and this way to prepare it.
    """

    path: Path
    mark: str

    @classmethod
    def of(cls, atlas: Atlas) -> Kept:
        """The file of an atlas, in the cache of its folder."""
        told = (FORMAT, VERSION, WIDTH, atlas.retrieval)
        mark = sha256((atlas.folder / MAPPING).read_bytes() + repr(told).encode()).hexdigest()
        return cls(atlas.folder / CACHE / "explorer.safetensors", mark)

    def save(self, atlas: Atlas) -> None:
        """Keep what is ready, if it can be done."""
        from safetensors.numpy import save

        tensors: dict[str, Any] = {}
        for language in (atlas.source, atlas.target):
            if language.known.surveyed is not None:
                for name, values in zip(PARTS, language.known.surveyed, strict=True):
                    tensors[f"{language.side}.{name}"] = np.ascontiguousarray(values)
            if language.known.liked is not None:
                tensors[f"{language.side}.liked"] = language.known.liked
        facts = {"mark": self.mark}
        with suppress(OSError, IsolexError):
            self.path.parent.mkdir(exist_ok=True)
            write_bytes(self.path, save(tensors, {"isolex": json.dumps(facts)}))

    def load(self, atlas: Atlas) -> None:
        """Give an atlas what was kept of it."""
        from safetensors import SafetensorError, safe_open

        with (
            suppress(OSError, SafetensorError, ValueError, KeyError),
            safe_open(self.path, framework="numpy") as file,
        ):
            facts = json.loads((file.metadata() or {}).get("isolex", "{}"))
            if facts.get("mark") != self.mark:
                return
            names = set(file.keys())
            for language in (atlas.source, atlas.target):
                side = language.side
                if f"{side}.sums" in names:
                    parts = [file.get_tensor(f"{side}.{name}") for name in PARTS]
                    language.known.take(Surveyed(*parts), atlas.retrieval.neighbours)
                if f"{side}.liked" in names:
                    language.known.liked = file.get_tensor(f"{side}.liked")
