"""Merging a listing into the user's own rows of the model table, which stand on top of the shipped ones."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.tokens.models.files import Entry, entry_of
from inspector.tokens.models.listed import GENAI_PRICES, LITELLM, MODELS_DEV, Listing
from inspector.tokens.models.merging import Change, merge_listing
from inspector.tokens.models.names import plain
from inspector.tokens.models.table import ModelTable

OWN_ROW = "a row that you wrote yourself"
_IMPORTED = re.compile(rf"(?:{'|'.join(map(re.escape, (MODELS_DEV, LITELLM, GENAI_PRICES)))})(?: [\d.]+)? \(")


@dataclass(frozen=True, slots=True)
class Import:
    """The result of an import: the new content of the user's file, and a summary of it.

    `same` is the number of listed models whose facts the table already has; `skipped` counts the others by reason.
    """

    entries: tuple[Entry, ...]
    new: tuple[str, ...]
    changed: tuple[Change, ...]
    same: int
    skipped: Mapping[str, int]


def import_listing(
    listing: Listing,
    table: ModelTable,
    own: Sequence[Entry],
    date: str,
    providers: Sequence[str] = (),
    release: str = "",
) -> Import:
    """Merge a listing into the entries of the user's own file. `table` has the shipped rows with these on top.

    Without `providers`, only makers' entries for their own models are taken; with them, all entries of these providers.
    `release` is the version of the listing, where it is known. Rows written by the user stay unchanged; rows of an
    earlier import are replaced.
    """
    merged = merge_listing(listing, table, date, providers, release=release)
    skipped = Counter(merged.skipped)
    written = {plain(str(entry.get("name", ""))) for entry in own if not _is_imported(entry)}
    changed = {change: row for change, row in merged.changed.items() if plain(change.name) not in written}
    skipped[OWN_ROW] += len(merged.changed) - len(changed)
    rows = {plain(row.name): entry_of(row) for row in (*changed.values(), *merged.new)}
    kept = (entry for entry in own if plain(str(entry.get("name", ""))) not in rows)
    names = tuple(row.name for row in merged.new)
    return Import((*kept, *rows.values()), names, tuple(changed), merged.same, dict(+skipped))


def _is_imported(entry: Entry) -> bool:
    return _IMPORTED.match(str(entry.get("source", ""))) is not None
