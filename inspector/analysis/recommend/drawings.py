"""Plots of recall as drawings: over one setting and two, by window, kind of question, cost, and questions asked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from inspector.analysis.recommend.advice import WindowAdvice
from inspector.analysis.recommend.categories import Categories, held
from inspector.analysis.recommend.learning import LearningPoint
from inspector.analysis.recommend.measured import Setting
from inspector.analysis.recommend.tried import Bench, Tried
from inspector.assembly.columns import F64
from inspector.drawings.colors import Role, Shade
from inspector.drawings.drawing import Axis, Bars, Cells, Drawing, Entry, Mark, Points, Row, Ticks, listed
from inspector.figures import counted, percentage

NOW, RECOMMENDED, FRONT = "now", "recommended", "front"
BEST, MOST = "best found", "by comparing alone"
WINDOW_TITLE = "recall in %, by window in tokens"
ALONG_TITLE, COST_TITLE = "recall in %", "recall in %, by tokens a prompt"
CATEGORY_TITLE = "recall in %; hatched: by a memory that names the needed items"
LEARNING_TITLE = "recall in %, by the number of questions"
TOKENS_TITLE, DOLLARS_TITLE = "tokens of a prompt", "$ for 1,000 prompts"
_HEIGHT, _LOW_HEIGHT = 300, 110
_LEFT, _RIGHT = 0.4, 0.19
"""Room before the first value in parts of a step, and after the last in parts of the whole, for names of policies."""
_LEAST_RANGE, _AIR = 10.0, 0.12
_AIR_OF_COST, _NAMES_OF_COST, _NAMES_OF_WINDOWS = 0.05, 0.16, 0.35
"""Room around the points of cost, and at the right for the names of windows, in parts of the whole."""
_HALF, _WIDTH = 0.03, 0.34
"""Room between the two bars of a category, and how wide each is, in parts of the place of a category."""
_SIDES = Shade(Role.MUTED), Shade(Role.ACCENT)
_ROOM = 2.0
"""The minimum of recall points visible above and below the learning curve."""


def along_drawing(tried: Tried, bench: Bench | None) -> Drawing:
    """Draw recall over a setting: a line for each policy, the current policy in front with its interval, and today's
    value; below it the tokens of a prompt and their cost, for the policy in use.
    """
    knob, points = tried.knobs[0], points_of(tried)
    low, high = _range(points.up)
    room, last = max(_LEAST_RANGE, high - low) * _AIR, len(knob.values) - 1
    row = Row(ALONG_TITLE, points, _points_of_recall(low - room, high + room / 2), _HEIGHT, has_clear_title=True)
    write = listed([knob.written(value) for value in knob.values])
    across = Axis(-_LEFT, last + max(1.0, last * _RIGHT), Ticks.PLACES, write)
    rows = row, _means_row(TOKENS_TITLE, tried, tried.tokens, 1), _means_row(DOLLARS_TITLE, tried, tried.cost, 1_000)
    drawing = Drawing(f"Recall over {knob.title}, {tried.standing}", rows, across)
    return drawing if bench is None else along_from(drawing, tried, bench)


def along_from(drawing: Drawing, tried: Tried, bench: Bench) -> Drawing:
    """Return the same with today's value in another setting."""
    today = tried.today(bench)
    return replace(drawing, marks=() if today is None else (Mark(today[0], NOW),))


def _means_row(title: str, tried: Tried, means: F64 | None, factor: int) -> Row:
    """Return a low row with a mean of each setting of the policy in use, times a factor, from 0 up."""
    up = np.full(len(tried.places), np.nan) if means is None else means * factor
    own = np.flatnonzero(~np.isnan(up))
    across, nowhere = np.array([tried.places[row][0] for row in own.tolist()], np.float64), np.full(len(own), np.nan)
    points = Points(across, up[own], nowhere, nowhere, np.zeros(len(own), np.intp), ("",))
    top = max(float(up[own].max(initial=0.0)) * (1 + _AIR), 1.0)
    return Row(title, points, Axis(0.0, top), _LOW_HEIGHT, has_clear_title=True)


