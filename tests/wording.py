"""The exact wording of messages, kept in one file.

Tests check the kind of an error and the facts in its message. Where the whole sentence matters, a
test passes it to the `wording` fixture, which compares it with ``tests/wording.json``. To improve a
sentence, change it in the source and run ``ISOLEX_WORDING=update scripts/test -n 0``; the diff of
the file shows every sentence that changed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

SNAPSHOT = Path(__file__).with_name("wording.json")


class Wording:
    """Compares messages of one test with the snapshot."""

    def __init__(self, test: str, folder: Path) -> None:
        self._test, self._folder = test, folder
        self._count = 0

    def __call__(self, message: object) -> None:
        """Check a message, or record it if an update was requested."""
        self._count += 1
        key = self._test if self._count == 1 else f"{self._test} ({self._count})"
        text = str(message).replace(f"{self._folder}/", "").replace(str(self._folder), "TMP")
        known = json.loads(SNAPSHOT.read_text(encoding="utf-8")) if SNAPSHOT.exists() else {}
        if os.environ.get("ISOLEX_WORDING") == "update":
            known[key] = text
            dumped = json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False)
            SNAPSHOT.write_text(dumped + "\n", encoding="utf-8")
            return
        assert key in known, f"{key} is not in {SNAPSHOT.name}; see {Path(__file__).name}"
        assert text == known[key]
