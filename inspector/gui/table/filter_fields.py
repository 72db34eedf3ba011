"""The fields of the filter language: reading their values, and finding the matching candidates. No Qt here."""

import math
import operator as compare
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from itertools import repeat
from operator import contains
from typing import Any, Literal
from weakref import WeakKeyDictionary

import numpy as np

from inspector.assembly.columns import F64, I32, ROLE_NUMBER, U8, Bool, Fate, Kind, Section, frozen, word
from inspector.assembly.compaction import Compaction
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.item_tables import name_of
from inspector.assembly.items import ItemTexts, Thing
from inspector.assembly.marks import MarkedRows
from inspector.assembly.message_class import MessageClass, class_numbers
from inspector.assembly.numbers import parsed, rows_between
from inspector.assembly.summary_items import action_of, summary_reason
from inspector.derived import cached_property

REMEMBERED_PHRASES = 32


class SearchableTexts:
    """Texts for repeated searches, case-folded at the first search."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._found: dict[str, Bool] = {}

    @cached_property
    def _folded(self) -> list[str]:
        return [text.casefold() for text in self._texts]

    def holding(self, phrase: str) -> Bool:
        """Return a mask of the texts with a phrase. It is cached: on a slider's tick no text is read again."""
        folded = phrase.casefold()
        found = self._found.get(folded)
        if found is None:
            found = self._search(folded)
            if len(self._found) >= REMEMBERED_PHRASES:
                del self._found[next(iter(self._found))]
            self._found[folded] = found
        return found

    def _search(self, folded: str) -> Bool:
        """Search only texts with the longest cached part of the phrase: continued typing searches fewer texts."""
        parts = [part for part in self._found if part and part in folded]
        found = np.zeros(len(self._texts), np.bool_)
        if parts:
            rows = np.flatnonzero(self._found[max(parts, key=len)])
            texts = map(self._folded.__getitem__, rows.tolist())
            found[rows] = np.fromiter(map(contains, texts, repeat(folded)), np.bool_, len(rows))
        else:
            found[:] = np.fromiter(map(contains, self._folded, repeat(folded)), np.bool_, len(found))
        return frozen(found)


_TEXTS: WeakKeyDictionary[ItemTexts, SearchableTexts] = WeakKeyDictionary()
_NAMES: WeakKeyDictionary[ItemTexts, SearchableTexts] = WeakKeyDictionary()


def searchable_texts(items: ItemTexts) -> SearchableTexts:
    """Return the texts of these items, ready for searching; kept as long as the items."""
    if items not in _TEXTS:
        _TEXTS[items] = SearchableTexts(items.texts)
    return _TEXTS[items]


def searchable_names(items: ItemTexts) -> SearchableTexts:
    """Return the names of these items, ready for searching; kept as long as the items."""
    if items not in _NAMES:
        _NAMES[items] = SearchableTexts([name_of(thing) for thing in items.things])
    return _NAMES[items]


Operator = Literal[":", "=", "<", "<=", ">", ">="]

