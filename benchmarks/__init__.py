"""Benchmarks of isolex against other programs; README.md explains them."""
