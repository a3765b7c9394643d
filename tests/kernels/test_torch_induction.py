"""The pass in PyTorch equals the slow truth, whatever the memory, down to the drawn entries."""

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
from isolex.kernels.torch_induction import PRODUCT, SCRATCH, TILE, TorchInducer
from isolex.kernels.types import Floats
from tests.kernels.test_induction import assert_equal, problem

DEVICES = ["cpu"] + ["cuda"] * torch.cuda.is_available()
ENTRY = PRODUCT + SCRATCH


def normal(rows: int, columns: int, dims: int, seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    src = rng.normal(size=(rows, dims)).astype(np.float32)
    trg = rng.normal(size=(columns, dims)).astype(np.float32)
    return src, trg


def shape_of_work(budget: int, rows: int, columns: int) -> tuple[int, bool]:
    """The height of a band, and whether the product is kept."""
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
def test_equals_the_reference_ties_included(
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
    src, trg = problem(rows, columns, dims, seed)
    induce = TorchInducer(device, budget=ENTRY * columns * height)
    found = induce(src, trg, neighbours, keep_prob, key)
    assert_equal(found, reference.induce(src, trg, neighbours, keep_prob, key))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("keep_prob", [0.0, 0.05, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("height", [1, 7, TILE, 2 * TILE, 1000])
def test_equals_the_reference_over_several_bands(
    device: str, keep_prob: float, height: int
) -> None:
    src, trg = problem(600, 150, dims=3, seed=1)
    induce = TorchInducer(device, budget=ENTRY * 150 * height)
    found = induce(src, trg, 10, keep_prob, key=9)
    assert_equal(found, reference.induce(src, trg, 10, keep_prob, key=9))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("height", [1, 50, TILE, 1000])
def test_all_equal_similarities_go_to_the_lowest_index(device: str, height: int) -> None:
    src, trg = np.ones((600, 2), dtype=np.float32), np.ones((300, 2), dtype=np.float32)
    found = TorchInducer(device, budget=ENTRY * 300 * height)(src, trg, 10)
    assert not found.forward.any()
    assert not found.backward.any()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "key", [0, 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 2**33, 2**64 - 2, 2**64 - 1]
)
@pytest.mark.parametrize("keep_prob", [0.05, 0.1, 0.5])
def test_draws_the_entries_of_the_reference(device: str, key: int, keep_prob: float) -> None:
    rows, columns = 90, 70
    kept = reference.keep_masks((rows, columns), keep_prob, key)
    for band in (slice(0, 40), slice(40, rows)):
        block = torch.zeros(band.stop - band.start, columns, device=device)
        limit = round(keep_prob * 2**32)
        dropped = torch_induction._dropped(block, band, key, limit)
        for mine, theirs in zip(dropped, kept, strict=True):
            assert mine is not None
            np.testing.assert_array_equal(~mine.cpu().numpy(), theirs[band])


def test_draws_alike_where_places_need_more_than_31_bits() -> None:
    first = 2**32 - 3
    rows = np.arange(first, first + 3, dtype=np.uint64)[:, None]
    columns = np.arange(5, dtype=np.uint64)
    places = (rows << np.uint64(32)) | columns
    expected = reference.mix(np.uint64(2**64 - 5) + places * reference.MASK_STEP)
    drawn = torch_induction._draw(slice(first, first + 3), 5, 2**64 - 5, torch.device("cpu"))
    np.testing.assert_array_equal(drawn.numpy().view(np.uint64), expected)


def test_the_budget_sets_the_bands_and_keeps_what_fits() -> None:
    rows, columns = 1000, 400
    row = columns * ENTRY
    assert shape_of_work(0, rows, columns) == (1, False)
    assert shape_of_work(3 * row, rows, columns) == (3, False)
    assert shape_of_work(300 * row, rows, columns)[0] % TILE == 0
    least_kept = PRODUCT * rows * columns + SCRATCH * TILE * columns
    assert shape_of_work(least_kept - 1, rows, columns) == (TILE, False)
    assert shape_of_work(least_kept, rows, columns) == (TILE, True)
    assert shape_of_work(rows * row, rows, columns) == (768, True)
    assert shape_of_work(2 * rows * row, rows, columns) == (rows, True)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("keep_prob", [0.3, 1.0])
def test_memory_changes_no_bit(device: str, keep_prob: float) -> None:
    rows, columns = 1000, 400
    src, trg = normal(rows, columns, dims=33, seed=5)
    expected = TorchInducer(device, budget=1 << 30)(src, trg, 10, keep_prob, key=4)
    for height in (TILE, 2 * TILE, rows):
        found = TorchInducer(device, budget=height * columns * ENTRY)(src, trg, 10, keep_prob, 4)
        assert_equal(found, expected)


def test_the_product_is_made_twice_only_where_it_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    multiply, made = torch.mm, []

    def count(*args: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        made.append(len(out))
        return multiply(*args, out=out)

    monkeypatch.setattr(torch, "mm", count)
    src, trg = problem(600, 150, dims=3, seed=2)
    TorchInducer("cpu", budget=1 << 30)(src, trg, 10)
    assert sum(made) == 600
    made.clear()
    TorchInducer("cpu", budget=TILE * 150 * ENTRY)(src, trg, 10)
    assert sum(made) == 1200


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("keep_prob", [0.1, 1.0])
def test_agrees_with_the_processor_on_real_numbers(device: str, keep_prob: float) -> None:
    src, trg = normal(500, 700, dims=50, seed=6)
    found = TorchInducer(device)(src, trg, 10, keep_prob, key=3)
    expected = induction.induce(src, trg, 10, keep_prob, key=3)
    for name in ("forward", "backward"):  # a near tie may fall either way
        assert (getattr(found, name) == getattr(expected, name)).mean() > 0.99
    for name in ("src_means", "trg_means", "src_best", "trg_best"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-5)
    for mine, theirs in zip(found, expected, strict=True):
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
    assert_equal(TorchInducer(device)(src, trg, 10, keep_prob, key=3), found)


def test_frozen_and_strided_vectors_are_taken() -> None:
    src, trg = problem(40, 30, dims=6, seed=3)
    expected = reference.induce(src[::-1, ::2].copy(), trg[:, ::2].copy(), 5)
    src.flags.writeable = trg.flags.writeable = False
    assert_equal(TorchInducer("cpu")(src[::-1, ::2], trg[:, ::2], 5), expected)


def test_no_words_are_refused() -> None:
    src, trg = problem(5, 5, dims=2, seed=0)
    induce = TorchInducer("cpu")
    for arguments in [(src[:0], trg, 3), (src, trg[:0], 3)]:
        with pytest.raises(ValueError, match="at least one"):
            induce(*arguments)


@pytest.mark.parametrize("precision", ["highest", "high"])
def test_multiplies_without_tf32_and_puts_the_setting_back(precision: str) -> None:
    before, matmul = torch.get_float32_matmul_precision(), torch.backends.cuda.matmul
    try:
        torch.set_float32_matmul_precision(precision)
        with torch_induction._full_precision():
            assert matmul.fp32_precision == "ieee"
        assert torch.get_float32_matmul_precision() == precision
        matmul.fp32_precision = "tf32"
        TorchInducer("cpu")(*problem(5, 5, dims=2, seed=0), 2)
        assert matmul.fp32_precision == "tf32"
    finally:
        torch.set_float32_matmul_precision(before)


def test_multiplies_without_tf32_before_pytorch_2_9_too(monkeypatch: pytest.MonkeyPatch) -> None:
    matmul = SimpleNamespace(allow_tf32=True)
    monkeypatch.setattr(torch.backends.cuda, "matmul", matmul)
    with torch_induction._full_precision():
        assert matmul.allow_tf32 is False
    assert matmul.allow_tf32 is True


def test_the_default_budget_is_half_of_what_the_card_has_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (1000, 5000))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda _: 700)
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda _: 300)
    assert torch_induction._default_budget(torch.device("cuda")) == 700
    assert TorchInducer("cpu").budget == 1 << 30


def test_missing_pytorch_names_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError) as caught:
        TorchInducer("cpu")
    assert str(caught.value) == "PyTorch is not installed: pip install 'isolex[torch]'"


@pytest.mark.parametrize("device", ["cuda:99", "abacus", "meta"])
def test_a_missing_device_is_named_in_one_line(device: str) -> None:
    with pytest.raises(ValueError, match=f"PyTorch cannot use the device '{device}' here: .") as no:
        TorchInducer(device)
    assert "\n" not in str(no.value)


def test_pytorch_is_imported_only_when_it_is_asked_for() -> None:
    code = "import sys, isolex.kernels.torch_induction; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
