"""The front door: what is visible is what is promised, and starting is cheap."""

from __future__ import annotations

import subprocess
import sys

import pytest

import isolex

PROMISED = {
    "add",
    "Embeddings",
    "Lexicon",
    "Space",
    "__version__",
    "align",
    "evaluate",
    "load",
    "open",
    "systems",
}


def output(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_front_door_shows_what_the_design_promises() -> None:
    assert set(isolex.__all__) == PROMISED
    assert set(dir(isolex)) >= PROMISED
    assert all(getattr(isolex, name) is not None for name in PROMISED)


def test_align_is_the_function_whatever_was_imported_before() -> None:
    code = "import isolex.systems.align, isolex.cli, isolex; print(callable(isolex.align))"
    assert output(code) == "True"


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(isolex, "nonsense")


@pytest.mark.parametrize("module", ["isolex", "isolex.cli"])
def test_starting_imports_nothing_heavy(module: str) -> None:
    heavy = ("numpy", "numba", "scipy", "torch", "rich", "jinja2")
    code = f"import sys, {module}; print([m for m in {heavy} if m in sys.modules])"
    assert output(code) == "[]"


@pytest.mark.parametrize(
    "name",
    [
        "io.read_pairs",
        "evaluate.evaluate_lexicon",
        "errors.IsolexError",
        pytest.param("sklearn.Aligner", marks=pytest.mark.slow),
    ],
)
def test_the_documented_modules_need_no_import_of_their_own(name: str) -> None:
    assert output(f"import isolex; print(isolex.{name}.__name__)") == name.split(".")[1]
