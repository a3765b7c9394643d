"""Words that often occur together become one word."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from isolex.corpora import Corpus, join_phrases


def test_words_that_often_occur_together_are_joined(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    frequent = [f"f{i}" for i in range(100)]
    rare = [f"r{i}" for i in range(600)]
    lines = []
    for number in range(1500):
        line = [*random.choice(frequent, 6), *random.choice(rare, 6)]
        random.shuffle(line)
        if number % 50 == 0:
            line[4:6] = ["new", "york"]
        if number % 50 == 5:
            line[4:7] = ["bank", "f3", "america"]
        lines.append(" ".join(line))
    (tmp_path / "a").write_text("\n".join(lines))
    plain = Corpus.read([tmp_path / "a"], tmp_path / "words")
    joined = join_phrases(plain, tmp_path / "phrases")
    assert joined.counts["new_york"] == 30
    assert joined.counts["bank_f3_america"] == 30, "a frequent word may be inside a phrase"
    assert "new" not in joined.counts
    assert not [word for word in joined.counts if "_" in word and word.startswith("f")]
    assert joined.sentences == plain.sentences
