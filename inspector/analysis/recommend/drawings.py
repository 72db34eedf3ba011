"""Plots of recall as drawings (SVG): along a knob, by every pair of two knobs, and by category.

Nothing of the window's library is needed.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from inspector.analysis.recommend.categories import Categories, held
from inspector.analysis.recommend.knobs import Knob
from inspector.analysis.recommend.tried import Bench, Tried
from inspector.figures import percentage
from inspector.pages.axes import INK, MUTED, PAPER, box, ground, legend, ticks, upright, words
from inspector.pages.plots import alone, drawing

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP, _FOOT = 760, 300, 110, 40, 12, 60
_NAMES = 200
"""Room at the right for the names of lines, or the scale of shades."""
_LINE, _LETTER, _LEGEND_STEP, _STEPS = 14, 7, 140, 5
_FRONT, _QUIET, _BAND, _NOTHING = "#2A66AD", "#8A94A0", "#C6D8EC", "#D5D9DE"
_GRID = "#ECEEF1"
_PALE, _DARK = (0xE9, 0xF0, 0xF8), (0x0B, 0x3C, 0x73)
_GROUP, _BAR = 110, 30
_WEAK = {_FRONT: _BAND, _QUIET: _NOTHING}

Place = Callable[[float], float]
"""From a value of an axis to a pixel."""


def along_file(tried: Tried, bench: Bench) -> str:
    """Recall along a knob: a line for each policy, that of now in front and with its interval, and today's value."""
    knob, lines = tried.knobs[0], _lines(tried)
    low, high = _range(tried, lines)
    across: Place = lambda place: _LEFT + _WIDTH * (place + 0.5) / len(knob.values)  # noqa: E731 - an axis
    up: Place = lambda share: _TOP + _HEIGHT * (high - share) / (high - low)  # noqa: E731 - an axis
    title = f"Recall along {knob.title}, {tried.standing}"
    parts = [words(title, _LEFT, 20), *_shares(np.linspace(low, high, _STEPS + 1).tolist(), up)]
    parts += [*_curves(tried, lines, across, up), *_names(tried, lines, across, up)]
    parts.append(ticks(_texts(knob, across), _TOP + _HEIGHT))
    if (today := tried.today(bench)) is not None:
        x, is_right = across(today[0]), today[0] > len(knob.values) / 2
        named = words("now", x - 4 if is_right else x + 4, _TOP + _HEIGHT - 6, "end" if is_right else "start")
        parts += [upright(x, _TOP, _HEIGHT), named]
    return _whole(title, _TOP + _HEIGHT + _FOOT, parts)


