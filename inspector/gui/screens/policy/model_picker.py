"""The model picker: the model table as a list to choose from, to search as one types, or to pass by."""

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget

from inspector.gui.parts.outline import paint_outline
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import one_line
from inspector.settings import own_models_file
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.row import ModelRow

_NAME = int(Qt.ItemDataRole.UserRole)
_SEARCHED = _NAME + 1
_VISIBLE = 16


class _ModelCompleter(QCompleter):
    """Finds a model by any part of its name, its maker or its aliases, and fills in its name."""

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        return str(index.data(_NAME))


class ModelPicker(QComboBox):
    """Every model of the table; a name that it does not know is taken on Enter. `chosen` carries the name."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model_picker")
        self.setAccessibleName("Model")
        line = QLineEdit(self)
        line.setPlaceholderText("Search models")
        self.setLineEdit(line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.setMaxVisibleItems(_VISIBLE)
        self.setModel(_model_list(self))
        self.setCompleter(self._completer())
        self._shown = ""
        self.activated.connect(lambda index: self._choose(self.itemData(index, _NAME)))
        line.returnPressed.connect(lambda: self._choose(self.currentText()))

    def show_model(self, name: str) -> None:
        """Show the model in use; nothing is emitted, and what is being typed is left alone."""
        if name == self._shown:
            return
        self._shown = name
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(name, _NAME))
            self.setEditText(one_line(name))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picker, with an outline that can be seen."""
        super().paintEvent(event)
        paint_outline(self)

    def _completer(self) -> QCompleter:
        completer = _ModelCompleter(self.model(), self)
        completer.setCompletionRole(_SEARCHED)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(_VISIBLE)
        return completer

    def _choose(self, text: str) -> None:
        name = text.strip()
        if name and name not in (self._shown, one_line(self._shown)):
            self._shown = name
            self.chosen.emit(name)


def _model_list(picker: ModelPicker) -> QStandardItemModel:
    listed = QStandardItemModel(picker)
    for row in load_models(own_models_file()).rows:
        item = QStandardItem(one_line(row.name))
        item.setToolTip(tooltip(f"{row.maker}, {row.context_window:,} tokens"))
        item.setData(row.name, _NAME)
        item.setData(" ".join(_search_words(row)), _SEARCHED)
        listed.appendRow(item)
    return listed


def _search_words(row: ModelRow) -> Iterator[str]:
    yield row.name
    yield row.maker
    yield from row.aliases
