"""The parts of a message in the details and in the prompt: in order, with the picture read from its place."""

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.parts.thumbnails import thumbnail
from inspector.gui.screens.details.parts_list import MOST_SHOWN, PartsList
from inspector.model import Call, Image, Place, Text


def png(width: int, height: int) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(Qt.GlobalColor.red))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, "png")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def chat(folder: Path) -> Path:
    url = f"data:image/png;base64,{base64.b64encode(png(120, 60)).decode()}"
    parts = [
        {"type": "text", "text": "Above"},
        {"type": "image_url", "image_url": {"url": url, "detail": "low"}},
        {"type": "text", "text": "Below"},
    ]
    path = folder / "chat.json"
    path.write_text(json.dumps({"model": "gpt-4o", "messages": [{"role": "user", "content": parts}]}))
    return path


def test_the_parts_of_the_selected_message_are_listed_with_their_picture(
    qtbot: QtBot, opened: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = opened(chat(tmp_path))
    window.select(0)
    qtbot.waitUntil(lambda: bool(window.findChildren(PartsList)))
    (shown,) = window.findChildren(PartsList)
    qtbot.waitUntil(lambda: len(shown.lines()) == 3)
    assert shown.lines()[1].startswith("picture, 120 × 60, PNG")
    assert shown.lines()[1].endswith("detail low")
    assert shown.costs() == ["1", "85", "1"]
    place = Place(str(tmp_path / "chat.json"), "$.messages[0].content[1].image_url.url")
    qtbot.waitUntil(lambda: shown.has_picture(place))
    assert "picture, 120 × 60" in shown.accessibleDescription()


def test_a_picture_that_is_gone_keeps_its_icon_and_is_asked_for_once(qtbot: QtBot) -> None:
    shown = PartsList()
    qtbot.addWidget(shown)
    gone = Image(5, 5, place=Place("/nowhere.json", "$"))
    shown.show_parts((Text("a"), gone, Image(address="https://example.org/a.png")))
    assert shown.take_wanted() == [gone]
    assert shown.take_wanted() == []
    shown.show_parts((Text("a"), gone, Image(address="https://example.org/a.png")))
    assert shown.take_wanted() == []
    shown.show_parts((Text("b"), gone))
    assert shown.take_wanted() == [gone]
    shown.resize(200, shown.height_wanted())
    assert not shown.grab().isNull()


def test_many_parts_are_counted_and_plain_text_has_none(qtbot: QtBot) -> None:
    shown = PartsList()
    qtbot.addWidget(shown)
    shown.show_parts(tuple(Call(str(n), "look") for n in range(MOST_SHOWN + 3)))
    assert shown.lines()[-1] == "and 3 more parts"
    shown.show_parts(())
    assert (shown.lines(), shown.height_wanted()) == ([], 0)


@pytest.mark.parametrize(
    "data", [b"", b"no picture", b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"]
)
def test_what_is_no_picture_has_no_thumbnail(data: bytes) -> None:
    assert thumbnail(data, 64) is None


def test_a_thumbnail_fits_its_square_and_keeps_its_shape() -> None:
    found = thumbnail(png(300, 150), 64)
    assert found is not None
    assert (found.width(), found.height()) == (64, 32)
    small = thumbnail(png(10, 20), 64)
    assert small is not None
    assert (small.width(), small.height()) == (10, 20)


def test_all_parts_are_in_sight_below_a_short_text(
    qtbot: QtBot, opened: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = opened(chat(tmp_path))
    window.select(0)
    qtbot.waitUntil(lambda: bool(window.findChildren(PartsList)))
    (shown,) = window.findChildren(PartsList)
    qtbot.waitUntil(lambda: len(shown.lines()) == 3)
    qtbot.waitUntil(lambda: shown.height() == shown.height_wanted())
    around = shown.parentWidget()
    assert around is not None
    assert shown.geometry().bottom() < around.height()
