"""Plots as files: PNG or SVG, as they stand on the screen, or CSV of their table; never over a file that is open."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRect, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QToolButton

from inspector.csv_text import csv_lines
from inspector.gui.image_content import image_content
from inspector.gui.parts.new_file import ask_new_file, reason_of
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.plots.plot import Plot
from inspector.gui.session import Session
from inspector.gui.table.columns import Column
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.theme import theme
from inspector.model import Problem
from inspector.writing import write_file

PICTURES = "Picture (*.png);;Drawing (*.svg)"
TABLE = "Table (*.csv)"
SHARPNESS = 2
"""How many pixels of a file one of the screen has on each side."""


def plot_image(plot: Plot) -> QImage:
    """The plot as an image, at twice the size of the screen's."""
    image = QImage(plot.size() * SHARPNESS, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SHARPNESS)
    image.fill(theme().base)
    painter = QPainter(image)
    plot.render(painter, QRectF(plot.rect()), plot.rect())
    painter.end()
    return image


def plot_picture(plot: Plot, suffix: str) -> bytes:
    """The plot as the content of a file that ends in `.png` or `.svg`. Raises ValueError for any other suffix."""
    kind = suffix.lower()
    if kind not in (".png", ".svg"):
        raise ValueError("expected a name that ends in .png or .svg")
    return image_content(plot_image(plot), "png") if kind == ".png" else _drawing(plot)


def export_button(name: str, act: Callable[[], object], has_table: bool = True) -> QToolButton:
    """A button that has a plot, or its table where it has one, written to a file."""
    button = QToolButton()
    words = "Export the plot as PNG or SVG" + (", or its table as CSV" if has_table else "")
    button.setObjectName(name)
    button.setText("Export…")
    button.setToolTip(tooltip(words))
    button.setAccessibleName(words)
    button.clicked.connect(lambda _checked=False: act())
    return button


def table_csv(model: ArrayTableModel) -> bytes:
    """The rows of a table in their order as CSV under the keys of its columns; shares are 0-1, figures plain numbers.

    What is not known is an empty cell.
    """
    return "".join(csv_lines(_rows(model), [column.key for column in _written(model)])).encode()


def export_plot(
    plot: Plot, session: Session, name: str, say: Callable[[str], None], model: ArrayTableModel | None = None
) -> None:
    """Ask for a file, write the plot or its table and say so.

    What goes wrong is reported, and an opened file is refused.
    """
    folder = Path(session.paths[0]).resolve().parent if session.paths else Path.home()
    kinds = PICTURES if model is None else f"{PICTURES};;{TABLE}"
    chosen = ask_new_file(plot, "Export the plot", folder / f"{name}.png", kinds)
    if chosen is None:
        return
    suffix = chosen.suffix
    is_table = model is not None and suffix.lower() == ".csv"
    try:
        content = table_csv(model) if model is not None and is_table else plot_picture(plot, suffix)
        write_file(chosen, content, session.opened_files)
    except (OSError, ValueError) as error:
        session.problem_reported.emit(Problem(str(chosen), "", f"cannot be written: {reason_of(error)}"))
        return
    say(f"Saved {chosen}")


_FIGURE = re.compile(r"[+\-\N{MINUS SIGN}]?\d[\d,]*(\.\d+)?( %)?")
_PERCENT = 100


def _written(model: ArrayTableModel) -> list[Column]:
    """The columns that have something to say."""
    subject = model.subject
    return [each for each in model.columns if subject is None or each.shown is None or each.shown(subject)]


def _rows(model: ArrayTableModel) -> Iterator[dict[str, object]]:
    for row in model.rows.tolist():
        if row >= 0:
            yield {column.key: _value(column, column.text(model.subject, row)) for column in _written(model)}


def _value(column: Column, text: str) -> object:
    """A figure as a number, a dash as nothing, and any other text as it reads."""
    if not column.right or not _FIGURE.fullmatch(text):
        return None if text == "–" else text
    number = float(text.removesuffix(" %").replace(",", "").replace("\N{MINUS SIGN}", "-"))
    if text.endswith(" %"):
        return round(number / _PERCENT, 6)
    return int(number) if number.is_integer() and "." not in text else number


def _drawing(plot: Plot) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(plot.logicalDpiX())  # letters as large as on the screen, where their places are from
    generator.setSize(plot.size())
    generator.setViewBox(QRect(plot.rect()))
    generator.setTitle(plot.accessibleName())
    generator.setDescription(plot.accessibleDescription())
    painter = QPainter(generator)
    plot.render(painter, QRectF(plot.rect()), plot.rect())
    painter.end()
    return bytes(buffer.data().data())
