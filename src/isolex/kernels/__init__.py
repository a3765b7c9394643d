"""Numerical kernels: arrays in, arrays out; no words, no paths, no logging."""
