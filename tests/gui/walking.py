"""A walk through all that a program shows: every text that Qt is given, as Qt shows it, with what is wrong about it."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex
from PySide6.QtGui import QAction, Qt, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMessageBox,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

ROWS = 60
"""How many rows of a model are looked at."""
_Role = Qt.ItemDataRole
_PLAIN = Qt.TextFormat.PlainText


class Shown(NamedTuple):
    """A text as it can be seen: where, and whether it has to stand on one line."""

    where: str
    text: str
    is_line: bool = False


def everything(inside: QWidget | None = None) -> Iterator[Shown]:
    """Every text of every widget there is, or of those inside one, and of what hangs on widgets: actions, models,
    documents, scenes."""
    for widget in QApplication.allWidgets() if inside is None else inside.findChildren(QWidget):
        name = f"{type(widget).__name__} {widget.objectName()}".strip()
        yield from (Shown(f"{name}: {where}", text, is_line) for where, text, is_line in _of_widget(widget))


def _of_widget(widget: QWidget) -> Iterator[Shown]:
    yield Shown("tooltip", as_shown(widget.toolTip()))
    yield Shown("what's this", as_shown(widget.whatsThis()))
    yield Shown("status tip", widget.statusTip(), True)
    for action in widget.actions():
        yield from _of_action(action)
    if isinstance(widget, QMainWindow):
        yield Shown("title", widget.windowTitle().replace("[*][*]", "\0").replace("[*]", "").replace("\0", "[*]"), True)
    if isinstance(widget, QLabel):
        is_plain = widget.textFormat() == _PLAIN
        yield Shown("text", widget.text() if is_plain else as_shown(widget.text()))
    elif isinstance(widget, QAbstractButton):
        yield Shown("text", without_keys(widget.text()), True)
    elif isinstance(widget, QGroupBox | QMenu):
        yield Shown("title", without_keys(widget.title()), True)
    elif isinstance(widget, QMessageBox):
        is_plain = widget.textFormat() == _PLAIN
        yield Shown("text", widget.text() if is_plain else as_shown(widget.text()))
    elif isinstance(widget, QLineEdit):
        yield Shown("placeholder", widget.placeholderText(), True)
    elif isinstance(widget, QTabBar):
        for tab in range(widget.count()):
            yield Shown("tab", without_keys(widget.tabText(tab)), True)
            yield Shown("tooltip of a tab", as_shown(widget.tabToolTip(tab)))
    elif isinstance(widget, QComboBox):
        yield Shown("text", widget.currentText(), True)
        yield from _of_model(widget.model(), widget.rootModelIndex(), ())
    elif isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView) and widget.model():
        yield from _of_model(widget.model(), widget.rootIndex(), _headers(widget))
    elif isinstance(widget, QGraphicsView) and widget.scene():
        texts = [item for item in widget.scene().items() if isinstance(item, QGraphicsTextItem)]
        yield from (Shown("text of a scene", item.toPlainText()) for item in texts)
    for document in widget.findChildren(QTextDocument):
        yield Shown("document", document.toPlainText())
        if any(look.isImageFormat() for look in document.allFormats()):
            yield Shown("document", "a picture: §")


def _of_action(action: QAction) -> Iterator[Shown]:
    yield Shown("action", without_keys(action.text()), True)
    yield Shown("tooltip of an action", as_shown(action.toolTip()))
    yield Shown("status tip of an action", action.statusTip(), True)


def _headers(view: QAbstractItemView) -> Iterable[QHeaderView]:
    if isinstance(view, QTableView):
        return view.horizontalHeader(), view.verticalHeader()
    return (view.header(),) if isinstance(view, QTreeView) else ()


def _of_model(model: QAbstractItemModel, root: QModelIndex, headers: Iterable[QHeaderView]) -> Iterator[Shown]:
    for header in headers:
        for section in range(min(header.count(), ROWS)):
            side = header.orientation()
            yield Shown("header", str(model.headerData(section, side, _Role.DisplayRole) or ""), True)
            yield Shown("tooltip of a header", as_shown(model.headerData(section, side, _Role.ToolTipRole) or ""))
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(root)  # private in lists
    for row in range(min(model.rowCount(root), ROWS)):
        for column in range(columns):
            index = model.index(row, column, root)
            yield Shown("cell", str(index.data(_Role.DisplayRole) or ""), columns > 1)
            yield Shown("tooltip of a cell", as_shown(index.data(_Role.ToolTipRole) or ""))
            yield Shown("status tip of a cell", index.data(_Role.StatusTipRole) or "", True)
        if isinstance(index := model.index(row, 0, root), QModelIndex) and model.canFetchMore(index):
            model.fetchMore(index)
        if model.rowCount(model.index(row, 0, root)):
            yield from _of_model(model, model.index(row, 0, root), ())


@lru_cache(2_000)
def as_shown(text: str) -> str:
    """A text as it is seen where Qt decides whether it is HTML; one that loads pictures names them so."""
    if not Qt.mightBeRichText(text):
        return text
    document = QTextDocument()
    document.setHtml(text)
    pictures = any(look.isImageFormat() for look in document.allFormats())
    return document.toPlainText() + ("\nloads a picture: §" if pictures else "")


def without_keys(text: str) -> str:
    """The text of a button or an entry of a menu as it is seen: & marks a key, && is one."""
    return re.sub("&(.?)", r"\1", text, flags=re.DOTALL)
