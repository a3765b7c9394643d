"""What is visible is what is promised, and starting costs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import isolex


def test_the_front_door_shows_what_the_design_promises() -> None:
    promised = {"Alignment", "Embeddings", "Lexicon", "align", "load", "systems", "__version__"}
    assert set(isolex.__all__) == promised
    assert set(dir(isolex)) >= promised
    assert all(getattr(isolex, name) is not None for name in promised)


def test_align_is_the_function_whatever_was_imported_before() -> None:
    code = "import isolex.systems.align, isolex.cli, isolex; print(callable(isolex.align))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "True"


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(isolex, "nonsense")


def test_starting_the_command_line_imports_nothing_heavy() -> None:
    code = "import sys, isolex.cli; print([m for m in ('numpy', 'numba') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "name", ["io.read_pairs", "evaluate.evaluate_lexicon", "errors.IsolexError", "sklearn.Aligner"]
)
def test_what_the_documentation_names_is_there_at_once(name: str) -> None:
    code = f"import isolex; print(isolex.{name}.__name__)"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == name.split(".")[1]
