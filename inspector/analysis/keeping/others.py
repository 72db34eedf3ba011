"""Ways without other values: the items pinned, fewer other items beside them, no window set by hand, or a model with a
larger window.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from inspector.analysis.keeping.question import Question
from inspector.analysis.keeping.way import Kind, Way
from inspector.analysis.keeping.words import others, those
from inspector.analysis.survival.ask import budgets_with
from inspector.assembly.columns import Action, Rows
from inspector.assembly.edits import toggle_pins
from inspector.assembly.thresholds import WINDOW, Packing
from inspector.tokens.models.table import ModelRow

_MODELS_TRIED = 6
_MOST_EXCLUDED = 500
_MOST_TRIED_AGAIN = 8
_OTHER_COUNTS = 1.5
"""By how much another tokenizer may change the window needed."""


def pinning(question: Question) -> Way | None:
    """Return the way that pins the items not pinned yet."""
    candidates = question.today.candidates
    rows = question.rows[~candidates.pinned[question.rows]]
    if not len(rows):
        return None
    names = tuple(candidates.ids[row] for row in rows.tolist())
    label = f"Pin {those(candidates, rows.tolist())}"
    return question.way(Kind.PIN, label, [("pinned", names)], toggle_pins(question.scenario, names).scenario)


def exclusion(question: Question) -> Way | None:
    """Return the way that leaves out the fewest other items of the same sections, the largest first.

    The message to answer stays: without it there is another question.
    """
    today = question.today
    beside = today.in_prompt & np.isin(today.section, today.section[question.rows]) & ~today.candidates.pinned
    beside[question.rows] = beside[today.candidates.current_message] = False
    rows = np.flatnonzero(beside & (today.spent > 0))
    rows = rows[np.argsort(-today.spent[rows], kind="stable")][:_MOST_EXCLUDED]
    least = _least_count(question, rows)
    if least is None:
        return None
    count = _fewest(least, len(rows), lambda count: _without(question, rows[:count]) is not None)
    if count is None:
        return None
    chosen = rows[:count]
    for row in chosen.tolist() if 1 < count <= _MOST_TRIED_AGAIN else ():
        fewer = chosen[chosen != row]
        chosen = fewer if _without(question, fewer) is not None else chosen
    return _without(question, chosen)


def _least_count(question: Question, rows: Rows) -> int | None:
    """Return how many of these other items, the largest first, make the room that is missing by the thresholds.

    None if all of them do not. 1 without thresholds.
    """
    missing = 1 if question.packing is None else _missing(question, question.packing)
    if missing is None:
        return None
    freed = np.cumsum(question.today.spent[rows], dtype=np.int64)
    count = int(np.searchsorted(freed, missing)) + 1
    return count if count <= len(rows) else None


def _missing(question: Question, packing: Packing) -> int | None:
    """Return the fewest tokens that have to become free before the items fit; None if they are not kept for room."""
    rows, room = question.rows, packing.rooms(budgets_with(question.case, packing, {}))
    if (packing.forms[rows] != int(Action.KEPT)).any() or bool(room.refused):
        return None
    missing, pooled = 0, packing.sure[rows].copy()
    for pool, tokens in zip(packing.pools, room.rooms, strict=True):
        places = np.flatnonzero(np.isin(pool.rows, rows))
        pooled |= np.isin(rows, pool.rows)
        if len(places) and pool.pack == "stop":
            missing = max(missing, int(pool.needs[places].max()) - int(tokens))
    return max(missing, 1) if pooled.all() else None


def _without(question: Question, rows: Rows) -> Way | None:
    candidates = question.today.candidates
    names = tuple(candidates.ids[row] for row in rows.tolist())
    changed = replace(question.scenario, excluded=(*question.scenario.excluded, *names))
    label = f"Leave out {others(candidates, rows.tolist())}"
    way = question.way(Kind.EXCLUDE, label, [("excluded", names)], changed)
    return way and replace(way, leaves=tuple(row for row in way.leaves if row not in rows))


def _fewest(least: int, most: int, works: Callable[[int], bool]) -> int | None:
    """Return the lowest count from `least` up to `most` that works, if every larger one works, too; None if none was
    found.
    """
    low, high, step = least - 1, least, 1
    while high < most and not works(high):
        low, high, step = high, min(high + step, most), 2 * step
    if high < 1 or high > most or not works(high):
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
    window = question.pipeline.case(changed).model.window.tokens
    if window <= question.case.model.window.tokens:
        return None
    return question.way(Kind.OWN_WINDOW, f"Window of the model, {window:,}", [(WINDOW, None)], changed)


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
    if not _may_keep(question, row):
        return None
    changed = replace(question.scenario, model=row.name, context_window=None)
    if question.pipeline.case(changed).model.window.tokens != row.context_window:  # the file names another
        changed = replace(changed, context_window=row.context_window)
    windows = (changed.context_window, question.scenario.context_window)
    fallen = [] if windows[0] == windows[1] else [(WINDOW, windows[0])]
    return question.way(Kind.MODEL, f"Model {row.name}", [("model", row.name), *fallen], changed)


def _may_keep(question: Question, row: ModelRow) -> bool:
    """Return whether the window of a model, or a larger one, keeps the items as counted today.

    Another tokenizer would have every text counted anew, for many models in vain.
    """
    sizes = row.context_window, int(row.context_window * _OTHER_COUNTS)
    return any(question.is_kept(question.trials.assembly({WINDOW: size})) for size in sizes)


def _one_a_window(rows: Sequence[ModelRow]) -> list[ModelRow]:
    """Return the model at the lowest price for each of the next larger windows."""
    found: dict[int, ModelRow] = {}
    for row in sorted(rows, key=lambda row: (row.price_in is None, row.price_in or 0.0)):
        found.setdefault(row.context_window, row)
    return [found[window] for window in sorted(found)][:_MODELS_TRIED]
