"""Captions: the labels of a panel that are not controls: headings, hints and complaints."""

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.theme import give_font


def heading(text: str, parent: QWidget | None = None) -> PlainLabel:
    """The title of a group of controls."""
    label = PlainLabel(text, parent)
    give_font(label, "heading")
    return label


class Hint(PlainLabel):
    """A small muted sentence, or a complaint in the colour of errors; not there at all while it has no text."""

    def __init__(self, parent: QWidget | None = None, complaint: bool = False) -> None:
        super().__init__("", parent)
        self._said = ""
        give_font(self, "small")
        self.setWordWrap(True)
        self.setForegroundRole(QPalette.ColorRole.BrightText if complaint else QPalette.ColorRole.PlaceholderText)
        self.hide()

    def say(self, text: str) -> None:
        """Show a sentence, or nothing."""
        if text != self._said:
            self._said = text
            self.setText(text)
            self.setAccessibleName(self.text())
        if bool(text) == self.isHidden():
            self.setVisible(bool(text))
