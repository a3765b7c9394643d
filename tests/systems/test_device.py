"""Self-learning on a PyTorch device."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import align
from isolex.core.observer import Iteration, Observer
from isolex.errors import UsageError
from isolex.kernels.torch_induction import TorchInducer
from tests.planted import planted


class EightIterations(Observer):
    """Ends self-learning after eight iterations."""

    def iteration(self, iteration: Iteration) -> bool:
        return iteration.number == 8


@pytest.mark.slow
def test_pytorch_finds_the_same_pairs_as_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    made = planted(words=400, dims=20, noise=0.3)
    # "cpu" is isolex's own code; PyTorch on the CPU takes the place of a GPU.
    monkeypatch.setattr(
        "isolex.kernels.torch_induction.TorchInducer", lambda _, memory: TorchInducer("cpu", memory)
    )
    ours, theirs = (
        align(made.source, made.target, device=device, observer=EightIterations())
        for device in ("cpu", "cuda")
    )
    assert theirs.objective == pytest.approx(ours.objective, abs=1e-6)
    np.testing.assert_array_equal(theirs.lexicon().targets, ours.lexicon().targets)


@pytest.mark.slow
def test_a_device_that_does_not_exist_is_refused() -> None:
    made = planted(words=30, dims=4)
    with pytest.raises(UsageError, match=r"'nowhere'.*--device cpu"):
        align(made.source, made.target, device="nowhere")
