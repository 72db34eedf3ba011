"""The budget bar drawn as it lies: the baseline, the bar with ticks, loans and labels, and the line below them."""

from collections.abc import Mapping, Sequence, Set

from PySide6.QtCore import QRect

from inspector.figures import figures
from inspector.gui.parts.bar_picture import BarPicture, Limit
from inspector.gui.screens.budget.labels import place_labels, place_limits
from inspector.gui.screens.budget.layout import BarLayout
from inspector.gui.screens.budget.legend import LegendEntry
from inspector.gui.screens.budget.painting import BarPainter
from inspector.gui.screens.budget.scale import BarScale


class BarDrawing:
    """A painter of pictures of a bar with the same layout and scale."""

    def __init__(self, painter: BarPainter, layout: BarLayout, scale: BarScale) -> None:
        self._painter, self._layout, self._scale = painter, layout, scale

    def baseline(self, picture: BarPicture) -> None:
        """Paint the thin bar of the baseline."""
        row, painter = self._layout.baseline, self._painter
        with painter.clipped(row):
            for segment in picture.segments:
                painter.segment(segment, self._scale.span(segment, row))
            self._frame(picture, row)
            self._limits(self._scale.ticks(picture), row)
        text = f"baseline {figures(picture.total, picture.estimated)}"
        painter.total(self._layout.side(row.center().y()), text, strong=False)

    def bar(self, picture: BarPicture, marked: Set[str]) -> None:
        """The bar with everything at it; the segments of these words are marked."""
        row, painter, below = self._layout.bar, self._painter, self._layout.below
        spans = [(segment, self._scale.span(segment, row)) for segment in picture.segments]
        ticks = self._scale.ticks(picture)
        with painter.clipped(row):
            for segment, span in spans:
                painter.segment(segment, span)
            self._frame(picture, row)
            self._over(picture, row)
            self._limits(ticks, row)
            for loan in picture.loans:
                painter.loan(loan, self._scale.in_sight(loan.source), self._scale.stretch(loan), row)
        in_sight = [(segment, span.intersected(row)) for segment, span in spans if span.intersects(row)]
        labels = place_labels(in_sight, picture.figures, painter.width_of, below)
        of_limits = ((x, limits[0].title) for x, limits in ticks.items())
        for label in (*labels, *place_limits(of_limits, painter.width_of, below, labels)):
            painter.label(label)
        for segment, span in in_sight:
            if segment.word in marked:
                painter.mark(span)
        self._totals(picture, row)

    def last_line(self, legend: Sequence[LegendEntry], marked: str, scale_place: QRect) -> None:
        """Paint the legend, and the meaning of a pixel."""
        for entry in legend:
            self._painter.entry(entry, marked=entry.part.word == marked)
        self._painter.scale(scale_place, self._scale.sentence)

    def _totals(self, picture: BarPicture, row: QRect) -> None:
        middle, line = row.center().y(), self._layout.label_height
        self._painter.total(self._layout.side(middle - line // 2 - 1), picture.total_text, strong=True)
        self._painter.rest(self._layout.side(middle + line // 2 + 2), picture.rest_text, over=picture.over > 0)
        if picture.lost:
            self._painter.lost(self._layout.lost, f"{picture.lost:,} must-survive dropped")

    def _frame(self, picture: BarPicture, row: QRect) -> None:
        """The outline of the window, as far as it is in sight."""
        left, right = self._scale.in_sight(0), self._scale.in_sight(picture.window)
        self._painter.frame(QRect(left, row.top(), right - left, row.height()))

    def _over(self, picture: BarPicture, row: QRect) -> None:
        left, right = self._scale.in_sight(picture.window), self._scale.in_sight(picture.window + picture.over)
        if right > left:
            self._painter.over(QRect(left, row.top(), right - left, row.height()))

    def _limits(self, ticks: Mapping[int, Sequence[Limit]], row: QRect) -> None:
        for x, limits in ticks.items():
            self._painter.limit(limits[0].section, x, row)
