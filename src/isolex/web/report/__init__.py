"""The report on a run: one page that can be looked at, kept and printed."""

from isolex.web.report.page import render

__all__ = ["render"]
