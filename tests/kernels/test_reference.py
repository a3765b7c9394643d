"""The random mask of the reference, which the fast kernels must reproduce."""

from __future__ import annotations

import pytest

from isolex.kernels import reference


def test_the_mask_keeps_the_requested_share_independently_in_each_direction() -> None:
    forward, backward = reference.keep_masks((2000, 2000), 0.1, key=123)
    assert forward.mean() == pytest.approx(0.1, abs=0.001)
    assert backward.mean() == pytest.approx(0.1, abs=0.001)
    assert (forward & backward).mean() == pytest.approx(0.01, abs=0.0005)
    other, _ = reference.keep_masks((2000, 2000), 0.1, key=124)
    assert (forward & other).mean() == pytest.approx(0.01, abs=0.0005)
    assert forward.mean(axis=0).std() == pytest.approx((0.09 / 2000) ** 0.5, rel=0.1)
    assert forward.mean(axis=1).std() == pytest.approx((0.09 / 2000) ** 0.5, rel=0.1)
