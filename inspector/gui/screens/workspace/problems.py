"""The problems met while loading, as a list."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import excerpt
from inspector.model import Problem

_Index = QModelIndex | QPersistentModelIndex


class ProblemsModel(QAbstractListModel):
    """A row for each problem. DisplayRole is file name, place and message; UserRole the problem itself."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._problems: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The listed problems."""
        return self._problems

    def show(self, problems: Sequence[Problem]) -> None:
        """List these problems, errors first."""
        order = ("error", "warning", "info")
        self.beginResetModel()
        self._problems = tuple(sorted(problems, key=lambda problem: order.index(problem.severity)))
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._problems)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the problem in a line, or whole as the tooltip."""
        if not index.isValid():
            return None
        problem = self._problems[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            place = f", {problem.place}" if problem.place else ""
            sentence = f"{PurePath(problem.file).name}{place}: {problem.message}"
            return excerpt(sentence)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(str(problem), wraps=True)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{problem.severity}: {problem}"
        return problem if role == Qt.ItemDataRole.UserRole else None
