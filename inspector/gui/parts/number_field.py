"""Number fields that show values from outside without emitting, and are left alone during typing.

Any figure can be typed. A figure out of range leaves the value unchanged, and is refused with the reason: Qt would
leave out the characters that do not fit, and use the rest as the number.
"""

import re

from PySide6.QtCore import QEvent, QLocale, QObject, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox, QWidget

from inspector.figures import counted
from inspector.gui.theme import RADIUS, UNIT, theme


def paint_outline(field: QWidget) -> None:
    """Draw the outline of a field: in the accent while it has the focus, not at all on a light window."""
    current = theme()
    if not current.dark:
        return
    color = current.accent if field.hasFocus() else current.outline
    painter = QPainter(field)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(color if field.isEnabled() else current.border)
    painter.drawRoundedRect(QRectF(field.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS - 1, RADIUS - 1)
    painter.end()


def paint_ground(field: QWidget, is_strong: bool = False) -> None:
    """Draw the ground and outline of a field without buttons; a strong outline is for boxes that open something."""
    look, in_use = theme(), field.hasFocus()
    painter = QPainter(field)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(look.base if field.isEnabled() else look.window)
    painter.setPen(look.accent if in_use else look.outline if is_strong else look.border)
    painter.drawRoundedRect(QRectF(field.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS - 1, RADIUS - 1)
    painter.end()


_ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
_NUMBER = re.compile(r"[+-]?(\d+|\d{1,3}(,\d{3})+)(\.(?P<decimals>\d*))?")
_OF_NUMBERS = frozenset("0123456789.,+- ")
_LONGEST = "2,000,000 tokens"
_Verdict = tuple[QValidator.State, str, int]


def stand_in_column(field: QWidget, longest: str = _LONGEST, padding: int = 3 * UNIT) -> None:
    """Give a field the common width of a panel, so that fields line up at any text size."""
    _InColumn(field, longest, padding)


class _InColumn(QObject):
    """Gives a field the width of the longest text in a panel."""

    def __init__(self, field: QWidget, longest: str, padding: int) -> None:
        super().__init__(field)
        self._field, self._longest, self._padding = field, longest, padding
        self._take_width()
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adjust the width to another font."""
        if event.type() == QEvent.Type.FontChange:
            self._take_width()
        return super().eventFilter(watched, event)

    def _take_width(self) -> None:
        self._field.setFixedWidth(self._field.fontMetrics().horizontalAdvance(self._longest) + self._padding)


class _Typing(QObject):
    """Sets up a field, tracks whether the user is typing, and holds back values to show afterwards."""

    def __init__(self, field: "WholeField | RealField") -> None:
        super().__init__(field)
        self._field = field
        self._is_active = self._is_refused = False
        self._figure = ""
        self._later: float | None = None
        field.setLocale(_ENGLISH)
        field.setGroupSeparatorShown(True)
        field.setKeyboardTracking(False)
        field.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._take_height()
        field.installEventFilter(self)
        field.lineEdit().textEdited.connect(self._begin)
        field.valueChanged.connect(self._forget)
        field.editingFinished.connect(self._end)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adjust the height to another font."""
        if event.type() == QEvent.Type.FontChange:
            self._take_height()
        return super().eventFilter(watched, event)

    def _take_height(self) -> None:
        self._field.setMinimumHeight(self._field.fontMetrics().height() + 2 * UNIT)

    def show_value(self, value: float) -> None:
        """Show a value set elsewhere: at once, or when typing ends without a new value."""
        self._later = value if self._is_active else None
        if self._is_active or value == self._field.value():
            return
        with QSignalBlocker(self._field):
            self._field.setMaximum(max(self._field.maximum(), value))  # type: ignore[arg-type]
            self._field.setValue(value)  # type: ignore[arg-type]

    def _begin(self, text: str) -> None:
        self._is_active, self._figure = True, _figure(self._field, text)

    def _forget(self) -> None:
        self._later, self._figure = None, ""

    def _end(self) -> None:
        self._is_active = False
        if self._later is not None:
            self.show_value(self._later)
        reason, self._figure = _refusal(self._field, self._figure), ""
        if reason or self._is_refused:
            self._is_refused = bool(reason)
            self._field.refused.emit(f"{reason} It stays {self._field.text()}." if reason else "")


def _figure(field: "WholeField | RealField", text: str) -> str:
    """Return the figure in the text of a field."""
    return text.removeprefix(field.prefix()).removesuffix(field.suffix()).strip()


def _refusal(field: "WholeField | RealField", figure: str) -> str:
    """Return why a field cannot take a figure, or "" if it can, or there is none."""
    if not figure or figure == field.specialValueText():
        return ""
    found = _NUMBER.fullmatch(figure)
    if found is None:
        return f"“{figure}” is no number such as {field.textFromValue(1_000)}."  # type: ignore[arg-type]
    if found["decimals"] is not None and isinstance(field, QSpinBox):
        return f"{figure} is no whole number."
    if isinstance(field, QDoubleSpinBox) and len((found["decimals"] or "").rstrip("0")) > field.decimals():
        return f"{figure} has more than {counted(field.decimals(), 'decimal')}."
    if field.minimum() <= float(figure.replace(",", "")) <= field.maximum():
        return ""
    least, largest = map(field.textFromValue, (field.minimum(), field.maximum()))  # type: ignore[arg-type]
    return f"{figure} is not within {least} to {largest}{field.suffix()}."


def _judged(field: "WholeField | RealField", verdict: _Verdict, text: str, at: int) -> _Verdict:
    """Return Qt's verdict on the text during typing, except for figures to be refused later, which may be typed on."""
    figure = _figure(field, text)
    is_figure = bool(figure) and _OF_NUMBERS.issuperset(figure)
    return (QValidator.State.Intermediate, text, at) if is_figure and _refusal(field, figure) else verdict


class WholeField(QSpinBox):
    """A whole number with thousands separators. A value counts after Enter or on leaving the field.

    `refused` carries why the typed figure is refused, and "" once a figure is accepted.
    """

    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._typing = _Typing(self)
        self._noun = ""
        self.valueChanged.connect(self._take_number)

    def count(self, noun: str) -> None:
        """Show the noun after the number, in singular or plural: 1 token, 2 tokens; "" for none."""
        self._noun = noun
        self.setSuffix("")
        self._take_number()

    def _take_number(self) -> None:
        if self._noun:
            suffix = f" {self._noun}" if self.value() == 1 else f" {self._noun}s"
            if self.suffix() != suffix:
                self.setSuffix(suffix)

    def show_value(self, value: int) -> None:
        """Show a value set elsewhere, without a signal."""
        self._typing.show_value(value)
        self._take_number()

    def validate(self, input: str, pos: int) -> _Verdict:
        """Accept every figure during typing, even if it is refused in the end."""
        return _judged(self, super().validate(input, pos), input, pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground of a field without buttons; with them, the usual field with a visible outline."""
        if self.buttonSymbols() == self.ButtonSymbols.NoButtons:
            paint_ground(self)
            return
        super().paintEvent(event)
        paint_outline(self)


class RealField(QDoubleSpinBox):
    """A number with decimals. A value counts after Enter or on leaving the field.

    `refused` carries why the typed figure is refused, and "" once a figure is accepted.
    """

    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._typing = _Typing(self)

    def show_value(self, value: float) -> None:
        """Show a value set elsewhere, without a signal."""
        self._typing.show_value(value)

    def validate(self, input: str, pos: int) -> _Verdict:
        """Accept every figure during typing, even if it is refused in the end."""
        return _judged(self, super().validate(input, pos), input, pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground of a field without buttons; with them, the usual field with a visible outline."""
        if self.buttonSymbols() == self.ButtonSymbols.NoButtons:
            paint_ground(self)
            return
        super().paintEvent(event)
        paint_outline(self)


class WheelGuard(QObject):
    """Keeps wheel events from the controls it guards, and leaves them to their scroll area."""

    def guard(self, control: QWidget) -> None:
        """Guard a control, and prevent it from taking the focus by the wheel."""
        control.installEventFilter(self)
        if control.focusPolicy() == Qt.FocusPolicy.WheelFocus:
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stop wheel events and mark them as ignored, so that Qt offers them to the parent."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)
