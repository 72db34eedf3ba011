"""A dialog that asks for the meaning of a table's columns, beside its first rows."""

from collections.abc import Callable
from itertools import islice

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from inspector.formats.tables.layout import TableLayout, layout_from, parts
from inspector.gui.parts.choice_box import ChoiceBox
from inspector.gui.parts.labels import Hint, PlainLabel
from inspector.gui.parts.texts import one_line, tooltip, window_title
from inspector.gui.remembered.window_state import fitted
from inspector.gui.theme import GAP, UNIT
from inspector.reading.table import TextTable
from inspector.tables import first_line

SIZE = QSize(180 * UNIT, 100 * UNIT)
NONE = "–"
_TITLES = {
    "text": ("Text", "The text of the message: the only column of every table of messages"),
    "speaker": ("Speaker", "Who said it: a name, or user, assistant, system, tool"),
    "role": ("Role", "user, assistant, system or tool, where another column has the names"),
    "answer": ("Answer", "The reply of the assistant, if both stand in one row"),
    "time": ("Time", "When it was said"),
    "conversation": ("Conversation", "Rows with the same value here are one conversation"),
    "id": ("Id", "The name of the message"),
}
_ROWS = 5
_IN_A_ROW = 2


class ColumnsDialog(QDialog):
    """A choice for each meaning of a column. `use` takes the chosen layout, and accepts the dialog or complains."""

    def __init__(
        self,
        file: str,
        table: TextTable,
        layout: TableLayout | None,
        use: Callable[[TableLayout], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("columns_dialog")
        self.setWindowTitle(window_title(f"Columns of {one_line(file)}"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._table, self._use = table, use
        self.choices = {part: self._choice(part, layout) for part in parts()}
        self._complaint = Hint(self, complaint=True, lines=1)
        self._said = Hint(self, lines=1)
        self._said.say("Kept in tables.yaml, for every table with these columns.")
        self.rows = _rows(table, self)
        ok, cancel = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel
        self.buttons = QDialogButtonBox(ok | cancel, self)
        self.buttons.button(ok).setText("Open")
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        self._check()
        self.resize(fitted(SIZE, self.screen()))

    @property
    def chosen(self) -> dict[str, str]:
        """The names of the chosen columns, by meaning."""
        found = {part: box.currentData() for part, box in self.choices.items()}
        return {part: name for part, name in found.items() if name}

    @property
    def complaint(self) -> str:
        """Why the current choice cannot be used, or ""."""
        return self._complaint.accessibleName()

    def complain(self, trouble: str) -> None:
        """Say why the current choice cannot be used."""
        self._complaint.say(trouble)

    def _choice(self, part: str, layout: TableLayout | None) -> QComboBox:
        box = ChoiceBox(self)
        box.setObjectName(f"columns_{part}")
        box.setAccessibleName(f"The column of: {_TITLES[part][0]}")
        box.setToolTip(tooltip(_TITLES[part][1]))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(16)
        box.addItem(NONE, "")
        for name, plain in zip(self._table.columns, self._table.plain, strict=True):
            box.addItem(one_line(name), plain)
        if layout is not None:
            box.setCurrentIndex(max(0, box.findData(getattr(layout, part))))
        box.currentIndexChanged.connect(lambda _: self._check())
        return box

    def _layout(self) -> TableLayout | str:
        """Return the chosen layout, or the reason why there is none."""
        try:
            return layout_from(self.chosen)
        except ValueError:
            chosen = self.chosen
        if "text" not in chosen:
            return "Choose the column of the text."
        if not chosen.keys() & {"speaker", "role", "answer"}:
            return "Choose the column of who speaks, of the roles, or of the answer."
        return "Each column holds one thing: choose another one."

    def _check(self) -> None:
        found = self._layout()
        self.complain(found if isinstance(found, str) else "")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not isinstance(found, str))

    def _accept(self) -> None:
        found = self._layout()
        if not isinstance(found, str):
            self._use(found)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GAP)
        for number, (part, box) in enumerate(self.choices.items()):
            label = PlainLabel(_TITLES[part][0], self)
            label.setBuddy(box)
            row, column = divmod(number, _IN_A_ROW)
            grid.addWidget(label, row, 2 * column)
            grid.addWidget(box, row, 2 * column + 1)
        for column in range(_IN_A_ROW):
            grid.setColumnStretch(2 * column + 1, 1)
        layout = QVBoxLayout(self)
        layout.setSpacing(UNIT)
        layout.addLayout(grid)
        layout.addWidget(self._complaint)
        layout.addWidget(self.rows, 1)
        layout.addWidget(self._said)
        layout.addWidget(self.buttons)


def _rows(table: TextTable, parent: QWidget) -> QTableWidget:
    """Return a view of the first rows of a table."""
    found = [cells for _, cells in islice(table.rows(lambda _, __: None), _ROWS)]
    view = QTableWidget(len(found), len(table.columns), parent)
    view.setObjectName("columns_rows")
    view.setAccessibleName("The first rows of the table")
    view.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    view.verticalHeader().hide()
    for column, (name, plain) in enumerate(zip(table.columns, table.plain, strict=True)):
        view.setHorizontalHeaderItem(column, QTableWidgetItem(one_line(name)))
        for row, cells in enumerate(found):
            view.setItem(row, column, QTableWidgetItem(first_line(cells.get(plain, ""))))
    view.setTabKeyNavigation(False)
    return view
