"""A lower layer never imports a higher one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import isolex

SOURCE = Path(isolex.__file__).parent

LAYERS = [
    {"errors", "kernels"},
    {"adapters"},
    {"core"},
    {"io"},
    {"method", "trainers", "evaluate", "corpora", "fetching"},
    {"systems", "samples"},
    {"run", "bench", "sklearn"},
    {"web"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def part_of(path: Path) -> str:
    part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "cli" if part == "__main__" else part


def imported_parts(path: Path) -> set[str]:
    parts = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "isolex":
            homes = [isolex._HOMES.get(alias.name, alias.name) for alias in node.names]
            parts |= {home.removeprefix("isolex.").split(".")[0] for home in homes} - {
                "__version__"
            }
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts |= {node.module.split(".")[1]} if node.module.startswith("isolex.") else set()
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.startswith("isolex.")]
            parts |= {name.split(".")[1] for name in names}
    return parts


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_nothing_imports_upward(path: Path) -> None:
    own = part_of(path)
    assert own in LEVEL, f"{own} has no layer: add it to LAYERS"
    wrong = {part for part in imported_parts(path) if part != own and LEVEL[part] >= LEVEL[own]}
    assert not wrong, f"{own} must not import {', '.join(sorted(wrong))}"


def test_kernels_know_no_words_and_no_paths() -> None:
    for path in (SOURCE / "kernels").rglob("*.py"):
        assert imported_parts(path) <= {"kernels"}, path


def test_the_command_line_holds_no_numerics() -> None:
    for path in (SOURCE / "cli").rglob("*.py"):
        assert "numpy" not in path.read_text(encoding="utf-8"), path
