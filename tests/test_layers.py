"""The shape of the package: layers, the sizes of files and functions, and names used once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import isolex

SOURCE = Path(isolex.__file__).parent
MAX_LAYERS = 9
MAX_ENTRIES = 20
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 60

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
FILES = sorted(SOURCE.rglob("*.py"))
MODULES = [path for path in FILES if path != SOURCE / "__init__.py"]


def relative(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def part_of(path: Path) -> str:
    part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "cli" if part == "__main__" else part


def imported_modules(path: Path) -> Iterator[str]:
    """The modules of isolex that a file imports; a name of the front door counts as its module."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.ImportFrom) and node.module == "isolex":
            for alias in node.names:
                home, _ = isolex._HOMES.get(alias.name, (f"isolex.{alias.name}", ""))
                yield home
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def imported_parts(path: Path) -> set[str]:
    names = (name.split(".") for name in imported_modules(path))
    return {name[1] for name in names if name[0] == "isolex" and len(name) > 1} - {"__version__"}


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_layer_imports_only_lower_layers(path: Path) -> None:
    own = part_of(path)
    assert own in LEVEL, f"{own} has no layer: add it to LAYERS"
    wrong = {part for part in imported_parts(path) if part != own and LEVEL[part] >= LEVEL[own]}
    assert not wrong, f"{own} must not import {', '.join(sorted(wrong))}"


def test_there_are_at_most_nine_layers() -> None:
    assert len(LAYERS) <= MAX_LAYERS


def test_kernels_know_no_words_and_no_paths() -> None:
    for path in (SOURCE / "kernels").rglob("*.py"):
        assert imported_parts(path) <= {"kernels"}, path


def test_the_command_line_contains_no_numerics() -> None:
    for path in (SOURCE / "cli").rglob("*.py"):
        assert "numpy" not in path.read_text(encoding="utf-8"), path


def test_the_package_has_few_entries() -> None:
    entries = sorted(path.name for path in SOURCE.iterdir() if path.name != "__pycache__")
    assert len(entries) <= MAX_ENTRIES, entries


def test_files_are_short() -> None:
    lines = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: count for name, count in lines.items() if count > MAX_FILE_LINES} == {}


def test_functions_are_short() -> None:
    long = {
        f"{relative(path)}: {node.name}": node.end_lineno - node.lineno + 1
        for path in FILES
        for node in ast.walk(parse(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION_LINES
    }
    assert long == {}


def test_every_public_class_name_is_defined_once() -> None:
    places: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(relative(path))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
