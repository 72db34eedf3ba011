"""Plots as files: PNG or SVG, as they stand on the screen, and never over a file that is open."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRect, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog

from inspector.gui.image_content import image_content
from inspector.gui.plots.plot import Plot
from inspector.gui.session import Session
from inspector.gui.theme import theme
from inspector.model import Problem
from inspector.writing import write_file

PICTURES = "Picture (*.png);;Drawing (*.svg)"
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


def save_plot(plot: Plot, session: Session, name: str, say: Callable[[str], None]) -> None:
    """Ask for a file, write the plot and say so; what goes wrong is reported, and an opened file is refused."""
    folder = Path(session.paths[0]).resolve().parent if session.paths else Path.home()
    chosen, _ = QFileDialog.getSaveFileName(plot, "Save picture", str(folder / f"{name}.png"), PICTURES)
    if not chosen:
        return
    try:
        write_file(chosen, plot_picture(plot, Path(chosen).suffix), session.opened_files)
    except (OSError, ValueError) as error:
        session.problem_reported.emit(Problem(chosen, "", f"cannot be written: {error}"))
        return
    say(f"Saved {chosen}")


def _drawing(plot: Plot) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(plot.size())
    generator.setViewBox(QRect(plot.rect()))
    generator.setTitle(plot.accessibleName())
    generator.setDescription(plot.accessibleDescription())
    painter = QPainter(generator)
    plot.render(painter, QRectF(plot.rect()), plot.rect())
    painter.end()
    return bytes(buffer.data().data())
