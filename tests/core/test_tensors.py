"""Tensor files: what is written is read again, and a damaged file is a ValueError."""

from __future__ import annotations

import json
import mmap
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from isolex.core.tensors import TYPES, TensorFile, is_safetensors, release, write_tensors
from isolex.errors import InputError

ARRAYS = {
    "bytes": np.arange(7, dtype=np.uint8),
    "floats": np.linspace(-1, 1, 15, dtype=np.float32).reshape(3, 5),
    "long": np.array([0, -1, 2**62], dtype=np.int64),
    "short": np.array([[3], [-4]], dtype=np.int32),
    "nothing": np.empty((0, 4), dtype=np.float32),
}
CODES = {np.dtype(dtype): code for code, dtype in TYPES.items()}
METADATA = {"made by": "a test", "other": "é"}


def written(arrays: dict[str, np.ndarray], metadata: dict[str, str] | None = None) -> bytes:
    file = BytesIO()
    write_tensors(file, arrays, metadata or {})
    return file.getvalue()


def read(file: TensorFile, name: str) -> np.ndarray:
    return file.array(name, CODES[ARRAYS[name].dtype], ARRAYS[name].ndim)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.safetensors"
    path.write_bytes(written(ARRAYS, METADATA))
    return path


def test_arrays_and_metadata_come_back(path: Path) -> None:
    file = TensorFile(path)
    assert file.metadata == METADATA
    for name, array in ARRAYS.items():
        found = read(file, name)
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(found, array)
        assert name in file
    assert "other" not in file


def test_arrays_are_read_only_views_of_the_file(path: Path) -> None:
    file = TensorFile(path)
    for name in ARRAYS:
        found = read(file, name)
        assert not found.flags.owndata
        assert not found.flags.writeable


def test_every_tensor_is_aligned(path: Path) -> None:
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    assert length % 8 == 0
    header = json.loads(content[8 : 8 + length])
    for name, array in ARRAYS.items():
        assert header[name]["data_offsets"][0] % array.itemsize == 0
        assert read(TensorFile(path), name).flags.aligned


def test_other_programs_can_read_the_file(path: Path) -> None:
    found = load_file(path)
    assert set(found) == set(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)
    with safe_open(path, "numpy") as file:
        assert file.metadata() == METADATA


def test_files_of_other_programs_can_be_read(tmp_path: Path) -> None:
    save_file(ARRAYS, tmp_path / "other.safetensors", METADATA)
    file = TensorFile(tmp_path / "other.safetensors")
    assert file.metadata == METADATA
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(read(file, name), array)


def test_equal_arrays_give_equal_bytes() -> None:
    spread = np.zeros((6, 10), dtype=np.float32)
    spread[::2, ::2] = ARRAYS["floats"]
    alike = {
        **ARRAYS,
        "floats": spread[::2, ::2],  # not contiguous
        "long": ARRAYS["long"].astype(">i8"),
    }
    assert written(alike, METADATA) == written(ARRAYS, METADATA)


def test_other_types_are_not_written() -> None:
    with pytest.raises(KeyError):
        written({"a": np.ones(3)})


def with_header(path: Path, header: object, data: bytes = bytes(16)) -> TensorFile:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return TensorFile(path)


def test_an_unaligned_tensor_is_copied(tmp_path: Path) -> None:
    values = np.arange(4, dtype=np.float32)
    header = b'{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}'
    for spaces in range(4):
        file = with_header(tmp_path / "a", header + b" " * spaces, values.tobytes())
        found = file.array("a", "F32", 1)
        assert found.flags.aligned
        np.testing.assert_array_equal(found, values)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"short",
        b"dog 1 2 3\n" * 10,
        (50).to_bytes(8, "little") + b'{"a":1}',
        (2**62).to_bytes(8, "little") + b'{"a":1}' + bytes(80),
        (1).to_bytes(8, "little") + b"{",
    ],
    ids=["empty", "short", "text", "ends in the header", "long header", "half a header"],
)
def test_files_without_a_header_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(ValueError, match=r"."):
        TensorFile(tmp_path / "a")


