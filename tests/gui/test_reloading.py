"""Files that change on disk are read again: what was made and selected stays; a broken version changes nothing."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import set_class, toggle_exclusions, toggle_pins, use_policy
from inspector.assembly.message_class import MessageClass
from inspector.formats import Part
from inspector.gui.files.renewing import read_again, with_more
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.banner import Banner
from inspector.model import Source, Workspace

Open = Callable[..., MainWindow]


def written(file: Path, *texts: str) -> Path:
    roles = ("user", "assistant")
    said = [{"role": roles[number % 2], "content": text} for number, text in enumerate(texts)]
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(said))
    return file


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    return written(tmp_path / "a.json", "hello", "hi", "how are you", "well")


@pytest.fixture
def window(opened: Open, chat: Path, qtbot: QtBot) -> MainWindow:
    """A window on a chat with marks of every kind and a selected item."""
    made = opened(chat)
    session = made.session
    session.edit(use_policy, "naive")
    session.edit(toggle_pins, ["m1"])
    session.edit(toggle_exclusions, ["m2"])
    session.edit(set_class, ["m0"], MessageClass.FILLER)
    session.flush()
    qtbot.waitUntil(lambda: session.is_ready)
    made.select(row_of(made, "m2"))
    return made


def row_of(window: MainWindow, name: str) -> int:
    assert window.session.assembly is not None
    return list(window.session.assembly.candidates.ids).index(name)


def selected(window: MainWindow) -> str | None:
    assembly = window.session.assembly
    return None if window.row is None or assembly is None else assembly.candidates.ids[window.row]


def texts(window: MainWindow) -> list[str]:
    return [message.content for chat in window.session.workspace.conversations for message in chat.messages]


def banner(window: MainWindow) -> Banner:
    found = window.findChild(Banner, "banner")
    assert isinstance(found, Banner)
    return found


def until_texts(window: MainWindow, expected: list[str], qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.is_ready and texts(window) == expected)


def replaced(file: Path, *texts: str) -> None:
    """As editors save: a new file takes the name of the old one."""
    os.replace(written(file.with_name(f"{file.name}.new"), *texts), file)


@pytest.mark.parametrize("write", [written, replaced])
def test_a_file_that_changed_is_read_again_and_everything_else_stays(
    write: Callable[..., object], window: MainWindow, chat: Path, qtbot: QtBot
) -> None:
    session = window.session
    scenario, steps = session.scenario, session.undo_stack.count()
    for number in range(2):  # the one that came by renaming is watched, too
        expected = ["hello", "hi", "how are you", "well", f"new {number}"]
        write(chat, *expected)
        until_texts(window, expected, qtbot)
        assert (session.scenario, session.undo_stack.count()) == (scenario, steps)
        assert selected(window) == "m2"
    session.undo_stack.undo()
    assert session.scenario.overrides == {}
    qtbot.waitUntil(lambda: session.is_ready)


def test_a_broken_version_keeps_what_was_open_and_says_so(window: MainWindow, chat: Path, qtbot: QtBot) -> None:
    before = texts(window)
    with qtbot.waitSignal(window.session.unread_changed):
        chat.write_text('[{"role": "user", "content": "torn')
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert texts(window) == before
    assert selected(window) == "m2"
    assert banner(window).isVisible()
    assert banner(window).sentence.startswith("a.json: ")
    assert banner(window).sentence.endswith("the parts read before stay")
    written(chat, "whole again")
    until_texts(window, ["whole again"], qtbot)
    assert not banner(window).isVisible()


def test_a_file_that_is_gone_stays_open_and_comes_back(window: MainWindow, chat: Path, qtbot: QtBot) -> None:
    before = texts(window)
    with qtbot.waitSignal(window.session.unread_changed):
        chat.unlink()
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert texts(window) == before
    assert "the parts read before stay" in banner(window).sentence
    written(chat, "back")
    until_texts(window, ["back"], qtbot)


def test_f5_reads_again(window: MainWindow, chat: Path, qtbot: QtBot) -> None:
    action = window.findChild(QAction, "action:reload")
    assert isinstance(action, QAction)
    assert action.isEnabled()
    with qtbot.waitSignal(window.session.renewed):
        qtbot.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert window.session.scenario.pinned == ("m1",)
    assert selected(window) == "m2"


def test_a_file_that_comes_into_an_opened_folder_is_there(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    folder = tmp_path / "chats"
    written(folder / "a.json", "one")
    window = opened(folder)
    written(folder / "b.json", "two")
    until_texts(window, ["one", "two"], qtbot)
    (folder / "a.json").unlink()
    until_texts(window, ["two"], qtbot)
    assert window.session.paths == (str(folder),)


def test_it_waits_for_who_holds_a_mouse_button(
    window: MainWindow, chat: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, looked = [Qt.MouseButton.LeftButton], []

    def buttons() -> Qt.MouseButton:
        looked.append(True)
        return held[0] if held else Qt.MouseButton.NoButton

    monkeypatch.setattr("inspector.gui.commands.reloading.QGuiApplication.mouseButtons", buttons)
    before = texts(window)
    written(chat, "changed while dragging")
    qtbot.waitUntil(lambda: len(looked) > 1)
    assert texts(window) == before
    held.clear()
    until_texts(window, ["changed while dragging"], qtbot)


def at_next_workspace(window: MainWindow, do: Callable[[], object]) -> None:
    """Do something once the next files are read, and before they are watched."""
    window.session.workspace_changed.connect(do, Qt.ConnectionType.SingleShotConnection)


def until_quiet(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until no change is left to be read."""
    reloading = window._reloading
    qtbot.waitUntil(lambda: window.session.is_ready and not reloading._changed and not reloading._rest.isActive())


