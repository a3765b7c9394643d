"""The run folder: inputs, checkpoints and results on disk."""
