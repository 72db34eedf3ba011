"""The columns of the rows of a sweep in Parquet, which DuckDB, pandas and polars open.

A row is a conversation under a cell of the grid. The file's metadata has, under the key `prompt_inspector`, a JSON
object with `files` (path, size in bytes, nanoseconds of the last change), `bad_files` (path, place, reason) and
`settings`, a fingerprint of everything besides the files on which the rows depend.

| column | type | meaning |
|---|---|---|
| `source` | string | the path of the file |
| `conversation` | string | the id of the conversation in it |
| `policy`, `preset` | string | the policy and preset of the prompt |
| one for each varied key | int64, double, bool or string | its value; null if the policy has no such parameter |
| `status` | string | `ok`, `over_window` or `error` |
| `error` | string | the code of the error |
| `tokens_SECTION` | int64 | tokens spent in a section of the prompt |
| `kept`, `summarized`, `truncated`, `dropped` | int64 | numbers of items |
| `overhead`, `total` | int64 | tokens of templates and headings, and of the whole prompt |
| `measured` | bool | whether the prompt was counted as a whole |
| `overflow` | int64 | tokens by which prompt and reserve exceed the window |
| `oldest_kept` | int64 | index of the oldest message kept whole |
| `cost` | double | US dollars |
| `probes` | int64 | number of probes asked; this column and the next three with `--probes` only |
| `recall`, `recall_with_memories`, `recall_summarized` | double | means over the probes, 0–1 |
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import orjson

from inspector.analysis.sweep.ask import ROW_KINDS
from inspector.analysis.sweep.grid import Grid
from inspector.extras import install_command
from inspector.tables import Kind

KEY = b"prompt_inspector"
_TYPES = {
    Kind.TEXT: "string", Kind.COUNT: "int64", Kind.TOKENS: "int64", Kind.FLAG: "bool_",
    Kind.MONEY: "float64", Kind.SHARE: "float64",
}  # fmt: skip


class MissingArchivesError(Exception):
    """A package needed for archives is not installed; the message names it."""


def check_archives() -> None:
    """Raise MissingArchivesError unless rows can be kept in Parquet and asked by SQL."""
    missing = [name for name in ("pyarrow", "duckdb") if find_spec(name) is None]
    if missing:
        named = " and ".join(missing)
        raise MissingArchivesError(f"archives need {named}: {install_command('archives')}")


def arrow() -> Any:
    """Return the package pyarrow, imported when rows are first kept."""
    return import_module("pyarrow")


def parquet() -> Any:
    """Return its module for Parquet files."""
    return import_module("pyarrow.parquet")


def schema_of(columns: Iterable[str], grid: Grid) -> Any:
    """Return the Arrow schema of rows with these columns. Raise KeyError for an unknown column."""
    made = arrow()
    return made.schema([(name, getattr(made, _type_of(name, grid))()) for name in columns])


def _type_of(name: str, grid: Grid) -> str:
    return _TYPES[ROW_KINDS[name]] if name in ROW_KINDS else _type_of_values(grid[name])


def _type_of_values(values: Sequence[Any]) -> str:
    """Return the narrowest type for all values of a key."""
    types = {type(value) for value in values}
    if types == {bool}:
        return "bool_"
    if types <= {int, float}:
        return "int64" if types == {int} else "float64"
    return "string"


def as_columns(rows: Iterable[Mapping[str, Any]], schema: Any) -> Any:
    """Return rows as an Arrow table of the schema; other values in a column of texts become JSON."""
    texts = [field.name for field in schema if str(field.type) == "string"]
    return arrow().Table.from_pylist([_written(row, texts) for row in rows], schema)


def _written(row: Mapping[str, Any], texts: Sequence[str]) -> Mapping[str, Any]:
    odd = {name: row[name] for name in texts if not (row[name] is None or isinstance(row[name], str))}
    unreadable = {name: row[name] for name in texts if isinstance(row[name], str) and not _is_text(row[name])}
    if not odd and not unreadable:
        return row
    plain = {name: value.encode("utf-8", "backslashreplace").decode() for name, value in unreadable.items()}
    return {**row, **{name: orjson.dumps(value).decode() for name, value in odd.items()}, **plain}


def _is_text(text: str) -> bool:
    """Return whether it can be written as UTF-8: the name of a file may hold half surrogates."""
    return text.isascii() or text == text.encode("utf-8", "replace").decode()
