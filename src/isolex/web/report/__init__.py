"""The report on a run: one page to look at, keep and print."""

from isolex.web.report.page import render

__all__ = ["render"]
