"""The header of a shoot-out: the name and totals of each policy above its column, with a button to use it."""

from PySide6.QtWidgets import QWidget

from inspector.assembly.shootout import Shootout, contender_of
from inspector.gui.screens.shootout.model import header_lines
from inspector.gui.table.header import EntryHeader, HeaderEntry

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
