"""A fake VecMap and a small data folder, so that no case needs the real ones."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from benchmarks import vecmap
from benchmarks.planted import planted
from benchmarks.textfile import write_decimals

# Has the command line and the output of VecMap, but does no work.
FAKE = """
import shutil, sys, time
source, target, out_source, out_target = sys.argv[2:6]
shutil.copy(source, out_source), shutil.copy(target, out_target)
with open(sys.argv[-1], "w") as log:
    for number in range(1, 9):
        time.sleep(0.02)
        print(f"ITERATION {number} (0.02s)", file=sys.stderr, flush=True)
        print(number, 50.0, "", 0.02, sep="\\t", file=log)
"""


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not measure the load of the machine, which takes two seconds per case."""
    monkeypatch.setattr("benchmarks.hardware.busy", lambda: None)


@pytest.fixture(autouse=True)
def no_vecmap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(vecmap.HOME, raising=False)
    monkeypatch.delenv("VECMAP_PYTHON", raising=False)


@pytest.fixture
def fake_vecmap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "vecmap"
    home.mkdir()
    (home / vecmap.PROGRAM).write_text(FAKE, encoding="utf-8")
    monkeypatch.setenv(vecmap.HOME, str(home))


@pytest.fixture
def small_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder with a small dataset es-en."""
    pair = planted(300, 16, noise=0.3)
    folder = tmp_path / "data" / "zhang2017" / "es-en"
    folder.mkdir(parents=True)
    for name, language in zip(("es", "en"), pair.embeddings(), strict=True):
        write_decimals(folder / name, language.words, language.vectors)
        packed = gzip.compress((folder / name).read_bytes())
        (folder / f"{name}.vec.gz").write_bytes(packed)
    gold = tmp_path / "data" / "muse" / "es-en.txt"
    gold.parent.mkdir()
    gold.write_text("".join(f"{s} {t}\n" for s, t in pair.pairs(100)), encoding="utf-8")
    monkeypatch.setenv("ISOLEX_DATA", str(tmp_path / "data"))