@pytest.mark.parametrize(
    "header",
    [
        b'{"a": [1, 2}',
        b'{"a": "\xff"}',
        b'{"a": ' + b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
        {"__metadata__": None},
        {"__metadata__": "text"},
        {"__metadata__": [1]},
        {"__metadata__": 3},
    ],
    ids=[
        "not JSON",
        "not UTF-8",
        "deep",
        "long number",
        "no metadata",
        "text metadata",
        "list metadata",
        "number metadata",
    ],
)
def test_headers_that_cannot_be_read_are_refused(tmp_path: Path, header: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        with_header(tmp_path / "a", header)


@pytest.mark.parametrize(
    "change",
    [
        {"dtype": "F64"},
        {"dtype": "I32"},
        {"dtype": None},
        {"dtype": ["F32"]},
        {"shape": [2, 2]},
        {"shape": [3]},
        {"shape": [5]},
        {"shape": [-4]},
        {"shape": [4.0]},
        {"shape": ["4"]},
        {"shape": []},
        {"shape": 4},
        {"shape": None},
        {"shape": "4"},
        {"shape": {"4": 4}},
        {"data_offsets": [0, 12]},
        {"data_offsets": [4, 20]},
        {"data_offsets": [16, 0]},
        {"data_offsets": [-16, 0]},
        {"data_offsets": [2**70, 2**70 + 16]},
        {"data_offsets": [0]},
        {"data_offsets": [0, 8, 16]},
        {"data_offsets": [False, 16]},
        {"data_offsets": 16},
        {"data_offsets": None},
        {"data_offsets": "ab"},
    ],
    ids=str,
)
def test_entries_that_do_not_describe_the_tensor_are_refused(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    entry = {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}
    assert with_header(tmp_path / "a", {"a": entry}).array("a", "F32", 1).shape == (4,)
    file = with_header(tmp_path / "a", {"a": entry | change})
    with pytest.raises(ValueError, match=r"\ba\b"):
        file.array("a", "F32", 1)


@pytest.mark.parametrize("size", [2**63, 10**400])
def test_an_empty_tensor_with_an_impossible_size_is_refused(tmp_path: Path, size: int) -> None:
    entry = {"dtype": "F32", "shape": [0, size], "data_offsets": [0, 0]}
    file = with_header(tmp_path / "a", {"a": entry})
    with pytest.raises(ValueError, match=r"."):
        file.array("a", "F32", 2)


@pytest.mark.parametrize("missing", ["dtype", "shape", "data_offsets"])
def test_an_incomplete_entry_is_refused(tmp_path: Path, missing: str) -> None:
    entry = {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}
    del entry[missing]
    with pytest.raises(ValueError, match=r"\ba\b"):
        with_header(tmp_path / "a", {"a": entry}).array("a", "F32", 1)


@pytest.mark.parametrize("entry", [4, None, "text", [1, 2, 3]])
def test_an_entry_of_another_kind_is_refused(tmp_path: Path, entry: object) -> None:
    with pytest.raises(ValueError, match=r"\ba\b"):
        with_header(tmp_path / "a", {"a": entry}).array("a", "F32", 1)


def test_a_missing_tensor_is_named(path: Path) -> None:
    with pytest.raises(ValueError, match="absent"):
        TensorFile(path).array("absent", "F32", 1)


def test_any_damage_is_a_value_error_or_harmless(path: Path) -> None:
    rng = np.random.default_rng(0)
    whole = path.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    for _ in range(300):
        content = bytearray(whole[: rng.integers(1, len(whole) + 1)])
        for place in rng.integers(min(header, len(content)), size=rng.integers(4)):
            content[place] = rng.integers(256)
        path.write_bytes(content)
        try:
            file = TensorFile(path)
            for name, array in ARRAYS.items():
                assert read(file, name).dtype == array.dtype
        except ValueError:
            pass


def test_a_file_that_cannot_be_opened_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent: no such file"):
        TensorFile(tmp_path / "absent")
    with pytest.raises(InputError, match="is a folder"):
        TensorFile(tmp_path)


def test_the_beginning_of_a_file_tells_its_format(path: Path) -> None:
    assert is_safetensors(path.read_bytes()[:9])
    assert not is_safetensors(b"2 3\ndog 1 2 3"[:9])
    assert not is_safetensors(b"")


def test_releasing_memory_changes_no_values(tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(4 * mmap.PAGESIZE, 3)).astype(np.float32)
    (tmp_path / "a").write_bytes(written({"a": values, "b": values[:5]}))
    file = TensorFile(tmp_path / "a")
    found = file.array("a", "F32", 2)
    for part in (slice(None), slice(1000, 9000), slice(3, 5), slice(None, None, -1), slice(0)):
        np.testing.assert_array_equal(found[part], values[part])
        release(found[part])
        np.testing.assert_array_equal(found, values)
    release(found[:, 1])
    np.testing.assert_array_equal(found, values)
    np.testing.assert_array_equal(file.array("b", "F32", 2), values[:5])


def test_arrays_in_memory_are_not_released() -> None:
    values = np.random.default_rng(0).normal(size=3 * mmap.PAGESIZE)
    before = values.copy()
    release(values)
    release(values[5:])
    np.testing.assert_array_equal(values, before)
