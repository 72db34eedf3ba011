"""Parquet files, a few rows at a time: however long the file, no more is ever decoded at once. Knows no format.

The library for it, pyarrow, is an extra. It is imported when the first Parquet file is read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from inspector.extras import install_command
from inspector.model import Problem
from inspector.reading.values import UnreadableError, clean

MAX_RATIO = 1_000
_RATIO_FROM_BYTES = 20_000_000
AT_ONCE = 64
"""The number of rows decoded at a time; each may hold a whole chat."""
_MAX_SCHEMA = 10_000_000  # bytes of a text of the footer, and its items; real files have thousands
_LIST, _OBJECT, _STRING, _NUMBER = 100, 350, 70, 40  # bytes of memory, with everything made of them; see `memory`


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a table not yet turned into values; `memory` is the bytes they will take as values."""

    first: int
    memory: int
    _batch: Any
    _path: str

    def values(self, problems: list[Problem]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the rows as objects with their numbers, counted from 1; an unreadable row is added to the problems."""
        for number in range(self._batch.num_rows):
            try:
                (row,) = self._batch.slice(number, 1).to_pylist()
            except UnicodeDecodeError:
                place = f"row {self.first + number}"
                problems.append(Problem(self._path, place, "expected texts in UTF-8; the row was left out", "warning"))
            else:
                yield self.first + number, _cleaned(row)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(key): _cleaned(item) for key, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list) else value


def read_rows(data: bytes, path: str, at_once: int = AT_ONCE) -> Iterator[Rows]:
    """Yield the rows of a Parquet file with its columns of texts, numbers, and lists and objects that hold texts.

    Times are whole numbers since 1970. Columns of bytes, scores and vectors are left out. Raise UnreadableError if the
    file is damaged, or pyarrow is not installed.
    """
    if find_spec("pyarrow") is None:
        message = f"is a Parquet file; reading it needs pyarrow: {install_command('archives')}"
        raise UnreadableError(Problem(path, "", message))
    arrow = import_module("pyarrow")
    defects = (arrow.ArrowException, ValueError, ArithmeticError, LookupError, TypeError, OSError)
    try:
        yield from _rows(data, path, at_once)
    except (*defects, MemoryError, RecursionError) as error:
        raise UnreadableError(Problem(path, "", _damaged(error))) from None


def _damaged(error: Exception) -> str:
    said = str(error).split("\n", 1)[0][:200] or type(error).__name__
    return f"is a damaged Parquet file: {said}"


def _rows(data: bytes, path: str, at_once: int) -> Iterator[Rows]:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    limits = {"thrift_string_size_limit": _MAX_SCHEMA, "thrift_container_size_limit": _MAX_SCHEMA}
    footer = parquet.ParquetFile(arrow.BufferReader(data), **limits)
    _check_ratio(footer.metadata, path)
    wanted = [field.name for field in footer.schema_arrow if field.name and _kept(field.type) is not None]
    # A file of a kilobyte can repeat the same megabyte a million times: such texts are shared until measured.
    leaves = [footer.schema.column(place) for place in range(len(footer.schema))]
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    file = parquet.ParquetFile(arrow.BufferReader(data), read_dictionary=texts, **limits)
    first = 1
    for batch in _batches(file, at_once, wanted):
        columns = {name: batch.column(name) for name in wanted}
        kept = {name: column.cast(_kept(column.type)) for name, column in columns.items()}
        memory = _OBJECT * batch.num_rows + sum(map(_memory, kept.values()))
        yield Rows(first, memory, arrow.RecordBatch.from_pydict(kept), path)
        first += batch.num_rows


def _batches(file: Any, at_once: int, columns: list[str]) -> Iterator[Any]:
    """Yield some rows at a time, never across row groups, whose repeated texts pyarrow cannot join."""
    for group in range(file.num_row_groups):
        yield from file.iter_batches(at_once, row_groups=[group], columns=columns, use_threads=False)


def _check_ratio(metadata: Any, path: str) -> None:
    """Refuse a file with a part that unpacks to far more than chats do."""
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for number in range(row_group.num_columns):
            part = row_group.column(number)
            packed, size = part.total_compressed_size, part.total_uncompressed_size
            if size > _RATIO_FROM_BYTES and size > MAX_RATIO * max(packed, 1):
                place = f"row group {group + 1}, column {part.path_in_schema}"
                message = f"unpacks from {packed:,} to {size:,} bytes, as no chat does"
                raise UnreadableError(Problem(path, place, message))


def _kept(kind: Any) -> Any:
    """Return the type for reading values of a type; None for columns to leave out."""
    arrow, types = import_module("pyarrow"), import_module("pyarrow.types")
    if _is_text(kind) or types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind):
        return kind
    if types.is_timestamp(kind):
        return arrow.int64()
    if types.is_list(kind) or types.is_large_list(kind):
        inner = _kept(kind.value_type) if _holds_text(kind.value_type) else None
        return None if inner is None else (arrow.list_ if types.is_list(kind) else arrow.large_list)(inner)
    if not types.is_struct(kind):
        return None
    fields = [(field.name, kept) for field in kind if (kept := _kept(field.type)) is not None]
    return arrow.struct(fields) if fields else None


def _holds_text(kind: Any) -> bool:
    types = import_module("pyarrow.types")
    if types.is_struct(kind):
        return any(_holds_text(field.type) for field in kind)
    if types.is_list(kind) or types.is_large_list(kind):
        return _holds_text(kind.value_type)
    return _is_text(kind)


def _is_text(kind: Any) -> bool:
    types = import_module("pyarrow.types")
    plain = kind.value_type if types.is_dictionary(kind) else kind
    return types.is_string(plain) or types.is_large_string(plain)


def _memory(array: Any) -> int:
    """Return the bytes of memory of an array as values."""
    types = import_module("pyarrow.types")
    if types.is_struct(array.type):
        return _OBJECT * len(array) + sum(map(_memory, array.flatten()))
    if types.is_list(array.type) or types.is_large_list(array.type):
        return _LIST * len(array) + _memory(array.flatten())
    if _is_text(array.type):
        return _STRING * len(array) + _text_memory(array)
    return _NUMBER * len(array)


def _text_memory(array: Any) -> int:
    """Return the bytes of memory of texts, counting repetitions: one for a character, or four if any is not ASCII."""
    compute, types = import_module("pyarrow.compute"), import_module("pyarrow.types")
    if not types.is_dictionary(array.type):
        words, said = array, None
    else:
        words, said = array.dictionary, array.indices
    width = compute.if_else(compute.string_is_ascii(words), 1, 4)
    sizes = compute.multiply(compute.cast(compute.binary_length(words), "int64"), width)
    return compute.sum(sizes if said is None else sizes.take(said)).as_py() or 0
