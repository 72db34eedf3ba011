"""The budget bar as a drawing (SVG): the sections in prompt order, overhead, reserve and what is free, with figures.

It is the bar of pages and files, as long as the window or what exceeds it; a bar that is compared with lies above it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section, word
from inspector.assembly.section_fills import FREE_FILL, OVER_FILL, OVERHEAD_FILL, RESERVE_FILL, SECTION_FILLS
from inspector.figures import figures, percentage
from inspector.pages.plots import alone, drawing

_LEFT, _WIDTH, _ROW, _THIN, _GAP = 80, 860, 30, 14, 10
_COLUMNS, _LINE, _SQUARE, _HATCH = 4, 20, 12, 7
_INK, _PAPER = "#1b2027", "#ffffff"


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of the bar, in tokens; hatched is what is no item."""

    name: str
    start: int
    tokens: int
    fill: str
    hatched: bool = False


def bar_drawing(answer: Answer, before: Answer | None = None) -> str:
    """The bar for a page, with that of `before` above it, unless it made no prompt."""
    before = before if before is not None and before.assembly.error is None else None
    shown = [("before", before, _THIN), ("now", answer, _ROW)] if before else [("", answer, _ROW)]
    scale = _WIDTH / max(1, *(_length(one) for _, one, _ in shown if one))
    drawn, top = [], _GAP
    for name, one, height in shown:
        if one is not None:
            drawn += [_label(name, top + height / 2 + 4), *_row(one, top, height, scale)]
            top += height + _GAP
    parts = [part for part in _stretches(answer) if part.tokens]
    drawn += _legend(parts, answer, top)
    bottom = top + _LINE * -(-len(parts) // _COLUMNS) + _GAP
    left = 0 if before else _GAP - _LEFT  # names stand only beside two bars
    width = left + _LEFT + _WIDTH + _GAP
    ground = f'<rect class="ground" width="{width}" height="{bottom}" fill="{_PAPER}"/>'
    moved = f'<g transform="translate({left} 0)">{"".join(drawn)}</g>'
    return drawing(bar_words(answer), width, bottom, ground + moved)


def bar_file(answer: Answer, before: Answer | None = None) -> str:
    """The bar as a file of its own."""
    return alone(bar_drawing(answer, before))


def bar_words(answer: Answer) -> str:
    """The bar in words; of a prompt that could not be made there is none."""
    if answer.assembly.error is not None:
        return "No prompt was made"
    estimated, free = answer.ledger.estimated, answer.free
    rest = f"{figures(abs(free), estimated)} {'free' if free >= 0 else 'over the window'}"
    window = f"{answer.assembly.budget.context_window:,}"
    return f"The prompt: {figures(answer.ledger.total, estimated)} of {window} tokens, {rest}"


def _length(answer: Answer) -> int:
    budget = answer.assembly.budget
    return max(budget.context_window, answer.ledger.total + budget.response_reserve)


def _stretches(answer: Answer) -> Iterator[_Stretch]:
    if answer.assembly.error is not None:
        return
    start, budget = 0, answer.assembly.budget
    for section in Section:
        tokens = int(answer.assembly.used[section])
        yield _Stretch(word(section), start, tokens, SECTION_FILLS[section])
        start += tokens
    yield _Stretch("overhead", answer.ledger.items, answer.ledger.overhead, OVERHEAD_FILL, hatched=True)
    yield _Stretch("reserve", answer.ledger.total, budget.response_reserve, RESERVE_FILL, hatched=True)
    end = answer.ledger.total + budget.response_reserve
    yield _Stretch("free", end, max(0, answer.free), FREE_FILL)
    yield _Stretch("over", budget.context_window, max(0, -answer.free), OVER_FILL, hatched=True)


def _row(answer: Answer, top: float, height: float, scale: float) -> Iterator[str]:
    for part in _stretches(answer):
        if part.tokens:
            left, width = _LEFT + part.start * scale, max(part.tokens * scale, 1)
            told = f"{part.name}: {figures(part.tokens, _is_estimated(part, answer))} tokens"
            yield f"<g><title>{escape(told)}</title>{_filled(part, left, top, width, height)}</g>"
    frame = answer.assembly.budget.context_window * scale
    yield f'<rect class="frame" x="{_LEFT}" y="{top}" width="{frame:.1f}" height="{height}" {_outline(_INK)}/>'


def _filled(part: _Stretch, left: float, top: float, width: float, height: float) -> str:
    box = f'x="{left:.1f}" y="{top}" width="{width:.1f}" height="{height}"'
    if not part.hatched:
        named = 'class="free" ' if part.name == "free" else ""  # a dark page shows through it
        return f'<rect {named}{box} fill="{part.fill}"/>'
    steps = range(-int(height), int(width), _HATCH)
    lines = "".join(_diagonal(left, top, width, height, step) for step in steps)
    return (
        f'<rect {box} fill="{part.fill}" fill-opacity="0.25"/>'
        f'<path d="{lines}" stroke="{part.fill}" fill="none"/><rect {box} {_outline(part.fill)}/>'
    )


def _diagonal(left: float, top: float, width: float, height: float, step: float) -> str:
    """A line that rises to the right from `step` pixels beside the left lower corner, as far as the box goes."""
    first, last = max(step, 0.0), min(step + height, width)
    if last <= first:
        return ""
    return f"M{left + first:.1f} {top + height - first + step:.1f}L{left + last:.1f} {top + height - last + step:.1f}"


def _legend(parts: Sequence[_Stretch], answer: Answer, top: float) -> Iterator[str]:
    window = answer.assembly.budget.context_window or 1
    for place, part in enumerate(parts):
        left = _LEFT + place % _COLUMNS * (_WIDTH / _COLUMNS)
        upper = top + place // _COLUMNS * _LINE
        tokens = figures(part.tokens, _is_estimated(part, answer))
        told = f"{part.name} {tokens} ({percentage(part.tokens / window)})"
        yield _filled(part, left, upper, _SQUARE, _SQUARE)
        if part.fill == FREE_FILL:
            yield f'<rect x="{left}" y="{upper}" width="{_SQUARE}" height="{_SQUARE}" {_outline(RESERVE_FILL)}/>'
        yield f'<text x="{left + _SQUARE + 6}" y="{upper + _SQUARE - 2}" fill="{_INK}">{escape(told)}</text>'


def _is_estimated(part: _Stretch, answer: Answer) -> bool:
    """Only the reserve is what somebody set."""
    return answer.ledger.estimated and part.name != "reserve"


def _label(text: str, middle: float) -> str:
    return f'<text x="{_LEFT - 8}" y="{middle}" text-anchor="end" fill="{_INK}">{text}</text>' if text else ""


def _outline(color: str) -> str:
    return f'fill="none" stroke="{color}"'
