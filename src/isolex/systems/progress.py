"""Progress of an alignment, as a bar on a terminal or in a notebook."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Self

from isolex.core.file_errors import shown
from isolex.core.observer import Epoch, Iteration, Observer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

DOING = {
    "compile": "compiling (first run only)",
    "normalise": "normalising",
    "train": "training",
    "initialise": "first lexicon",
    "count": "comparing co-occurrence counts",
    "learn": "self-learning",
    "check": "checking the result",
    "restart": "restarts",
    "widen": "self-learning, more words",
    "spell": "comparing spelling",
    "move": "all languages together",
    "map": "final mapping",
    "judge": "verdict",
}


def can_show() -> bool:
    """Whether there is a terminal or a notebook to show progress in."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class ProgressBar(Observer):
    """Shows the current step and, during self-learning, the objective and the time left.

    With several languages, another bar above it shows how many pairs are done.

    Use it as a context manager around the alignment.
    """

    def __init__(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn

        self._progress: Progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[facts]}", markup=False),  # with names of languages
            console=_console(),
            transient=True,
        )
        self._pairs: TaskID = self._progress.add_task("pairs", visible=False, facts="")
        self._task: TaskID = self._progress.add_task("starting", total=None, facts="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def step(self, name: str) -> None:
        """Show the step."""
        self._update(description=DOING.get(name, name), total=None, facts="")

    def pair(self, names: tuple[str, str], done: int, of: int) -> None:
        """Show how many pairs are done, and the last one that began or ended."""
        facts = f"{done} of {of} done  {shown('-'.join(names))}"
        self._progress.update(self._pairs, completed=done, total=of, facts=facts, visible=True)

    def note(self, line: str) -> None:
        """Show the line in place of the step."""
        self._update(description=line)

    def epoch(self, epoch: Epoch) -> None:
        """Show how far training has come."""
        facts = f"epoch {epoch.number} of {epoch.of}  criterion {epoch.criterion:.4f}"
        self._update(completed=epoch.number, total=epoch.of, facts=facts)

    def iteration(self, iteration: Iteration) -> None:
        """Show the objective and the time left."""
        left = iteration.remaining * iteration.seconds / iteration.number
        self._update(
            completed=iteration.number,
            total=iteration.number + iteration.remaining,
            facts=(
                f"iteration {iteration.number}  objective {iteration.objective:.4f}  "
                f"keep {iteration.keep_prob:g}  at least {clock(left)} left"
            ),
        )

    def _update(self, **changes: Any) -> None:
        self._progress.update(self._task, **changes)


def _console() -> Console:
    """Standard error; in a notebook without ipywidgets, which rich needs, as if on a terminal."""
    from rich.console import Console

    if "ipykernel" in sys.modules and find_spec("ipywidgets") is None:
        return Console(stderr=True, force_terminal=True, force_jupyter=False, width=100)
    return Console(stderr=True)


def clock(seconds: float) -> str:
    """Minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
