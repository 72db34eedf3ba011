"""A view of slowly computed contents, requested only while visible and at rest."""

import platform
import traceback
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QHideEvent, QPainter, QPaintEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inspector import __version__
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, give_font, scaled, theme
from inspector.secrets import masked

REST_MILLISECONDS = 300
"""How long nothing must change before visible contents are requested again."""


class AskingView(QWidget):
    """Requests its contents when it comes into sight and a moment after `refresh`, never while invisible.

    The contents are stale from `refresh` until the view is told otherwise. Subclasses define by `_ask` how to request
    them, and by `_dim` how to show that they are outdated. `outdated` reports that a running computation is outdated as
    well.
    """

    outdated = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stale = True
        self._asked = False
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._at_once = QTimer(self, singleShot=True, interval=0)
        for timer in (self._rest, self._at_once):
            timer.timeout.connect(self._ask_in_sight)

    @property
    def is_in_sight(self) -> bool:
        """Whether it can be seen: Qt counts a panel behind another tab as visible, but its visible region is empty."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    @property
    def is_waiting(self) -> bool:
        """Whether contents are needed but not yet requested."""
        return self._stale and not self._asked

    def refresh(self) -> None:
        """Mark the contents as outdated. They are requested again after a moment, or when this comes into sight."""
        self._stale, self._asked = True, False
        self.outdated.emit()
        self._dim()
        if self.is_in_sight:
            self._rest.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Request missing contents."""
        super().showEvent(event)
        self._ask_in_sight()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Request missing contents: nothing else reports coming to the front of other tabs."""
        super().paintEvent(event)
        if self.is_waiting and not self._rest.isActive():
            self._at_once.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Request nothing while hidden."""
        super().hideEvent(event)
        self._rest.stop()

    def _ask_in_sight(self) -> None:
        if self.is_waiting and self.is_in_sight:
            self._asked = True
            self._ask()

    def _ask(self) -> None:
        """Request the contents, or show that there is nothing to request."""

    def _dim(self) -> None:
        """Show the contents as outdated."""


_WIDEST = 560
"""A longer line is hard to read."""


class EmptyState(QWidget):
    """A heading, a sentence and buttons in the middle of an empty place."""

    def __init__(
        self,
        heading: str,
        sentence: str,
        buttons: Sequence[tuple[str, Callable[[], None]]] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._heading = PlainLabel(heading, alignment=Qt.AlignmentFlag.AlignHCenter, wordWrap=True)
        self._sentence = PlainLabel(sentence, alignment=Qt.AlignmentFlag.AlignHCenter, wordWrap=True)
        give_font(self._heading, "title")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, GAP, PANEL_MARGIN, GAP)
        layout.setSpacing(UNIT)
        layout.addStretch(2)
        layout.addWidget(self._heading)
        self._sentence.setMaximumWidth(scaled(_WIDEST))
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self._sentence, 1_000)  # all the width it may take, the rest at both sides
        middle.addStretch(1)
        layout.addLayout(middle)
        layout.addSpacing(UNIT)
        for text, act in buttons:
            button = QPushButton(control_text(text))
            button.setAccessibleName(text)
            button.clicked.connect(lambda _checked=False, act=act: act())
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self._restyle()

    def set_sentence(self, sentence: str) -> None:
        """Replace the sentence."""
        self._sentence.setText(sentence)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()

    def _restyle(self) -> None:
        palette = self.palette()
        palette.setColor(palette.ColorRole.WindowText, theme().muted_text)
        self._sentence.setPalette(palette)


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
