"""The shipped rows of the model table and their renewal from a listing: `resources/models/MAKER.json`, a row a line."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path

from inspector.tokens.models.merging import Merge
from inspector.tokens.models.names import key_of
from inspector.tokens.models.prices import compact
from inspector.tokens.models.table import ModelRow

OTHERS = "others"
"""The file of makers without a file of their own."""
_DEFAULTS = {field.name: field.default for field in fields(ModelRow)}

Files = Mapping[str, tuple[ModelRow, ...]]
"""The shipped rows, by the name of their file without its ending."""


def shipped_files(folder: Path) -> Files:
    """Return the shipped rows of a folder."""
    import msgspec

    return {
        file.stem: tuple(msgspec.json.decode(file.read_bytes(), type=list[ModelRow]))
        for file in sorted(folder.glob("*.json"))
    }


def renewed(files: Files, merge: Merge) -> Files:
    """Return the files with listed rows in their places and new ones on top; a new row takes its name from others.

    New rows without a declared line are left out: nothing would say how they are counted.
    """
    new = [_named(row, merge) for row in merge.new if row.family]
    taken = {key_of(row.name) for row in new}
    by_file = {maker: file for file, rows in files.items() if file != OTHERS for maker in {row.maker for row in rows}}
    return {
        file: (
            *(row for row in new if by_file.get(row.maker, OTHERS) == file),
            *(_without(_named(merge.current.get(row.name, row), merge), taken) for row in rows),
        )
        for file, rows in files.items()
    }


def written(rows: Iterable[ModelRow]) -> str:
    """Return the text of a file of rows: a JSON list, a row a line, without fields of their usual values."""
    lines = [json.dumps(_said(row), ensure_ascii=False) for row in rows]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _named(row: ModelRow, merge: Merge) -> ModelRow:
    more = (name for name in merge.more_names.get(row.name, ()) if key_of(name) not in map(key_of, row.aliases))
    return replace(row, aliases=(*row.aliases, *more))


def _without(row: ModelRow, taken: set[tuple[str, ...]]) -> ModelRow:
    return replace(row, aliases=tuple(name for name in row.aliases if key_of(name) not in taken))


def _said(row: ModelRow) -> dict[str, object]:
    values = {**asdict(row), "aliases": list(row.aliases), "prices": row.prices and compact(row.prices)}
    return {
        name: value
        for name, value in values.items()
        if name in ("max_output",) or (value != _DEFAULTS[name] and value != [])
    }
