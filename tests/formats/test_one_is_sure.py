"""Every recogniser looks at every real file: never are two of them equally sure."""

from pathlib import Path

from inspector.formats.registry import built_in_formats, sureness
from inspector.reading.source import FileSource, UnreadableError

_LARGE = 3_000_000  # bytes


def _sure(file: Path) -> dict[str, float]:
    source = FileSource(file.name, file.read_bytes())
    found: dict[str, float] = {}
    for kind in built_in_formats():
        try:
            found[kind.name] = sureness(kind, source)
        except UnreadableError:
            continue
    return {name: sure for name, sure in found.items() if sure > 0}


def test_no_two_formats_are_equally_sure_of_a_real_file(data_folder: Path) -> None:
    files = [file for file in sorted(data_folder.rglob("*")) if file.is_file() and file.stat().st_size < _LARGE]
    sure = {str(file.relative_to(data_folder)): _sure(file) for file in files}
    contested = {
        name: found for name, found in sure.items() if list(found.values()).count(max(found.values(), default=1)) > 1
    }
    assert contested == {}
