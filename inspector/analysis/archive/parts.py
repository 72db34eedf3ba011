"""The parts of a resumable sweep: a folder beside the file of rows, in which each part is complete or absent.

Each part is a Parquet file that names the source files of its rows, so that a part and its description stay together
even if the run is killed. The manifest records the settings of the run.
"""

import errno
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from inspector.analysis.archive.chats import BadFile
from inspector.analysis.archive.files import ArchiveFile
from inspector.analysis.archive.rows import Told, told
from inspector.analysis.archive.schema import KEY, arrow, parquet
from inspector.writing import is_left_over, only_writer, write_file

_MANIFEST = "manifest.json"
_FORMAT = "prompt-inspector/sweep-parts@1"
_OWN = re.compile(rf"(?:[0-9a-f]{{32}}\.parquet|{re.escape(_MANIFEST)})$")
_ROWS_A_GROUP = 100_000
_ROWS_READ = 10_000


class OtherSettingsError(Exception):
    """The parts were begun under other settings; the message says which."""


class AlreadyRunningError(Exception):
    """Another process is writing these parts."""


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A stored part: its place, and its own description."""

    place: Path
    told: Told


def fingerprint(settings: Mapping[str, Any]) -> str:
    """Return a short text that is equal for equal settings, which are plain values."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:32]


def parts_folder(out: str | Path) -> Path:
    """Return the folder of the parts of this file of rows until it is complete."""
    place = Path(os.path.realpath(out))
    return place.with_name(f"{place.name}.parts")


@contextmanager
def begun_parts(out: str | Path, settings: Mapping[str, Any], anew: bool = False) -> Iterator["Parts"]:
    """Yield the parts for this file of rows, begun or continued by this process alone; they are kept if the block
    raises.

    If there are none at its end, the folder is removed as well.

    With `anew`, remove the results of earlier runs. Raise OtherSettingsError, AlreadyRunningError and OSError,
    FileExistsError if the folder holds anything not written by a sweep.
    """
    folder = parts_folder(out)
    folder.mkdir(exist_ok=True)
    _check_own(folder)
    try:
        with ExitStack() as stack:
            try:
                stack.enter_context(only_writer(folder, seconds=0))
            except TimeoutError:
                raise AlreadyRunningError(f"{folder}: another sweep is writing there") from None
            parts = Parts(folder, fingerprint(settings))
            if anew:
                parts.clear()
            parts.begin(settings)
            try:
                yield parts
            finally:
                parts.leave()
    finally:
        with suppress(OSError):  # whatever has anything in it stays
            folder.rmdir()


class Parts:
    """The parts in a folder, for use by a single process at a time."""

    def __init__(self, folder: Path, settings: str) -> None:
        self.folder = folder
        self.settings = settings

    def begin(self, settings: Mapping[str, Any]) -> None:
        """Write the manifest, or check that it has the same settings. Raise OtherSettingsError."""
        manifest = self.folder / _MANIFEST
        try:
            before = json.loads(manifest.read_bytes())["settings"]
        except FileNotFoundError:
            value = {"format": _FORMAT, "fingerprint": self.settings, "settings": settings}
            write_file(manifest, json.dumps(value, indent=2), ())
            return
        except (ValueError, LookupError, TypeError):
            raise OtherSettingsError(f"{manifest}: expected what a sweep has written there") from None
        if fingerprint(before) != self.settings:
            plain = json.loads(json.dumps(settings))
            keys = sorted(key for key in {*before, *plain} if before.get(key) != plain.get(key))
            raise OtherSettingsError(f"{self.folder} was begun with other settings: {', '.join(keys)}")

    def clear(self) -> None:
        """Remove all contents but keep the folder."""
        for file in _own_files(self.folder):
            file.unlink()

    def current(self, files: Sequence[ArchiveFile]) -> tuple[list[StoredPart], int]:
        """Return the parts of unchanged files and the number of outdated parts, which are removed now."""
        known, taken = set(files), set[ArchiveFile]()
        kept: list[StoredPart] = []
        outdated = 0
        for place in sorted(self.folder.glob("*.parquet")):
            said = _told(place)
            if (
                said
                and said.settings == self.settings
                and known.issuperset(said.files)
                and taken.isdisjoint(said.files)
            ):
                taken.update(said.files)
                kept.append(StoredPart(place, said))
            else:
                outdated += 1
                place.unlink()
        return kept, outdated

    def add(self, content: bytes) -> StoredPart:
        """Store another part, given as bytes."""
        said = told(parquet().read_metadata(arrow().BufferReader(content)).metadata)
        assert said is not None, "the workers write what they are"
        place = self.folder / f"{hashlib.sha256(said.value()).hexdigest()[:32]}.parquet"
        write_file(place, content, ())
        return StoredPart(place, said)

    def leave(self) -> None:
        """Remove the manifest of a sweep without any parts."""
        if not any(self.folder.glob("*.parquet")):
            self.clear()