def crossed_file(tried: Tried, bench: Bench) -> str:
    """Recall by two knobs: a shade for each pair of values, with those of now and the best one near them."""
    across, up = tried.knobs
    wide, high = _WIDTH / len(across.values), _HEIGHT / len(up.values)
    left: Place = lambda place: _LEFT + wide * (place + 0.5)  # noqa: E731 - an axis
    top: Place = lambda place: _TOP + _HEIGHT - high * (place + 0.5)  # noqa: E731 - an axis
    title = f"Recall by {across.title} and {up.title}, {tried.standing}"
    parts = [words(title, _LEFT, 20), box(_LEFT, _TOP, _WIDTH, _HEIGHT, _NOTHING)]
    means = tried.recall.means if tried.recall else np.full(len(tried.settings), np.nan)
    low, most = _ends(means.tolist())
    for (column, row), mean in zip(tried.places, means.tolist(), strict=True):
        if not np.isnan(mean):
            fill = _shade((mean - low) / (most - low))
            ends = [round(each) for each in (left(column - 0.5), left(column + 0.5), top(row + 0.5), top(row - 0.5))]
            parts.append(box(ends[0], ends[2], ends[1] - ends[0], ends[3] - ends[2], fill))
    if (today := tried.today(bench)) is not None:
        x, y = left(today[0]), top(today[1])
        parts += _outlined(f'<path d="M{x - 6:.1f} {y:.1f}h12M{x:.1f} {y - 6:.1f}v12" fill="none"/>')
    if (best := tried.best(bench)) is not None:
        x, y = left(tried.places[best][0]), top(tried.places[best][1])
        parts += _outlined(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="none"/>')
        parts.append(words(f"Cross: now. {tried.best_sentence(bench, ', ring')}", _LEFT, _TOP + _HEIGHT + 50))
    parts += [ticks(_texts(across, left), _TOP + _HEIGHT), words(up.title, _LEFT, _TOP - 6, fill=MUTED)]
    parts.append(words(across.title, _LEFT + _WIDTH, _TOP + _HEIGHT + 32, "end", MUTED))
    parts += [words(text, _LEFT - 8, y + 4, "end", MUTED) for y, text in _texts(up, top, upwards=True)]
    parts += _scale(low, most)
    return _whole(title, _TOP + _HEIGHT + _FOOT, parts)


def categories_file(of_windows: Sequence[tuple[str, Categories]]) -> str:
    """Recall by category, columns under each title: now and then, of which the stronger part is kept whole."""
    parts: list[str] = []
    top = float(_TOP)
    most = max((len(categories) for _, categories in of_windows), default=0)
    for title, categories in of_windows:
        up: Place = lambda share, top=top: top + _HEIGHT * (1 - share)  # noqa: E731 - an axis
        parts += [words(title, _LEFT, top - 20), *_shares(np.linspace(0, 1, _STEPS + 1).tolist(), up, most * _GROUP)]
        parts += _columns(categories, up)
        top += _HEIGHT + _FOOT + 2 * _GAP
    has_then = any(each.then for _, categories in of_windows for each in categories)
    entries = [("now", _QUIET), *([("recommended", _FRONT)] if has_then else [])]
    parts += [legend(entries, _LEFT, top - 10, _LEGEND_STEP)]
    said = "the stronger part is kept whole, the rest is named by a kept memory"
    parts.append(words(said, _LEFT + _LEGEND_STEP * len(entries), top, fill=MUTED))
    width = _LEFT + max(most * _GROUP, _LEGEND_STEP * len(entries) + _LETTER * len(said)) + 2 * _GAP
    return _whole("Recall by category", top + 2 * _GAP, parts, width)


def _columns(categories: Categories, up: Place) -> Iterator[str]:
    for place, each in enumerate(categories):
        middle = _LEFT + _GROUP * (place + 0.5)
        sides = [(each.now, _QUIET), *([(each.then, _FRONT)] if each.then else [])]
        for number, (members, fill) in enumerate(sides):
            left = middle + _BAR * (number - len(sides) / 2)
            both, whole = held(members) or 0.0, held(members, "recall") or 0.0
            yield box(left, up(both), _BAR - 4, up(0) - up(both), _WEAK[fill])
            yield box(left, up(whole), _BAR - 4, up(0) - up(whole), fill)
            yield words(f"{both * 100:.0f}", left + _BAR / 2 - 2, up(both) - 4, "middle")
        yield words(_short(each.name, _GROUP), middle, up(0) + 16, "middle")
        yield words(f"{len(each.now):,}", middle, up(0) + 30, "middle", MUTED)


def _lines(tried: Tried) -> list[list[int]]:
    """The settings of each policy, from left to right; those that it does not take are left out."""
    taken = np.flatnonzero(tried.recall.taken).tolist() if tried.recall else []
    found = [[place for place in taken if tried.places[place][1] == line] for line in range(len(tried.policies))]
    return [sorted(line, key=lambda place: tried.places[place][0]) for line in found]


def _means(tried: Tried, line: Sequence[int]) -> list[float]:
    return [] if tried.recall is None else tried.recall.means[list(line)].tolist()


def _ends(means: Sequence[float]) -> tuple[float, float]:
    """The least and the most of what is known, never the same."""
    known = [mean for mean in means if not np.isnan(mean)] or [0.0]
    return min(known), max(max(known), min(known) + 0.01)


def _range(tried: Tried, lines: Sequence[Sequence[int]]) -> tuple[float, float]:
    """From which share to which the axis goes: tens of percent around all that is there."""
    least, most = _ends([mean for line in lines for mean in _means(tried, line)])
    low = float(np.floor(least * 10) / 10)
    return low, max(float(np.ceil(most * 10) / 10), low + 0.1)


def _curves(tried: Tried, lines: Sequence[Sequence[int]], across: Place, up: Place) -> Iterator[str]:
    """The line of now last, over the others, on the band where it surely lies."""
    for number, line in reversed(list(enumerate(lines))):
        spots = [
            (across(tried.places[place][0]), up(mean)) for place, mean in zip(line, _means(tried, line), strict=True)
        ]
        if not spots:
            continue
        if number == 0:
            yield from _band(tried, line, across, up)
        fill, width = (_FRONT, 2.5) if number == 0 else (_QUIET, 1.2)
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        yield f'<path d="M{path}" stroke="{fill}" stroke-width="{width}" fill="none"/>'
        if number == 0:
            yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}"/>' for x, y in spots)