@pytest.mark.parametrize("write", [written, replaced])
def test_a_change_between_reading_and_watching_is_read(
    write: Callable[..., object], opened: Open, chat: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = opened()
    at_next_workspace(window, lambda: write(chat, "opened", "and changed"))
    window.open_paths([str(chat)])
    until_texts(window, ["opened", "and changed"], qtbot)
    other = written(tmp_path / "b.json", "beside")
    at_next_workspace(window, lambda: write(other, "beside it", "and changed"))
    window._files.add_paths([str(other)])
    until_texts(window, ["opened", "and changed", "beside it", "and changed"], qtbot)
    at_next_workspace(window, lambda: write(chat, "once", "more"))
    window.do("reload")
    until_texts(window, ["once", "more", "beside it", "and changed"], qtbot)


def test_a_file_that_breaks_between_reading_and_watching_is_tried_once(opened: Open, chat: Path, qtbot: QtBot) -> None:
    window, tried = opened(), list[object]()
    window.session.unread_changed.connect(lambda: tried.append(window.session.unread))
    at_next_workspace(window, lambda: chat.write_text('[{"role": "user", "content": "torn'))
    window.open_paths([str(chat)])
    qtbot.waitUntil(lambda: bool(window.session.unread))
    until_quiet(window, qtbot)
    assert [bool(unread) for unread in tried] == [False, True]
    assert texts(window) == ["hello", "hi", "how are you", "well"]
    written(chat, "whole again")
    until_texts(window, ["whole again"], qtbot)


def test_a_change_of_a_file_that_is_no_longer_open_is_not_read(
    window: MainWindow, chat: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    other = written(tmp_path / "b.json", "another")
    written(chat, "changed")
    qtbot.waitUntil(lambda: bool(window._reloading._changed))
    window.open_paths([str(other)])
    until_texts(window, ["another"], qtbot)
    until_quiet(window, qtbot)
    assert (texts(window), window.session.paths) == (["another"], (str(other),))


def part(file: str, text: str = "") -> Part:
    """What a file gave; one without a text could not be read."""
    return Part(file, Workspace(sources=(Source(file, text),) if text else ()))


def test_only_what_was_read_again_changes() -> None:
    before = (part("/f/a", "1"), part("/f/b", "1"), part("/g/c", "1"))
    assert read_again(before, (part("/f/b", "2"),), ["/f/b"]) == (before[0], part("/f/b", "2"), before[2])
    assert read_again(before, (part("/f/b"),), ["/f/b"]) == before
    assert read_again(before, (part(""),), ["/f/b"]) == (*before, part("")), "it is gone, and was named"


def test_a_file_stays_named_or_found_by_a_walk_when_it_is_read_again() -> None:
    walked, named = replace(part("/f/a", "1"), named=False), part("/f/b", "1")
    again = (part("/f/a", "2"), replace(part("/f/b", "2"), named=False))
    assert [one.named for one in read_again((walked, named), again, ["/f"])] == [False, True]
    assert [one.named for one in with_more((walked, named), again)] == [True, True], "both were named at some time"


def test_what_left_a_folder_is_gone_unless_the_folder_is(tmp_path: Path) -> None:
    inside = part(str(tmp_path / "a"), "1")
    assert read_again((inside,), (), [str(tmp_path)]) == ()
    assert read_again((part("/no such folder/a", "1"),), (), ["/no such folder"]) == (part("/no such folder/a", "1"),)


def test_what_is_added_twice_is_there_once() -> None:
    before = (part("/a", "1"), part("/b", "1"))
    assert with_more(before, (part("/b", "2"), part("/c", "1"))) == (before[0], part("/b", "2"), part("/c", "1"))
    assert with_more(before, (part("/b"),)) == before
