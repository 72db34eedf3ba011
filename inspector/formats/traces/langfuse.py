"""Observations of Langfuse: each call of a model, its input and output, as a conversation.

They come as langfuse/langfuse writes them: the download of a trace (`web/src/pages/api/traces/[traceId]/download.ts`:
`trace` with `observations`), an answer of its API (a trace with its `observations`; pages of `data`; `batch` of
events), its list of observations (`useLogViewDownload.ts`), and rows of exports, with names in camel case (batch
exports: JSON, and CSV by `packages/shared/src/server/utils/transforms/transformStreamToCsv.ts`, in which texts were
JSON too until 2026) or with `_` (blob storage, `packages/shared/src/server/repositories/observations.ts`).

Only generations are read: the inputs of agents and spans repeat theirs. A trace without any is read from its other
observations, or from its own input and output.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.formats.tables.chats import head_of
from inspector.formats.traces.recorded import Recorded, definitions_of, joined_sides
from inspector.model import Workspace, changed
from inspector.reading.json import unquoted, unwrapped
from inspector.reading.memory import table_memory
from inspector.reading.source import FileSource
from inspector.reading.table import TextTable
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_CALLED = "GENERATION"
_INNER = frozenset(("TOOL", "EVENT", "EMBEDDING", "RETRIEVER", "SCORE", "EVALUATOR", "GUARDRAIL"))
_TRACES = frozenset(("traceId", "trace_id"))
_STARTS = ("startTime", "start_time", "timestamp")
_MODELS = ("model", "providedModelName", "provided_model_name", "modelId")
_USAGES = ("usageDetails", "usage_details", "providedUsageDetails", "provided_usage_details", "usage")
_TOOLS = ("toolDefinitions", "tool_definitions")
_OWN = frozenset(
    (
        *("parentObservationId", "parent_observation_id", "usageDetails", "usage_details", "costDetails"),
        *("cost_details", "projectId", "project_id", "providedModelName", "provided_model_name", "promptTokens"),
    )
)
_TRACE = frozenset(("id", "timestamp", "tags"))
_OF_TRACES = frozenset(("bookmarked", "htmlPath", "public"))
_LISTS = ("data", "batch", "traces", "observations")
_DEEPEST = 4
_DELIMITER = ","


def sniff(source: FileSource) -> float:
    """Return how likely the file holds traces or observations of Langfuse."""
    if table := _table_in(head_of(source)):
        return 0.95 if _is_row(table) else 0.0
    return surest(source, _sureness)


def _table_in(text: str) -> TextTable | None:
    return TextTable(text, _DELIMITER) if _DELIMITER in text.partition("\n")[0] else None


def _is_row(table: TextTable) -> bool:
    """Return whether the columns of a table are those of traces or observations."""
    named = dict.fromkeys(table.columns, "")
    return _is_trace(named) or _is_observation(named)


def _rows(source: FileSource, notes: Notes) -> Iterator[tuple[str, Any]]:
    """Yield the values of a file, or the rows of a table; a row has what is not empty, and all texts without quotes."""
    table = _table_in(source.text) if source.shape in ("text", "yaml") else None
    if table is None:
        yield from values_of(source, notes)
        return
    source.take(table_memory(source.text), "its rows would take about")
    for line, cells in table.cells(notes.add):
        if len(cells) != len(table.columns):
            notes.add(f"line {line}", f"expected {len(table.columns)} columns, found {len(cells)}")
        row = {name: cell for name, cell in zip(table.columns, cells, strict=False) if cell}
        is_quoted = row.get("id", "").startswith('"')
        yield f"line {line}", {name: unquoted(cell) for name, cell in row.items()} if is_quoted else row


def _sureness(value: Any) -> float:
    fields = mapping(value)
    if _is_download(fields) or _is_trace(fields):
        return 0.95
    if _is_observation(_body(fields)):
        return 0.92
    listed = (one for key in _LISTS for one in items_of(fields.get(key))[:5])
    return 0.92 if any(_is_observation(_body(one)) or _is_trace(mapping(one)) for one in listed) else 0.0


def _is_download(fields: Mapping[str, Any]) -> bool:
    return isinstance(fields.get("trace"), Mapping) and isinstance(fields.get("observations"), list)


def _is_trace(fields: Mapping[str, Any]) -> bool:
    """Return whether an object is a trace of the API or of an export, with or without its observations."""
    if fields.keys() >= _TRACE and fields.keys() & _OF_TRACES and fields.keys() & {"input", "output"}:
        return True
    return any(map(_is_observation, objects(fields.get("observations"))[:5])) and not _is_observation(fields)


def _is_observation(value: Any) -> bool:
    """Return whether an object is an observation, by its trace, its time, and a key that no other program has."""
    fields = mapping(value)
    has_time = any(key in fields for key in _STARTS[:2])
    has_sides = isinstance(fields.get("type"), str) or bool(fields.keys() & {"input", "output"})
    return bool(fields.keys() & _TRACES) and has_time and has_sides and bool(fields.keys() & _OWN)


def _body(value: Any) -> Mapping[str, Any]:
    """Return the observation of an event sent to Langfuse, else the object itself."""
    fields = mapping(value)
    kind, body = fields.get("type"), fields.get("body")
    if not isinstance(kind, str) or not isinstance(body, Mapping) or not kind.endswith(("-create", "-update")):
        return fields
    return {"type": kind.rpartition("-")[0].upper(), "projectId": "", **body}


@dataclass(frozen=True, slots=True)
class _Found:
    """An observation or a trace, with its place."""

    place: str
    fields: Mapping[str, Any]

    @property
    def kind(self) -> str:
        kind = self.fields.get("type")
        return kind.upper() if isinstance(kind, str) else ""

    @property
    def began(self) -> float:
        time = next((time for key in _STARTS if (time := parse_time(self.fields.get(key)))), None)
        return time.timestamp() if time else 0.0

    def text(self, *keys: str) -> str:
        """Return the first text under these keys."""
        return next((as_text(self.fields[key]) for key in keys if isinstance(self.fields.get(key), str)), "")


def load(source: FileSource) -> Workspace:
    """Return the calls of a file, each a conversation. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    rows: list[_Found] = []
    chats: list[SavedChat] = []
    for place, value in _rows(source, notes):
        if _is_download(mapping(value)):
            chats += _chats(_of_download(value, place), notes, _Found(f"{place}.trace", mapping(value["trace"])))
        elif found := list(_observations(value, place, _DEEPEST)):
            rows += found
        else:
            notes.add(place, "expected a trace with observations; it was left out", "error")
    chats += _chats(rows, notes)
    if not chats:
        message = "expected a trace in which a model was given or answered messages, found none"
        raise notes.unreadable("$.observations", message)
    return workspace_of(chats, source, notes)


