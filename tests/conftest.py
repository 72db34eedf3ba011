"""Fixtures that all tests share: a private home, no network, the folder of real files, plug-ins."""

import gc
import os
import socket
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, EntryPoints
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests import slow
from tests.examples import register_profiles

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

register_profiles()

_HOMES = count()
_SELDOM = 20_000, 20, 40
"""How often circles of objects are looked for: by default so often that a thirtieth of the suite is spent on it."""
_CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests before any are chosen by their marks."""
    names = slow.listed()
    for item in items:
        if slow.function_of(item.nodeid) in names:
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """All modules and tests are there now, and stay: no collection has to walk through them again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_SELDOM)


@pytest.fixture(autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, cache and configuration of its own for every test.

    They stand apart: pytest looks through all of its folder for the next free number of each that it makes there.
    """
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_HOMES))
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in ("CACHE", "CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    return home


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any attempt to reach an internet address fails the test."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Real files of the formats, kept beside the checkout because of their licences; tests skip without them."""
    folder = Path(os.environ.get("PROMPT_INSPECTOR_DATA", _CHECKOUT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the folder of real files is not here")
    return folder


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs entry points of a group by name and place, as if other distributions had brought them."""
    from inspector import plugins

    points: list[EntryPoint] = []

    def install(group: str, **places: str) -> None:
        points.extend(EntryPoint(name, place, group) for name, place in places.items())
        monkeypatch.setattr(plugins, "installed", lambda: EntryPoints(points))
        plugins.plug_ins.cache_clear()

    yield install
    monkeypatch.undo()
    plugins.installed.cache_clear()
    plugins.plug_ins.cache_clear()
