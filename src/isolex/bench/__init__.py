"""Bench: every system on every pair of a plan, and the paper's tables of that."""
