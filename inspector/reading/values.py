"""Small conversions of file contents and names, which never raise on odd values, and the error of an unusable file."""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import PurePosixPath
from typing import Any

import msgspec

from inspector.model import Problem

_SURROGATE = re.compile("[\ud800-\udfff]")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_YEAR_3000 = 32_503_680_000  # seconds; larger values are milliseconds, and so on by thousands
_LATEST = _YEAR_3000 * 1_000**3  # nanoseconds
_SECONDS = re.compile(r"-?\d{9,}(?:\.\d+)?$")
_BEYOND = 2**63  # beyond JSON readers' whole numbers
_TRUE = frozenset({"true", "yes", "1", "on"})
_FALSE = frozenset({"false", "no", "0", "off", ""})
_SILLY_TAVERN = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2}) ?@ ?(?P<hour>\d{1,2})h ?(?P<minute>\d{1,2})m"
    r"(?: ?(?P<second>\d{1,2})s)?(?: ?(?P<millisecond>\d{1,3})ms)?$"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Words are read here and not by strptime, which follows the language of the desktop.
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))? ?(?P<half>[ap]m)?"
_MONTH_DAY = r"(?P<month>[a-z]{3})[a-z]* (?P<day>\d{1,2}),? (?P<year>\d{4})"
_DAY_MONTH = r"(?:[a-z]{3}, )?(?P<day>\d{1,2}) (?P<month>[a-z]{3})[a-z]*,? (?P<year>\d{4})"
_WORDS = tuple(
    re.compile(pattern + "$")
    for pattern in (
        f"{_MONTH_DAY}(?:,? (?:at )?{_CLOCK})?",  # SillyTavern: April 26, 2024 6:06am; Chorus: … at 01:47 PM
        f"{_CLOCK} on {_DAY_MONTH}",  # LoCoMo: 1:56 pm on 8 May, 2023
        f"{_DAY_MONTH}(?: {_CLOCK})?(?: gmt| utc| [+]0000)?",
        rf"(?P<year>\d{{4}})/(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}})(?: \([a-z]+\))?(?: {_CLOCK})?",  # LongMemEval
    )
)
_AMERICAN = re.compile(rf"(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}})/(?P<year>\d{{4}}),? {_CLOCK}", re.IGNORECASE)


def parse_time(value: Any) -> datetime | None:
    """Return a time as files write it, aware and in UTC if it names no zone; None if it is no time.

    Reads seconds and milliseconds (also as text), RFC 3339 and ISO 8601 (also before ` UTC`), SillyTavern's four
    shapes, LoCoMo's words, browsers' American text (`1/2/2026, 10:00:00 AM`) and MongoDB's `{"$date": …}`.
    """
    if isinstance(value, str):
        return _from_text(value.strip())
    if type(value) is float or type(value) is int:  # not of a truth value
        return _from_number(value)
    for key in ("$date", "$numberLong"):
        if isinstance(value, Mapping):
            value = value.get(key, value)
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_number(value)
    if isinstance(value, datetime):
        return _aware(value)
    return _from_text(value.strip()) if isinstance(value, str) else None


def _aware(time: datetime) -> datetime:
    if time.tzinfo is UTC:
        return time
    offset = time.utcoffset()
    if offset is None:
        return time.replace(tzinfo=UTC)
    # Files write zones of whole minutes; Python reads seconds, too, which no other reader accepts.
    minutes = offset // timedelta(minutes=1)
    return time if timedelta(minutes=minutes) == offset else time.replace(tzinfo=timezone(timedelta(minutes=minutes)))


def _from_number(value: float) -> datetime | None:
    if value == 0 or not abs(value) < _LATEST:
        return None
    while abs(value) > _YEAR_3000:
        value = value / 1_000
    return _EPOCH + timedelta(seconds=value)


def _from_text(text: str) -> datetime | None:
    if not text or len(text) > 60:
        return None
    if _SECONDS.match(text):
        return _from_number(float(text))
    try:
        return _aware(datetime.fromisoformat(text.removesuffix(" UTC").removesuffix(" GMT")))
    except ValueError:
        return _from_silly_tavern(text) or _from_words(text)


def _from_silly_tavern(text: str) -> datetime | None:
    match = _SILLY_TAVERN.match(text)
    if match is None:
        return None
    parts = {name: int(digits or 0) for name, digits in match.groupdict().items()}
    thousandths = parts.pop("millisecond")
    try:
        return datetime(**parts, microsecond=1_000 * thousandths, tzinfo=UTC)
    except ValueError:
        return None


