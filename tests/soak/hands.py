"""Hands on a window: real mouse and key events on whatever can be seen, and the actions of its menus."""

import random
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QScrollBar,
    QSlider,
    QTableView,
    QWidget,
)
from shiboken6 import isValid

from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.gui.screens.decisions.chips import ActionChip
from inspector.gui.screens.decisions.filter_line import FilterEdit
from tests.soak.dialogs import Dialogs, open_box

_ACTIONS = (
    *("undo", "redo", "undo", "redo", "copy_command", "copy_picture", "pin", "exclude", "clear_marks", "reset"),
    *("pin_baseline", "clear_baseline", "swap", "comparison", "next_change", "previous_change", "explain"),
    *("zoom_in", "zoom_out", "zoom_reset", "theme_light", "theme_dark", "theme_system", "reset_layout", "reload"),
    *("must_survive", "need", "play", "next_drop", "totals", "recorded", "snapshots", "shootout", "tokenizers"),
    *("recommend", "show_problems", "reveal_secrets", "first_tour", "tour_next", "tour_back", "full_screen"),
    *("export", "export_redacted", "export_table", "export_bar", "export_plot", "export_prompt", "export_chat"),
    *("save", "save_as", "save_workspace", "save_scenario", "add", "open", "open_tour", "repair", "paste"),
)
_FILTERS = ("action:dropped", "tokens>20 role:user", "-kind:message", "harbour", "(", "changed:yes", "spent>0 ")
_KEYS = tuple(
    getattr(Qt.Key, f"Key_{name}") for name in ("Down", "Up", "PageDown", "PageUp", "End", "Home", "Space", "P", "X")
)
_LEFT = Qt.MouseButton.LeftButton
_Seen = TypeVar("_Seen", bound=QWidget)


class Hands:
    """Touches random things of a window, the same ones for the same seed as far as the same can be seen.

    What lies over the window is answered before anything else is touched.
    """

    def __init__(self, window: MainWindow, choose: random.Random, dialogs: Dialogs) -> None:
        self._window, self._choose, self._dialogs = window, choose, dialogs
        self._moves: dict[Callable[[], None], int] = {
            self._drag_slider: 30,
            self._turn_slider: 6,
            self._touch_table: 25,
            self._scroll: 12,
            self._show_page: 10,
            self._filter: 6,
            self._tick: 4,
            self._choose_word: 4,
            self._step_number: 4,
            self._act: 14,
            self._press: 14,
            self._ask_for_menu: 4,
            self._go_to_perspective: 2,
            dialogs.move: 6,
            self._resize: 1,
        }

    def move(self) -> None:
        """Do one thing."""
        if open_box() is not None:
            self._dialogs.answer()
            return
        self._choose.choices(list(self._moves), list(self._moves.values()))[0]()

    def _one(self, kind: type[_Seen], is_meant: Callable[[_Seen], bool] = lambda _: True) -> _Seen | None:
        """One of the widgets of a kind that can be seen and used, None where there is none."""
        seen = [one for one in self._window.findChildren(kind) if one.isVisible() and one.isEnabled() and is_meant(one)]
        return self._choose.choice(seen) if seen else None

    def _place(self, widget: QWidget) -> QPoint:
        return QPoint(self._choose.randrange(max(widget.width(), 1)), self._choose.randrange(max(widget.height(), 1)))

    def _drag_slider(self) -> None:
        if (slider := self._one(QSlider)) is not None:
            QTest.mousePress(slider, _LEFT, pos=self._place(slider))
            for _ in range(self._choose.randrange(1, 12)):
                QTest.mouseMove(slider, self._place(slider))
                if self._choose.random() < 0.3:
                    QApplication.processEvents()
                if not isValid(slider):  # an answer came with other sliders
                    return
            QTest.mouseRelease(slider, _LEFT, pos=self._place(slider))

    def _turn_slider(self) -> None:
        if (slider := self._one(QAbstractSlider, lambda one: not isinstance(one, QScrollBar))) is not None:
            QTest.keyClick(slider, self._choose.choice(_KEYS[:6]))

    def _touch_table(self) -> None:
        view = self._one(QAbstractItemView, lambda one: not isinstance(one, QHeaderView))
        if view is None:
            return
        QTest.mouseClick(view.viewport(), _LEFT, pos=self._place(view.viewport()))
        for _ in range(self._choose.randrange(3)):
            QTest.keyClick(view, self._choose.choice(_KEYS))
        if isinstance(view, QTableView) and self._choose.random() < 0.2:
            header = view.horizontalHeader().viewport()
            QTest.mouseClick(header, _LEFT, pos=self._place(header))

    def _scroll(self) -> None:
        if (bar := self._one(QScrollBar, lambda one: one.maximum() > one.minimum())) is not None:
            bar.setValue(self._choose.randrange(bar.minimum(), bar.maximum() + 1))

    def _show_page(self) -> None:
        if self._choose.random() < 0.2:
            self._window.do(self._choose.choice(("left_column", "right_column")))
        else:
            self._window.show_screen(self._choose.choice(sorted(self._window.screens)))

    def _filter(self) -> None:
        if self._choose.random() < 0.3:
            chip = self._one(ActionChip)
            if chip is not None:
                QTest.mouseClick(chip, _LEFT)
        elif (line := self._one(FilterEdit)) is not None:
            line.clear()
            QTest.keyClicks(line, self._choose.choice(_FILTERS))
            QTest.keyClick(line, self._choose.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Backspace)))

    def _tick(self) -> None:
        if (box := self._one(QCheckBox)) is not None:
            QTest.mouseClick(box, _LEFT, pos=QPoint(9, box.height() // 2))

    def _choose_word(self) -> None:
        if (box := self._one(QComboBox, lambda one: not one.isEditable())) is not None:
            QTest.keyClick(box, self._choose.choice((Qt.Key.Key_Down, Qt.Key.Key_Up)))

    def _step_number(self) -> None:
        if (field := self._one(QAbstractSpinBox)) is not None:
            edit = field.findChild(QLineEdit)
            if edit is not None and self._choose.random() < 0.4:
                edit.selectAll()
                QTest.keyClicks(edit, self._choose.choice(("0", "12", "4096", "0.35")))
                QTest.keyClick(edit, Qt.Key.Key_Return)
            else:
                QTest.keyClick(field, self._choose.choice((Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp)))

    def _act(self) -> None:
        self._window.do(self._choose.choice(_ACTIONS))

    def _press(self) -> None:
        if (button := self._one(QAbstractButton)) is not None:
            QTest.mouseClick(button, _LEFT)

    def _ask_for_menu(self) -> None:
        if (view := self._one(QAbstractItemView)) is not None:
            place = self._place(view.viewport())
            QTest.mouseClick(view.viewport(), _LEFT, pos=place)
            event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place))
            QApplication.postEvent(view.viewport(), event)

    def _go_to_perspective(self) -> None:
        self._window.do(self._choose.choice(PERSPECTIVES))

    def see_panels(self, wait_until_ready: Callable[[], None]) -> None:
        """Every panel in every perspective: shown, pressed and looked through."""
        for perspective in PERSPECTIVES:
            self._window.do(perspective)
            for name in (name for name, one in self._window.screens.items() if perspective in one.perspectives):
                self._window.show_screen(name)
                wait_until_ready()
                for touch in (self._touch_table, self._press, self._step_number, self._tick):
                    touch()
                    self._dialogs.close_all()

    def _resize(self) -> None:
        self._window.resize(self._choose.randrange(960, 1700), self._choose.randrange(600, 1100))
