"""Bench: run systems on datasets over several seeds, and make tables of the results."""
