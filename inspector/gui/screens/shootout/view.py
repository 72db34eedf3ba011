"""The shoot-out view: the decisions of many policies on the same items, side by side, and a way to use a policy."""

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.assembly.shootout import Contender, Shootout, available_contenders, contender_of
from inspector.figures import counted
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.parts.buttons import MenuButton
from inspector.gui.parts.choice_menu import ChoiceMenu
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.screens.shootout.model import ShootoutModel, header_lines
from inspector.gui.table.header import EntryHeader, HeaderEntry
from inspector.gui.table.matrix_model import MatrixTable
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT


class ContenderMenu(ChoiceMenu[Contender]):
    """A checkable entry for each policy under each of its presets."""

    def offer(self, contenders: Sequence[Contender]) -> None:
        """Offer these, keeping the choice; at first each policy's own document is chosen."""
        chosen = None if self.isEmpty() else self.chosen
        self.clear_choices()
        for contender in contenders:
            is_documents = contender.preset == DEFAULT_PRESET
            if is_documents and not self.isEmpty():
                self.addSeparator()
            self.add_choice(contender, contender.name, is_documents if chosen is None else contender in chosen)


LINES = 5
DIGITS = 17
"""The least width of a policy's column, in digits."""


class ShootoutHeader(EntryHeader):
    """Titles of the item columns, and five lines above each policy. `use_requested` carries the key of its column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(LINES, DIGITS, parent)

    def show_shootout(self, shootout: Shootout | None) -> None:
        """Show the totals of a shoot-out above its columns."""
        if shootout is None:
            self.show_entries(())
            return
        own = contender_of(shootout.scenario)
        self.show_entries(
            [
                HeaderEntry(contender.name, contender.name, "policy", contender == own, header_lines(shootout, place))
                for place, contender in enumerate(shootout.contenders)
            ]
        )


NOTHING_OPEN = "Open a conversation to see what each policy makes of it."
NOTHING_CHOSEN = "Choose policies to set side by side."
ALL_AGREE = "These policies agree about every item."
NOTHING_THERE = "Nothing here could enter a prompt yet."

_NO_ROWS = np.empty(0, dtype=np.intp)
_ASCENDING, _DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
_FIRST_ORDER = {"number": _ASCENDING, "differ": _DESCENDING}
"""The sortable columns, with the order after the first click."""


class ShootoutView(AskingView):
    """Chooser, filter and matrix. The view computes nothing: `requested` asks for a shoot-out of (policy, preset)
    pairs.

    It asks when it becomes visible, when the choice changes, and a moment after `refresh`; never while hidden.
    `row_selected` carries rows of the candidates, `policy_requested` the policy and preset to use.
    """

    requested = Signal(list)
    row_selected = Signal(int)
    policy_requested = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shootout: Shootout | None = None
        self._model = ShootoutModel(self)
        self._header = ShootoutHeader()
        self.menu = ContenderMenu(self)
        self.menu.chosen_changed.connect(self.refresh)
        self.chooser = self._make_chooser()
        self.only_disputed = QCheckBox("Only where they disagree")
        self.only_disputed.setObjectName("shootout_only_disputed")
        self.only_disputed.setAccessibleName("Show only items that the policies disagree about")
        self.only_disputed.toggled.connect(self._show_rows)
        self.summary = ElidedLabel()
        self.summary.setAccessibleName("Summary of the shoot-out")
        self.table = self._make_table()
        self._lay_out()
        self.show_shootout(None)

    def _make_chooser(self) -> MenuButton:
        chooser = MenuButton("shootout_policies", "Policies", self.menu)
        chooser.setAccessibleName("Choose the policies that are set side by side")
        return chooser

    def _make_table(self) -> MatrixTable:
        table = MatrixTable(self._model, self._header)
        table.setObjectName("shootout_table")
        table.setAccessibleName("What each policy does with each item")
        table.row_selected.connect(self._tell_row)
        table.doubleClicked.connect(self._use_cell)
        table.header.sectionClicked.connect(self._sort)
        table.header.use_requested.connect(self._use)
        self._model.sort_by("differ", self._order)
        table.show_sorting()
        return table

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        top.setSpacing(GAP)
        top.addWidget(self.chooser)
        top.addWidget(self.only_disputed)
        top.addWidget(self.summary, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addLayout(top)
        layout.addWidget(self.table, 1)

    def set_policies(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies and presets; at first every policy is chosen with the preset of its document."""
        self.menu.offer(available_contenders(policies, presets))
        self.refresh()

    def show_shootout(self, shootout: Shootout | None) -> None:
        """Show a shoot-out; None if nothing is open."""
        self._stale = False
        self._shootout = shootout
        self.table.set_dimmed(False)
        self._show_rows()

    def select_row(self, row: int) -> None:
        """Make an item current, if it is shown."""
        self.table.select_row(row)

    def _dim(self) -> None:
        self.table.set_dimmed(self._shootout is not None)

    def _ask(self) -> None:
        pairs = [(contender.policy, contender.preset) for contender in self.menu.chosen]
        if not pairs:
            self.show_shootout(None)
            return
        if self._shootout is None:
            self.summary.say(f"Comparing {counted(len(pairs), 'policy', plural='policies')} …")
        self.requested.emit(pairs)

    def _show_rows(self) -> None:
        shootout = self._shootout
        columns = self._model.columns
        self.table.set_empty_text(self._empty_text())
        self._header.show_shootout(shootout)
        self._model.show_shootout(shootout, self._rows())
        if self._model.columns is not columns:
            self.table.take_columns()
        self.table.header.place_buttons()
        self.summary.say(shootout.sentence if shootout else "")

    def _rows(self) -> np.ndarray:
        if self._shootout is None:
            return _NO_ROWS
        return self._shootout.rows(self.only_disputed.isChecked())

    def _empty_text(self) -> str:
        if self._shootout is None:
            return NOTHING_OPEN if self.menu.chosen else NOTHING_CHOSEN
        return ALL_AGREE if len(self._shootout.actions) else NOTHING_THERE

    def _sort(self, section: int) -> None:
        """Sort by item order or by disagreement; a second click on the column reverses the order."""
        key = self._model.columns[section].key
        if key in _FIRST_ORDER:
            first = _FIRST_ORDER[key]
            again = self._model.sorted_by == key and self._order == first
            self._order = (_DESCENDING if first == _ASCENDING else _ASCENDING) if again else first
            self._model.sort_by(key, self._order)
        self.table.show_sorting()

    _order = _DESCENDING

    def _tell_row(self, row: int) -> None:
        if not self._stale:
            self.row_selected.emit(row)

    def _use_cell(self, index: QModelIndex) -> None:
        self._use(self._model.columns[index.column()].key)

    def _use(self, key: str) -> None:
        place = self._model.place(key)
        if self._shootout is not None and place is not None:
            contender = self._shootout.contenders[place]
            self.policy_requested.emit(contender.policy, contender.preset)
