"""Empty states: the future contents of a place, and how to fill it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import control_text
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, give_font, theme


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
        give_font(self._heading, "heading")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, GAP, PANEL_MARGIN, GAP)
        layout.setSpacing(UNIT)
        layout.addStretch(2)
        layout.addWidget(self._heading)
        layout.addWidget(self._sentence)
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
