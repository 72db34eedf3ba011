"""The settings of the fused similarity, beside the memories: a row for each weight and each rule of words."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter
from inspector.gui.parts.labels import Hint, heading
from inspector.gui.parts.number_field import stand_in_column
from inspector.gui.parts.parameter_row import NumberRow, ParameterRow, parameter_row
from inspector.gui.theme import UNIT
from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings
from inspector.retrieval.similarity import FUSED_WAYS

_WEIGHTS = {
    "before": ("Message before", "How much of the score of the message before it a message gets"),
    "after": ("Message after", "How much of the score of the message after it a message gets"),
    "sitting": (
        "Best of the sitting",
        "How much of the three best scores of its sitting a text gets: the time between two pauses",
    ),
    "sources": ("Source messages", "How much of the score of the best message it was made from a memory gets"),
    "vectors": ("Vectors", "How much similarity of vectors counts beside that of words, which counts 1"),
    "length": ("Long texts", "How strongly BM25 holds long texts back"),
}
_WORDS = {
    "stems": ("Word forms", "A word finds its other forms, in the language of the texts"),
    "stop_words": ("No small words", "Words like “the” in the query count only where there are no others"),
    "speakers": ("Speakers", "The name of who speaks is a word of a message"),
    "months": ("Months", "The month and the year of a text are words of it"),
    "by_kind": (
        "Suit the chat",
        "Weights with their usual value suit the kind of the chat: people, or an assistant with long replies",
    ),
}
_OF_WORDS_ALONE = ("stems", "stop_words", "length")
_MOST = {"length": 1.0}
_SHOWN_MOST, _STEP, _LONGEST = 2.0, 0.05, "00.00"
_NOT_FUSED = "Nothing is fused: similarities are computed in another way."


def relevance_parameters() -> tuple[Parameter, ...]:
    """Return the settings as declared parameters, so that their rows look as in every other panel."""
    weights = (
        Parameter(
            name, getattr(AS_MEASURED, name), 0.0, _MOST.get(name, _SHOWN_MOST), _STEP, label, help, at_minimum="off"
        )
        for name, (label, help) in _WEIGHTS.items()
    )
    words = (
        Parameter(name, getattr(AS_MEASURED, name), label=label, help=help) for name, (label, help) in _WORDS.items()
    )
    return (*weights, *words)


class RelevanceRows(QWidget):
    """The rows of the parts of a similarity. They keep no values and show the given ones.

    `edited` carries the undo label, the wanted settings, and the gesture.
    """

    edited = Signal(str, object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memory_relevance")
        self._settings = AS_MEASURED
        self.rows: dict[str, ParameterRow] = {}
        self.said = Hint()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, UNIT, 0, 0)
        column.setSpacing(UNIT)
        column.addWidget(heading("Similarity"))
        for parameter in relevance_parameters():
            row = self.rows[parameter.name] = parameter_row(parameter)
            row.edited.connect(self._edit)
            if isinstance(row, NumberRow):
                stand_in_column(row.field, _LONGEST)
            column.addWidget(row)
        column.addWidget(self.said)  # last, so that nothing moves when it appears

    def show_settings(self, settings: RelevanceSettings, way: str) -> None:
        """Show settings; those unused by this way of comparing are disabled."""
        self._settings = settings
        for name, row in self.rows.items():
            row.show_value(getattr(settings, name), getattr(AS_MEASURED, name))
            is_used = way in FUSED_WAYS or (way in ("lexical", "hybrid") and name in _OF_WORDS_ALONE)
            row.setEnabled(is_used and (name != "by_kind" or way == "auto"))
        self.said.say("" if way in FUSED_WAYS else _NOT_FUSED)

    def _edit(self, name: str, value: Any, gesture: str) -> None:
        settings = replace(self._settings, **{name: value})
        self.edited.emit(edit_label(self.rows[name].parameter, value), settings, gesture)
