"""The items falling out of the prompt, for an audience: their number in a large line, and a table."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.assembly.columns import Action
from inspector.assembly.decisions import Assembly
from inspector.figures import counted
from inspector.gui.parts.labels import heading
from inspector.gui.screens.falling.model import Falling, FallingModel, is_out
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import PANEL_MARGIN, ROW_HEIGHT, UNIT

NOTHING_OPEN = "Open a conversation (Ctrl+O) and move the turn below: what falls out of the prompt is listed here."
NOTHING_OUT = "Everything is whole in the prompt. Move the turn below, or narrow the window, and see what falls."


class FallingView(QWidget):
    """A line and a table. `row_selected` carries rows of the candidates."""

    row_selected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = FallingModel(self)
        self.heading = heading("")
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("falling_table")
        self.table.setAccessibleName("Items that are not whole in the prompt")
        self.table.row_selected.connect(self.row_selected)
        self._layout = layout = QVBoxLayout(self)
        layout.setContentsMargins(0, PANEL_MARGIN, 0, 0)
        layout.setSpacing(UNIT)
        self.heading.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
        layout.addWidget(self.heading)
        layout.addWidget(self.table, 1)
        self.show_step(None, None)

    def set_flat(self, flat: bool) -> None:
        """Give all height to the rows, or restore heading and margins."""
        self.table.horizontalHeader().setHidden(flat)
        self.table.setMinimumHeight(2 * ROW_HEIGHT if flat else 0)  # else the whole panel would scroll, heading and all
        self._layout.setContentsMargins(0, 0 if flat else PANEL_MARGIN, 0, 0)

    def show_step(self, before: Assembly | None, after: Assembly | None) -> None:
        """Show an assembly and its predecessor, None for the first."""
        falling = None if after is None else Falling.between(before, after)
        self.table.set_empty_text(NOTHING_OPEN if after is None else NOTHING_OUT)
        self._model.show_falling(falling)
        self.table.show_columns()
        self.heading.setText("" if falling is None else _sentence(falling))
        if falling is not None and falling.fresh.any():
            self.table.scrollToTop()


def _sentence(falling: Falling) -> str:
    """Return how many items are out, and how many of them fell last."""
    assembly = falling.assembly
    out = is_out(assembly)
    dropped = int((out & (assembly.action == Action.DROPPED)).sum())
    fresh = int(falling.fresh.sum())
    parts = [f"{counted(dropped, 'item')} dropped", f"{int(out.sum()) - dropped:,} shortened"]
    return " · ".join([*parts, *([f"{fresh:,} fell with the last step"] if fresh else [])])
