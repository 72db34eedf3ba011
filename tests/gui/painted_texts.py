"""Every text that a window paints, with its font, ink and ground: widgets of Qt and parts that paint themselves.

Each widget is painted once more onto a device that keeps only the texts. The ground is read from a picture of the
window: most pixels around a text are its ground.
"""

import math
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QImage,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainterPath,
    QRegion,
    QTextItem,
)
from PySide6.QtWidgets import QWidget

from inspector.gui.palettes import blended, contrast

_METRICS = {
    QPaintDevice.PaintDeviceMetric.PdmDpiX: 96,
    QPaintDevice.PaintDeviceMetric.PdmDpiY: 96,
    QPaintDevice.PaintDeviceMetric.PdmPhysicalDpiX: 96,
    QPaintDevice.PaintDeviceMetric.PdmPhysicalDpiY: 96,
    QPaintDevice.PaintDeviceMetric.PdmDepth: 32,
    QPaintDevice.PaintDeviceMetric.PdmDevicePixelRatio: 1,
    QPaintDevice.PaintDeviceMetric.PdmDevicePixelRatioScaled: 0x10000,
    QPaintDevice.PaintDeviceMetric.PdmNumColors: 0x1000000,
}


LARGE, LARGE_IF_BOLD = 24, 19
"""From these pixel sizes on a text is large, and needs less contrast (WCAG 2.2, 1.4.3: 18 pt, or 14 pt and bold)."""
_NEEDED, _NEEDED_IF_LARGE = 4.5, 3.0
_AROUND = 3
_SIDE = 10_000
"""Wider and higher than any widget."""


class Painted(NamedTuple):
    """A text as a widget painted it: its size in pixels, its weight, its ink, and its place in the widget."""

    text: str
    pixels: int
    weight: int
    ink: QColor
    opacity: float
    place: QRect

    @property
    def needed(self) -> float:
        """The contrast that it needs."""
        is_large = self.pixels >= LARGE or (self.pixels >= LARGE_IF_BOLD and self.weight >= QFont.Weight.DemiBold)
        return _NEEDED_IF_LARGE if is_large else _NEEDED


class Text(NamedTuple):
    """A painted text with its widget and the contrast on its ground."""

    where: str
    painted: Painted
    contrast: float


def texts_of(window: QWidget) -> Iterator[Text]:
    """Yield every text in sight in a window. What is disabled may be faint, and is left out."""
    picture, device = window.grab().toImage(), _Device()
    for widget in (window, *window.findChildren(QWidget)):
        if widget.isVisible() and widget.isEnabled() and widget.window() is window:
            seen, corner = widget.visibleRegion().boundingRect(), widget.mapTo(window, QPoint())
            for painted in device.painted_by(widget):
                place = painted.place & seen
                if place.width() > 1 and 2 * place.height() > painted.place.height() and painted.text.strip():
                    ground = _ground(picture, place.translated(corner))
                    ink = blended(painted.ink, ground, painted.opacity * painted.ink.alphaF())
                    yield Text(_name(widget), painted, contrast(ink, ground))


def _name(widget: QWidget) -> str:
    parent = widget.parentWidget()
    own = f"{type(widget).__name__} {widget.objectName()}".strip()
    inside = f"{type(parent).__name__} {parent.objectName()}".strip() if parent is not None else "nothing"
    return f"{own} in {inside}"


def _ground(picture: QImage, place: QRect) -> QColor:
    """Return the most frequent colour of a place: letters cover less of it than their ground."""
    place = place.adjusted(-_AROUND, 0, _AROUND, 0) & picture.rect()  # an i fills its own place
    pixels = Counter(
        picture.pixel(x, y)
        for y in range(place.top(), place.bottom() + 1)
        for x in range(place.left(), place.right() + 1, 1 + place.width() // 40)
    )
    return QColor(pixels.most_common(1)[0][0])


class _Engine(QPaintEngine):
    """Keeps texts, and drops all else."""

    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.texts = list[Painted]()

    def begin(self, device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, state: QPaintEngineState) -> None:
        pass

    def drawPixmap(self, *_: object) -> None:
        pass

    def drawImage(self, *_: object, **__: object) -> None:
        pass

    def drawTiledPixmap(self, *_: object) -> None:
        pass

    def drawPath(self, path: QPainterPath) -> None:
        pass

    def drawPolygon(self, *_: object) -> None:
        pass

    def drawTextItem(self, p: QPointF | QPoint | QPainterPath.Element, textItem: QTextItem) -> None:  # noqa: N803
        corner, item = QPointF(p.x, p.y) if isinstance(p, QPainterPath.Element) else QPointF(p), textItem
        painter, font = self.painter(), item.font()
        box = QRectF(corner.x(), corner.y() - item.ascent(), item.width(), item.ascent() + item.descent())
        place = painter.combinedTransform().mapRect(box)
        if painter.hasClipping():
            place &= painter.combinedTransform().mapRect(painter.clipBoundingRect())
        scale = math.sqrt(abs(painter.combinedTransform().determinant()))
        size = round(QFontInfo(font).pixelSize() * scale)
        self.texts.append(
            Painted(item.text(), size, font.weight(), painter.pen().color(), painter.opacity(), place.toRect())
        )


class _Device(QPaintDevice):
    """A large screen of 96 dots per inch that shows nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._engine = _Engine()

    def painted_by(self, widget: QWidget) -> list[Painted]:
        """Return the texts that a widget itself paints, without its children."""
        self._engine.texts = []
        QWidget.render(
            widget, self, QPoint(), QRegion(), QWidget.RenderFlag(0)
        )  # views of scenes have their own `render`
        return self._engine.texts

    def paintEngine(self) -> QPaintEngine:
        return self._engine

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        return _METRICS.get(metric, _SIDE)
