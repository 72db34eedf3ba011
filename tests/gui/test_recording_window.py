"""Recording from the window: start, requests that come in, end, errors as sentences, and a window that is killed."""

import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.app import open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.recording.dialog import ENDED, RecordDialog
from inspector.gui.recording.recorders import Recorders
from inspector.recording.apart import start_apart
from inspector.recording.order import read_order
from inspector.settings import recorders_folder
from tests.recording.stand_in import Asked, StandIn, exchanged, post, stand_in, with_length
from tests.recording.test_passing import ANSWER, BODY, CHAT, plain
from tests.servers import recorded

Open = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded.only_loopback(monkeypatch)


@pytest.fixture
def server() -> Iterator[StandIn]:
    with stand_in(plain(with_length(ANSWER))) as running:
        yield running


def dialog_of(window: MainWindow) -> RecordDialog:
    window.do("record")
    return window._recording._dialog


def recorders_of(window: MainWindow) -> Recorders:
    return window._recording._recorders


def start(window: MainWindow, server: StandIn, file: Path, qtbot: QtBot) -> str:
    """Start recording, and return the address for the application."""
    dialog, recorders = dialog_of(window), recorders_of(window)
    dialog.upstream.setText(server.address)
    dialog.listen.setText("127.0.0.1:0")
    dialog.file.setText(str(file))
    dialog.start_button.click()
    qtbot.waitUntil(lambda: bool(recorders.address))
    return recorders.address


def end(window: MainWindow, qtbot: QtBot) -> None:
    dialog_of(window).end_button.click()
    qtbot.waitUntil(lambda: recorders_of(window).running is None)


def status(window: MainWindow) -> str:
    label = window._status._recording
    return label.text() if label.isVisibleTo(window._status) else ""


def lines(file: Path) -> int:
    return len(file.read_bytes().splitlines())


def requests(window: MainWindow) -> int:
    return len(window.screens["requests"].view.found or ())


def test_requests_come_into_an_empty_window_and_then_beside_what_is_open(
    opened: Open, server: StandIn, tmp_path: Path, qtbot: QtBot
) -> None:
    window = opened()
    for number in (1, 2):
        file = tmp_path / f"recorded{number}.jsonl"
        address = start(window, server, file, qtbot)
        dialog, before = dialog_of(window), requests(window)
        assert f"{address} passes requests on, and adds them to {file}." in dialog.said.text()
        assert status(window) == f"● Recording to {file.name}"
        assert not dialog.start_button.isEnabled()
        for many in (1, 2):
            assert ANSWER in exchanged(address, post(CHAT, BODY))
            qtbot.waitUntil(lambda wanted=before + many: requests(window) == wanted)
        assert window.screens["requests"].is_visible
        end(window, qtbot)
        assert status(window) == ""
        assert dialog.said.text() == f"{ENDED} 2 requests recorded in {file}."
        assert dialog.problem.text() == ""
        assert dialog.start_button.isEnabled()
    dialog_of(window).close()
    assert list(recorders_folder().iterdir()) == []


def saved(folder: Path) -> Path:
    chat = folder / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": "Hi"}]))
    return chat


def test_a_recording_that_begins_with_nothing_to_show_opens_with_what_comes_next(
    opened: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    async def answering(asked: Asked) -> AsyncIterator[bytes]:
        yield with_length(ANSWER if asked.body == BODY else b"{}")

    window, file = opened(), tmp_path / "a.jsonl"
    with stand_in(answering) as server:
        address = start(window, server, file, qtbot)
        assert b"{}" in exchanged(address, post(CHAT, b"no request of a chat"))
        qtbot.waitUntil(lambda: bool(window.session.unread))
        assert requests(window) == 0
        assert ANSWER in exchanged(address, post(CHAT, BODY))
        qtbot.waitUntil(lambda: requests(window) == 1)
        end(window, qtbot)
    dialog_of(window).close()


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("upstream", "localhost", "Server: expected http:// or https:// with a host"),
        ("listen", "127.0.0.1:99999", "Listen at: expected HOST:PORT with a port up to 65535"),
        ("file", "", "File: expected the name of the file"),
        ("file", "/nowhere/at/all.jsonl", "File: there is no folder /nowhere/at"),
    ],
)
def test_what_cannot_be_is_a_sentence(field: str, text: str, said: str, opened: Open) -> None:
    dialog = dialog_of(opened())
    getattr(dialog, field).setText(text)
    dialog.start_button.click()
    assert dialog.problem.text().startswith(said)
    assert dialog.start_button.isEnabled()
    dialog.close()


