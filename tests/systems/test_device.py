"""Self-learning on a device of PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import align
from isolex.errors import UsageError
from isolex.kernels.torch_induction import TorchInducer
from tests.planted import planted


def test_pytorch_finds_the_same_pairs_as_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    made = planted(words=400, dims=20, noise=0.3)
    # "cpu" is isolex's own; PyTorch's CPU stands in for a GPU.
    monkeypatch.setattr(
        "isolex.kernels.torch_induction.TorchInducer", lambda _, memory: TorchInducer("cpu", memory)
    )
    ours, theirs = (
        align(made.src, made.trg, device=device, callbacks=[lambda i: i.number == 8])
        for device in ("cpu", "cuda")
    )
    assert theirs.objective == pytest.approx(ours.objective, abs=1e-6)
    np.testing.assert_array_equal(theirs.lexicon().trg, ours.lexicon().trg)


def test_a_device_that_is_not_there_is_said() -> None:
    made = planted(words=30, dims=4)
    with pytest.raises(UsageError, match=r"cannot use the device 'nowhere' .*; use --device cpu"):
        align(made.src, made.trg, device="nowhere")