def _band(tried: Tried, line: Sequence[int], across: Place, up: Place) -> Iterator[str]:
    ends = [(place, tried.recall.interval(place)) for place in line] if tried.recall else []
    known = [(across(tried.places[place][0]), interval) for place, interval in ends if interval is not None]
    if known:
        there = [f"{x:.1f} {up(interval[1]):.1f}" for x, interval in known]
        back = [f"{x:.1f} {up(interval[0]):.1f}" for x, interval in reversed(known)]
        yield f'<path d="M{"L".join([*there, *back])}Z" fill="{_BAND}" opacity="0.5"/>'


def _names(tried: Tried, lines: Sequence[Sequence[int]], across: Place, up: Place) -> Iterator[str]:
    """The name of each line at its end, moved down where another one stands there."""
    ends = [(up(_means(tried, line)[-1]), number) for number, line in enumerate(lines) if line]
    below = float(_TOP - _LINE)
    room = _TOP + _HEIGHT - _LINE * len(ends)
    for rank, (height, number) in enumerate(sorted(ends)):
        below = max(min(height + 4, room + _LINE * (rank + 1)), below + _LINE)
        yield words(tried.policies[number], _LEFT + _WIDTH + 6, below, fill=_FRONT if number == 0 else MUTED)


def _shares(shares: Sequence[float], up: Place, width: float = _WIDTH) -> Iterator[str]:
    for share in shares:
        yield f'<path d="M{_LEFT} {up(share):.1f}h{width:.1f}" stroke="{_GRID}" fill="none"/>'
        yield words(f"{share * 100:.0f} %", _LEFT - 8, up(share) + 4, "end", MUTED)


def _texts(knob: Knob, axis: Place, upwards: bool = False) -> list[tuple[float, str]]:
    """The values of a knob that have room beside an axis, each with its place."""
    written = [knob.written(value) for value in knob.values]
    apart = abs(axis(1) - axis(0))
    needs = _LINE if upwards else _LETTER * (max(map(len, written)) + 2)
    step = max(1, -(-int(needs) // max(1, int(apart))))
    return [(axis(place), _short(written[place], _LEFT)) for place in range(0, len(written), step)]


def _scale(low: float, high: float) -> Iterator[str]:
    """What the shades stand for, from below to above."""
    left, step = _LEFT + _WIDTH + 2 * _GAP, _HEIGHT / 2 / _STEPS
    for number in range(_STEPS + 1):
        part = number / _STEPS
        top = _TOP + _HEIGHT / 2 - step * number
        yield box(left, top, 2 * _GAP, step, _shade(part))
        if number in (0, _STEPS):
            yield words(percentage(low + part * (high - low)), left + 2 * _GAP + 6, top + step / 2 + 4)


def _outlined(shape: str) -> Iterator[str]:
    """A shape that is seen on any shade: dark on white."""
    for color, width in ((PAPER, 5), (INK, 2)):
        yield shape.replace("/>", f' stroke="{color}" stroke-width="{width}"/>')


def _shade(part: float) -> str:
    red, green, blue = (round(pale + (dark - pale) * part) for pale, dark in zip(_PALE, _DARK, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _short(text: str, room: float) -> str:
    most = int(room / _LETTER)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _whole(title: str, height: float, parts: Sequence[str], width: float = _LEFT + _WIDTH + _NAMES + _GAP) -> str:
    return alone(drawing(title, width, height, ground(width, height) + "".join(parts)))