COMPARISONS = {"<": compare.lt, "<=": compare.le, ">": compare.gt, ">=": compare.ge}


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """The subject of a filter: an assembly and the findings about it.

    `changed`: the candidates that differ from the baseline (None: no baseline). `marked`: the marked rows (None: none).
    """

    assembly: Assembly
    changed: Bool | None = None
    marked: MarkedRows | None = None
    findings: Sequence[Finding] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A field: a description of its values, whether it can be compared, how to read a value, and how to match.

    `read` returns None for an unknown word. `matching` takes the operator and the values, any of which may match.
    """

    takes: str
    read: Callable[[str], Any]
    matching: Callable[[Subject, Operator, Sequence[Any]], Bool]
    ordered: bool = False


def _joined(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _choice(numbers: Mapping[str, int], column: Callable[[Assembly], U8]) -> Field:
    """Return a field whose values are words for the small integers of a column."""

    def matching(subject: Subject, _: Operator, values: Sequence[int]) -> Bool:
        chosen = np.zeros(256, dtype=np.bool_)
        chosen[list(values)] = True
        return chosen[column(subject.assembly)]

    return Field(_joined(list(numbers)), lambda text: numbers.get(text.lower()), matching)


def _words(members: type[IntEnum]) -> dict[str, int]:
    return {word(member): int(member) for member in members}


def _read_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _number(column: Callable[[Assembly], F64 | I32]) -> Field:
    """Return a field compared with a number; unknown values (NaN) match nothing."""

    def matching(subject: Subject, operator: Operator, values: Sequence[float]) -> Bool:
        numbers = column(subject.assembly)
        if operator in COMPARISONS:
            return COMPARISONS[operator](numbers, values[0])
        return np.isin(numbers, values)

    return Field("a number", _read_number, matching, ordered=True)


def _rank(assembly: Assembly) -> F64:
    return np.where(assembly.rank < 0, np.nan, assembly.rank)


def _read_switch(text: str) -> bool | None:
    return {"yes": True, "true": True, "no": False, "false": False}.get(text.lower())


def _switch(column: Callable[[Subject], Bool]) -> Field:
    def matching(subject: Subject, _: Operator, values: Sequence[bool]) -> Bool:
        return np.isin(column(subject), values)

    return Field("yes or no", _read_switch, matching)


def _changed(subject: Subject) -> Bool:
    return np.zeros(len(subject.assembly.candidates), np.bool_) if subject.changed is None else subject.changed


def _must_survive(subject: Subject) -> Bool:
    return np.zeros(len(subject.assembly.candidates), np.bool_) if not subject.marked else subject.marked.must_survive


def _with_note(subject: Subject, _: Operator, values: Sequence[str]) -> Bool:
    mask, notes = np.zeros(len(subject.assembly.candidates), np.bool_), subject.marked.notes if subject.marked else {}
    words = [value.casefold() for value in values]
    mask[[row for row, note in notes.items() if any(word in note.casefold() for word in words)]] = True
    return mask


def _with_reason(subject: Subject, _: Operator, values: Sequence[str]) -> Bool:
    assembly = subject.assembly
    named = np.array([reason.code in values for reason in assembly.reasons], dtype=np.bool_)
    return named[assembly.reason]


def _with_finding(subject: Subject, _: Operator, values: Sequence[str]) -> Bool:
    mask = np.zeros(len(subject.assembly.candidates), np.bool_)
    for finding in subject.findings:
        if finding.code in values:
            mask[finding.rows] = True
    return mask


def _with_id(subject: Subject, _: Operator, values: Sequence[str]) -> Bool:
    candidates = subject.assembly.candidates
    mask = np.zeros(len(candidates), np.bool_)
    mask[candidates.rows_named(values)] = True
    return mask


def _read_number_range(text: str) -> tuple[str, int, int] | None:
    """Return the letter and both ends of `119`, `M12` or `100..120`."""
    first, _, last = text.partition("..")
    low, high = parsed(first), parsed(last or first)
    return None if low is None or high is None or high[0] not in ("", low[0]) else (*low, high[1])


def _with_number(subject: Subject, _: Operator, values: Sequence[tuple[str, int, int]]) -> Bool:
    candidates = subject.assembly.candidates
    mask = np.zeros(len(candidates), np.bool_)
    for letter, first, last in values:
        rows = rows_between(candidates.items, letter, first, last)
        mask[slice(rows.start, rows.stop) if isinstance(rows, range) else list(rows)] = True
    return mask


def _read_period(text: str) -> tuple[float, float] | None:
    """Return begin and end of a year, month, day or minute, or of a range of them such as `2026-03-25..2026-04`."""
    first, _, last = text.partition("..")
    begin, end = _period(first), _period(last or first)
    return None if begin is None or end is None else (begin[0].timestamp(), end[1].timestamp())


def _period(text: str) -> tuple[datetime, datetime] | None:
    found = _PERIOD.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute = (int(part) if part else None for part in found.groups())
    try:
        begin = datetime(year or 0, month or 1, day or 1, hour or 0, minute or 0, tzinfo=UTC)
        if minute is not None:
            return begin, begin + timedelta(minutes=1)
        if day is not None:
            return begin, begin + timedelta(days=1)
        if month is not None:
            return begin, (begin + timedelta(days=31)).replace(day=1)
        return begin, begin.replace(year=begin.year + 1)
    except (ValueError, OverflowError):
        return None


_PERIOD = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d))?)?)?", re.ASCII)


def _times(items: ItemTexts) -> F64:
    """Return the time of each item as it is written, in seconds of its own clock; NaN for none."""
    return items.derived("written times", None, lambda: np.array(list(map(_written_seconds, items.things)), np.float64))


def _written_seconds(thing: Thing) -> float:
    time = getattr(thing, "time", None)
    return math.nan if time is None else time.replace(tzinfo=UTC).timestamp()


def _at_time(subject: Subject, operator: Operator, values: Sequence[tuple[float, float]]) -> Bool:
    times = _times(subject.assembly.candidates.items)
    if operator in COMPARISONS:
        begin, end = values[0]
        return COMPARISONS[_HALF_OPEN[operator]](times, end if operator in ("<=", ">") else begin)
    return np.logical_or.reduce([(times >= begin) & (times < end) for begin, end in values])


_HALF_OPEN: Mapping[str, str] = {"<": "<", "<=": "<", ">": ">=", ">=": ">="}
"""How a time is compared with the begin of a period (< and >=) or with its end (<= and >)."""


def _with_name(subject: Subject, _: Operator, values: Sequence[str]) -> Bool:
    names = searchable_names(subject.assembly.candidates.items)
    return np.logical_or.reduce([names.holding(value) for value in values])


def _with_text(subject: Subject, _: Operator, values: Sequence[str]) -> Bool:
    """A day also finds the items of that day."""
    texts = searchable_texts(subject.assembly.candidates.items)
    found = [texts.holding(value) for value in values]
    days = [period for value in values if _DAY.fullmatch(value) and (period := _read_period(value)) is not None]
    return np.logical_or.reduce([*found, _at_time(subject, ":", days)] if days else found)


def _read_summary(text: str) -> int | None:
    """Return the number of `summary:1`."""
    found = re.fullmatch(r"summary:(\d{1,9})", text, re.ASCII | re.IGNORECASE)
    return int(found[1]) if found else None


def _told_by(subject: Subject, _: Operator, values: Sequence[int]) -> Bool:
    into = subject.assembly.into
    if into is None:
        return np.zeros(len(subject.assembly.candidates), np.bool_)
    return np.isin(into, [value for value in values if value])


def matching_summaries(assembly: Assembly, name: str, operator: Operator, values: Sequence[Any]) -> Bool:
    """Return which summaries of the program match a condition, as a mask; in a field that none has, no summary does."""
    return np.array([_summary_matches(one, name, operator, values) for one in assembly.compactions], np.bool_)


def _summary_matches(summary: Compaction, name: str, operator: Operator, values: Sequence[Any]) -> bool:
    if name == "text":
        return any(value.casefold() in summary.text.casefold() for value in values)
    value = _value_of_summary(summary, name)
    if value is None:
        return False
    return COMPARISONS[operator](value, values[0]) if operator in COMPARISONS else value in values


def _value_of_summary(summary: Compaction, name: str) -> int | str | bool | None:
    """Return the value of a field, None where no summary has one."""
    known: dict[str, int | str | bool | None] = {
        "action": int(action_of(summary)),
        "section": int(Section.HISTORY),
        "role": ROLE_NUMBER.get(summary.role),
        "kind": int(Kind.SUMMARY),
        "reason": summary_reason(summary).code,
        "tokens": summary.size,
        "spent": summary.spent,
        "id": summary.id,
        "into": summary.into or None,
        "pinned": False,
        "changed": False,
        "must_survive": False,
    }
    return known.get(name)


_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)

FIELDS: Mapping[str, Field] = {
    "action": _choice(_words(Fate), lambda assembly: assembly.fate),
    "section": _choice(_words(Section), lambda assembly: assembly.section),
    "role": _choice(ROLE_NUMBER, lambda assembly: assembly.candidates.role),
    "kind": _choice(_words(Kind), lambda assembly: assembly.candidates.kind),
    "class": _choice({word(kind): int(kind) for kind in MessageClass if kind}, class_numbers),
    "reason": Field("a reason such as over_budget", str.lower, _with_reason),
    "finding": Field("a finding such as history_gap", str.lower, _with_finding),
    "tokens": _number(lambda assembly: assembly.candidates.tokens),
    "spent": _number(lambda assembly: assembly.spent),
    "rank": _number(_rank),
    "score": _number(lambda assembly: assembly.score),
    "number": Field("a number such as 119, M12 or 100..120", _read_number_range, _with_number),
    "id": Field("the id of an item", str, _with_id),
    "into": Field("a summary such as summary:1", _read_summary, _told_by),
    "when": Field("a day such as 2026-03-25, a month, or 2026-03-25..2026-04-01", _read_period, _at_time, ordered=True),
    "name": Field("a name", str, _with_name),
    "pinned": _switch(lambda subject: subject.assembly.candidates.pinned),
    "changed": _switch(_changed),
    "must_survive": _switch(_must_survive),
    "note": Field("a word of a note", str, _with_note),
    "text": Field("a word", str, _with_text),
}
"""Every field by name. Words without a field search `text`."""
