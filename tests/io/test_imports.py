"""Importing isolex.io is cheap."""

from __future__ import annotations

import subprocess
import sys


def test_small_text_does_not_import_numba_or_zstandard(tmp_path):
    code = f"""
import sys
from isolex.io import load, save
from isolex.core.embeddings import Embeddings
save(Embeddings(["a", "b"], [[1.0], [2.0]]), {str(tmp_path / "a.vec")!r})
print(len(load({str(tmp_path / "a.vec")!r})))
print([name for name in ("numba", "zstandard") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["2", "[]"]
