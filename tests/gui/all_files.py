"""The list of all files beside a window."""

from PySide6.QtWidgets import QApplication, QTreeView

from inspector.gui.main_window import MainWindow


def files_tree(window: MainWindow) -> QTreeView:
    """The tree of all files, opened if it is not."""
    window.do("all_files")
    QApplication.processEvents()  # the dialog becomes the active window
    found = [tree for tree in window.findChildren(QTreeView, "files_tree") if tree.isVisible()]
    assert found
    return found[-1]
