"""The user's own rows of the model table, read from a file, with a problem for each bad row.

A file is a YAML list of mappings with the fields of `ModelRow`.
"""

import re
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import msgspec

from inspector.model import Problem
from inspector.reading import yaml
from inspector.reading.files import read_text
from inspector.reading.values import UnreadableError
from inspector.tokens.embedded import EMBEDDED_NAMES
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.models.lines import NO_VOCABULARY
from inspector.tokens.models.names import key_of, plain
from inspector.tokens.models.prices import all_rates, compact
from inspector.tokens.models.table import MOST_TOKENS, ModelRow, ModelTable
from inspector.tokens.reconstructed.tokenizer import RECONSTRUCTED_NAMES
from inspector.tokens.standin.tokenizer import STANDIN_NAMES

Entry = dict[str, Any]

_FIELDS = tuple(field.name for field in fields(ModelRow))
_FOR_NEW = {
    "maker": "Unknown maker",
    "max_output": None,
    "tokenizer": NO_VOCABULARY,
    "chat_format": "chatml",
    "family": "",
}
_COUNTS = ("context_window", "max_output", "max_input")
_PRICES = ("price_in", "price_out", "price_cached")
_LISTED = {"embedded": EMBEDDED_NAMES, "reconstructed": RECONSTRUCTED_NAMES, "standin": STANDIN_NAMES}
_ANY_NAME = ("hf:", "gguf:", "tiktoken:")
_WHERE = re.compile(r" - at `\$\.?(.*)`$")


class RowError(ValueError):
    """A row is unusable; the message names the field and the expected value."""


def own_rows(path: Path, shipped: ModelTable) -> tuple[tuple[ModelRow, ...], tuple[Problem, ...]]:
    """Return the good rows of the user's own file, and a problem for each bad one.

    A row with the name of a shipped row lists only the differences. Any other row needs a `context_window`; without a
    tokenizer it is counted by an estimate.
    """
    entries, problems = read_entries(path)
    rows: dict[str, ModelRow] = {}
    for place, entry in entries:
        try:
            row = _row(entry, shipped)
            if plain(row.name) in rows:
                raise RowError(f"a second row for {row.name}; expected one row a model")
            rows[plain(row.name)] = row
        except RowError as problem:
            problems.append(Problem(str(path), place, str(problem)))
    return tuple(rows.values()), tuple(problems)


def read_entries(path: Path) -> tuple[list[tuple[str, Entry]], list[Problem]]:
    """Return the mappings of a file of rows as written, each with its place, and problems for all else."""
    try:
        items = yaml.parse_items(read_text(path), str(path), "a list of rows, each a mapping")
    except UnreadableError as error:
        return [], [error.problem]
    wanted = "expected a row, a mapping such as {name: …, context_window: …}"
    problems = [Problem(str(path), f"line {line}", wanted) for line, item in items if not isinstance(item, dict)]
    return [(f"line {line}", item) for line, item in items if isinstance(item, dict)], problems


def entry_of(row: ModelRow) -> Entry:
    """Return a row for writing, with all fields, so that unknown ones are not filled in from a shipped row."""
    return {**asdict(row), "aliases": list(row.aliases), "prices": row.prices and compact(row.prices)}


def _row(entry: Entry, shipped: ModelTable) -> ModelRow:
    name = entry.get("name")
    if not isinstance(name, str) or not key_of(name):
        raise RowError("a row without a name; expected name: the model's name")
    unknown = [field for field in entry if field not in _FIELDS]
    if unknown:
        raise RowError(f"{name}: unknown field {unknown[0]}; expected one of {', '.join(_FIELDS)}")
    known = shipped.find(name)
    before = asdict(known.row) if known.row is not None and known.how == "exact" else _FOR_NEW
    said = {field: value for field, value in entry.items() if value not in ("", "~")}
    if "context_window" not in {**before, **said}:
        raise RowError(f"{name}: expected a context_window, because the shipped table has no row of this name")
    if "prices" not in said and not said.keys().isdisjoint(_PRICES):
        before = {**before, "prices": None}  # those of the shipped row belong to other prices of a short request
    origin = {"date": "", "source": "your own row"}
    return _checked(name, {**before, **origin, **said})


def _checked(name: str, values: Entry) -> ModelRow:
    try:
        row = msgspec.convert(values, ModelRow, strict=False)
    except msgspec.ValidationError as problem:
        said = str(problem)
        where = _WHERE.search(said)
        field = where.group(1) if where else "row"
        raise RowError(f"{name}: {field}: {_WHERE.sub('', said).replace('`', '')}") from None
    for trouble in row_troubles(row):
        raise RowError(f"{name}: {trouble}")
    return row


def row_troubles(row: ModelRow) -> Iterator[str]:
    """Yield the impossible values of a row, each with the expected range."""
    for field in _COUNTS:
        value = getattr(row, field)
        if value is not None and not 0 < value <= MOST_TOKENS:
            yield f"{field}: expected a number of tokens above 0 and up to {MOST_TOKENS:,}, got {value}"
    for field in _PRICES:
        value = getattr(row, field)
        if value is not None and not 0 <= value < float("inf"):
            yield f"{field}: expected US dollars per million tokens, got {value}"
    if row.prices is not None and any(not 0 <= rate < float("inf") for rate in all_rates(row.prices)):
        yield "prices: expected US dollars per million tokens, from 0 on"
    kind, _, rest = row.tokenizer.partition(":")
    if row.tokenizer in ESTIMATORS or rest in _LISTED.get(kind, ()):
        return
    if not rest or not row.tokenizer.startswith(_ANY_NAME):
        kinds = ("embedded", "reconstructed", "standin", "estimate", "hf", "tiktoken")
        known = f"{', '.join(f'{one}:NAME' for one in kinds)} or gguf:FILE"
        yield f"tokenizer: expected {known}, got {row.tokenizer}"
