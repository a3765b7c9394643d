"""The method of the paper, one file per step; `pipeline` puts them together."""