def _own_files(folder: Path) -> list[Path]:
    """Return the files of a sweep in this folder, recognized by their names, including remnants of killed writes."""
    return [file for file in folder.iterdir() if file.is_file() and (_OWN.match(file.name) or is_left_over(file.name))]


def _check_own(folder: Path) -> None:
    """Raise FileExistsError if a folder holds anything else."""
    own = set(_own_files(folder))
    strange = sorted(file.name for file in folder.iterdir() if file not in own)
    if strange:
        raise FileExistsError(errno.EEXIST, f"{folder} holds {strange[0]}, which no sweep has written; move it away")


def _told(place: Path) -> Told | None:
    with suppress(OSError, ValueError, LookupError, TypeError):  # such as a part that the disk has lost
        return told(parquet().read_metadata(place).metadata)
    return None


def told_by(out: str | Path) -> Told | None:
    """Return the description in a complete file of rows; None if it is absent, or another kind of file."""
    return _told(Path(out)) if os.path.isfile(out) else None


def in_order(parts: Sequence[StoredPart], files: Sequence[ArchiveFile]) -> list[StoredPart]:
    """Return the parts in the order of their files."""
    places = {file: place for place, file in enumerate(files)}
    return sorted(parts, key=lambda part: places[part.told.files[0]])


def bad_files(parts: Sequence[StoredPart]) -> tuple[BadFile, ...]:
    """Return the bad files of all parts."""
    return tuple(bad for part in parts for bad in part.told.bad)


def rows_in(files: Iterable[str | Path]) -> Iterator[dict[str, Any]]:
    """Yield the rows of Parquet files in sequence."""
    for file in files:
        for batch in parquet().ParquetFile(file).iter_batches(_ROWS_READ):
            yield from batch.to_pylist()


def write_joined(parts: Sequence[StoredPart], schema: Any, settings: str, file: IO[bytes]) -> None:
    """Write the rows of all parts as a single Parquet file, with the descriptions of the parts."""
    with parquet().ParquetWriter(file, schema) as writer:
        for tables in _groups(parts):
            writer.write_table(arrow().concat_tables(tables), row_group_size=_ROWS_A_GROUP)
        all_files = tuple(file for part in parts for file in part.told.files)
        writer.add_key_value_metadata({KEY: Told(settings, all_files, bad_files(parts)).value()})


def _groups(parts: Sequence[StoredPart]) -> Iterator[list[Any]]:
    """Yield groups of tables with enough rows for an efficient row group, but little memory."""
    tables: list[Any] = []
    for part in parts:
        for batch in parquet().ParquetFile(part.place).iter_batches(_ROWS_A_GROUP):
            tables.append(arrow().Table.from_batches([batch]))
            if sum(len(table) for table in tables) >= _ROWS_A_GROUP:
                yield tables
                tables = []
    if tables:
        yield tables