def _from_words(text: str) -> datetime | None:
    match = next((match for shape in _WORDS if (match := shape.match(text.lower()))), None)
    if match is None and text.endswith(("AM", "PM")):  # only the United States write these large, and the month first
        match = _AMERICAN.fullmatch(text.replace("\u202f", " "))
    if match is None:
        return None
    parts = {name: part and part.lower() for name, part in match.groupdict().items()}
    month, half, hour = parts["month"], parts["half"], int(parts["hour"] or 0)
    try:
        return datetime(
            int(parts["year"]),
            _MONTHS.index(month) + 1 if month in _MONTHS else int(month),
            int(parts["day"]),
            hour % 12 + (12 if half == "pm" else 0) if half else hour,
            int(parts["minute"] or 0),
            int(parts["second"] or 0),
            tzinfo=UTC,
        )
    except ValueError:
        return None


def clean(text: str) -> str:
    """Return the text with half surrogates as U+FFFD and NUL as U+2400, so that it can be encoded and stored."""
    if not text.isascii():
        try:
            text.encode()  # far quicker than looking for them
        except UnicodeEncodeError:
            text = _SURROGATE.sub("\ufffd", text)
    return text.replace("\0", "\u2400")


def as_text(value: Any) -> str:
    """Return any value as text: strings cleaned, anything else as JSON; "" for nothing and excessive nesting."""
    if isinstance(value, str):
        return clean(value if type(value) is str else str(value))
    if value is None:
        return ""
    if isinstance(value, bytes):
        return clean(value.decode(errors="replace"))
    try:
        return clean(msgspec.json.encode(value).decode())
    except (TypeError, ValueError, RecursionError, OverflowError):
        return "" if isinstance(value, Mapping | list | tuple) else _as_python_writes(value)


def _as_python_writes(value: Any) -> str:
    try:
        return clean(str(value))
    except RecursionError:
        return ""


def strings(value: Any) -> tuple[str, ...]:
    """Return a list of texts; a single text is a list of one, empty items are left out."""
    items = value if isinstance(value, list | tuple | set | frozenset) else [value]
    return tuple(text for item in items if (text := as_text(item).strip()))


def comma_strings(value: Any) -> tuple[str, ...]:
    """Like `strings`, but a single text is split at its commas."""
    return strings(value.split(",")) if isinstance(value, str) else strings(value)


def as_number(value: Any) -> float | None:
    """Return a finite number, also from text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, int | float):
        try:
            return value if math.isfinite(value) else None
        except OverflowError:
            return None
    return None


def as_whole(value: Any) -> int | None:
    """Return a whole number, also from text or 3.0; None for anything else, and beyond 64 bits."""
    number = as_number(value)
    return int(number) if number is not None and number == int(number) and abs(number) < _BEYOND else None


def as_share(value: Any) -> float | None:
    """Return a number clamped to 0–1; None for anything else."""
    number = as_number(value)
    return None if number is None else min(1.0, max(0.0, float(number)))


def as_truth(value: Any, default: bool = False) -> bool:
    """Return a truth value, also as the texts true, false, yes, no, 1, 0; `default` for anything else."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return bool(value)
    if not isinstance(value, str):
        return default
    word = value.strip().lower()
    return True if word in _TRUE else False if word in _FALSE else default


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value if it is an object, else an empty object."""
    return value if type(value) is dict or isinstance(value, Mapping) else {}  # the first is far quicker


def items_of(value: Any) -> tuple[Any, ...]:
    """Return the items of a list, else none."""
    return tuple(value) if isinstance(value, list | tuple) else ()


def objects(value: Any) -> tuple[Mapping[str, Any], ...]:
    """Return the items of a list that are objects."""
    return tuple(item for item in items_of(value) if isinstance(item, Mapping))


def pure_path(path: str) -> PurePosixPath:
    """Return the path with forward slashes, whichever system wrote it."""
    return PurePosixPath(path.replace("\\", "/"))


def stem(path: str) -> str:
    """Return the name of a file without folders and its last ending: `chats/Mara/First day.jsonl` gives `First day`."""
    return pure_path(path).stem or path


class UnreadableError(ValueError):
    """Nothing of a file is usable; `problem` names the file, the place in it and the expectation.

    `also` are the faults of its parts that caused this, each with its own place.
    """

    def __init__(self, problem: Problem, also: Sequence[Problem] = ()) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.also = tuple(also)
