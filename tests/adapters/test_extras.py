"""Missing extras are reported together with the command that installs them."""

from __future__ import annotations

import pytest

from isolex.adapters import extras
from isolex.errors import UsageError
from tests.wording import Wording


@pytest.fixture
def only_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that PyTorch is the only extra installed."""
    monkeypatch.setattr(extras, "find_spec", lambda module: module == "torch" or None)


@pytest.mark.usefixtures("only_torch")
def test_missing_extras_are_named_with_the_pip_command(wording: Wording) -> None:
    assert extras.missing(["torch", "dask", "ot"]) == ["dask", "ot"]
    command = r"--engine dask .*pip install 'isolex\[dask,ot\]'"
    with pytest.raises(UsageError, match=command) as error:
        extras.require(["torch", "dask", "ot"], "--engine dask")
    wording(error.value)


@pytest.mark.usefixtures("only_torch")
def test_installed_extras_are_accepted() -> None:
    assert extras.missing(["torch"]) == []
    extras.require(["torch"], "system 'conneau2018'")
    extras.require([], "system 'robust'")
    with pytest.raises(UsageError):
        extras.require(["torch", "dask"], "system 'conneau2018'")


def test_load_imports_the_modules_of_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[str] = []
    monkeypatch.setattr(extras, "import_module", imported.append)
    extras.load(["dask", "web"])
    assert imported == ["distributed", "starlette"]
