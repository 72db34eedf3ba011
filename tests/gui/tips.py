"""What a person reads in a tooltip."""

from PySide6.QtGui import QTextDocumentFragment


def tip_text(tip: str) -> str:
    """The text that Qt shows for a tooltip, with its line breaks."""
    return QTextDocumentFragment.fromHtml(tip).toPlainText()
