"""add: one more language for a space that stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial

from isolex.core.embeddings import Embeddings
from isolex.core.language import Checksums, check_name
from isolex.core.observer import Observer, Observers
from isolex.core.pair import pair_labels
from isolex.core.space import Space
from isolex.errors import UsageError
from isolex.kernels.parallel import use_threads
from isolex.method import adding
from isolex.method.engine import LocalEngine
from isolex.method.pair_tasks import Pairs, Tools
from isolex.method.system import System
from isolex.systems import DEFAULT
from isolex.systems.align import checked_seed, configure
from isolex.systems.given_pairs import by_pair
from isolex.systems.inducers import kept_inducer, kept_inducers
from isolex.systems.progress import ProgressBar, can_show


def add(
    space: Space,
    language: Embeddings,
    *,
    system: str | System = DEFAULT,
    lexicon: Mapping[tuple[str, str], Pairs | Mapping[str, str]] | None = None,
    seed: int = 0,
    cutoff: int | None = None,
    budget: float | None = None,
    spelling: bool | None = None,
    threads: int | None = None,
    memory: int | None = None,
    device: str = "cpu",
    progress: bool | None = None,
    observer: Observer | None = None,
) -> Space:
    """Add a language to a space. The vectors, maps and verdicts of the others do not change.

    Args:
        space: The space. Its original vectors are not needed.
        language: Vectors of the new language, most frequent words first.
        system: A system that aligns several languages, or its name.
        lexicon: Training pairs with some of the other languages, such as
            ``{("en", "pl"): pairs}``; without any, the new language is aligned unsupervised.
        seed: Random seed.
        cutoff: As in `align`.
        budget: As in `align`.
        spelling: As in `align`.
        threads: As in `align`.
        memory: As in `align`.
        device: As in `align`.
        progress: As in `align`.
        observer: Is told about every step, pair and iteration.

    Returns:
        A new space; the given one is unchanged.
    """
    names = _names(space, language)
    lexicons = by_pair(lexicon, names)
    if any(key[1] != len(space) for key in lexicons):
        raise UsageError(
            f"training pairs must involve the new language {names[-1]!r}: the others do not move"
        )
    system = configure(
        system,
        len(names),
        lexicon=bool(lexicons),
        cutoff=cutoff,
        budget=budget,
        spelling=spelling,
    )
    tools = Tools(system, checked_seed(seed), partial(kept_inducer, device, memory))
    shown = can_show() if progress is None else progress
    with kept_inducers(), use_threads(threads), ProgressBar() if shown else nullcontext() as bar:
        tools.inducer()  # refuses a device that is not available
        job = adding.AddJob(space, language, tools, lexicons, LocalEngine)
        return adding.run(job, Observers(observer, bar))


def _names(space: Space, language: Embeddings) -> list[str]:
    """The names of the languages, the new one last; refuse a language given by mistake."""
    if not isinstance(language, Embeddings):
        kind = type(language).__name__
        raise UsageError(f"add takes Embeddings, not {kind}: use isolex.load first")
    if language.counts is not None:
        raise UsageError("add does not use co-occurrence counts: give the embeddings without them")
    if not language.name:
        raise UsageError("the new language has no name: use embeddings.named('en')")
    if language.name in space.names:
        raise UsageError(
            f"{language.name!r} is in the space already: rename the new language, such as "
            f"embeddings.named('{language.name}2')"
        )
    check_name(language.name)
    Checksums.of(language)
    names = [*space.names, language.name]
    pair_labels(names)  # refuses names whose pairs could be confused
    return names