def points_of(tried: Tried) -> Points:
    """Return the settings of a knob as points in percent, the line of the current policy first."""
    recall, places = tried.recall, np.array(tried.places, np.float64).reshape(-1, 2)
    means = recall.means if recall is not None else np.full(len(places), np.nan)
    ends = [(recall.interval(place) if recall is not None else None) for place in range(len(places))]
    low, high = (np.array([end[side] if end else np.nan for end in ends], np.float64) * 100 for side in (0, 1))
    return Points(places[:, 0], means * 100, low, high, places[:, 1].astype(np.intp), tried.titles)


def crossed_drawing(tried: Tried, bench: Bench | None) -> Drawing:
    """Draw recall by two knobs: a shade for each pair of values, with the current setting and the best pair."""
    across, up = (
        Axis(-0.5, len(knob.values) - 0.5, Ticks.PLACES, listed([knob.written(value) for value in knob.values]), title)
        for knob, title in ((knob, knob.title) for knob in tried.knobs)
    )
    cells = Cells(_percent(tried))
    low, high = (percentage(level / 100) for level in cells.levels)
    row = Row("", replace(cells, least=low, most=high), up, _HEIGHT)
    drawing = Drawing(f"Recall by {across.title} and {up.title}, {tried.standing}", (row,), across)
    return drawing if bench is None else crossed_from(drawing, tried, bench)


def crossed_from(drawing: Drawing, tried: Tried, bench: Bench) -> Drawing:
    """Return the same around another current setting."""
    (row,), today, best = drawing.rows, tried.today(bench), tried.best(bench)
    if not isinstance(row.series, Cells):
        return drawing
    now, cell = None if today is None else (today[0], today[1]), None if best is None else tried.places[best]
    note = "" if best is None else f"Dashed lines: now. {tried.best_sentence(bench, ', ring')}"
    return replace(drawing, rows=(replace(row, series=replace(row.series, now=now, best=cell)),), note=note)


def _percent(tried: Tried) -> F64:
    """Return the recall of every cell in percent, by row from below; NaN if it is refused or unknown."""
    cells = np.full((len(tried.knobs[1].values), len(tried.knobs[0].values)), np.nan)
    if tried.recall is not None:
        for (across, up), mean in zip(tried.places, tried.recall.means.tolist(), strict=True):
            cells[up, across] = mean * 100
    return cells


def categories_drawing(categories: Categories, window: int | None) -> Drawing:
    """Draw recall by category in a window: bars for now and as recommended, filled as far as evidence is kept whole."""
    title = "Recall by category" + ("" if window is None else f", window {window:,}")
    row = Row(CATEGORY_TITLE, category_bars(categories), Axis(0.0, 100.0), _HEIGHT, has_clear_title=True)
    write = listed([f"{each.name}\n{counted(len(each.now), 'question')}" for each in categories])
    across = Axis(-0.5, max(1, len(categories)) - 0.5, Ticks.PLACES, write, lines=2)
    words = [NOW, *([RECOMMENDED] if any(each.then for each in categories) else [])]
    legend = tuple(Entry(word, tone) for word, tone in zip(words, _SIDES, strict=False))
    return Drawing(title, (row,), across, legend)


def category_bars(categories: Categories) -> Bars:
    """Return two bars for each category in percent: look 0 for now, 1 as recommended."""
    found: list[tuple[float, float, float, float, int]] = []
    for place, each in enumerate(categories):
        for look, (start, members) in enumerate(((place - _HALF - _WIDTH, each.now), (place + _HALF, each.then))):
            if members:
                both, whole = held(members) or 0.0, held(members, "recall") or 0.0
                found.append((start, start + _WIDTH, 100 * both, 100 * whole, look))
    left, right, height, solid, look = np.array(found, np.float64).reshape(-1, 5).T
    return Bars(left, right, height, solid, look.astype(np.uint8), _SIDES)


def front(windows: Sequence[WindowAdvice], place: int) -> Iterator[tuple[WindowAdvice, str, int, Setting]]:
    """Yield settings by cost, with the kind and the line of each: the front of the window at a place, of the others,
    and then the current and the recommended setting of that window.
    """
    order = [windows[place], *(advice for other, advice in enumerate(windows) if other != place)]
    for line, advice in enumerate(order):
        yield from ((advice, FRONT, line, setting) for setting in advice.front)
    for line, (kind, setting) in enumerate(((NOW, order[0].current), (RECOMMENDED, order[0].best)), len(order)):
        if setting.tokens is not None:
            yield order[0], kind, line, setting


