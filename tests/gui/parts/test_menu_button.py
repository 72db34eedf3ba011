"""A button with a menu: the arrow stands beside the words, and a press opens the menu."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from inspector.gui.palettes import contrast
from inspector.gui.parts.buttons import MenuButton


def inked_columns(button: MenuButton) -> list[bool]:
    """For each column of pixels inside the outline whether something is drawn there."""
    image = button.grab().toImage()
    rows = range(5, image.height() - 5)
    ground = image.pixelColor(4, image.height() // 2)
    columns = range(4, image.width() - 4)
    return [any(contrast(image.pixelColor(x, y), ground) > 1.5 for y in rows) for x in columns]


def test_the_arrow_stands_beside_the_words(qtbot: QtBot) -> None:
    button = MenuButton("chooser", "Policies", QMenu())
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    button.show()
    inked = inked_columns(button)
    arrow_end = len(inked) - inked[::-1].index(True)
    arrow_start = arrow_end - inked[:arrow_end][::-1].index(False)
    gap = inked[:arrow_start][::-1].index(True)
    assert 5 <= arrow_end - arrow_start <= 10
    assert gap >= 4
    assert sum(inked[:arrow_start]) > button.fontMetrics().horizontalAdvance("Policies") / 2


def test_a_press_opens_the_menu(qtbot: QtBot) -> None:
    menu = QMenu()
    menu.addAction("ratio")
    button = MenuButton("chooser", "Policies", menu)
    qtbot.addWidget(button)
    button.show()
    opened: list[bool] = []

    def look() -> None:
        opened.append(menu.isVisible())
        menu.close()

    QTimer.singleShot(0, look)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert opened == [True]
