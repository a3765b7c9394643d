"""Inducers, which compute inductions on the CPU or another device."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from threading import get_ident

from isolex.errors import UsageError
from isolex.kernels.induction import Workspace, induce
from isolex.kernels.types import Inducer


def make_inducer(device: str, memory: int | None = None) -> Inducer:
    """The inducer for a device; refuses a device that is not available."""
    if memory is not None and memory < 0:
        raise UsageError(f"memory must be at least 0 bytes, not {memory}")
    if device == "cpu":
        return partial(induce, workspace=Workspace(memory))
    from isolex.kernels.torch_induction import TorchInducer

    try:
        return TorchInducer(device, memory)
    except ImportError as error:
        raise UsageError(str(error)) from error
    except ValueError as error:
        advice = "use --device cpu, or install a PyTorch built for CUDA"
        raise UsageError(f"{error}; {advice}") from error


def kept_inducer(device: str, memory: int | None = None) -> Inducer:
    """The inducer of this thread: all tasks of the thread reuse its memory."""
    return _kept(get_ident(), device, memory)


@cache
def _kept(thread: int, device: str, memory: int | None) -> Inducer:  # noqa: ARG001
    return make_inducer(device, memory)


def forget_inducers() -> None:
    """Free the memory of kept inducers."""
    _kept.cache_clear()


@contextmanager
def kept_inducers() -> Iterator[None]:
    """Keep inducers only inside the block."""
    try:
        yield
    finally:
        forget_inducers()