def _of_download(value: Mapping[str, Any], place: str) -> list[_Found]:
    listed = enumerate(items_of(value["observations"]))
    return [_Found(f"{place}.observations[{n}]", one) for n, one in listed if isinstance(one, Mapping)]


def _observations(value: Any, place: str, depth: int) -> Iterator[_Found]:
    """Yield the observations of a value: it is one, or holds them; a trace without any stands for itself."""
    fields = _body(value)
    if not depth:
        return
    if _is_observation(fields):
        yield _Found(place if fields is value else f"{place}.body", fields)
        return
    key = next((key for key in _LISTS if isinstance(fields.get(key), list)), "")
    inside = [
        one
        for number, item in enumerate(items_of(fields.get(key)))
        for one in _observations(item, f"{place}.{key}[{number}]", depth - 1)
    ]
    is_lone = depth < _DEEPEST or _is_trace(fields)
    if not inside and is_lone and any(fields.get(side) is not None for side in ("input", "output")):
        inside = [_Found(place, {**fields, "type": "TRACE"})]
    yield from inside


def _chats(found: Sequence[_Found], notes: Notes, trace: _Found | None = None) -> list[SavedChat]:
    """Return the chats of the generations; without any, of the other observations, else of the trace itself."""
    calls = [one for one in found if one.kind == _CALLED]
    if calls:
        return _in_order(calls, notes)
    outer = [one for one in found if one.kind not in _INNER]
    return _in_order(outer, notes) or (_in_order([trace], notes) if trace and not outer else [])


def _in_order(found: Iterable[_Found], notes: Notes) -> list[SavedChat]:
    """Return the chats in the order in which the calls began."""
    chats = (_chat(one, notes) for one in sorted(found, key=lambda one: one.began))
    return [chat for chat in chats if chat.nodes]


def _chat(found: _Found, notes: Notes) -> SavedChat:
    reader = Recorded(notes)
    messages = reader.read(found.fields.get("input"), "user", f"{found.place}.input")
    if found.fields.get("input") is None and found.fields.get("output") is not None:
        notes.add(f"{found.place}.input", "expected the input of the call, found nothing: its answer stands alone")
    answer = reader.read(found.fields.get("output"), "assistant", f"{found.place}.output")
    if answer:
        answer[-1] = changed(answer[-1], metadata={**answer[-1].metadata, **_recorded(found.fields)})
    nodes = in_line((found.place, message) for message in joined_sides(messages, answer))
    return SavedChat(
        nodes,
        next(reversed(nodes), None),
        found.place,
        found.text("id"),
        title=found.text("name"),
        model=found.text(*_MODELS),
        tools=reader.tools or _tools_beside(found.fields),
    )


def _recorded(fields: Mapping[str, Any]) -> dict[str, int]:
    """Return the usage: by kind, or in the older form of prompt and completion."""
    told = (mapping(unwrapped(fields.get(key))) for key in _USAGES)
    return read_usage(next(filter(None, told), None)).metadata


def _tools_beside(fields: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the tools beside the input: of the observation, or in its metadata by the names of frameworks."""
    about = mapping(unwrapped(fields.get("metadata")))
    attributes = mapping(unwrapped(about.get("attributes")))
    given = mapping(unwrapped(attributes.get("model_request_parameters")))
    held = (
        *(fields.get(key) for key in _TOOLS),
        about.get("tools"),
        attributes.get("gen_ai.tool.definitions"),
        attributes.get("ai.prompt.tools"),
        given.get("function_tools"),
    )
    return next((tools for one in held if (tools := definitions_of(one))), [])


FORMAT = Format(
    "langfuse",
    "Langfuse trace",
    sniff,
    load,
    "`trace` with `observations`, or observations with a trace; JSON, lines or CSV",
)
