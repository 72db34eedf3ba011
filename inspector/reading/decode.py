"""Values of native files to dataclasses, by the dataclasses' own type hints: errors and unknown keys with their path.

Knows YAML's scalars and JSON paths, but no kind of file.
"""

import dataclasses
import re
import threading
import types
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
import msgspec.structs

from inspector.model import Call, Message, Part, Problem
from inspector.nearest import nearest
from inspector.reading.files import read_file
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError
from inspector.reading.yaml import MAX_DEPTH, YamlMapping, is_too_deep
from inspector.reading.yaml_loader import WrittenNumber

T = TypeVar("T")
_PATH = re.compile(r" - at `(?:key in )?\$([^`]*)`$")
_MISSING = "is required and missing"
_MOST_NAMED = 20
_CONVERTING = threading.RLock()
"""Guards the first conversion to a dataclass: in two threads it ends the process, as msgspec caches unguarded."""
_STEP = re.compile(r"\.([^.\[]+)|\[")


def read_value(path: str | Path) -> Any:
    """Return the value of a JSON or YAML file, by its content. Raise UnreadableError, as `read_file` does too."""
    source = FileSource(str(path), read_file(path))
    if source.shape in ("json", "json_lines"):
        return _not_too_deep(source)
    if source.shape == "yaml":
        return source.yaml
    raise source.unreadable("", "is neither JSON nor YAML")


def _not_too_deep(source: FileSource) -> Any:
    """Return the JSON value of a source.

    Raise UnreadableError if it is deeper than YAML may be, for writing it as YAML.
    """
    if is_too_deep(source.json):
        raise source.unreadable("", f"is nested deeper than {MAX_DEPTH:,} levels")
    return source.json


def decode(
    value: Any, into: type[T], file: str, place: str = "$", expected_format: str | None = None
) -> tuple[T, tuple[Problem, ...]]:
    """Return a value of a native file as the dataclass `into`, and a warning for each unknown key.

    `expected_format` is the required value of the key `format`, if given; that key is then no part of the dataclass.
    Raise UnreadableError with the paths of all values of wrong types: the first is its place, its message names the
    others.
    """
    if not isinstance(value, Mapping):
        raise UnreadableError(Problem(file, place, f"expected an object, found {kind_of(value)}"))
    if expected_format is not None:
        check_format(value, expected_format, file, place)
    known = settled(value, into)
    if expected_format is not None:
        known = {key: item for key, item in known.items() if key != "format"}
    problems = tuple(unknown_keys(known, into, file, place))
    try:
        return converted(known, into), problems
    except (msgspec.ValidationError, RecursionError) as error:
        found = list(_faults(known, into, file, place)) or [type_problem(error, into, file, place)]
        raise UnreadableError(as_one(found)) from None


def converted(value: Any, into: Any) -> Any:
    """Return a value as this type. Raise msgspec's ValidationError, and RecursionError."""
    with _CONVERTING:
        return msgspec.convert(value, into)


def as_one(faults: list[Problem]) -> Problem:
    """Return the faults of a file as a single problem, with the place of the first."""
    first, *others = faults
    named = [f"{one.place}: {one.message}" for one in others[:_MOST_NAMED]]
    more = [f"and {len(others) - _MOST_NAMED:,} more"] if len(others) > _MOST_NAMED else []
    also = f"; also {'; '.join([*named, *more])}" if named else ""
    return Problem(first.file, first.place, first.message + also, first.severity)


def _faults(value: Any, hint: Any, file: str, place: str) -> Iterator[Problem]:
    """Yield a problem for each value at or below this place that does not match its type hint."""
    try:
        converted(value, hint)
        return
    except (msgspec.ValidationError, RecursionError) as error:
        problem = type_problem(error, hint, file, place)
    inner = [fault for at, item, wanted in _parts(value, hint, place) for fault in _faults(item, wanted, file, at)]
    yield from inner
    yield from _missing(value, hint, file, place)
    if not inner and problem.message != _MISSING:
        yield problem


