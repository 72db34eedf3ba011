"""The model of the table of conversations. No widgets here."""

from PySide6.QtCore import QObject

from inspector.analysis.archive.listing import CONVERSATION_COLUMNS, Archive, listed
from inspector.gui.table.model import ArrayTableModel


class ConversationsModel(ArrayTableModel[Archive]):
    """Rows of an archive, those whose title or file has some words in it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(CONVERSATION_COLUMNS, parent)

    def show_archive(self, archive: Archive, ids: tuple[str, ...], wanted: str) -> None:
        """Show the conversations of an archive with every word of `wanted` in their title or file."""
        self.show(archive, listed(archive, wanted), ids)
