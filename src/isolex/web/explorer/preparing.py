"""What takes time and need not be waited for: it is done beside the answers, and then kept."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from threading import Event, Lock, Thread, get_native_id

from isolex.kernels.parallel import available_threads, use_threads
from isolex.kernels.similarity import log_sum_exp, topk
from isolex.kernels.survey import STEEPEST, survey
from isolex.kernels.types import Tick, part
from isolex.web.explorer.asking import WIDTH
from isolex.web.explorer.atlas import Atlas
from isolex.web.explorer.kept import Kept

NICENESS = 10
PATIENCE = 2.0
"""Seconds that the end waits for a preparation to notice; other programs may starve it."""


class _StoppedError(Exception):
    """Ends a preparation that nobody waits for any more."""


@dataclass(frozen=True)
class Step:
    """A step of the preparation: its name, and what does it."""

    name: str
    work: Callable[[Tick], None]


class Preparation:
    """Prepares mappings one after the other in a thread that gives way to the answers.

    Args:
        atlases: The mappings, each with the file that keeps what was prepared of it.
        show: Given the name of a step, shows how far it has come.
        note: Told when everything is done, if there was something to do.
    """

    def __init__(
        self,
        atlases: Sequence[tuple[Atlas, Kept | None]],
        show: Callable[[str], AbstractContextManager[Tick | None]] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> None:
        self._atlases = atlases
        self._show = show or (lambda _: nullcontext())
        self._note = note or (lambda _: None)
        self._stop = Event()
        self._writing = Lock()
        self._thread = Thread(target=self._run, name="preparation", daemon=True)
        self._done: set[str] = set()
        self._now: tuple[str, float] = ("", 0.0)
        self._failures: dict[str, str] = {}

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End as soon as can be; what is being written is written."""
        self._stop.set()
        self.wait(PATIENCE)
        with self._writing:
            pass

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        if self._thread.is_alive():
            self._thread.join(seconds)

    @property
    def done(self) -> bool:
        """Whether all mappings are prepared."""
        return len(self._done) == len(self._atlases)

    def status(self, atlas: Atlas) -> str:
        """How far it has come with a mapping, as a predicate of a method that is not ready."""
        if why := self.failure(atlas):
            return f"could not be prepared: {why}"
        slug, share = self._now
        return f"is being prepared ({share if slug == atlas.slug else 0:.0%}): ask again later"

    def failure(self, atlas: Atlas) -> str | None:
        """Why a mapping will not be prepared, if so."""
        return self._failures.get(atlas.slug)

    def _run(self) -> None:
        _give_way()
        began = time.perf_counter()
        try:
            with use_threads(helpers()):
                did = [self._try(atlas, kept) for atlas, kept in self._atlases]
        except _StoppedError:
            return
        if any(did):
            self._note(f"all methods are ready, after {time.perf_counter() - began:.0f} s")

    def _try(self, atlas: Atlas, kept: Kept | None) -> bool:
        """Prepare a mapping; one that cannot be, for want of memory say, is no reason to stop."""
        try:
            return self._prepare(atlas, kept)
        except _StoppedError:
            raise
        except Exception as error:  # it is told, and the page answers what it can
            why = str(error) or type(error).__name__
            self._failures[atlas.slug] = why
            self._note(f"{atlas.slug}: what some methods need could not be prepared: {why}")
            return False

    def _prepare(self, atlas: Atlas, kept: Kept | None) -> bool:
        """Do what is missing for a mapping; returns whether something was."""
        if kept is not None:
            kept.load(atlas)
        for language in (atlas.source, atlas.target):
            language.spelling  # noqa: B018 - so that no completion has to wait for it
            language.nearest.search(language.nearest.vectors[0], 1)  # nor an answer for a compiler
        steps = missing(atlas)
        for number, step in enumerate(steps):
            with self._show(f"{atlas.slug}: {step.name}") as tick:
                step.work(partial(self._tick, atlas, tick, number, len(steps)))
        for language in (atlas.source, atlas.target):
            language.known.admirers  # noqa: B018 - so that no answer has to wait for them
        self._done.add(atlas.slug)
        if steps and kept is not None:
            with self._writing:
                kept.save(atlas)
        return bool(steps)

    def _tick(self, atlas: Atlas, tick: Tick | None, number: int, total: int, share: float) -> None:
        if self._stop.is_set():
            raise _StoppedError
        self._now = atlas.slug, (number + share) / total
        if tick is not None:
            tick(share)


def missing(atlas: Atlas) -> list[Step]:
    """What is still to be done for a mapping."""
    languages = (atlas.source, atlas.target)
    steps = []
    if any(language.known.liked is None for language in languages):
        steps.append(Step("frequent words", partial(_pivots, atlas)))
    if any(language.known.surveyed is None for language in languages):
        steps.append(Step("survey of all pairs", partial(_survey, atlas)))
    return steps


def helpers() -> int:
    """Cores that may prepare: all but one, which is left to the answers."""
    return max(1, available_threads() - 1)


def _pivots(atlas: Atlas, tick: Tick) -> None:
    """How the words of each language like the most frequent ones of the other."""
    both = ((atlas.source, atlas.target), (atlas.target, atlas.source))
    for number, (language, other) in enumerate(both):
        pivots = other.nearest.vectors[: atlas.retrieval.pivots]
        watch = part(tick, number, len(both))
        language.known.liked = topk(language.nearest.vectors, pivots, WIDTH, tick=watch)[1]


def _survey(atlas: Atlas, tick: Tick) -> None:
    src, trg = atlas.source.nearest.vectors, atlas.target.nearest.vectors
    scale, neighbours = 1 / atlas.retrieval.temperature, atlas.retrieval.neighbours
    found = survey(src, trg, max(WIDTH, neighbours), min(scale, STEEPEST), tick)
    if scale > STEEPEST:
        sums = log_sum_exp(src, trg, scale, tick), log_sum_exp(trg, src, scale, tick)
        found = found[0]._replace(sums=sums[0]), found[1]._replace(sums=sums[1])
    for language, surveyed in zip((atlas.source, atlas.target), found, strict=True):
        language.known.take(surveyed, neighbours)


def _give_way() -> None:
    """Lower the priority of this thread alone, where the system can do that."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, get_native_id(), NICENESS)
