"""Qt's own dialogs for files fit the screen that they are on."""

import pytest
from PySide6.QtCore import QRect, QSize, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog

from inspector.gui.main_window import MainWindow
from inspector.gui.remembered import window_state


@pytest.mark.parametrize("action", ["open", "open_folder", "save_workspace"])
def test_the_dialogs_for_files_lie_on_a_small_screen(
    companion: MainWindow, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    laptop = QRect(0, window_state.TITLE_BAR, 640, 360 - window_state.TITLE_BAR)  # 1280×720 at 200 %
    monkeypatch.setattr(window_state, "_room", lambda _: laptop)
    sizes: list[QSize] = []

    def answer() -> None:
        (dialog,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, QFileDialog) and one.isVisible())
        sizes.append(dialog.size())
        buttons = dialog.findChild(QDialogButtonBox)
        assert buttons is not None
        assert dialog.rect().contains(buttons.geometry()), "the buttons are cut off"
        dialog.reject()

    QTimer.singleShot(0, answer)
    companion.do(action)
    (size,) = sizes
    assert size.width() <= laptop.width()
    assert size.height() <= laptop.height()
