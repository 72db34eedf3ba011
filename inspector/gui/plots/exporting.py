"""Plots as files: PNG as on the screen, SVG of their drawings in the theme of the window, CSV of their table.

Open files are never overwritten.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPaintDevice, QPainter
from PySide6.QtWidgets import QPushButton

from inspector.csv_text import csv_lines
from inspector.drawings.svg import svg
from inspector.gui.icons import image_content
from inspector.gui.parts.new_file import ask_new_file, reason_of
from inspector.gui.parts.texts import tooltip
from inspector.gui.plots.legend import Key
from inspector.gui.plots.plot import Plot
from inspector.gui.session.session import Session
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.theme import GAP, UNIT, theme
from inspector.model import Problem
from inspector.tables import flat
from inspector.writing import write_file

PICTURES = "Picture (*.png);;Drawing (*.svg)"
TABLE = "Table (*.csv)"
SHARPNESS = 2
"""The pixels of a file per pixel of the screen, in each direction."""


def plot_image(*plots: Plot) -> QImage:
    """Return the plots side by side, each below its heading, with their legend, as an image of twice the screen's
    size.
    """
    image = QImage(_size(plots) * SHARPNESS, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SHARPNESS)
    _paint(plots, image)
    return image


def plot_picture(plots: Sequence[Plot], suffix: str) -> bytes:
    """Return the plots as the content of a file ending in `.png` or `.svg`. Raise ValueError for any other suffix."""
    kind = suffix.lower()
    if kind not in (".png", ".svg"):
        raise ValueError("expected a name that ends in .png or .svg")
    if kind == ".png":
        return image_content(plot_image(*plots), "png")
    return svg([plot.drawing for plot in plots if plot.drawing is not None], theme().palette)


def export_button(name: str, act: Callable[[], object], has_table: bool = True) -> QPushButton:
    """Return a button that writes a plot, or its table if any, to a file."""
    button = QPushButton()
    words = "Export the plot as PNG or SVG" + (", or its table as CSV" if has_table else "")
    button.setObjectName(name)
    button.setText("Export…")
    button.setToolTip(tooltip(words))
    button.setAccessibleName(words)
    button.clicked.connect(lambda _checked=False: act())
    return button


def table_csv(models: Iterable[ArrayTableModel]) -> bytes:
    """Return the rows of tables in order as CSV, with the keys and values used by the commands."""
    return "".join(csv_lines(map(flat, chain.from_iterable(model.records() for model in models)))).encode()


def export_plot(
    plots: Sequence[Plot],
    session: Session,
    name: str,
    say: Callable[[str], None],
    models: Sequence[ArrayTableModel] = (),
) -> None:
    """Ask for a file, write the plots side by side or their tables, and report it.

    Errors are reported, and an opened file is refused.
    """
    folder = Path(session.paths[0]).resolve().parent if session.paths else Path.home()
    kinds = f"{PICTURES};;{TABLE}" if models else PICTURES
    chosen = ask_new_file(plots[0], "Export the plot", folder / f"{name}.png", kinds)
    if chosen is None:
        return
    suffix = chosen.suffix
    try:
        is_table = bool(models) and suffix.lower() == ".csv"
        content = table_csv(models) if is_table else plot_picture(plots, suffix)
        write_file(chosen, content, session.opened_files)
    except (OSError, ValueError) as error:
        session.problem_reported.emit(Problem(str(chosen), "", f"cannot be written: {reason_of(error)}"))
        return
    say(f"Saved {chosen}")


def _size(plots: Sequence[Plot]) -> QSize:
    width = sum(plot.width() for plot in plots) + GAP * (len(plots) - 1)
    feet = (legend.heightForWidth(width - 2 * UNIT) + UNIT for legend in _legends(plots))
    return QSize(width, _head(plots) + max(plot.height() for plot in plots) + sum(feet))


def _legends(plots: Sequence[Plot]) -> list[Key]:
    """Return the common legends of plots side by side."""
    return list(dict.fromkeys(plot.legend for plot in plots if plot.legend is not None))


def _head(plots: Sequence[Plot]) -> int:
    """Return the height of the headings, if any."""
    return plots[0].fontMetrics().height() + 2 * UNIT if any(plot.heading for plot in plots) else 0


def _paint(plots: Sequence[Plot], device: QPaintDevice) -> None:
    painter, left, head = QPainter(device), 0, _head(plots)
    painter.fillRect(QRect(QPoint(), _size(plots)), theme().base)
    painter.setFont(plots[0].font())
    painter.setPen(theme().text)
    for plot in plots:
        painter.drawText(QRect(left + UNIT, 0, plot.width(), head), int(Qt.AlignmentFlag.AlignVCenter), plot.heading)
        plot.render(painter, QRectF(left, head, plot.width(), plot.height()), plot.rect())
        left += plot.width() + GAP
    below, width = head + max(plot.height() for plot in plots), _size(plots).width() - 2 * UNIT
    for legend in _legends(plots):
        painter.save()
        painter.translate(UNIT, below)
        painter.setFont(legend.font())
        legend.draw(painter, width)
        painter.restore()
        below += legend.heightForWidth(width) + UNIT
    painter.end()
