"""A stand-in for VecMap and a small data folder, so that no case needs the real ones."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from benchmarks import vecmap
from benchmarks.planted import planted
from benchmarks.textfile import write_decimals

# Stands in for VecMap: its command line and its output, none of its work.
PRETENDER = """
import shutil, sys, time
src, trg, out_src, out_trg = sys.argv[2:6]
shutil.copy(src, out_src), shutil.copy(trg, out_trg)
with open(sys.argv[-1], "w") as log:
    for number in range(1, 9):
        time.sleep(0.02)
        print(f"ITERATION {number} (0.02s)", file=sys.stderr, flush=True)
        print(number, 50.0, "", 0.02, sep="\\t", file=log)
"""


@pytest.fixture(autouse=True)
def no_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(vecmap.HOME, raising=False)
    monkeypatch.delenv("VECMAP_PYTHON", raising=False)


@pytest.fixture
def pretender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "vecmap"
    home.mkdir()
    (home / vecmap.PROGRAM).write_text(PRETENDER, encoding="utf-8")
    monkeypatch.setenv(vecmap.HOME, str(home))


@pytest.fixture
def made_up_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder with a small pair es-en in it."""
    pair = planted(300, 16, noise=0.3)
    folder = tmp_path / "data" / "zhang2017" / "es-en"
    folder.mkdir(parents=True)
    for name, side in zip(("es", "en"), pair.embeddings(), strict=True):
        write_decimals(folder / name, side.words, side.vectors)
        packed = gzip.compress((folder / name).read_bytes())
        (folder / f"{name}.vec.gz").write_bytes(packed)
    gold = tmp_path / "data" / "muse" / "es-en.txt"
    gold.parent.mkdir()
    gold.write_text("".join(f"{s} {t}\n" for s, t in pair.pairs(100)), encoding="utf-8")
    monkeypatch.setenv("ISOLEX_DATA", str(tmp_path / "data"))
