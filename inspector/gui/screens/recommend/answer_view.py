"""The answer: how sure it is, the setting as a sentence, its price and its gain, and what can be done with it."""

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inspector.analysis.recommend.policy_rows import PolicyRow
from inspector.analysis.recommend.searched import interval_text
from inspector.figures import points
from inspector.gui.parts.labels import ElidedLabel, Hint, PlainLabel, keep_room
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.parts.word_chip import ChipTone, WordChip
from inspector.gui.screens.recommend.menu import ACTS, BUTTONS
from inspector.gui.screens.recommend.model import gain_ink
from inspector.gui.theme import UNIT, FontName, give_font, scaled, theme

_TONES: dict[str, ChipTone] = {"gain": "good", "use": "good", "chance": "warning", "loss": "error"}
_BUTTON_WIDTH = 176
SO_FAR = "so far"
_ELSEWHERE = (
    "The gain in points of recall where the search did not look, with its 95 % interval.\n"
    "On the questions that chose the setting, the gain is usually larger."
)


class AnswerView(QWidget):
    """The answer for a row of the table, or a heading with a sentence before there is any. `acted(name)` carries an
    action of `ACTS`.
    """

    acted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recommend_answer")
        self._row: PolicyRow | None = None
        self.chip = WordChip("recommend_certainty")
        self.held = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.held.setObjectName("recommend_held")
        self.headline = _Lines("large", 2, self)
        self.headline.setObjectName("recommend_headline")
        self.price = _Lines("message", 4, self)
        self.price.setObjectName("recommend_price")
        self.gain, self.unit, self.interval = PlainLabel(), PlainLabel("points elsewhere"), PlainLabel()
        give_font(self.gain, "gain")
        for label in (self.unit, self.interval):
            give_font(label, "secondary")
        for label in (self.gain, self.unit, self.interval):
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            label.setToolTip(tooltip(_ELSEWHERE))
            keep_room(label)
        self.gain.setObjectName("recommend_gain")
        self.buttons = {name: self._button(name, words, key, help_) for name, words, key, help_ in ACTS
                        if name in BUTTONS}  # fmt: skip
        self._lay_out()
        self._colour()
        self.show_words("", "")

    def show_words(self, headline: str, sentence: str, *, is_complaint: bool = False) -> None:
        """Show a heading and a sentence in place of an answer."""
        self._row = None
        self.chip.setVisible(False)
        self._show_buttons(are_there=False)
        self.held.say("")
        self.headline.say(headline)
        self.price.setForegroundRole(QPalette.ColorRole.BrightText if is_complaint else QPalette.ColorRole.WindowText)
        self.price.say(sentence)
        self._show_gain()

    def show_row(self, row: PolicyRow, effect: str = "") -> None:
        """Show the answer of a row; `effect` says what it changes in the open prompt."""
        self._row = row
        self._show_buttons(are_there=True)
        is_whole = row.found.recommendation.is_whole
        self.chip.say(row.chip if is_whole else f"{row.chip}, {SO_FAR}", _TONES.get(row.certainty, "plain"), row.held)
        self.chip.setVisible(True)
        self.held.say(row.held)
        self.headline.say(row.headline)
        self.price.setForegroundRole(QPalette.ColorRole.WindowText)
        self.price.say(" ".join(filter(None, (row.price, effect))))
        self._show_gain()

    def show_possible(self, name: str, possible: bool) -> None:
        """Enable or disable an action."""
        if name in self.buttons:
            self.buttons[name].setEnabled(possible)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "gain"):
            self._colour()

    def _show_buttons(self, *, are_there: bool) -> None:
        for button in self.buttons.values():
            button.setVisible(are_there)

    def _show_gain(self) -> None:
        row = self._row
        is_known = row is not None and row.advice.gain is not None
        for label in (self.gain, self.unit, self.interval):
            label.setVisible(is_known)
        if row is not None and is_known:
            self.gain.setText(points(row.advice.gain))
            self.interval.setText(interval_text(row.advice.interval))
            self.gain.setAccessibleName(f"Gain {points(row.advice.gain)} points of recall, {self.interval.text()}")
        self._colour()

    def _colour(self) -> None:
        look, row = theme(), self._row
        for label, ink in (
            (self.gain, gain_ink(row.side if row else 0)),
            (self.unit, look.second_text),
            (self.interval, look.second_text),
            (self.held, look.second_text),
            (self.price, look.second_text),
        ):
            palette = self.palette()
            for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):  # by the ground of the page
                palette.setColor(role, ink)
            label.setPalette(palette)

    def _button(self, name: str, words: str, key: str, help_: str) -> QPushButton:
        button = QPushButton(control_text(words))
        button.setObjectName(f"recommend_{name}")
        button.setAccessibleName(words)
        button.setToolTip(tooltip(f"{help_} ({key} in the table)"))
        button.setMinimumWidth(scaled(_BUTTON_WIDTH))
        button.setProperty("primary", name == BUTTONS[0])
        button.setFlat(name == BUTTONS[-1])
        keep_room(button)
        button.clicked.connect(lambda _checked=False: self.acted.emit(name))
        return button

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(2 * UNIT)
        top.addWidget(self.chip)
        top.addWidget(self.held, 1)
        self.chip.setFixedHeight(self.chip.sizeHint().height())
        keep_room(self.chip)
        words = QVBoxLayout()
        words.setSpacing(UNIT + 2)
        words.addLayout(top)
        words.addWidget(self.headline)
        words.addWidget(self.price)
        words.addStretch()
        figures = QVBoxLayout()
        figures.setSpacing(0)
        figures.addStretch()
        for label in (self.gain, self.unit, self.interval):
            figures.addWidget(label)
        figures.addStretch()
        acts = QVBoxLayout()
        acts.setSpacing(UNIT + 2)
        for button in self.buttons.values():
            acts.addWidget(button)
        acts.addStretch()
        line = QHBoxLayout(self)
        line.setContentsMargins(4 * UNIT, 3 * UNIT, 4 * UNIT, 2 * UNIT)
        line.setSpacing(5 * UNIT)
        holder = QWidget()  # as high for fewer lines, so that nothing below moves with another sentence
        words.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(words)
        chip, lines = self.chip.sizeHint().height(), (self.headline, self.price)
        holder.setMinimumHeight(chip + sum(one.most_height for one in lines) + 3 * words.spacing())
        line.addWidget(holder, 1)
        line.addLayout(figures)
        line.addLayout(acts)


class _Lines(Hint):
    """A text of up to so many lines, with an ellipsis at the end of the last."""

    def __init__(self, font: FontName, lines: int, parent: QWidget) -> None:
        super().__init__(parent, lines=lines)
        self._most = lines
        give_font(self, font)
        self.setForegroundRole(QPalette.ColorRole.WindowText)
        self.show()

    def say(self, text: str) -> None:
        """Show a text in as many lines as it needs."""
        super().say(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many lines as the width needs."""
        super().resizeEvent(event)
        self._fit()

    @property
    def most_height(self) -> int:
        """The height of all of its lines."""
        return self._most * self.fontMetrics().lineSpacing()

    def _fit(self) -> None:
        room = QRect(0, 0, max(self.width(), 1), 1 << 20)
        flags = int(Qt.TextFlag.TextWordWrap)
        needed = self.fontMetrics().boundingRect(room, flags, self.text()).height() / self.fontMetrics().lineSpacing()
        lines = min(max(round(needed), 1), self._most)
        if lines != self._lines:
            self._lines = lines
            self._take_height()
