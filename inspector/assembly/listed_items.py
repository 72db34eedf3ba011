"""The items as a window lists them: who, when, the text, and the outcome with its reason; the rest waits in a menu."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import cache

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.columns import Action, Fate, Kind, outcome_tone, phrase, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import explain
from inspector.assembly.item_tables import ITEM_COLUMNS
from inspector.assembly.when import day_text
from inspector.assembly.who import who
from inspector.figures import counted
from inspector.tables import OUTCOME_GLYPHS, Column, Face, Tone


def _muted_when_dropped(assembly: Assembly, row: int) -> Tone | None:
    return "muted" if assembly.action[row] == int(Action.DROPPED) else None


def _time(assembly: Assembly, row: int) -> datetime | None:
    return getattr(assembly.candidates.things[row], "time", None)


def _newest_year(assembly: Assembly) -> int:
    """Return the year of the newest item, found once for the same items."""
    items = assembly.candidates.items
    times = (time for thing in items.things if (time := getattr(thing, "time", None)) is not None)
    return items.derived("newest_year", None, lambda: max((time.year for time in times), default=0))


def _when(assembly: Assembly, row: int) -> tuple[str, str]:
    """Return day and time of an item of the newest year; an older one has its year instead of the time."""
    day, _ = _day(assembly, row)
    time = _time(assembly, row)
    is_newest = time is not None and time.year == _newest_year(assembly)
    return (f"{day} {time:%H:%M}" if is_newest else day, "")


def _day(assembly: Assembly, row: int) -> tuple[str, str]:
    """Return the same without the time of the day."""
    time = _time(assembly, row)
    if time is None:
        return "", ""
    day = day_text(time)
    return (day if time.year == _newest_year(assembly) else f"{day} {time.year}", "")


def _who(assembly: Assembly, row: int) -> tuple[str, str]:
    """Return who an item is from, and the key of a lorebook entry that fired."""
    candidates = assembly.candidates
    if candidates.kind[row] != Kind.LORE:
        return who(candidates, row), ""
    fired = candidates.activations[row - int(candidates.rows(Kind.LORE)[0])].fired
    return who(candidates, row), f": {fired.key}" if fired else ""


def _who_places(assembly: Assembly) -> NDArray:
    """Return the place of each row in the alphabet by who it is from, found once for the same items."""
    rows = range(len(assembly.candidates))
    return assembly.candidates.items.derived("who", None, lambda: _places(_who(assembly, row)[0] for row in rows))


def _places(words: Iterable[str]) -> NDArray:
    said = [entry.casefold() for entry in words]
    places = {entry: place for place, entry in enumerate(sorted(set(said)))}
    return np.fromiter((places[entry] for entry in said), np.int32, len(said))


@cache
def _outcome_word(fate: Fate) -> str:
    """Return an outcome with its glyph, as the beginning of a cell."""
    return f"{OUTCOME_GLYPHS.get(word(fate), '')} {phrase(fate).capitalize()}".lstrip()


def outcome_runs(assembly: Assembly, row: int, why: str) -> tuple[str, str]:
    """Return the outcome, and why in a few words; for what is shortened, its tokens in the prompt."""
    fate = Fate(int(assembly.fate[row]))
    if fate == Fate.KEPT:
        return f"Kept, {why}", ""
    if fate in (Fate.SUMMARIZED, Fate.TRUNCATED):
        estimated = bool(assembly.candidates.estimated[row])
        return _outcome_word(fate), f", {counted(int(assembly.spent[row]), 'token', estimated=estimated)}"
    return _outcome_word(fate), f", {why}" if fate == Fate.DROPPED else ""


def brief_outcome(assembly: Assembly, row: int, why: str) -> tuple[str, str]:
    """Return the outcome for a narrow column; what is dropped has its glyph and why."""
    fate = Fate(int(assembly.fate[row]))
    if fate == Fate.DROPPED:
        return OUTCOME_GLYPHS[word(fate)], f" {why}"
    return _outcome_word(fate), ""


def outcome_ink(assembly: Assembly, row: int) -> Tone:
    """Return the ink of an outcome: a kept item, the usual case, is quiet."""
    return outcome_tone(Fate(int(assembly.fate[row]))) or "muted"


_KNOWN = {column.key: column for column in ITEM_COLUMNS}
_WHO_COLUMN: Column[Assembly] = Column(
    "who",
    "Who",
    "Who said it, or which tool; the kind of any other item, and the key that fired",
    lambda assembly, row: _who(assembly, row)[0],
    _who_places,
    runs=_who,
    digits=7,
    yields=2,
    tone=_muted_when_dropped,
    faces=Face.WINDOW,
)
OUTCOME_COLUMN: Column[Assembly] = Column(
    "outcome",
    "Outcome",
    "Whether the policy keeps, summarizes, truncates or drops it, and why",
    lambda assembly, row: word(Fate(int(assembly.fate[row]))),
    lambda assembly: assembly.fate,
    runs=lambda assembly, row: outcome_runs(assembly, row, assembly.reason_of(row).label),
    brief=lambda assembly, row: brief_outcome(assembly, row, assembly.reason_of(row).label),
    digits=24,
    least=15,
    tone=outcome_ink,
    tooltip=explain,
    faces=Face.WINDOW,
)
WHEN_COLUMN = replace(_KNOWN["time"], words=None, runs=_when, brief=_day, digits=12, spare=5, yields=1)
_TEXT_COLUMN = replace(_KNOWN["text"], digits=20)
_TOKENS_COLUMN = replace(_KNOWN["tokens"], digits=6, goes_last=0)
_WAITING = ("section", "role", "name", "spent", "recorded", "reason", "class", "score", "rank", "id")
LISTED_COLUMNS: tuple[Column[Assembly], ...] = (
    _KNOWN["number"],
    _WHO_COLUMN,
    WHEN_COLUMN,
    _TEXT_COLUMN,
    _TOKENS_COLUMN,
    OUTCOME_COLUMN,
    *(replace(_KNOWN[key], at_first=False) for key in _WAITING),
)
"""The columns of a window, from left to right; those that wait come after the ones that are there at first."""
