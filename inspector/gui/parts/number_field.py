"""Fields for numbers that show values from outside without emitting, and are left alone while somebody types."""

from PySide6.QtCore import QEvent, QLocale, QObject, QSignalBlocker, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox, QWidget

from inspector.gui.parts.outline import paint_outline
from inspector.gui.theme import UNIT

_ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)


_LONGEST = "2,000,000 tokens"


def stand_in_column(field: QWidget, longest: str = _LONGEST) -> None:
    """Make a field as wide as all those of a panel, so that they stand in a column, whatever size its text has."""
    _InColumn(field, longest)


class _InColumn(QObject):
    """Gives a field the width of the longest text that one of a panel holds."""

    def __init__(self, field: QWidget, longest: str) -> None:
        super().__init__(field)
        self._field, self._longest = field, longest
        self._take_width()
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another font needs another width."""
        if event.type() == QEvent.Type.FontChange:
            self._take_width()
        return super().eventFilter(watched, event)

    def _take_width(self) -> None:
        self._field.setFixedWidth(self._field.fontMetrics().horizontalAdvance(self._longest) + 3 * UNIT)


class _Typing(QObject):
    """Dresses a field and knows whether somebody is in the middle of typing into it, and what it is to show then."""

    def __init__(self, field: QSpinBox | QDoubleSpinBox) -> None:
        super().__init__(field)
        self._field = field
        self._is_active = False
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
        """Another font needs another height."""
        if event.type() == QEvent.Type.FontChange:
            self._take_height()
        return super().eventFilter(watched, event)

    def _take_height(self) -> None:
        self._field.setMinimumHeight(self._field.fontMetrics().height() + 2 * UNIT)

    def show_value(self, value: float) -> None:
        """Show a value that was set elsewhere: at once, or when the typing ends without a value of its own."""
        self._later = value if self._is_active else None
        if self._is_active or value == self._field.value():
            return
        with QSignalBlocker(self._field):
            self._field.setMaximum(max(self._field.maximum(), value))  # type: ignore[arg-type]
            self._field.setValue(value)  # type: ignore[arg-type]

    def _begin(self) -> None:
        self._is_active = True

    def _forget(self) -> None:
        self._later = None

    def _end(self) -> None:
        self._is_active = False
        if self._later is not None:
            self.show_value(self._later)


class WholeField(QSpinBox):
    """A whole number with its thousands separated. A value counts when Enter is pressed or the field is left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._typing = _Typing(self)
        self._noun = ""
        self.valueChanged.connect(self._take_number)

    def count(self, noun: str) -> None:
        """Write the noun behind the number, in its number: 1 token, 2 tokens; "" for none."""
        self._noun = noun
        self.setSuffix("")
        self._take_number()

    def _take_number(self) -> None:
        if self._noun:
            suffix = f" {self._noun}" if self.value() == 1 else f" {self._noun}s"
            if self.suffix() != suffix:
                self.setSuffix(suffix)

    def show_value(self, value: int) -> None:
        """Show a value that was set elsewhere; nothing is emitted."""
        self._typing.show_value(value)
        self._take_number()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The field, with an outline that can be seen."""
        super().paintEvent(event)
        paint_outline(self)


class RealField(QDoubleSpinBox):
    """A number with decimals. A value counts when Enter is pressed or the field is left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._typing = _Typing(self)

    def show_value(self, value: float) -> None:
        """Show a value that was set elsewhere; nothing is emitted."""
        self._typing.show_value(value)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The field, with an outline that can be seen."""
        super().paintEvent(event)
        paint_outline(self)
