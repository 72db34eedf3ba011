"""The tables of the reference: the parameters of a policy, presets, formats and tokenizers, and formats of files."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from inspector.figures import figures
from inspector.formats.looking import Look
from inspector.tables import Column, Face, Kind, Table
from inspector.tables import Value as Cell

Value = Mapping[str, Any]
Values = Sequence[Value]


def _listed(key: str, title: str, help: str, **more: Any) -> Column[Values]:
    return Column(key, title, help, lambda values, row: _typed(values[row][key]), **more)


def _parameter(key: str, title: str, help: str, **more: Any) -> Column[Value]:
    return Column(key, title, help, lambda policy, row: _typed(policy["parameters"][row].get(key)), **more)


def _amount(key: str, title: str, help: str, shown: Callable[[Value], bool]) -> Column[Value]:
    """Return the column of a value of a parameter."""

    def words(policy: Value, row: int) -> str:
        parameter = policy["parameters"][row]
        return _amount_text(parameter, parameter[key])

    return _parameter(key, title, help, kind=Kind.NUMBER, words=words, shown=shown)


def _typed(value: Any) -> Cell:
    """Return a value for files: a list has texts, a table `key=value` pairs."""
    if isinstance(value, Mapping):
        return tuple(f"{name}={each}" for name, each in value.items())
    return tuple(map(str, value)) if isinstance(value, list | tuple) else value


def _has_value(policy: Value) -> bool:
    return "preset" in policy


def _range(policy: Value, row: int) -> str:
    """Return the allowed values of a parameter: its words, or its range with the unit."""
    parameter = policy["parameters"][row]
    if parameter["choices"]:
        return ", ".join(parameter["choices"])
    if isinstance(parameter["default"], bool):
        return "true, false"
    lowest = _amount_text(parameter, parameter["minimum"])
    unit = f" {parameter['unit']}" if parameter["unit"] else ""
    return f"{lowest} to {parameter['maximum']:,}{unit}"


def _amount_text(parameter: Value, value: Any) -> str:
    """Return a value as --set takes it; a minimum that is not an amount with its word, such as `0 (off)`."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_number, value))
    word = parameter["at_minimum"] if value == parameter["minimum"] else ""
    return f"{_number(value)} ({word})" if word else _number(value)


def _number(value: Any) -> str:
    if value is None:
        return figures(None)
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}" if isinstance(value, int | float) else str(value)


PARAMETER_COLUMNS: tuple[Column[Value], ...] = (
    Column("policy", "Policy", "The policy", lambda policy, row: policy["name"], faces=Face.FILES),
    _parameter("name", "Parameter", "Its name for --set"),
    _amount("default", "Default", "Its value where none is set", lambda policy: not _has_value(policy)),
    _amount("value", "In preset", "Its value in the preset", _has_value),
    _parameter("minimum", "Minimum", "Its smallest value", faces=Face.FILES),
    _parameter("maximum", "Maximum", "The end of its usual range", faces=Face.FILES),
    _parameter("unit", "Unit", "Its unit", faces=Face.FILES),
    _parameter("choices", "Choices", "Its words with their meaning", faces=Face.FILES),
    Column("values", "Values", "Its possible values", _range, faces=Face.TERMINAL),
    _parameter("help", "Meaning", "Its effect", stretches=True, least=40),
)
PARAMETERS: Table[Value] = Table(PARAMETER_COLUMNS, lambda policy: range(len(policy["parameters"])))
"""The parameters of a policy (`reference.policy_value`), with the values of a preset."""

_NAME = _listed("name", "Name", "Its name in files and options")
_ORIGIN = _listed("origin", "Origin", "Its package")
NAMED: Table[Values] = Table(
    (_NAME, _listed("title", "Title", "Its title", stretches=True), _ORIGIN), lambda values: range(len(values))
)
"""Formats and tokenizers."""

PRESET_COLUMNS: tuple[Column[Values], ...] = (
    _listed("policy", "Policy", "Its policy"),
    _listed("preset", "Preset", "Its name for --preset"),
    _listed("origin", "Origin", "Whether it is built in or your own", yields=1),
    _listed("title", "Title", "Its title", stretches=True),
    _listed("description", "Description", "Its purpose", stretches=True, least=40),
    _listed("parameters", "Parameters", "Its values", faces=Face.FILES),
    _listed("variant", "Variant", "Its own policy, as module:object", faces=Face.FILES),
    _listed("tokenizer", "Tokenizer", "Its tokenizer", faces=Face.FILES),
    _listed("tokenizers", "Tokenizers", "The tokenizers for models whose names begin so", faces=Face.FILES),
    _listed("base", "Base", "The shipped preset that it has its variant from", faces=Face.FILES),
)
PRESETS: Table[Values] = Table(PRESET_COLUMNS, lambda values: range(len(values)))


def look_value(look: Look) -> Value:
    """Return a file as JSON: its candidates, the most certain first, or a description if there are none."""
    found = [
        {"format": one.format.name, "title": one.format.title, "sure": one.is_sure, "why": one.reason}
        for one in look.candidates
    ]
    return {"file": look.file, "candidates": found, "unknown": look.words or None}


def look_rows(looks: Iterable[Look]) -> Iterator[Value]:
    """Yield a row for each candidate of each file, and for each file without any."""
    for look in looks:
        value = look_value(look)
        none = {"format": None, "title": None, "sure": None, "why": look.words}
        yield from ({"file": look.file, **each} for each in value["candidates"] or (none,))


def _sureness(values: Values, row: int) -> str:
    sure = values[row]["sure"]
    return "no" if sure is None else "sure" if sure else "possible"


LOOK_COLUMNS: tuple[Column[Values], ...] = (
    _listed("file", "File", "The file"),
    _listed("format", "Format", "A format that it may have"),
    _listed("title", "Title", "The title of the format", faces=Face.FILES),
    _listed("sure", "Sure", "Whether it surely has this format", words=_sureness),
    _listed("why", "Why", "How that was found", stretches=True, least=40),
)
LOOKS: Table[Values] = Table(LOOK_COLUMNS, lambda values: range(len(values)))
