"""Our own files of probes (`*.probes.yaml`, JSON, JSON lines): questions and the items behind their answers.

`{format: prompt-inspector/probes@1, probes: [{id, conversation, at, query, category, answer, evidence}]}`; in JSON
lines each line is a probe, and the first may name the format.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.native.workspace import PROBES, ItemReader, native_kind
from inspector.model import Probe, Problem, Workspace
from inspector.reading.decode import check_format, kind_of, settled
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError

_KEYS = frozenset(Probe.__struct_fields__)


def _sniff(source: FileSource) -> float:
    if source.shape not in ("json", "yaml", "json_lines"):
        return 0.0
    value = source.sample
    if kind := native_kind(value):
        return 1.0 if kind == "probes" else 0.0
    lines = [record.value for record in source.first_records] if source.shape == "json_lines" else _only_line(source)
    return 0.8 if lines and all(map(_is_probe, lines)) else 0.0


def _only_line(source: FileSource) -> list[Any]:
    """Return the value of a single-line file, which is JSON as a whole; none if it is broken."""
    if source.shape != "json" or source.raw_items is not None:
        return []
    try:
        return [source.json]
    except UnreadableError:
        return []


def _is_probe(value: Any) -> bool:
    return isinstance(value, Mapping) and "evidence" in value and value.keys() <= _KEYS


def _load(source: FileSource) -> Workspace:
    if source.shape == "json_lines":
        problems: list[Problem] = []
        lines = [record.value for record in source.records(problems)]
        return _workspace(lines[1:] if native_kind(lines[0]) else lines, source.path, "$", problems)
    if source.shape == "json" and _is_probe(source.sample):
        return _workspace(_only_line(source), source.path, "$")
    value = settled(source.yaml if source.shape == "yaml" else source.json, Workspace)
    if not isinstance(value, Mapping):
        raise UnreadableError(Problem(source.path, "$", f"expected an object with `probes`, found {kind_of(value)}"))
    check_format(value, PROBES, source.path)
    return _workspace(value.get("probes"), source.path, "$.probes")


def _workspace(values: Any, file: str, place: str, problems: Iterable[Problem] = ()) -> Workspace:
    reader = ItemReader(file)
    probes = reader.read_list(values, Probe, place)
    return Workspace(probes=probes, problems=(*problems, *reader.problems))


FORMAT = Format(
    "probes",
    "Prompt Inspector questions",
    _sniff,
    _load,
    "`format: prompt-inspector/probes`, or lines with a question and its evidence",
)
