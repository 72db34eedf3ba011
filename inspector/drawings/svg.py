"""The painter of drawings as SVG: the command, the window's export and pages write the same bytes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np

from inspector.drawings.colors import LIGHT, PALE, Palette, Role, Shade
from inspector.drawings.drawing import (
    F64,
    LETTER,
    LINE,
    Axis,
    Bars,
    Cells,
    Drawing,
    Entry,
    Level,
    Mark,
    MarkLook,
    Points,
    Row,
    Rows,
    Stack,
    Stretches,
    shade,
    ticks,
)
from inspector.drawings.ink import CRISP, Ink, document
from inspector.drawings.pixels import Across, pixel_bars

WIDTH, GAP = 860, 12
"""The width of the area over an axis, and the room around it, in pixels."""
_LEFT, _TITLE, _SQUARE = 80, 22, 12
_NAMES_OF_LINES, _SCALE = 60, 120
"""Room at the right for the names of lines, or the scale of shades."""
_MOST_LETTERS, _STEPS = 24, 5
_ROOM_FOR_STRIPES = 6
_BAND = 0.2


def svg(drawings: Sequence[Drawing], palette: Palette = LIGHT) -> bytes:
    """Return the content of a file: drawings below each other, with a common legend."""
    ink, left = Ink(palette), max(map(_left_of, drawings), default=_LEFT)
    width = left + WIDTH + max(map(_right_of, drawings), default=0) + 2 * GAP
    parts, top = list[str](), float(GAP)
    for drawing in drawings:
        parts += _painted(drawing, ink, left, top)
        top += _height_of(drawing)
    legend = list(dict.fromkeys(entry for drawing in drawings for entry in drawing.legend))
    lines = list(_placed(legend, width - left - GAP))
    parts += _legend(lines, ink, left, top)
    bottom = top + _TITLE * (1 + max((line for _, line, _ in lines), default=-1)) + GAP
    return document("; ".join(drawing.title for drawing in drawings), width, bottom, ink, "".join(parts))


@dataclass(frozen=True)
class _Frame:
    """The place of a row in the file, and the scales of its axes."""

    left: float
    top: float
    height: float
    across: Axis
    up: Axis

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def right(self) -> float:
        return self.left + WIDTH

    @property
    def scale(self) -> float:
        """Pixels per unit of the horizontal axis."""
        return WIDTH / max(self.across.end - self.across.first, 1e-9)

    def x(self, places: F64 | float) -> F64:
        return np.asarray(self.left + (np.asarray(places) - self.across.first) * self.scale)

    def y(self, heights: F64 | float) -> F64:
        span = max(self.up.end - self.up.first, 1e-9)
        return np.asarray(self.bottom - (np.asarray(heights) - self.up.first) * self.height / span)


def _left_of(drawing: Drawing) -> float:
    """Return the room for the words of upright axes."""
    longest = max((len(text) for row in drawing.rows for text in _beside(row)), default=0)
    return max(_LEFT, GAP + LETTER * (min(longest, _MOST_LETTERS) + 1)) if longest else GAP


def _beside(row: Row) -> Sequence[str]:
    """Return the words at the left of a row."""
    match row.series:
        case Stretches():
            return row.series.names
        case Stack():
            return [row.series.name]
        case _:
            return [text for _, text in ticks(row.up, row.height, is_upright=True)]


def _head(row: Row) -> float:
    """Return the room above a row for its titles."""
    return _TITLE if row.title or row.up.title else 0


def _right_of(drawing: Drawing) -> float:
    has_names = any(isinstance(row.series, Points) and any(row.series.names) for row in drawing.rows)
    has_scale = any(isinstance(row.series, Cells) for row in drawing.rows)
    return max(_NAMES_OF_LINES * has_names, _SCALE * has_scale)


def _height_of(drawing: Drawing) -> float:
    below = LINE * (drawing.across.lines + bool(drawing.across.title) + len(_note(drawing)))
    return _TITLE + sum(_head(row) + row.height + GAP for row in drawing.rows) + below + 2 * GAP


def _painted(drawing: Drawing, ink: Ink, left: float, top: float) -> Iterator[str]:
    yield ink.words(drawing.title, GAP, top + 12)
    top += _TITLE
    for number, row in enumerate(drawing.rows):
        frame = _Frame(left, top + _head(row), row.height, drawing.across, row.up)
        if row.title:
            said = f"{row.title}: {row.figures}" if row.figures else row.title
            yield ink.words(said, left, top + 14, role=Role.MUTED)
        yield from _bars(row.behind, frame, ink)
        yield from _grid(row, frame, ink)
        yield from _series(row, frame, ink)
        for level in row.levels:
            yield from _level(level, frame, ink)
        for mark in drawing.marks:
            yield from _mark(mark, frame, ink, is_first=number == 0)
        top += _head(row) + row.height + GAP
    yield from _foot(drawing, ink, left, top - GAP)


def _grid(row: Row, frame: _Frame, ink: Ink) -> Iterator[str]:
    """Yield the words of the upright axis, with a line across at each number."""
    if isinstance(row.series, Stretches | Stack):
        return
    for place, text in ticks(row.up, row.height, is_upright=True):
        height = float(frame.y(place))
        if not isinstance(row.series, Cells):
            yield f'<path {ink.stroke(Role.BORDER, 0.5)} d="M{frame.left:.0f} {height:.1f}h{WIDTH}"/>'
        yield ink.words(_short(text), frame.left - 6, height + 4, "end", Role.MUTED)
    if row.up.title:
        yield ink.words(row.up.title, frame.left, frame.top - 8, role=Role.MUTED)


def _foot(drawing: Drawing, ink: Ink, left: float, bottom: float) -> Iterator[str]:
    """Yield the words below the axis, its title and the note."""
    across = drawing.across
    frame = _Frame(left, bottom, 0, across, across)
    for place, text in ticks(across, WIDTH):
        x = float(frame.x(place))
        yield f'<path {ink.stroke(Role.MUTED)} d="M{x:.1f} {bottom:.1f}v4"/>'
        for line, words in enumerate(text.split("\n")):
            yield ink.words(_short(words), x, bottom + 16 + LINE * line, "middle", Role.MUTED)
    top = bottom + 16 + LINE * across.lines
    if across.title:
        yield ink.words(across.title, frame.right, top, "end", Role.MUTED)
        top += LINE
    for line in _note(drawing):
        yield ink.words(line, left, top + 6)
        top += LINE


def _note(drawing: Drawing) -> list[str]:
    """Return the lines of the note."""
    return wrap(drawing.note, WIDTH // LETTER)


def _level(level: Level, frame: _Frame, ink: Ink) -> Iterator[str]:
    y = float(frame.y(level.height))
    yield f'<path {ink.stroke(Role.TEXT)} d="M{frame.left:.0f} {y:.1f}h{WIDTH}"/>'
    yield ink.words(level.above, frame.right - 4, y - 4, "end")
    if level.below:
        yield ink.words(level.below, frame.right - 4, y + LINE, "end", Role.MUTED)


def _mark(mark: Mark, frame: _Frame, ink: Ink, is_first: bool) -> Iterator[str]:
    x = float(frame.x(mark.place))
    if not frame.left - 1 <= x <= frame.right + 1 or (mark.look is not MarkLook.PLACE and not is_first):
        return
    line, dash, role, down = _MARKS[mark.look]
    top = frame.top + frame.height * down
    yield f'<path {ink.stroke(line, dash=dash)} d="M{x:.1f} {top:.1f}v{frame.bottom - top:.1f}"/>'
    if is_first:
        is_right = x > frame.left + WIDTH / 2 and mark.look is not MarkLook.PERIOD
        yield ink.words(mark.words, x - 4 if is_right else x + 4, top + 12, "end" if is_right else "start", role)


_MARKS: Mapping[MarkLook, tuple[Role, str, Role, float]] = {
    MarkLook.PLACE: (Role.TEXT, "4 3", Role.TEXT, 0.0),
    MarkLook.PERIOD: (Role.BORDER, "", Role.MUTED, 0.0),
    MarkLook.EVENT: (Role.DROPPED, "", Role.DROPPED, 0.6),
    MarkLook.RECORDED: (Role.SECOND, "", Role.SECOND, 0.4),
}
"""The ink of each mark, its dashes, the ink of its words, and how far down in its row it begins."""


def _series(row: Row, frame: _Frame, ink: Ink) -> Iterator[str]:
    match row.series:
        case Bars():
            return _bars(row.series, frame, ink)
        case Points():
            return _points(row.series, frame, ink)
        case Stretches():
            return _stretches(row.series, frame, ink)
        case Cells():
            return _cells(row.series, frame, ink)
        case Stack():
            return _stack(row.series, frame, ink)


# Bars


def _bars(bars: Bars, frame: _Frame, ink: Ink) -> Iterator[str]:
    """Yield bars, the tallest first: at most one for each pixel and look."""
    first = round(frame.left)
    across = Across(frame.scale, frame.left - frame.across.first * frame.scale, first, first + WIDTH)
    drawn = pixel_bars(bars, across, len(bars.tones))
    solid = np.round(frame.y(drawn.solid))  # whole pixels have no seams
    upper = np.minimum(np.round(frame.y(np.maximum(drawn.height, drawn.solid))), frame.bottom - 1)
    width = drawn.right - drawn.left
    for rank in range(int(drawn.rank.max(initial=-1)) + 1):
        for look, tone in enumerate(bars.tones):
            those = np.flatnonzero((drawn.rank == rank) & (drawn.look == look))
            pale = those[upper[those] < solid[those]]
            if len(pale):
                striped = pale[width[pale] >= _ROOM_FOR_STRIPES] if bars.hatched else pale[:0]
                yield from _boxes(ink.fill(Shade(tone.role, PALE)), drawn.left, upper, width, solid - upper, pale)
                yield from _boxes(ink.striped(tone.role), drawn.left, upper, width, solid - upper, striped)
                yield from _boxes(ink.fill(tone), drawn.left, upper, width, np.ones(len(upper)), pale)
            full = those[solid[those] < frame.bottom]
            yield from _boxes(ink.fill(tone), drawn.left, solid, width, frame.bottom - solid, full)


def _boxes(look: str, left: Rows, top: F64, width: Rows, height: F64, those: Rows) -> Iterator[str]:
    """Yield rectangles of the same look, as a group."""
    if not len(those):
        return
    columns = (left[those].tolist(), top[those].tolist(), width[those].tolist(), height[those].tolist())
    boxes = (f'<rect x="{x}" y="{y:g}" width="{w}" height="{h:g}"/>' for x, y, w, h in zip(*columns, strict=True))
    yield f"<g {look} {CRISP}>{''.join(boxes)}</g>"


# Points


def _points(points: Points, frame: _Frame, ink: Ink) -> Iterator[str]:
    """Yield lines, the first over the others, on the band of its interval."""
    x, up, low, high = frame.x(points.across), *map(frame.y, (points.up, points.low, points.high))
    for number in reversed(range(len(points.names))):
        members = points.of_line(number)
        known = members[~np.isnan(up[members])]
        role, width = (Role.ACCENT, 2) if number == 0 else (Role.MUTED, 1)
        if number == 0:
            yield from _band(x, low, high, members[~np.isnan(low[members])], ink)
        if len(known) > 1:
            yield f'<path {ink.stroke(role, width)} d="{_path(x[known], up[known], points.steps)}"/>'
        dots = (f'<circle cx="{x[place]:.1f}" cy="{up[place]:.1f}" r="2.5"/>' for place in known.tolist())
        yield f"<g {ink.fill(Shade(role))}>{''.join(dots)}</g>"
    yield from _names_of_lines(points, x, up, frame, ink)


def _path(x: F64, y: F64, steps: bool) -> str:
    spots = zip(x.tolist(), y.tolist(), strict=True)
    if not steps:
        return "M" + "L".join(f"{across:.1f} {up:.1f}" for across, up in spots)
    return f"M{x[0]:.1f} {y[0]:.1f}" + "".join(f"H{across:.1f}V{up:.1f}" for across, up in list(spots)[1:])


def _band(x: F64, low: F64, high: F64, known: Rows, ink: Ink) -> Iterator[str]:
    if len(known) > 1:
        there = _path(x[known], high[known], steps=False)
        back = _path(x[known[::-1]], low[known[::-1]], steps=False)
        yield f'<path {ink.fill(Shade(Role.ACCENT, _BAND))} d="{there}L{back[1:]}Z"/>'


def _names_of_lines(points: Points, x: F64, up: F64, frame: _Frame, ink: Ink) -> Iterator[str]:
    """Yield the name of each line at its end, moved down to avoid another name."""
    ends = sorted((float(up[last]), float(x[last]), line) for line, last in points.known_ends())
    below = frame.top - LINE
    for rank, (height, across, line) in enumerate(ends):
        lowest = frame.bottom - LINE * (len(ends) - 1 - rank)
        below = max(min(height + 4, lowest), below + LINE)
        role = Role.ACCENT if line == 0 else Role.MUTED
        yield ink.words(points.names[line], across + 10, below, role=role)


# Stretches and cells


def _stretches(stretches: Stretches, frame: _Frame, ink: Ink) -> Iterator[str]:
    """Yield a rectangle for each stretch. Of more items than pixels some are drawn, evenly."""
    if not len(stretches):
        return
    if len(stretches) > frame.height:
        places = np.linspace(0, len(stretches) - 1, int(frame.height)).round().astype(np.intp)
        stretches = stretches.some(np.unique(places))
    first, last = round(frame.across.first + 0.5), round(frame.across.end - 0.5)
    numbers = np.unique(np.linspace(first, last, WIDTH // 2).round().astype(np.int64))
    edges: Rows = np.round(frame.left + WIDTH * np.arange(len(numbers) + 1) / len(numbers)).astype(np.intp)
    picture, step = stretches.grid(numbers), frame.height / max(1, len(stretches))
    begins = np.diff(picture, axis=1, prepend=255) != 0
    rows, columns = np.nonzero(begins)
    is_last = np.append(rows[1:] != rows[:-1], True)
    ends = np.where(is_last, len(numbers), np.append(columns[1:], 0))
    gap = 1 if stretches.names else 0
    top: F64 = (frame.top + rows * step).astype(np.float64)
    height = np.full(len(rows), step - gap)
    for level, tone in enumerate(stretches.tones):
        those = np.flatnonzero(picture[rows, columns] == level)
        yield from _boxes(
            ink.fill(tone), edges[columns], top, (edges[ends] - edges[columns]).astype(np.intp), height, those
        )
    for place, name in enumerate(stretches.names):
        yield ink.words(_short(name), frame.left - 6, frame.top + step * (place + 0.5) + 4, "end", Role.MUTED)


def _cells(cells: Cells, frame: _Frame, ink: Ink) -> Iterator[str]:
    low, most = cells.levels
    high, wide = cells.values.shape
    x = np.round(frame.x(np.arange(wide + 1) - 0.5)).astype(np.intp).tolist()
    y = np.round(frame.y(np.arange(high + 1) - 0.5)).astype(np.intp).tolist()
    size = f'width="{x[-1] - x[0]}" height="{y[0] - y[-1]}"'
    yield f'<rect {ink.fill(Shade(Role.BORDER))} x="{x[0]}" y="{y[-1]}" {size}/>'
    for row, column in np.argwhere(~np.isnan(cells.values)).tolist():
        place = x[column], y[row + 1], x[column + 1] - x[column], y[row] - y[row + 1]
        yield _cell(Shade(Role.ACCENT, shade((cells.values[row, column] - low) / (most - low))), *place, ink)
    yield from _marks_of_cells(cells, frame, ink)
    left, step = frame.right + 2 * GAP, frame.height / 2 / (_STEPS + 1)
    for number in range(_STEPS + 1):
        top = frame.top + frame.height / 2 - step * (number + 1)
        yield _cell(Shade(Role.ACCENT, shade(number / _STEPS)), left, top, 2 * GAP, step, ink)
    for text, middle in ((cells.least, frame.top + frame.height / 2), (cells.most, frame.top + step)):
        yield ink.words(text, left + 2 * GAP + 6, middle - step / 2 + 4, role=Role.MUTED)


def _cell(tone: Shade, left: float, top: float, width: float, height: float, ink: Ink) -> str:
    """Return a cell on a ground of its own, so that its shade depends only on its value."""
    place = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" {CRISP}'
    return f"<rect {ink.fill(Shade(Role.BASE))} {place}/><rect {ink.fill(tone)} {place}/>"


def _marks_of_cells(cells: Cells, frame: _Frame, ink: Ink) -> Iterator[str]:
    """Yield the setting in use as crossing lines, the best cell as a ring visible on any shade."""
    if cells.now is not None:
        x, y = float(frame.x(cells.now[0])), float(frame.y(cells.now[1]))
        lines = f"M{x:.1f} {frame.top:.1f}v{frame.height:.1f}M{frame.left:.1f} {y:.1f}h{WIDTH}"
        yield f'<path {ink.stroke(Role.TEXT, dash="4 3")} d="{lines}"/>'
    if cells.best is not None:
        x, y = float(frame.x(cells.best[0])), float(frame.y(cells.best[1]))
        for role, width in ((Role.BASE, 4), (Role.TEXT, 1.5)):
            yield f'<circle {ink.stroke(role, width)} cx="{x:.1f}" cy="{y:.1f}" r="8"/>'


# Stacks


def _stack(stack: Stack, frame: _Frame, ink: Ink) -> Iterator[str]:
    for part in stack.parts:
        left, width = float(frame.x(part.start)), max(part.size * frame.scale, 1.0)
        place = f'x="{left:.1f}" y="{frame.top:g}" width="{width:.1f}" height="{frame.height:g}"'
        filled = "".join(_filled(part.tone, part.hatched, place, ink))
        yield f"<g>{ink.tooltip(f'{part.words} tokens')}{filled}</g>"
    place = f'x="{frame.left:g}" y="{frame.top:g}" width="{stack.whole * frame.scale:.1f}" height="{frame.height:g}"'
    yield f"<rect {ink.stroke(Role.TEXT)} {place}/>"
    if stack.name:
        yield ink.words(stack.name, frame.left - 8, frame.top + frame.height / 2 + 4, "end")


def _filled(tone: Shade, hatched: bool, place: str, ink: Ink) -> Iterator[str]:
    """Yield a rectangle in a tone, or pale with stripes and an outline."""
    yield f"<rect {ink.fill(Shade(tone.role, PALE) if hatched else tone)} {place}/>"
    if hatched:
        yield f"<rect {ink.striped(tone.role)} {place}/><rect {ink.stroke(tone.role)} {place}/>"


# The legend


def _placed(entries: Sequence[Entry], width: float) -> Iterator[tuple[float, int, Entry]]:
    """Yield each entry with its distance from the left and its line."""
    left, line = 0.0, 0
    for entry in entries:
        wanted = _SQUARE + 6 + LETTER * (len(entry.words) + 2)
        if left and left + wanted > width:
            left, line = 0.0, line + 1
        yield left, line, entry
        left += wanted


def _legend(placed: Sequence[tuple[float, int, Entry]], ink: Ink, left: float, top: float) -> Iterator[str]:
    for moved, line, entry in placed:
        x, y = left + moved, top + _TITLE * line
        square = f'x="{x:.0f}" y="{y:.0f}" width="{_SQUARE}" height="{_SQUARE}"'
        yield from _filled(entry.tone, entry.hatched, square, ink)
        if entry.tone.role is Role.FREE:  # the ground itself
            yield f"<rect {ink.stroke(Role.BORDER)} {square}/>"
        yield ink.words(entry.words, x + _SQUARE + 6, y + 10)


def _short(text: str) -> str:
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1]}…"
