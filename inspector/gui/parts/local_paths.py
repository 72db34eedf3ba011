"""Files that come from other programs: dragged, or on the clipboard."""

from PySide6.QtCore import QMimeData


def local_paths(data: QMimeData) -> list[str]:
    """The files and folders of this machine among what comes from another program."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