def _parts(value: Any, hint: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield the direct children of a value: place, value, and type hint."""
    plain = _plain(hint)
    if is_record(plain) and isinstance(value, Mapping):
        hints = hints_of(plain)
        yield from ((f"{place}.{key}", item, hints[key]) for key, item in value.items() if key in hints)
    elif isinstance(value, list | tuple) and get_args(plain):
        yield from ((f"{place}[{index}]", item, get_args(plain)[0]) for index, item in enumerate(value))
    elif isinstance(value, Mapping) and isinstance(get_origin(plain), type) and issubclass(get_origin(plain), Mapping):
        yield from ((f"{place}.{key}", item, get_args(plain)[1]) for key, item in value.items())


def _missing(value: Any, hint: Any, file: str, place: str) -> Iterator[Problem]:
    plain = _plain(hint)
    if is_record(plain) and isinstance(value, Mapping):
        for name in sorted(_required(plain) - value.keys()):
            yield Problem(file, f"{place}.{name}", _MISSING)


@cache
def _required(record: type) -> frozenset[str]:
    """Return the fields of a dataclass or Struct without a default."""
    if not dataclasses.is_dataclass(record):
        return frozenset(field.name for field in msgspec.structs.fields(record) if field.required)
    absent = dataclasses.MISSING
    fields = dataclasses.fields(record)
    return frozenset(one.name for one in fields if one.default is absent and one.default_factory is absent)


def check_format(value: Mapping[str, Any], expected: str, file: str, place: str = "$") -> None:
    """Raise UnreadableError if the key `format` is present with an unexpected value."""
    found = value.get("format", expected)
    if found != expected:
        shown = repr(found) if isinstance(found, str) else kind_of(found)
        raise UnreadableError(Problem(file, f"{place}.format", f"expected {expected}, found {shown}"))


def kind_of(value: Any) -> str:
    """Return JSON's name for the type of a value, with its article."""
    names = (
        (bool, "a truth value"),
        (str, "text"),
        (int | float, "a number"),
        (Mapping, "an object"),
        (list, "a list"),
    )
    return next((name for type_, name in names if isinstance(value, type_)), "null")


def type_problem(error: Exception, into: Any, file: str, place: str) -> Problem:
    """Return the problem behind an error of msgspec: its path below `place`, and the type expected there."""
    message = str(error)
    match = _PATH.search(message)
    below = match[1] if match else ""
    what = message[: match.start()] if match else message
    missing = re.match(r"Object missing required field `(.*)`", what)
    if missing:
        return Problem(file, f"{place}{below}.{missing[1]}", _MISSING)
    choices = _choices(_hint_at(into, below))
    if what.startswith("Invalid enum value") and choices:
        what = f"{what.replace('enum ', '')}, expected one of {', '.join(choices)}"
    return Problem(file, place + below, what[0].lower() + what[1:])


def _choices(hint: Any) -> list[str]:
    arms = get_args(hint) if _is_union(hint) else (hint,)
    return [str(choice) for arm in arms if get_origin(arm) is Literal for choice in get_args(arm)]


def _hint_at(hint: Any, path: str) -> Any:
    for step in _STEP.finditer(path):
        if step[1] is None:
            hint = next(iter(get_args(_plain(hint))), Any)
        else:
            plain = _plain(hint)
            hint = hints_of(plain).get(step[1], Any) if is_record(plain) else Any
    return hint


@cache
def hints_of(record: type) -> dict[str, Any]:
    """Return the name and type hint of each field of a dataclass or Struct."""
    return get_type_hints(record)


def is_record(hint: Any) -> bool:
    """Return whether a type hint is a dataclass or a msgspec Struct."""
    return isinstance(hint, type) and (dataclasses.is_dataclass(hint) or issubclass(hint, msgspec.Struct))


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


def _plain(hint: Any, value: Any = None) -> Any:
    """Return the part of an optional hint that is not None; among several, the one that this value says it is.

    An object names the tag of its record, a list is of the arm with items; otherwise it is the record, if there is any.
    """
    if not _is_union(hint):
        return hint
    arms = [arm for arm in get_args(hint) if arm is not types.NoneType]
    if isinstance(value, Mapping):
        tagged = (arm for arm in arms if is_record(arm) and _tag(arm) is not None and _tag(arm) == value.get("type"))
        return next(tagged, next((arm for arm in arms if is_record(arm)), arms[0]))
    if isinstance(value, list | tuple):
        return next((arm for arm in arms if get_origin(arm) in (list, tuple)), arms[0])
    return next((arm for arm in arms if is_record(arm)), arms[0])


def _tag(record: type) -> Any:
    return record.__struct_config__.tag if issubclass(record, msgspec.Struct) else None


def unknown_keys(value: Any, hint: Any, file: str, place: str) -> Iterator[Problem]:
    """Yield a warning for each key below `value` that the dataclasses of `hint` lack."""
    hint = _plain(hint)
    if is_record(hint) and isinstance(value, Mapping):
        hints = hints_of(hint)
        for key, item in value.items():
            if key not in hints:
                near = nearest(str(key), hints, 1)
                meant = f" (did you mean {near[0]}?)" if near else ""
                yield Problem(file, f"{place}.{key}", f"is not a known key; it was skipped{meant}", "warning")
            elif isinstance(item, list | Mapping):
                yield from unknown_keys(item, hints[key], file, f"{place}.{key}")
    elif isinstance(value, list) and get_args(hint):
        for index, item in enumerate(value):
            yield from unknown_keys(item, get_args(hint)[0], file, f"{place}[{index}]")
    elif isinstance(value, Mapping) and len(get_args(hint)) == 2:
        for key, item in value.items():
            yield from unknown_keys(item, get_args(hint)[1], file, f"{place}.{key}")


_WRITTEN: Mapping[type, Mapping[str, Any]] = {
    Message: {"content": str | tuple[Part, ...], "tool_calls": tuple[Call, ...], "tool_call_id": str, "images": int}
}
"""The keys of native files that are fields under another name, with their types."""


def settled(value: Any, hint: Any) -> Any:
    """Return a value from YAML with its plain scalars as the hints want them; a value from JSON is unchanged.

    If text is wanted, `no`, `12` and `1.10` are that text; if a number or anything is, `1e3` is a number.
    """
    return _settle(value, hint) if isinstance(value, YamlMapping) else value


def _settle(value: Any, hint: Any) -> Any:
    if isinstance(value, Mapping):
        plain = _plain(hint, value)
        if is_record(plain):
            hints = {**hints_of(plain), **_WRITTEN.get(plain, {})}
            return {str(key): _settle(item, hints.get(str(key), Any)) for key, item in value.items()}
        inner = get_args(plain)[1] if len(get_args(plain)) == 2 else Any
        return {str(key): _settle(item, inner) for key, item in value.items()}
    if isinstance(value, list):
        inner = next(iter(get_args(_plain(hint, value))), Any)
        return [_settle(item, inner) for item in value]
    return _settle_scalar(value, hint)


def _settle_scalar(value: Any, hint: Any) -> Any:
    if type(value) is str or value is None:
        return value
    if isinstance(value, WrittenNumber):
        return str(value) if _wants_text(hint) else float(value)
    if not _wants_text(hint):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _wants_text(hint: Any) -> bool:
    arms = get_args(hint) if _is_union(hint) else (hint,)
    return str in arms and not {int, float} & set(arms)