def front_drawing(windows: Sequence[WindowAdvice], place: int = 0) -> Drawing:
    """Draw recall by cost: a step line for each window, the window at a place in front with now and recommended."""
    rows = list(front(windows, place))
    across = np.array([setting.tokens or 0.0 for _, _, _, setting in rows], np.float64)
    up = np.array([setting.recall_with_memories * 100 for _, _, _, setting in rows], np.float64)
    order = [windows[place], *(advice for other, advice in enumerate(windows) if other != place)]
    names = (*(f"{advice.context_window:,}" for advice in order), NOW, RECOMMENDED)
    nowhere, lines = np.full(len(rows), np.nan), np.array([line for _, _, line, _ in rows], np.intp)
    (first, end), (low, high) = _range(across), _range(up)
    width, room = max(end - first, 1.0), max(high - low, 1.0) * 2 * _AIR_OF_COST
    points = Points(across, up, nowhere, nowhere, lines, names, steps=True)
    row = Row(COST_TITLE, points, _points_of_recall(low - room, high + room), _HEIGHT, has_clear_title=True)
    whole = Axis(first - width * _AIR_OF_COST, end + width * _NAMES_OF_COST)
    return Drawing("Recall by tokens of a prompt, the best at each, by window", (row,), whole)


def windows_drawing(windows: Sequence[WindowAdvice], place: int = 0) -> Drawing:
    """Draw recall by window: the best found, now, and by comparing alone; the window at a place is marked."""
    order = sorted(range(len(windows)), key=lambda number: windows[number].context_window)
    sizes, rows = [windows[number] for number in order], []
    for line, values in enumerate(zip(*(_recalls(each) for each in sizes), strict=True)):
        rows += [(number, value, line) for number, value in enumerate(values) if value is not None]
    across, up, lines = np.array(rows, np.float64).reshape(-1, 3).T
    nowhere, (low, high) = np.full(len(rows), np.nan), _range(up)
    room = max(_LEAST_RANGE, high - low) * _AIR
    points = Points(across, up, nowhere, nowhere, lines.astype(np.intp), (BEST, NOW, MOST))
    row = Row(WINDOW_TITLE, points, _points_of_recall(low - room, high + room), _HEIGHT, has_clear_title=True)
    last = len(sizes) - 1
    write = listed([f"{each.context_window:,}" for each in sizes])
    whole = Axis(-_LEFT, last + max(1.0, last * _NAMES_OF_WINDOWS), Ticks.PLACES, write)
    marks = (Mark(float(order.index(place)), ""),) if len(sizes) > 1 else ()
    return Drawing("Recall by window", (row,), whole, marks=marks)


def _recalls(advice: WindowAdvice) -> tuple[float, float, float | None]:
    """Return the recall of a window in percent: of the best found, now, and by comparing alone, if known."""
    most = None if advice.ceiling is None else advice.ceiling.found * 100
    return advice.best.recall_with_memories * 100, advice.current.recall_with_memories * 100, most


def learning_drawing(curve: Sequence[LearningPoint]) -> Drawing:
    """Draw the learning curve: recall on held-out conversations, by the number of questions used for the choice."""
    sizes = np.array([each.probes for each in curve], np.float64)
    recall = np.array([each.recall * 100 for each in curve])
    nowhere, low, high = np.full(len(curve), np.nan), float(recall.min()), float(recall.max())
    room = max(_ROOM, (high - low) / 2)
    points = Points(sizes, recall, nowhere, nowhere, np.zeros(len(curve), np.intp), ("",))
    row = Row(LEARNING_TITLE, points, _points_of_recall(max(0.0, low - room), min(100.0, high + 2 * room)), _HEIGHT)
    return Drawing("Recall by the number of questions", (row,), Axis(0.0, float(sizes.max()) * 1.05))


def _range(values: F64) -> tuple[float, float]:
    """Return the minimum and maximum of the known values, or the whole range if none is known."""
    known = values[~np.isnan(values)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 100.0)


def _points_of_recall(low: float, high: float) -> Axis:
    """Return an upright axis of percent, on which nothing is written below 0 and above 100."""
    return Axis(low, high, write=_written)


def _written(numbers: Sequence[int]) -> list[str]:
    return [f"{number}" if 0 <= number <= 100 else "" for number in numbers]
