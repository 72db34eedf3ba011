"""Loading the model table: the shipped rows, `resources/models/MAKER.json`, under the user's own."""

from functools import lru_cache
from pathlib import Path

from inspector.reading.files import unreadable
from inspector.resources import resource
from inspector.tokens.models.names import plain
from inspector.tokens.models.table import ModelRow, ModelTable


def load_models(own: Path | None = None) -> ModelTable:
    """Return the shipped rows, with those of the user's own file on top; a missing file counts as empty.

    `problems` has the faults of the own file, and its good rows are in the table. The file is read again only after a
    change.
    """
    if own is None:
        return _shipped()
    try:
        state = own.stat()
    except FileNotFoundError:
        return _shipped()
    except (OSError, ValueError) as problem:
        return ModelTable(_shipped().rows, (unreadable(own, problem).problem,))
    return _with_own(own, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1)
def _shipped() -> ModelTable:
    import msgspec

    files = sorted(resource("models").glob("*.json"))
    return ModelTable(
        tuple(row for file in files for row in msgspec.json.decode(file.read_bytes(), type=list[ModelRow]))
    )


@lru_cache(maxsize=4)
def _with_own(own: Path, _changed: int, _size: int) -> ModelTable:
    from inspector.tokens.models.files import own_rows  # imports YAML, which the shipped rows do not need

    shipped = _shipped()
    rows, problems = own_rows(own, shipped)
    names = {plain(row.name) for row in rows}
    return ModelTable((*rows, *(row for row in shipped.rows if plain(row.name) not in names)), problems)
