"""Preparation in the background: the statistics that slow methods need, computed once.

A space of two languages is prepared at the start. With several languages there are many pairs, and
few of them are ever looked at: each is prepared when a page first needs it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from importlib import import_module
from itertools import combinations, pairwise, permutations
from threading import Event, Lock, Thread, get_native_id

from isolex.core.choices import RetrievalMethod
from isolex.core.space import Space
from isolex.core.statistics import is_ready, prepare
from isolex.kernels.parallel import available_threads, use_threads
from isolex.kernels.types import Tick
from isolex.web.explorer.cache import load_statistics, save_statistics
from isolex.web.explorer.lookup import look_up
from isolex.web.explorer.served_space import ServedSpace
from isolex.web.explorer.similarities import measure

NICENESS = 10
PATIENCE = 2.0
"""Seconds that `Preparation.stop` waits; a busy machine may delay the thread for longer."""

Key = tuple[str, frozenset[str]]
"""The slug of a space and two of its languages."""


class _StoppedError(Exception):
    """Stops the preparation."""


class Preparation:
    """Prepares pairs of languages one after the other, in a thread that gives way to requests.

    Args:
        spaces: The spaces.
        show: Takes the name of a task and shows its progress.
        note: Called with a line when everything is ready, and with a line about each failure.
    """

    def __init__(
        self,
        spaces: Sequence[ServedSpace],
        show: Callable[[str], AbstractContextManager[Tick | None]] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> None:
        self._spaces = spaces
        self._show = show or (lambda _: nullcontext())
        self._note = note or (lambda _: None)
        self._stop = Event()
        self._writing = Lock()
        self._lock = Lock()
        self._wanted: dict[Key, tuple[ServedSpace, str, str]] = {}
        self._idle = False
        self._thread = self._make_thread(self._begin)
        self._current: tuple[Key, float] | None = None
        self._failures: dict[Key, str] = {}

    def start(self) -> None:
        """Load the spaces, prepare those with two languages, then prepare pairs on request."""
        self._thread.start()

    def want(self, served: ServedSpace, source: str, target: str) -> None:
        """Prepare a pair of languages next; does nothing if this failed before."""
        with self._lock:
            self._wanted[_key(served, source, target)] = (served, source, target)
            if self._idle:
                self._idle = False
                self._thread = self._make_thread(self._work)
                self._thread.start()

    def stop(self) -> None:
        """Stop as soon as possible; a cache that is being written is finished."""
        self._stop.set()
        self.wait(PATIENCE)
        with self._writing:
            pass

    def wait(self, seconds: float | None = None) -> None:
        """Wait until nothing is left to prepare."""
        if self._thread.is_alive():
            self._thread.join(seconds)

    @property
    def done(self) -> bool:
        """Whether every method is ready for every pair of languages."""
        return not any(unprepared(served.space) for served in self._spaces)

    def status(self, served: ServedSpace, source: str, target: str) -> str:
        """The state of a method that is not ready, to follow its name in a sentence."""
        if why := self.failure(served, source, target):
            return f"could not be prepared: {why}"
        current, share = self._current or (None, 0.0)
        share = share if current == _key(served, source, target) else 0.0
        return f"is being prepared ({share:.0%}): try again later"

    def failure(self, served: ServedSpace, source: str, target: str) -> str | None:
        """Why a pair of languages could not be prepared, if that is so."""
        return self._failures.get(_key(served, source, target))

    def _make_thread(self, work: Callable[[], None]) -> Thread:
        def run() -> None:
            # One core is left for requests.
            with suppress(_StoppedError), use_threads(max(1, available_threads() - 1)):
                work()

        return Thread(target=run, name="preparation", daemon=True)

    def _begin(self) -> None:
        began = time.perf_counter()
        for served in self._spaces:
            self._load(served)
        _lower_priority()  # not earlier: requests would wait for the GIL
        for served in self._spaces:
            self._measure(served)
        small = [served for served in self._spaces if len(served.space) == 2]
        prepared = sum([self._prepare(served, *served.space.names) for served in small])
        if prepared and len(small) == len(self._spaces):
            which = "all other methods" if self._failures else "all methods"
            self._note(f"{which} are ready after {time.perf_counter() - began:.0f} s")
        self._work()

    def _work(self) -> None:
        """Prepare what pages need, until there is nothing left."""
        _lower_priority()
        while (wanted := self._next()) is not None:
            self._prepare(*wanted)

    def _next(self) -> tuple[ServedSpace, str, str] | None:
        with self._lock:
            self._idle = not self._wanted
            return None if self._idle else self._wanted.pop(next(iter(self._wanted)))

    def _load(self, served: ServedSpace) -> None:
        """Do everything once that the first request would have to wait for."""
        import_module("numba")  # slow, so before the scans: look-ups do without them until then
        import_module("isolex.kernels.scans")

        if served.folder is not None:
            load_statistics(served.space, served.folder.cache)
        for source, target in pairwise(served.space):
            self._check()
            look_up(served.space, source, target, row=0, k=1)
        for language in served.space:
            self._check()
            served.spelling(language)

    def _measure(self, served: ServedSpace) -> None:
        """Compute what every look-up needs for pairs that have their own maps."""
        measured = False
        for one, other in permutations(served.space, 2):
            self._check()
            measured |= measure(served.space, one, other)
        if measured:
            self._save(served)

    def _prepare(self, served: ServedSpace, source: str, target: str) -> bool:
        """Prepare a pair of languages; returns whether there was something to do and it worked."""
        if _prepared(served.space, source, target) or self.failure(served, source, target):
            return False
        direction = served.space.direction(source, target)
        try:
            with self._show(f"preparing {served.slug}: {source} and {target}") as tick:
                prepare(
                    direction.x,
                    direction.z,
                    direction.own,
                    direction.theirs,
                    served.space.retrieval,
                    partial(self._tick, _key(served, source, target), tick),
                )
        except _StoppedError:
            raise
        except Exception as error:  # such as too little memory: the other methods still work
            why = str(error) or type(error).__name__
            self._failures[_key(served, source, target)] = why
            self._note(f"{served.slug}: {source} and {target} could not be prepared: {why}")
            return False
        self._save(served)
        return True

    def _save(self, served: ServedSpace) -> None:
        if served.folder is not None:
            with self._writing:
                save_statistics(served.space, served.folder.cache)

    def _tick(self, key: Key, tick: Tick | None, share: float) -> None:
        self._check()
        self._current = key, share
        if tick is not None:
            tick(share)

    def _check(self) -> None:
        if self._stop.is_set():
            raise _StoppedError


def unprepared(space: Space) -> list[tuple[str, str]]:
    """The pairs of languages for which some method is not ready."""
    return [pair for pair in combinations(space.names, 2) if not _prepared(space, *pair)]


def _prepared(space: Space, source: str, target: str) -> bool:
    direction = space.direction(source, target)
    retrievals = (space.retrieval.by(method) for method in RetrievalMethod)
    return all(is_ready(direction.own, direction.theirs, one) for one in retrievals)


def _key(served: ServedSpace, source: str, target: str) -> Key:
    return served.slug, frozenset((source, target))


def _lower_priority() -> None:
    """Lower the priority of this thread, if the system can do that for a single thread."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, get_native_id(), NICENESS)
