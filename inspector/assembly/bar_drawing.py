"""The budget bar as a drawing: the sections in prompt order, overhead, reserve and free tokens, with figures.

It is the bar of pages and files, as long as the window or the prompt, if that is larger; a bar for comparison is drawn
above it.
"""

from collections.abc import Iterator

from inspector.assembly.answer import Answer
from inspector.assembly.color_roles import section_role
from inspector.assembly.columns import Section, word
from inspector.assembly.recorded_requests import REMAINDER_TITLE
from inspector.drawings.colors import Role, Shade
from inspector.drawings.drawing import Axis, Drawing, Entry, Part, Row, Stack
from inspector.figures import figures, percentage

_ROW, _THIN = 30, 14


def bar_drawing(answer: Answer, before: Answer | None = None) -> Drawing:
    """Draw the bar, with the bar of `before` above it, unless that has no prompt."""
    before = before if before is not None and before.assembly.error is None else None
    shown = [("before", before, _THIN), ("now", answer, _ROW)] if before else [("", answer, _ROW)]
    longest = max(_length(each) for _, each, _ in shown)
    rows = tuple(Row("", _stack(name, each), Axis(0.0, 1.0), height) for name, each, height in shown)
    return Drawing(bar_words(answer), rows, Axis(0.0, float(max(1, longest))), tuple(_legend(answer)))


def bar_words(answer: Answer) -> str:
    """Describe the bar in words; of a prompt that could not be made, say only this."""
    if answer.assembly.error is not None:
        return "No prompt was made"
    estimated, free = answer.ledger.estimated, answer.room
    rest = f"{figures(abs(free), estimated)} {'free' if free >= 0 else 'over the window'}"
    window = f"{answer.assembly.budget.context_window:,}"
    besides = f", {figures(answer.remainder, estimated)} not in the file" if answer.remainder else ""
    return f"The prompt: {figures(answer.ledger.total, estimated)} of {window} tokens{besides}, {rest}"


def _length(answer: Answer) -> int:
    budget = answer.assembly.budget
    return max(budget.context_window, answer.ledger.total + answer.remainder + budget.response_reserve)


def _stack(name: str, answer: Answer) -> Stack:
    return Stack(name, tuple(_parts(answer)), answer.assembly.budget.context_window)


def _parts(answer: Answer) -> Iterator[Part]:
    """Yield the parts with tokens, with their figures; parts other than items are hatched."""
    if answer.assembly.error is not None:
        return
    start, budget, ledger = 0, answer.assembly.budget, answer.ledger
    stretches: list[tuple[str, int, int, Role, bool]] = []
    for section in Section:
        tokens = int(answer.assembly.used[section])
        stretches.append((word(section), start, tokens, section_role(section), False))
        start += tokens
    reply = ledger.total + answer.remainder
    end = reply + budget.response_reserve
    stretches += [
        ("overhead", ledger.items, ledger.overhead, Role.OVERHEAD, True),
        (REMAINDER_TITLE.lower(), ledger.total, answer.remainder, Role.REMAINDER, True),
        ("reserve", reply, budget.response_reserve, Role.RESERVE, True),
        ("free", end, max(0, answer.room), Role.FREE, False),
        ("over", budget.context_window, max(0, -answer.room), Role.OVER, True),
    ]
    for name, begin, tokens, role, hatched in stretches:
        if tokens:
            estimated = answer.ledger.estimated and name != "reserve"  # only the reserve is what somebody set
            yield Part(f"{name} {figures(tokens, estimated)}", begin, tokens, Shade(role), hatched)


def _legend(answer: Answer) -> Iterator[Entry]:
    window = answer.assembly.budget.context_window or 1
    for part in _parts(answer):
        yield Entry(f"{part.words} ({percentage(part.size / window)})", part.tone, part.hatched)
