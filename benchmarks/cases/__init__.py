"""All cases by name."""

from __future__ import annotations

from benchmarks.cases import (
    accuracy,
    cost,
    explore,
    files,
    induction,
    languages,
    lexicon,
    map_large,
    map_small,
    scaling,
    startup,
    trainers,
    vecmap_iteration,
    verdicts,
)
from benchmarks.report import Case

CASES: dict[str, Case] = {
    case.name: case
    for case in (
        induction.CASE,
        scaling.CASE,
        files.LOAD,
        files.SAVE,
        lexicon.CASE,
        map_small.CASE,
        map_large.CASE,
        vecmap_iteration.CASE,
        accuracy.CASE,
        verdicts.CASE,
        cost.CASE,
        startup.CASE,
        explore.CASE,
        trainers.CASE,
        languages.CASE,
    )
}
