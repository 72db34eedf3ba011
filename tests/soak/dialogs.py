"""Dialogs and boxes of a window: each is opened as a user opens it, worked in with keys and buttons, and closed."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from inspector.gui.main_window import MainWindow
from inspector.resources import samples_folder

OPENED = {
    "note": "TextDialog",
    "keep": "KeepingDialog",
    "keep_snapshot": "TextDialog",
    "preset": "PresetDialog",
    "columns": "ColumnsDialog",
    "recover": "UnsavedDialog",
    "search": "SearchBox",
    "palette": "SearchBox",
    "keys": "KeysDialog",
    "reference": "ReferenceDialog",
    "show_log": "QMessageBox",
    "about": "QMessageBox",
}
"""What opens each of them, by the name of its action, and its class."""
_TYPED = ("naive", "tune", "note", "gpt-4", "harbour", "c1", "limit", "a", "", "zz", "120")
_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_PageDown)
_LEFT = Qt.MouseButton.LeftButton
_PATIENCE_MILLISECONDS = 5_000
_MOST_TOUCHES = 12
_MENU_MILLISECONDS = 150


class Dialogs:
    """Opens random dialogs of a window and answers them; `seen` counts them by what opened them."""

    def __init__(self, window: MainWindow, choose: random.Random) -> None:
        self._window, self._choose = window, choose
        self.seen: Counter[str] = Counter()
        self._switch_off_quit()
        # A button may wait in an event loop of its own until somebody is done with its menu.
        self._leaving = QTimer(window, interval=_MENU_MILLISECONDS)
        self._leaving.timeout.connect(self._leave_menu)
        self._leaving.start()

    def _leave_menu(self) -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            for _ in range(self._choose.randrange(4)):
                QTest.keyClick(menu, Qt.Key.Key_Down)
            QTest.keyClick(menu, self._choose.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Escape)))

    def _switch_off_quit(self) -> None:
        """The box offers every command."""
        action = self._window.findChild(QAction, "action:quit")
        assert isinstance(action, QAction)
        action.setEnabled(False)

    def each_twice(self, before: Callable[[], None]) -> None:
        """Every dialog two times, the second time closed in another way; `before` comes before each."""
        for name in OPENED:
            for closes in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
                before()
                self.open(name)
                if (box := open_box()) is not None:
                    QTest.keyClick(QApplication.focusWidget() or box, closes)
                self.close_all()

    def move(self) -> None:
        """Open one, and answer it."""
        self.open(self._choose.choice(list(OPENED)))
        self.answer()

    def open(self, name: str) -> None:
        """Open one where that is possible now, and wait until it is there."""
        self._select_for(name)
        if name == "preset":
            self._actions_of_presets()[0].trigger()
        elif self._is_possible(name):
            self._window.do(name)
        else:
            return
        self.seen[name] += self._comes(OPENED[name])

    def answer(self) -> None:
        """Work in whatever is open, and close it."""
        for _ in range(self._choose.randrange(_MOST_TOUCHES)):
            if (box := open_box()) is None:
                return
            self._choose.choice((self._type, self._press, self._key, self._key))(box)
            QApplication.processEvents()
        self.close_all()

    def close_all(self) -> None:
        """Close what is still open, by Escape."""
        for _ in range(_MOST_TOUCHES):
            if (box := open_box()) is None:
                return
            QTest.keyClick(box, Qt.Key.Key_Escape)
            QApplication.processEvents()

    def _select_for(self, name: str) -> None:
        answer = self._window.session.answer
        if answer is None or not len(answer.assembly.candidates):
            return
        lost = (~answer.assembly.in_prompt).nonzero()[0].tolist()
        rows = lost if name == "keep" and lost else range(len(answer.assembly.candidates))
        self._window.select(self._choose.choice(list(rows)))

    def _actions_of_presets(self) -> list[QAction]:
        menu = self._window.findChild(QMenu, "preset_actions")
        assert isinstance(menu, QMenu)
        return menu.actions()

    def _is_possible(self, name: str) -> bool:
        action = self._window.findChild(QAction, f"action:{name}")
        return isinstance(action, QAction) and action.isEnabled()

    def _comes(self, kind: str) -> bool:
        """Whether a box of a class opens; some look into a file before."""
        patience = QElapsedTimer()
        patience.start()
        while patience.elapsed() < _PATIENCE_MILLISECONDS:
            QApplication.processEvents()
            box = open_box()
            if box is not None:
                return type(box).__name__ == kind
            if not self._window.session.tasks.is_running():
                break
        return False

    def _type(self, box: QWidget) -> None:
        fields = [*_usable(box, QLineEdit), *_usable(box, QPlainTextEdit)]
        if fields:
            QTest.keyClicks(self._choose.choice(fields), self._choose.choice(_TYPED))

    def _press(self, box: QWidget) -> None:
        if buttons := list(_usable(box, QAbstractButton)):
            button = self._choose.choice(buttons)
            QTest.mouseClick(button, _LEFT, pos=QPoint(9, button.height() // 2))

    def _key(self, box: QWidget) -> None:
        inside = QApplication.focusWidget()
        target = inside if inside is not None and (inside is box or box.isAncestorOf(inside)) else box
        QTest.keyClick(target, self._choose.choice(_KEYS))


def open_box() -> QWidget | None:
    """The menu, box or dialog that lies over the window and has the keys, None where there is none."""
    dialogs = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
    return QApplication.activePopupWidget() or next(iter(dialogs), None)


def _usable(box: QWidget, kind: type[QWidget]) -> Iterator[QWidget]:
    return (one for one in box.findChildren(kind) if one.isVisible() and one.isEnabled())


def answer_file_dialogs(folder: Path, choose: random.Random, openings: list[tuple[str, ...]]) -> None:
    """Whoever asks for a file hears of one, or that none was chosen: nobody is there to answer the dialog of a system.

    Saved files get names of their own in the folder.
    """
    table = folder / "table.csv"
    table.write_text("wer;was\nMara;Guten Morgen\nNova;Morgen!\n", "utf-8")
    saved = iter(range(1_000_000))

    def save_name(_parent: QWidget, _title: str, wanted: str = "", *_: object) -> tuple[str, str]:
        return choose.choice((("", ""), (str(folder / f"saved-{next(saved)}-{Path(wanted).name}"), "")))

    def name(_parent: QWidget, title: str, *_: object) -> tuple[str, str]:
        tour = str(samples_folder() / "birthday.tour.yaml")
        return (str(table) if title.startswith("Columns") else tour), ""

    def names(*_: object) -> tuple[list[str], str]:
        return choose.choice(([], list(choose.choice(openings)))), ""

    answers = {"getSaveFileName": save_name, "getOpenFileName": name, "getOpenFileNames": names}
    for method, given in {**answers, "getExistingDirectory": lambda *_: ""}.items():
        setattr(QFileDialog, method, staticmethod(given))
