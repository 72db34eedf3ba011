"""A cover for a failed panel, with the error's details and a reload button. The rest of the window continues."""

import platform
import traceback
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inspector import __version__
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import control_text, tooltip
from inspector.gui.theme import PANEL_MARGIN, UNIT, theme
from inspector.secrets import masked

_COVER = 0.85


class FailurePane(QWidget):
    """Covers a view. `reload` is called when the user asks for another try.

    It is a sibling of the view: a splitter would make a child into a section.
    """

    def __init__(self, view: QWidget, title: str, error: Exception, reload: Callable[[], None]) -> None:
        super().__init__(view.parentWidget())
        self.setObjectName("failure_pane")
        self._covered = view
        self.details = _details(title, error)
        self.words = words = PlainLabel("This panel failed.", self)
        words.setForegroundRole(QPalette.ColorRole.BrightText)
        words.setAutoFillBackground(True)
        words.setToolTip(tooltip(f"{type(error).__name__}: {error}"))
        self.copy_button = self._button("Copy details", self._copy)
        self.reload_button = self._button("Reload", reload)
        line = QHBoxLayout()
        line.addWidget(words)
        line.addWidget(self.copy_button)
        line.addWidget(self.reload_button)
        line.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, UNIT, PANEL_MARGIN, UNIT)
        layout.addLayout(line)
        layout.addStretch()
        view.installEventFilter(self)
        self._cover()
        self.raise_()
        self.show()
        focus = QApplication.focusWidget()
        if focus is not None and view.isAncestorOf(focus):
            self.reload_button.setFocus(Qt.FocusReason.OtherFocusReason)  # keys must not act on hidden contents

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the size and place of the view."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._cover()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a veil over the view's last contents."""
        veil = QColor(theme().window)
        veil.setAlphaF(_COVER)
        painter = QPainter(self)
        painter.fillRect(self.rect(), veil)
        painter.end()

    def _cover(self) -> None:
        self.setGeometry(self._covered.geometry())

    def _button(self, text: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(control_text(text), self)
        button.setAccessibleName(text)
        button.clicked.connect(lambda _checked=False: act())
        return button

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(masked(self.details))


def _details(title: str, error: Exception) -> str:
    """Return the program, the panel and the traceback, for a report."""
    versions = f"Prompt Inspector {__version__}, Python {platform.python_version()}, {platform.system()}"
    return f"{versions}\nPanel: {title}\n\n{''.join(traceback.format_exception(error))}"
