"""Signs beside texts: severities."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPolygonF

from inspector.gui.theme import named_font, theme
from inspector.model import Severity


def severity_color(severity: Severity) -> QColor:
    """Return the colour of a severity; information is muted."""
    current = theme()
    return {"error": current.error, "warning": current.warning, "info": current.muted_text}[severity]


def paint_severity(painter: QPainter, box: QRectF, severity: Severity) -> None:
    """Paint a filled disc with ! for an error, a triangle with ! for a warning, a ring with i for information."""
    color = severity_color(severity)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(color)
    painter.setBrush(Qt.BrushStyle.NoBrush if severity == "info" else color)
    if severity == "warning":
        painter.drawPolygon(QPolygonF([QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()]))
    else:
        painter.drawEllipse(box)
    font = named_font("caption")
    font.setWeight(QFont.Weight.Bold)
    painter.setFont(font)
    painter.setPen(color if severity == "info" else theme().text_on(color))
    sign = box.translated(0, box.height() * 0.1) if severity == "warning" else box
    painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, "i" if severity == "info" else "!")
    painter.restore()
