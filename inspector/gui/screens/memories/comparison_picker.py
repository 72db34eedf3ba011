"""The choice of the comparison of texts with the query, and of its model: two lists."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from inspector.gui.parts.choice_box import ChoiceBox
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.number_field import WheelGuard
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.theme import UNIT
from inspector.retrieval.similarity import EMBEDDING_WAYS, WAYS
from inspector.retrieval.vectors.choice import EMBEDDER_NAMES

_WAYS = {
    "auto": ("automatically", "What the file recorded, and everything together for the rest"),
    "recorded": ("as recorded", "Only what the file recorded; nothing is computed"),
    "embedding": ("by embedding", "By vectors, also where something is recorded"),
    "lexical": ("by words", "By the words of the query (BM25), also where something is recorded"),
    "hybrid": ("by both", "By vectors and words, joined by reciprocal ranks"),
    "fused": ("by everything", "By words, what surrounds them, and vectors, also where something is recorded"),
}
_FOLDER = "hf:"
_OTHER = "folder…"


class ComparisonPicker(QWidget):
    """The two lists. `way_chosen` carries an entry of `WAYS`, `embedding_chosen` the name of a model, or
    `hf:FOLDER`.
    """

    way_chosen = Signal(str)
    embedding_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._embedding = EMBEDDER_NAMES[0]
        self.way_list = self._list("memory_similarity", "How memories are compared with the query")
        for way in WAYS:
            self.way_list.addItem(_WAYS[way][0], way)
            self.way_list.setItemData(self.way_list.count() - 1, tooltip(_WAYS[way][1]), Qt.ItemDataRole.ToolTipRole)
        self.model_list = self._list("memory_embedding", "Model of the vectors")
        self._offer((*EMBEDDER_NAMES,))
        row = WrappingRow()
        row.setSpacing(UNIT)
        label = PlainLabel("Compare")
        label.setBuddy(self.way_list)
        row.addWidget(label)
        row.addWidget(self.way_list)
        row.addWidget(self.model_list)
        self.setLayout(row)
        self.way_list.activated.connect(lambda place: self.way_chosen.emit(self.way_list.itemData(place)))
        self.model_list.activated.connect(self._take_model)

    def show_choice(self, way: str, embedding: str) -> None:
        """Show the choice of a scenario; nothing is emitted."""
        with QSignalBlocker(self.way_list), QSignalBlocker(self.model_list):
            self.way_list.setCurrentIndex(self.way_list.findData(way))
            if self.model_list.findData(embedding) < 0:
                self._offer((*EMBEDDER_NAMES, embedding))
            self.model_list.setCurrentIndex(self.model_list.findData(embedding))
        self._embedding = embedding
        self.way_list.setToolTip(tooltip(_WAYS[way][1] if way in _WAYS else ""))
        self.model_list.setEnabled(way in EMBEDDING_WAYS)
        self.model_list.setToolTip(tooltip(embedding))

    def choose_folder(self, folder: str) -> None:
        """Emit the model in a folder; with "", show the current model again."""
        if folder:
            self.embedding_chosen.emit(f"{_FOLDER}{folder}")
        else:
            self.model_list.setCurrentIndex(self.model_list.findData(self._embedding))

    def _offer(self, names: Sequence[str]) -> None:
        self.model_list.clear()
        for name in names:
            self.model_list.addItem(one_line(_shown(name)), name)
        self.model_list.addItem(_OTHER, "")

    def _take_model(self, place: int) -> None:
        name = self.model_list.itemData(place)
        if name:
            self.embedding_chosen.emit(name)
        else:
            self.choose_folder(
                QFileDialog.getExistingDirectory(self.window(), "Folder of a sentence-transformers model")
            )

    def _list(self, name: str, words: str) -> QComboBox:
        picker = ChoiceBox(self)
        picker.setObjectName(name)
        picker.setAccessibleName(words)
        WheelGuard(self).guard(picker)
        return picker


def _shown(name: str) -> str:
    """Return a name for the list: the last part of a folder, and "usual model" for the default."""
    if name == EMBEDDER_NAMES[0]:
        return "usual model"
    return name.rstrip("/\\").replace("\\", "/").rpartition("/")[2] if name.startswith(_FOLDER) else name
