"""The report and the explorer."""
