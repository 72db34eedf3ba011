"""Ways without other values: fewer other items beside these, no window set by hand, or a model with a larger window."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from inspector.analysis.keeping.question import Question
from inspector.analysis.keeping.way import Way
from inspector.assembly.columns import Rows
from inspector.assembly.thresholds import WINDOW
from inspector.tokens.models.table import ModelRow

_MODELS_TRIED = 6
_MOST_EXCLUDED = 500


def exclusion(question: Question) -> Way | None:
    """Return the way that leaves out the fewest other items of the same sections, the largest first."""
    today = question.today
    others = today.in_prompt & np.isin(today.section, today.section[question.rows]) & ~today.candidates.pinned
    others[question.rows] = False
    rows = np.flatnonzero(others & (today.spent > 0))
    rows = rows[np.argsort(-today.spent[rows], kind="stable")][:_MOST_EXCLUDED]
    count = _fewest(len(rows), lambda count: _without(question, rows[:count]) is not None)
    if count is None:
        return None
    chosen = rows[:count]
    for row in chosen.tolist() if count > 1 else ():
        fewer = chosen[chosen != row]
        chosen = fewer if _without(question, fewer) is not None else chosen
    return _without(question, chosen)


def _without(question: Question, rows: Rows) -> Way | None:
    names = tuple(question.today.candidates.ids[row] for row in rows.tolist())
    changed = replace(question.scenario, excluded=(*question.scenario.excluded, *names))
    way = question.way([("excluded", names)], changed)
    return way and replace(way, lost=tuple(row for row in way.lost if row not in rows))


def _fewest(most: int, works: Callable[[int], bool]) -> int | None:
    """Return the lowest count up to `most` that works, if every larger count works, too; None if none was found."""
    count = 1
    while count < most and not works(count):
        count *= 2
    low, high = count // 2, min(count, most)
    if high < 1 or not works(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if works(middle) else (middle, high)
    return high


def own_window(question: Question) -> Way | None:
    """Remove the window set by hand if the model or the opened file has a larger window."""
    if question.scenario.context_window is None:
        return None
    changed = replace(question.scenario, context_window=None)
    is_larger = question.pipeline.case(changed).model.window.tokens > question.case.model.window.tokens
    return question.way([(WINDOW, None)], changed) if is_larger else None


def next_model(question: Question) -> Way | None:
    """Return the model with the next larger window that keeps the items; of equal windows the cheapest.

    It is larger than the window of the model, too, if a smaller window was set by hand.
    """
    row = question.case.model.row
    window = max(question.case.model.window.tokens, row.context_window if row is not None else 0)
    larger = [each for each in question.pipeline.choices.models.rows if each.context_window > window]
    alike = [each for each in larger if row is not None and each.tokenizer == row.tokenizer]
    ways = (_with_model(question, each) for each in chain(_one_a_window(alike), _one_a_window(larger)))
    return next((way for way in ways if way is not None), None)


def _with_model(question: Question, row: ModelRow) -> Way | None:
    changed = replace(question.scenario, model=row.name, context_window=None)
    if question.pipeline.case(changed).model.window.tokens != row.context_window:  # the file names another
        changed = replace(changed, context_window=row.context_window)
    windows = (changed.context_window, question.scenario.context_window)
    fallen = [] if windows[0] == windows[1] else [(WINDOW, windows[0])]
    return question.way([("model", row.name), *fallen], changed)


def _one_a_window(rows: Sequence[ModelRow]) -> list[ModelRow]:
    """Return the model at the lowest price for each of the next larger windows."""
    found: dict[int, ModelRow] = {}
    for row in sorted(rows, key=lambda row: (row.price_in is None, row.price_in or 0.0)):
        found.setdefault(row.context_window, row)
    return [found[window] for window in sorted(found)][:_MODELS_TRIED]
