"""Answers as tables for people: numbers right-aligned, no colour where the output is no terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.cli.console import Console, Table, Text, stacked
from inspector.figures import figures

MOST_ROWS = 40
_NOTHING = figures(None)


def print_policies(values: Sequence[Mapping[str, Any]]) -> None:
    """Each policy with its parameters."""
    console = Console()
    for policy in values:
        console.print(_title(policy))
        if not policy["parameters"]:
            continue
        table = Table(("parameter", ""), ("default", ">"), ("values", ""), ("meaning", ""))
        for parameter in policy["parameters"]:
            table.add_row(
                parameter["name"],
                _parameter_value(parameter, parameter["default"]),
                _range(parameter),
                parameter["help"],
            )
        console.print(table)


def print_policy(policy: Mapping[str, Any]) -> None:
    """What one policy does, its presets, and its parameters with what each of their words means."""
    console = Console()
    console.print(_title(policy))
    console.print(f"presets: {', '.join(policy['presets']) or _NOTHING}")
    if "preset" in policy:
        console.print(stacked(f"{policy['preset']}: {policy['preset_description']}".splitlines()))
    shown, title = ("value", "in preset") if "preset" in policy else ("default", "default")
    table = Table(("parameter", ""), (title, ">"), ("values", ""), ("meaning", ""))
    for parameter in policy["parameters"]:
        words = (f"{word}: {meaning}" for word, meaning in parameter["choices"].items())
        meaning = stacked(filter(None, (parameter["help"], *words)))
        table.add_row(parameter["name"], _parameter_value(parameter, parameter[shown]), _range(parameter), meaning)
    console.print(table)


def print_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """A list with these columns; a column of numbers is right-aligned."""
    numeric = {name for name in columns if all(isinstance(row[name], int | float | None) for row in rows)}
    table = Table(*((name.replace("_", " "), ">" if name in numeric else "") for name in columns))
    for row in rows:
        table.add_row(*(_number(row[name]) for name in columns))
    Console().print(table)


def print_places(value: Mapping[str, Any]) -> None:
    """Where the cache and the log are."""
    table = Table(("", ""), ("file", ""), ("bytes", ">"))
    table.add_row("token counts", value["cache"], _number(value["cache_bytes"]))
    table.add_row("log", value["log"], _number(value["log_bytes"]))
    console = Console()
    console.print(table)
    if "removed_counts" in value:
        console.print(f"{value['removed_counts']:,} counts were forgotten.")


def _number(value: Any) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _title(policy: Mapping[str, Any]) -> Text:
    return stacked(f"{policy['name']}: {policy['description']}".splitlines(), "bold")


def _parameter_value(parameter: Mapping[str, Any], value: Any) -> str:
    """A value of a parameter; a minimum that is no amount with the word that it reads as, such as `0 (off)`."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_number, value))
    word = parameter["at_minimum"] if value == parameter["minimum"] else ""
    return f"{_number(value)} ({word})" if word else _number(value)


def _range(parameter: Mapping[str, Any]) -> str:
    """What a parameter may be: its words, or its range with the unit."""
    if parameter["choices"]:
        return ", ".join(parameter["choices"])
    if isinstance(parameter["default"], bool):
        return "true, false"
    lowest = _parameter_value(parameter, parameter["minimum"])
    unit = f" {parameter['unit']}" if parameter["unit"] else ""
    return f"{lowest} to {parameter['maximum']:,}{unit}"
