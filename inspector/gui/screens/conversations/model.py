"""The table of conversations: the columns of the list of what is open, with their widths and colours. No widgets."""

from PySide6.QtCore import QObject

from inspector.analysis.archive.listing import COLUMNS, Archive, listed
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column, Tone


class ConversationsModel(ArrayTableModel[Archive]):
    """Rows of an archive, those whose title or file has some words in it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(CONVERSATION_COLUMNS, parent)

    def show_archive(self, archive: Archive, ids: tuple[str, ...], wanted: str) -> None:
        """Show the conversations of an archive that have every word of `wanted` in their title or file."""
        self.show(archive, listed(archive, wanted), ids)


def _marked_title(archive: Archive, row: int) -> str:
    return f"{'● ' * (archive.conversations[row].id == archive.shown)}{archive.title(row)}"


def _color_of_title(archive: Archive, row: int) -> Tone | None:
    return "accent" if archive.conversations[row].id == archive.shown else None


def _muted(archive: Archive, row: int) -> Tone:
    return "muted"


def _columns() -> "tuple[Column[Archive], ...]":
    # What the setting makes of a conversation is what this list is for: in a narrow one the days go first.
    yields = {"file": 4, "first": 7, "last": 6, "tokens": 5, "prompt": 1, "dropped": 1, "findings": 3, "recall": 2}
    digits = {"title": 24, "file": 26, "messages": 9, "first": 12, "last": 12, "recall": 7}
    return tuple(
        Column(
            key,
            column.title,
            "Its title; ● marks the one that is inspected" if key == "title" else column.about,
            _marked_title if key == "title" else column.text,
            column.values,
            digits=digits.get(key, 10),
            right=column.right,
            stretches=key == "title",
            yields=yields.get(key, 0),
            tone={"title": _color_of_title, "file": _muted, "first": _muted, "last": _muted}.get(key),
            tooltip=column.tooltip,
            shown=column.shown,
        )
        for key, column in COLUMNS.items()
    )


CONVERSATION_COLUMNS = _columns()
