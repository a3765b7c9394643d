"""Safetensors files, mapped into memory and not copied.

The reader checks every number in the header before it is used. The writer puts the largest types
first, so that every tensor is aligned, and writes equal bytes for equal tensors.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from isolex.core.file_errors import StrPath, refuse_os

TYPES = {"F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "|u1"}
_CODES = {np.dtype(dtype): code for code, dtype in TYPES.items()}
_LONGEST_HEADER = 100_000_000  # as in the safetensors specification
_ALIGNMENT = 8


def is_safetensors(head: bytes) -> bool:
    """Whether a file begins like safetensors: a length, then JSON."""
    return head[8:9] == b"{" and int.from_bytes(head[:8], "little") <= _LONGEST_HEADER


class TensorFile:
    """A safetensors file that is open for reading.

    Attributes:
        metadata: The text that was stored beside the tensors.

    Raises:
        InputError: If the file cannot be opened.
        ValueError: If it is not a well-formed safetensors file. So does `array` for a tensor that
            is missing or is not what was expected.
    """

    def __init__(self, path: StrPath) -> None:
        try:
            with Path(path).open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise refuse_os(path, error) from error
        length = int.from_bytes(self._data[:8], "little")
        if not is_safetensors(self._data[:9]) or 8 + length > len(self._data):
            raise ValueError("no safetensors header")
        try:
            header = json.loads(self._data[8 : 8 + length])
            self.metadata: dict[str, str] = dict(header.pop("__metadata__", {}))
        except (TypeError, AttributeError, RecursionError) as error:
            raise ValueError("not a safetensors header") from error
        self._header, self._base = header, 8 + length

    def __contains__(self, name: object) -> bool:
        return name in self._header

    def array(self, name: str, code: str, ndim: int) -> NDArray[Any]:
        """A read-only view of the tensor ``name`` of type ``code``, such as ``"F32"``."""
        try:
            entry = self._header[name]
            kind, shape, (begin, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"no tensor {name}") from error
        if not all(type(number) is int and number >= 0 for number in (*shape, begin, end)):
            raise ValueError(f"the sizes of {name} are not whole numbers")
        dtype = np.dtype(TYPES[code])
        size = prod(shape) * dtype.itemsize
        ends = self._base + end <= len(self._data)
        if kind != code or len(shape) != ndim or end - begin != size or not ends:
            raise ValueError(f"{name} has the wrong type, shape or place")
        view = np.frombuffer(self._data, dtype, prod(shape), self._base + begin).reshape(shape)
        return view if view.flags.aligned else view.copy()


def release(array: NDArray[Any]) -> None:
    """Let the system reclaim the memory of a memory-mapped array until it is read again."""
    owner: Any = array
    while isinstance(owner, np.ndarray):
        owner = owner.base
    if isinstance(owner, memoryview):
        owner = owner.obj
    mapped = isinstance(owner, mmap.mmap) and hasattr(owner, "madvise")
    if mapped and array.flags.c_contiguous:
        start = array.__array_interface__["data"][0]
        begin = start - np.frombuffer(owner, np.uint8, 1).__array_interface__["data"][0]
        first = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE
        last = (begin + array.nbytes) // mmap.PAGESIZE * mmap.PAGESIZE
        if last > first:
            owner.madvise(mmap.MADV_DONTNEED, first, last - first)


def write_tensors(
    file: BinaryIO, arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]
) -> None:
    """Write arrays of the known types; equal arrays and metadata give equal bytes."""
    little = {name: np.ascontiguousarray(array, _little(array)) for name, array in arrays.items()}
    ordered = sorted(little.items(), key=lambda item: -item[1].itemsize)
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    end = 0
    for name, array in ordered:
        begin, end = end, end + array.nbytes
        header[name] = {
            "dtype": _CODES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    file.write(len(text).to_bytes(8, "little") + text)
    for _, array in ordered:
        file.write(array.data if array.size else b"")


def _little(array: NDArray[Any]) -> np.dtype[Any]:
    return array.dtype.newbyteorder("<")
