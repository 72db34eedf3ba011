"""Grids: the values of each varied key, and the cells that they make."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

WORDS_ONLY = ("policy", "preset", "tokenizer", "model")
"""Keys whose values are words, in which a colon is no range."""
_WITHOUT_ZERO = re.compile(r"[-+]?(\.\d+|\d+\.)", re.ASCII)
"""A number with nothing before or after its point, as YAML takes it, and JSON does not."""

Grid = Mapping[str, Sequence[Any]]


def cells(grid: Grid) -> Iterator[dict[str, Any]]:
    """Yield every combination of the values, the last key changing fastest."""
    for values in product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def parse_values(key: str, text: str) -> list[Any]:
    """Return the values of `START:STOP:STEP`, which includes both ends, or of a list `a,b,c`.

    Raise ValueError with the expected form.
    """
    if key not in WORDS_ONLY and ":" in text:
        return _range(key, text)
    values = [part.strip() for part in text.split(",")]
    if not all(values):
        raise ValueError(f"{key}={text}: expected values separated by commas, or START:STOP:STEP")
    return values if key in WORDS_ONLY else list(map(parse_value, values))


def parse_value(text: str) -> Any:
    """Return a number, a list, an object, true or false if the text is any of these, else the text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = float(text) if _WITHOUT_ZERO.fullmatch(text) else text
    return value if isinstance(value, int | float | bool | list | dict) else text


def _range(key: str, text: str) -> list[Any]:
    parts = [parse_value(part.strip()) for part in text.split(":")]
    if len(parts) != 3 or any(isinstance(part, str | bool) for part in parts):
        raise ValueError(f"{key}={text}: expected START:STOP:STEP, three numbers")
    start, stop, step = parts
    if not step or (stop - start) * step < 0:
        raise ValueError(f"{key}={text}: the step does not lead from {start} to {stop}")
    count = int((stop - start) / step + 1e-9)
    values = [start + number * step for number in range(count + 1)]
    if not all(isinstance(part, int) for part in parts):
        values = [round(value, 10) for value in values]
    return values if abs(values[-1] - stop) <= abs(step) * 1e-9 else [*values, stop]