def test_a_port_that_is_taken_is_a_sentence_and_another_is_taken_next(
    opened: Open, server: StandIn, tmp_path: Path, qtbot: QtBot
) -> None:
    window = opened()
    dialog, recorders = dialog_of(window), recorders_of(window)
    dialog.upstream.setText(server.address)
    dialog.file.setText(str(tmp_path / "a.jsonl"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        dialog.listen.setText(f"127.0.0.1:{taken.getsockname()[1]}")
        dialog.start_button.click()
        qtbot.waitUntil(lambda: recorders.running is None)
    assert "cannot be listened at" in dialog.problem.text()
    assert not (tmp_path / "a.jsonl").exists()
    start(window, server, tmp_path / "a.jsonl", qtbot)
    assert dialog.problem.text() == ""
    end(window, qtbot)
    dialog.close()


def test_an_address_that_others_can_reach_is_warned_of(opened: Open) -> None:
    dialog = dialog_of(opened())
    assert dialog.warning.text() == ""
    dialog.listen.setText("0.0.0.0:8765")
    assert dialog.warning.text().startswith("Other machines can reach this address")
    dialog.listen.setText("localhost:8765")
    assert dialog.warning.text() == ""
    dialog.close()


def test_a_closed_window_ends_its_recorder_with_a_whole_file(
    server: StandIn, tmp_path: Path, qtbot: QtBot, qapp: QApplication
) -> None:
    window, file = open_window([str(saved(tmp_path))]), tmp_path / "a.jsonl"
    qtbot.waitUntil(lambda: window.session.is_ready)
    address = start(window, server, file, qtbot)
    assert ANSWER in exchanged(address, post(CHAT, BODY))
    dialog_of(window).close()
    window.close()
    qapp.processEvents()
    assert lines(file) == 1
    with pytest.raises(OSError, match=r"."):
        exchanged(address, post(CHAT, BODY))
    assert list(recorders_folder().iterdir()) == []


def test_the_recorder_of_a_killed_window_goes_on_and_is_found_again(
    opened: Open, server: StandIn, tmp_path: Path, qtbot: QtBot
) -> None:
    file = tmp_path / "a.jsonl"
    order = read_order(server.address, "127.0.0.1:0", file, False)
    left = start_apart(order, recorders_folder())  # as a window did that is gone
    try:
        qtbot.waitUntil(lambda: bool(left.address))
        left.held.close()
        assert ANSWER in exchanged(left.address, post(CHAT, BODY))
        window = opened()
        dialog = dialog_of(window)
        assert recorders_of(window).address == left.address
        assert not dialog.start_button.isEnabled()
        qtbot.waitUntil(lambda: requests(window) == 1)
        end(window, qtbot)
        dialog.close()
    finally:
        left.end()
        left.wait()
    assert lines(file) == 1


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_a_recorder_that_is_killed_is_said_and_the_next_one_goes_on_in_its_file(
    opened: Open, server: StandIn, tmp_path: Path, qtbot: QtBot
) -> None:
    window, file = opened(), tmp_path / "a.jsonl"
    address = start(window, server, file, qtbot)
    assert ANSWER in exchanged(address, post(CHAT, BODY))
    qtbot.waitUntil(lambda: file.exists() and lines(file) == 1)
    running = recorders_of(window).running
    assert running is not None
    assert running.started is not None
    os.kill(running.started.pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: recorders_of(window).running is None)
    dialog = dialog_of(window)
    assert dialog.said.text() == ENDED
    assert status(window) == ""
    address = start(window, server, file, qtbot)
    assert ANSWER in exchanged(address, post(CHAT, BODY))
    qtbot.waitUntil(lambda: requests(window) == 2)
    end(window, qtbot)
    dialog.close()
    assert lines(file) == 2
