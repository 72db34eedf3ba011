"""The shoot-out view: what many policies make of the same items, side by side, and a way to use one of them."""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from inspector.assembly.presets import Preset
from inspector.assembly.shootout import Shootout
from inspector.gui.models.shootout import DISSENT, FIRST_POLICY, NUMBER, TEXT, ShootoutModel, available_contenders
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT
from inspector.gui.widgets.array_table import ArrayTableView
from inspector.gui.widgets.contender_menu import ContenderMenu
from inspector.gui.widgets.shootout_header import ShootoutHeader

REST_MILLISECONDS = 300
"""How long nothing has to change before a shoot-out in sight is asked for again."""

NOTHING_OPEN = "Open a conversation to see what each policy makes of it."
NOTHING_CHOSEN = "Choose policies to set side by side."
ALL_AGREE = "These policies agree about every item."
NOTHING_THERE = "Nothing here could enter a prompt yet."

_NO_ROWS = np.empty(0, dtype=np.intp)
_ASCENDING, _DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


class ShootoutTable(ArrayTableView):
    """The matrix under its header of totals; the text of an item takes the room that the policies leave."""

    def __init__(self, model: ShootoutModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self.header = ShootoutHeader(self)
        self.setHorizontalHeader(self.header)
        # A header resets the selection with its model; what was chosen has to be restored after that.
        model.modelReset.disconnect(self._restore)
        model.modelReset.connect(self._restore)
        self.header.setSortIndicatorShown(True)  # a table takes that away from a header that it is given
        self.header.show()
        self.take_columns()

    def take_columns(self) -> None:
        """Give the columns that there are now their widths."""
        self._set_widths()
        self.header.setSectionsMovable(False)
        for place, column in enumerate(range(FIRST_POLICY, len(self.array_model.columns))):
            self._widths[column] = self.header.width_of(place)
            self.setColumnWidth(column, self._widths[column])
        self.show_columns()
        self._fit_text()

    def _fit_text(self) -> None:
        others = sum(
            width for column, width in enumerate(self._widths) if column != TEXT and not self.isColumnHidden(column)
        )
        self.setColumnWidth(TEXT, max(self._widths[TEXT], self.viewport().width() - others))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the text the room that there is."""
        super().resizeEvent(event)
        self._fit_text()


class ShootoutView(QWidget):
    """Chooser, filter and matrix. It computes nothing: `requested` asks for a shoot-out of (policy, preset) pairs.

    It asks when it comes into sight, when the choice changes, and a moment after `refresh`; never while it is hidden.
    `row_selected` tells rows of the candidates, `policy_requested` the policy and preset to use.
    """

    requested = Signal(list)
    row_selected = Signal(int)
    policy_requested = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shootout: Shootout | None = None
        self._stale = True
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._ask)
        self._model = ShootoutModel(self)
        self.menu = ContenderMenu(self)
        self.menu.chosen_changed.connect(self.refresh)
        self.chooser = self._make_chooser()
        self.only_disputed = QCheckBox("Only where they disagree")
        self.only_disputed.setObjectName("shootout_only_disputed")
        self.only_disputed.setAccessibleName("Show only items that the policies disagree about")
        self.only_disputed.toggled.connect(self._show_rows)
        self.summary = QLabel()
        self.summary.setAccessibleName("Summary of the shoot-out")
        self.table = self._make_table()
        self._lay_out()
        self.show_shootout(None)

    def _make_chooser(self) -> QToolButton:
        chooser = QToolButton()
        chooser.setObjectName("shootout_policies")
        chooser.setText("Policies")
        chooser.setAccessibleName("Choose the policies that are set side by side")
        chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        chooser.setMenu(self.menu)
        return chooser

    def _make_table(self) -> ShootoutTable:
        table = ShootoutTable(self._model)
        table.setObjectName("shootout_table")
        table.setAccessibleName("What each policy does with each item")
        table.row_selected.connect(self._tell_row)
        table.doubleClicked.connect(self._use_cell)
        table.header.sectionClicked.connect(self._sort)
        table.header.use_requested.connect(self._use)
        self._model.sort(DISSENT, _DESCENDING)
        table.header.setSortIndicator(DISSENT, _DESCENDING)
        return table

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        top.setSpacing(GAP)
        top.addWidget(self.chooser)
        top.addWidget(self.only_disputed)
        top.addStretch(1)
        top.addWidget(self.summary)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addLayout(top)
        layout.addWidget(self.table, 1)

    def set_policies(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies and presets; every policy is chosen with the preset of its document."""
        self.menu.offer(available_contenders(policies, presets))
        self.refresh()

    def refresh(self) -> None:
        """Say that what is shown is of before: it is asked for again after a moment, or when this comes into sight."""
        self._stale = True
        self.table.set_dimmed(self._shootout is not None)
        if self.isVisible():
            self._rest.start()

    def show_shootout(self, shootout: Shootout | None) -> None:
        """Show a shoot-out; None where nothing is open."""
        self._stale = False
        self._shootout = shootout
        self.table.set_dimmed(False)
        self._show_rows()

    def select_row(self, row: int) -> None:
        """Make an item current, where it is shown."""
        self.table.select_row(row)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what is not known yet."""
        super().showEvent(event)
        if self._stale:
            self._ask()

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask for nothing while nobody looks."""
        super().hideEvent(event)
        self._rest.stop()

    def _ask(self) -> None:
        pairs = [(contender.policy, contender.preset) for contender in self.menu.chosen]
        if not pairs:
            self.show_shootout(None)
            return
        if self._shootout is None:
            self.summary.setText(f"Comparing {len(pairs)} policies …")
        self.requested.emit(pairs)

    def _show_rows(self) -> None:
        shootout = self._shootout
        columns = self._model.columns
        self.table.set_empty_text(self._empty_text())
        self.table.header.show_shootout(shootout)
        self._model.show_shootout(shootout, self._rows())
        if self._model.columns is not columns:
            self.table.take_columns()
        self.table.header.place_buttons()
        self.summary.setText(_summary(shootout) if shootout else "")

    def _rows(self) -> np.ndarray:
        if self._shootout is None:
            return _NO_ROWS
        if self.only_disputed.isChecked():
            return np.flatnonzero(self._shootout.dissent)
        return np.arange(len(self._shootout.actions))

    def _empty_text(self) -> str:
        if self._shootout is None:
            return NOTHING_OPEN if self.menu.chosen else NOTHING_CHOSEN
        return ALL_AGREE if len(self._shootout.actions) else NOTHING_THERE

    def _sort(self, section: int) -> None:
        """Sort by item order or by disagreement; clicking the column again turns the order round."""
        header = self.table.header
        if section in (NUMBER, DISSENT):
            first = _ASCENDING if section == NUMBER else _DESCENDING
            again = self._model.sorted_by == section and self._order == first
            self._order = (_DESCENDING if first == _ASCENDING else _ASCENDING) if again else first
            self._model.sort(section, self._order)
        header.setSortIndicator(self._model.sorted_by, self._order)

    _order = _DESCENDING

    def _tell_row(self, row: int) -> None:
        if not self._stale:
            self.row_selected.emit(row)

    def _use_cell(self, index: QModelIndex) -> None:
        if index.column() >= FIRST_POLICY:
            self._use(index.column() - FIRST_POLICY)

    def _use(self, place: int) -> None:
        if self._shootout is not None and place < len(self._shootout.contenders):
            contender = self._shootout.contenders[place]
            self.policy_requested.emit(contender.policy, contender.preset)


def _summary(shootout: Shootout) -> str:
    total, disputed = len(shootout.actions), shootout.disputed
    estimated = any(outcome.made and not outcome.exact for outcome in shootout.outcomes)
    return f"They disagree about {disputed:,} of {total:,} items{' · ≈ marks estimates' if estimated else ''}"
