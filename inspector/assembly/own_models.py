"""The import of a listing into the user's own rows of the model table, for the window and the command line."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from inspector.figures import counted
from inspector.formats.own_file import OwnFile
from inspector.model import Problem
from inspector.reading.values import UnreadableError
from inspector.reading.yaml import MAX_BYTES
from inspector.tokens.models.importing import Import, import_listing
from inspector.tokens.models.installed import installed_listing, read_any_listing
from inspector.tokens.models.listed import Listing, ListingError
from inspector.tokens.models.loading import load_models

_HEAD = "# Rows of the model table that override the shipped ones; `prompt-inspector models` shows all fields.\n"


class ModelImportError(ValueError):
    """The listing cannot be imported; the message names the file, the place and what was expected."""


@dataclass(frozen=True, slots=True)
class ModelImport:
    """What an import came to: the kind of listing, the file it was read from, its day, and the changes.

    `written` says whether the user's own file was changed.
    """

    kind: str
    source: Path
    date: str
    changes: Import
    written: bool

    @property
    def summary(self) -> str:
        """The numbers of new, changed and unchanged models, as a sentence without its end."""
        new, changed, same = len(self.changes.new), len(self.changes.changed), self.changes.same
        return f"{self.kind}, {self.date}: {new:,} new, {changed:,} changed, {same:,} same"


def import_models(source: Path | None, own: Path, providers: Sequence[str] = (), *, writes: bool = True) -> ModelImport:
    """Merge a listing into the user's own rows; without a file, that of an installed litellm or genai-prices.

    `providers` are taken instead of makers. Raises ModelImportError, with nothing written.
    """
    path, release = (source, "") if source is not None else _installed()
    try:
        listing = read_any_listing(path)
        # The listings carry no date of their own; when the file was downloaded is when they said this.
        date = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
        merge = partial(_merged, listing, own, date, providers, release)
        changes = _file(own).change(merge, [path]) if writes else merge(_file(own).read()[0])
    except ListingError as problem:
        raise ModelImportError(str(problem)) from None
    except UnreadableError as error:
        raise _unfit(error.problem) from None
    except OSError as problem:
        raise ModelImportError(f"{problem.filename or own}: {problem.strerror or problem}") from None
    written = writes and bool(changes.new or changes.changed)
    return ModelImport(f"{listing.kind} {release}".strip(), path, date, changes, written)


def import_told(done: ModelImport, own: Path) -> str:
    """Return an import in words, for a notice."""
    if not done.written:
        return f"The model table has all of {done.source.name} already ({done.summary})."
    rows = counted(len(done.changes.new) + len(done.changes.changed), "model")
    return f"{rows} updated in {own.name} ({done.summary})."


def _installed() -> tuple[Path, str]:
    found = installed_listing()
    if found is None:
        raise ModelImportError(
            "neither litellm nor genai-prices is installed beside this program; expected the file of a listing: "
            "models.dev's api.json, litellm's model_prices_and_context_window.json or genai-prices' data.json"
        )
    return found.file, found.version


def _merged(
    listing: Listing, own: Path, date: str, providers: Sequence[str], release: str, entries: list[Any]
) -> Import:
    """Merge the rows of a listing into the entries of the file. Raise ModelImportError if any of these is a bad row."""
    table = load_models(own)
    if table.problems:
        raise _unfit(table.problems[0])
    result = import_listing(listing, table, entries, date, providers, release)
    entries[:] = result.entries
    return result


def _file(own: Path) -> OwnFile:
    return OwnFile(own, _HEAD, "a list of rows", [], levels=1, most_bytes=MAX_BYTES)


def _unfit(problem: Problem) -> ModelImportError:
    return ModelImportError(f"{problem}; fix this first, because an import rewrites the whole file")
