"""Labels: every text is shown literally, and never interpreted as HTML."""

from typing import Any

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QTextLayout
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inspector.gui.parts.texts import excerpt, figures_loose, figures_whole, one_line, tooltip
from inspector.gui.theme import give_font

WIDEST_MINIMUM = 400
"""In pixels. No text of a file forces the window to be wider."""


class PlainLabel(QLabel):
    """The label of this program. It shows the beginning of a text, with invisible characters written out."""

    def __init__(self, text: str = "", parent: QWidget | None = None, **properties: Any) -> None:
        super().__init__(parent, **properties)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text; `text()` then returns its visible form."""
        super().setText(figures_whole(excerpt(text)))

    def text(self) -> str:
        """Return the visible text, with plain spaces in its figures."""
        return figures_loose(super().text())

    def minimumSizeHint(self) -> QSize:
        """Return the size needed by the text, with a limited width."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), WIDEST_MINIMUM), hint.height())


class ElidedLabel(PlainLabel):
    """A line that shrinks: where it is too long, it is said in fewer words, or ends in an ellipsis.

    Its tooltip has the whole text. It is right-aligned, unless `alignment` differs.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
    ) -> None:
        super().__init__("", parent, alignment=alignment)
        self._shorter: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def say(self, text: str, *shorter: str) -> None:
        """Show a sentence; where it has no room, the first of the `shorter` ones that has."""
        self._shorter = tuple(map(one_line, shorter))
        self.setText(one_line(text))
        self.setToolTip(tooltip(text))

    def minimumSizeHint(self) -> QSize:
        """Return a minimum without any width."""
        return QSize(0, super().minimumSizeHint().height())

    @property
    def shown(self) -> str:
        """The words for which there is room."""
        texts, elided = (self.text(), *self._shorter), Qt.TextElideMode.ElideRight
        shown = [self.fontMetrics().elidedText(text, elided, self.contentsRect().width()) for text in texts]
        return next((text for text, whole in zip(shown, texts, strict=True) if text == whole), shown[-1])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawText(self.contentsRect(), self.alignment().value, self.shown)


def heading(text: str, parent: QWidget | None = None) -> PlainLabel:
    """Return the title of a group of controls."""
    label = PlainLabel(text, parent)
    give_font(label, "title")
    return label


class Hint(PlainLabel):
    """A small muted sentence, or a complaint in the error colour; it takes no room while empty.

    With `lines`, it always has room for this many lines, so that nothing moves when it comes and goes; longer text is
    in its tooltip.
    """

    def __init__(self, parent: QWidget | None = None, complaint: bool = False, lines: int = 0) -> None:
        super().__init__("", parent)
        self._said = ""
        self._lines = lines
        give_font(self, "secondary")
        self.setWordWrap(True)
        self.setForegroundRole(QPalette.ColorRole.BrightText if complaint else QPalette.ColorRole.PlaceholderText)
        if lines:
            keep_room(self)
            self._take_height()
        self.hide()

    def say(self, text: str) -> None:
        """Show a sentence, or nothing."""
        if text != self._said:
            self._said = text
            self.setText(text)
            self.setAccessibleName(self.text())
            if self._lines:
                self.setToolTip(tooltip(text))
        if bool(text) == self.isHidden():
            self.setVisible(bool(text))

    def _take_height(self) -> None:
        self.setFixedHeight(self._lines * self.fontMetrics().lineSpacing())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._lines:
            self._take_height()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sentence, with an ellipsis at the end of the last line that fits."""
        if not self._lines:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        layout = QTextLayout(self.text().replace("\n", " "), self.font())
        layout.beginLayout()
        for number in range(self._lines):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(self.width())
            rest = layout.text()[line.textStart() :]
            is_last = number == self._lines - 1
            shown = self.fontMetrics().elidedText(rest, Qt.TextElideMode.ElideRight, self.width())
            text = shown if is_last else rest[: line.textLength()]
            place = QRect(0, number * self.fontMetrics().lineSpacing(), self.width(), self.fontMetrics().height())
            painter.drawText(place, int(self.alignment()) & ~int(Qt.AlignmentFlag.AlignVertical_Mask), text.rstrip())
        layout.endLayout()


def keep_room(control: QWidget) -> None:
    """Keep the place of a control even while it is hidden."""
    policy = control.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    control.setSizePolicy(policy)
