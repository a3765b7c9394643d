"""Induction in PyTorch equals the reference, including the random mask, whatever the memory."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels import induction, reference, torch_induction
from isolex.kernels.torch_induction import PRODUCT_BYTES, SCRATCH_BYTES, TILE, TorchInducer
from tests.kernels.examples import (
    assert_close_induction,
    assert_same_induction,
    integer_pair,
    normal_pair,
)
from tests.wording import Wording

DEVICES = ["cpu"] + ["cuda"] * torch.cuda.is_available()
ENTRY_BYTES = PRODUCT_BYTES + SCRATCH_BYTES


def height_and_stored(budget: int, rows: int, columns: int) -> tuple[int, bool]:
    """Return the rows per band and whether the product is stored."""
    src, trg = (torch.zeros(size, 1) for size in (rows, columns))
    product = torch_induction._Product.within(budget, src, trg)
    return product.height, len(product.memory) == rows


@pytest.mark.parametrize("device", DEVICES)
@given(
    rows=st.integers(1, 60),
    columns=st.integers(1, 60),
    dims=st.integers(1, 8),
    neighbours=st.integers(0, 12),
    keep_prob=st.sampled_from([0.0, 0.05, 0.1, 0.5, 1.0]),
    key=st.integers(0, 2**64 - 1),
    seed=st.integers(0, 2**32),
    height=st.integers(0, 70),
)
@settings(max_examples=150, deadline=None)
def test_induction_equals_the_reference_including_ties(
    device: str,
    rows: int,
    columns: int,
    dims: int,
    neighbours: int,
    keep_prob: float,
    key: int,
    seed: int,
    height: int,
) -> None:
    src, trg = integer_pair(rows, columns, dims, seed)
    induce = TorchInducer(device, budget=ENTRY_BYTES * columns * height)
    found = induce(src, trg, neighbours, keep_prob, key)
    assert_same_induction(found, reference.induce(src, trg, neighbours, keep_prob, key))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("keep_prob", [0.0, 0.05, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("height", [1, 7, TILE, 2 * TILE, 1000])
def test_induction_over_several_bands_equals_the_reference(
    device: str, keep_prob: float, height: int
) -> None:
    src, trg = integer_pair(600, 150, dims=3, seed=1)
    induce = TorchInducer(device, budget=ENTRY_BYTES * 150 * height)
    found = induce(src, trg, 10, keep_prob, key=9)
    assert_same_induction(found, reference.induce(src, trg, 10, keep_prob, key=9))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("height", [1, 50, TILE, 1000])
def test_ties_go_to_the_lowest_index(device: str, height: int) -> None:
    src, trg = np.ones((600, 2), dtype=np.float32), np.ones((300, 2), dtype=np.float32)
    found = TorchInducer(device, budget=ENTRY_BYTES * 300 * height)(src, trg, 10)
    assert not found.forward.any()
    assert not found.backward.any()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "key", [0, 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 2**33, 2**64 - 2, 2**64 - 1]
)
@pytest.mark.parametrize("keep_prob", [0.05, 0.1, 0.5])
def test_the_random_mask_equals_the_reference(device: str, key: int, keep_prob: float) -> None:
    rows, columns = 90, 70
    kept = reference.keep_masks((rows, columns), keep_prob, key)
    for band in (slice(0, 40), slice(40, rows)):
        block = torch.zeros(band.stop - band.start, columns, device=device)
        limit = round(keep_prob * 2**32)
        dropped = torch_induction._dropped(block, band, key, limit)
        for mask, expected in zip(dropped, kept, strict=True):
            assert mask is not None
            np.testing.assert_array_equal(~mask.cpu().numpy(), expected[band])


def test_the_random_mask_equals_the_reference_beyond_31_bits() -> None:
    first = 2**32 - 3
    rows = np.arange(first, first + 3, dtype=np.uint64)[:, None]
    columns = np.arange(5, dtype=np.uint64)
    places = (rows << np.uint64(32)) | columns
    expected = reference.mix(np.uint64(2**64 - 5) + places * reference.MASK_STEP)
    drawn = torch_induction._draw(slice(first, first + 3), 5, 2**64 - 5, torch.device("cpu"))
    np.testing.assert_array_equal(drawn.numpy().view(np.uint64), expected)


def test_the_budget_decides_the_band_height_and_whether_the_product_is_stored() -> None:
    rows, columns = 1000, 400
    row = columns * ENTRY_BYTES
    assert height_and_stored(0, rows, columns) == (1, False)
    assert height_and_stored(3 * row, rows, columns) == (3, False)
    assert height_and_stored(300 * row, rows, columns)[0] % TILE == 0
    smallest_stored = PRODUCT_BYTES * rows * columns + SCRATCH_BYTES * TILE * columns
    assert height_and_stored(smallest_stored - 1, rows, columns) == (TILE, False)
    assert height_and_stored(smallest_stored, rows, columns) == (TILE, True)
    assert height_and_stored(rows * row, rows, columns) == (768, True)
    assert height_and_stored(2 * rows * row, rows, columns) == (rows, True)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("keep_prob", [0.3, 1.0])
def test_memory_does_not_change_a_single_bit(device: str, keep_prob: float) -> None:
    rows, columns = 1000, 400
    src, trg = normal_pair(rows, columns, dims=33, seed=5)
    expected = TorchInducer(device, budget=1 << 30)(src, trg, 10, keep_prob, key=4)
    for height in (TILE, 2 * TILE, rows):
        induce = TorchInducer(device, budget=ENTRY_BYTES * columns * height)
        assert_same_induction(induce(src, trg, 10, keep_prob, key=4), expected)


def test_the_product_is_computed_twice_only_if_it_is_not_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    multiply, rows = torch.mm, []

    def count(*args: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        rows.append(len(out))
        return multiply(*args, out=out)

    monkeypatch.setattr(torch, "mm", count)
    src, trg = integer_pair(600, 150, dims=3, seed=2)
    TorchInducer("cpu", budget=1 << 30)(src, trg, 10)
    assert sum(rows) == 600
    rows.clear()
    TorchInducer("cpu", budget=TILE * 150 * ENTRY_BYTES)(src, trg, 10)
    assert sum(rows) == 1200


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("keep_prob", [0.1, 1.0])
def test_induction_on_real_numbers_agrees_with_the_cpu_kernels(
    device: str, keep_prob: float
) -> None:
    src, trg = normal_pair(500, 700, dims=50, seed=6)
    found = TorchInducer(device)(src, trg, 10, keep_prob, key=3)
    expected = induction.induce(src, trg, 10, keep_prob, key=3)
    assert_close_induction(found, expected, agreement=0.99)
    for field, other in zip(found, expected, strict=True):
        assert (field.dtype, field.shape) == (other.dtype, other.shape)
    assert_same_induction(TorchInducer(device)(src, trg, 10, keep_prob, key=3), found)


def test_read_only_and_strided_vectors_are_accepted() -> None:
    src, trg = integer_pair(40, 30, dims=6, seed=3)
    expected = reference.induce(src[::-1, ::2].copy(), trg[:, ::2].copy(), 5)
    src.flags.writeable = trg.flags.writeable = False
    assert_same_induction(TorchInducer("cpu")(src[::-1, ::2], trg[:, ::2], 5), expected)


def test_empty_input_is_refused() -> None:
    src, trg = integer_pair(5, 5, dims=2, seed=0)
    induce = TorchInducer("cpu")
    for arguments in [(src[:0], trg, 3), (src, trg[:0], 3)]:
        with pytest.raises(ValueError, match=r"at least one .* not 0"):
            induce(*arguments)


@pytest.mark.parametrize("precision", ["highest", "high"])
def test_tf32_is_off_during_induction_and_restored_afterwards(precision: str) -> None:
    before, matmul = torch.get_float32_matmul_precision(), torch.backends.cuda.matmul
    try:
        torch.set_float32_matmul_precision(precision)
        with torch_induction._full_precision():
            assert matmul.fp32_precision == "ieee"
        assert torch.get_float32_matmul_precision() == precision
        matmul.fp32_precision = "tf32"
        TorchInducer("cpu")(*integer_pair(5, 5, dims=2, seed=0), 2)
        assert matmul.fp32_precision == "tf32"
    finally:
        torch.set_float32_matmul_precision(before)


def test_tf32_is_off_and_restored_before_pytorch_2_9_too(monkeypatch: pytest.MonkeyPatch) -> None:
    matmul = SimpleNamespace(allow_tf32=True)
    monkeypatch.setattr(torch.backends.cuda, "matmul", matmul)
    with torch_induction._full_precision():
        assert matmul.allow_tf32 is False
    assert matmul.allow_tf32 is True


def test_the_default_budget_is_half_of_the_free_gpu_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (1000, 5000))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda _: 700)
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda _: 300)
    assert torch_induction._default_budget(torch.device("cuda")) == 700
    assert TorchInducer("cpu").budget == 1 << 30


def test_without_pytorch_the_error_names_the_pip_command(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"pip install 'isolex\[torch\]'") as error:
        TorchInducer("cpu")
    wording(error.value)


@pytest.mark.parametrize("device", ["cuda:99", "abacus", "meta"])
def test_an_unusable_device_is_named_in_one_line_with_the_reason(device: str) -> None:
    with pytest.raises(ValueError, match=f"'{device}'.*: .") as error:
        TorchInducer(device)
    assert "\n" not in str(error.value)


def test_pytorch_is_imported_only_when_needed() -> None:
    code = "import sys, isolex.kernels.torch_induction; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
