"""The mapping as an estimator of scikit-learn; only this part of isolex needs that library."""

from isolex import extras

extras.require(["sklearn"], "isolex.sklearn")

from isolex.sklearn.aligner import Aligner  # noqa: E402

__all__ = ["Aligner"]
