"""The problems met while loading: a line with their number, and a list that unfolds below it."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QListView, QMenu, QToolButton, QVBoxLayout, QWidget

from inspector.figures import problems_counted
from inspector.gui.parts.focus_ring import set_use
from inspector.gui.parts.signs import SentenceDelegate, severity_color
from inspector.gui.parts.texts import control_text, excerpt, tooltip
from inspector.gui.theme import UNIT, theme
from inspector.model import Problem
from inspector.secrets import masked

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


_LIST_HEIGHT = 40 * UNIT


class ProblemList(QWidget):
    """The list of problems, which can be copied; hidden if there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = ProblemsModel(self)
        self._button = QToolButton(autoRaise=True)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.clicked.connect(lambda _: self._unfold(self._list.isHidden()))
        self._list = QListView()
        self._list.setAccessibleName("Problems met while loading")
        self._list.setFrameShape(QListView.Shape.NoFrame)
        self._list.setModel(self._model)
        self._list.setItemDelegate(SentenceDelegate(self._list, lambda _: ""))
        self._list.setResizeMode(QListView.ResizeMode.Adjust)
        self._list.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._list.setFixedHeight(_LIST_HEIGHT)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._offer_copy)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self._list)
        set_use(copy, "Copy the selected problems")
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._button)
        layout.addWidget(self._list)
        self.show_problems(())

    def show_problems(self, problems: tuple[Problem, ...]) -> None:
        """List these problems, folded."""
        self._model.show(problems)
        self._unfold(False)
        self._restyle()
        self.setVisible(bool(problems))

    def unfold(self) -> None:
        """Unfold the list and go to its first line."""
        self._unfold(True)
        self._list.setCurrentIndex(self._model.index(0))
        self._list.setFocus()

    def copy(self) -> None:
        """Copy the selected problems, or all of them, to the clipboard, each on a line."""
        chosen = [index.data(Qt.ItemDataRole.UserRole) for index in self._list.selectedIndexes()]
        QGuiApplication.clipboard().setText(masked("\n".join(map(str, chosen or self._model.problems))))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_list"):
            self._restyle()

    def _unfold(self, unfolded: bool) -> None:
        self._button.setArrowType(Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow)
        self._list.setVisible(unfolded)

    def _restyle(self) -> None:
        problems = self._model.problems
        found = problems_counted(problems)
        text = ", ".join(found)
        self._button.setText("\n".join(map(control_text, found)))  # each on its line, as the panel may be narrow
        self._button.setAccessibleName(f"{text} met while loading")
        self._button.setToolTip(tooltip(f"{text} met while loading; a click lists them."))
        palette = self.palette()
        color = severity_color(problems[0].severity) if problems else theme().text
        palette.setColor(palette.ColorRole.ButtonText, color)
        self._button.setPalette(palette)

    def _offer_copy(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy", self.copy)
        menu.popup(self._list.viewport().mapToGlobal(place))
