"""LHAR, the archive of a model's calls that Context Lens writes: each call is a conversation.

larsderidder/context-lens, `docs/LHAR.md` and `src/lhar/record.ts`: lines of `session` and `entry` (`.lhar`), or one
object `{lhar: {version, creator, sessions, entries}}` (`.lhar.json`). `raw.request_body` and `raw.response_body` hold
the bodies of any maker, the answer often as the text of its stream; both are null unless the whole was to be kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.formats.traces.recorded import Recorded, joined_sides
from inspector.formats.traces.streamed import streamed_answer
from inspector.model import Message, SentRequest, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, as_whole, items_of, mapping, parse_time

_ENTRY = frozenset(("trace_id", "gen_ai"))
_HOW = "Context Lens keeps bodies with CONTEXT_LENS_PRIVACY=full only"


def sniff(source: FileSource) -> float:
    """Return how likely the file is such an archive."""
    return surest(source, _sureness)


def _sureness(value: Any) -> float:
    fields = mapping(value)
    if _is_entry(fields) or isinstance(mapping(fields.get("lhar")).get("entries"), list):
        return 0.97
    return 0.9 if _is_session(fields) else 0.0


def _is_entry(fields: Mapping[str, Any]) -> bool:
    return fields.get("type") == "entry" and fields.keys() >= _ENTRY


def _is_session(fields: Mapping[str, Any]) -> bool:
    return fields.get("type") == "session" and {"trace_id", "started_at", "tool"} <= fields.keys()


def load(source: FileSource) -> Workspace:
    """Return a conversation for each call whose bodies were kept. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    bare = 0
    for place, entry in _entries(source, notes):
        raw = mapping(entry.get("raw"))
        if raw.get("request_body") is None and raw.get("response_body") is None:
            bare += 1
            continue
        chat = _chat(entry, raw, notes, place)
        chats += [chat] if chat.nodes else []
    if bare:
        notes.add("$", f"the bodies of {bare:,} calls were not kept; {_HOW}")
    if not chats:
        raise notes.unreadable("$", f"expected entries with raw.request_body, found none; {_HOW}")
    return workspace_of(chats, source, notes)


def _entries(source: FileSource, notes: Notes) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for place, value in values_of(source, notes):
        fields = mapping(value)
        inside = items_of(mapping(fields.get("lhar")).get("entries"))
        listed = [(f"{place}.lhar.entries[{n}]", one) for n, one in enumerate(inside)] or [(place, value)]
        for at, one in listed:
            if _is_entry({"type": "entry", **mapping(one)} if inside else mapping(one)):
                yield at, one
            elif not _is_session(mapping(one)) and "lhar" not in fields:
                notes.add(at, "expected a session or an entry; it was left out", "error")


def _chat(entry: Mapping[str, Any], raw: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    reader = Recorded(notes)
    given = reader.read(raw.get("request_body"), "user", f"{place}.raw.request_body")
    answer = _with_usage(_answer(reader, raw.get("response_body"), f"{place}.raw.response_body"), entry)
    joined = joined_sides(given, answer)
    if joined:
        spoken = sum(message.role != "system" for message in answer)
        request = _request(entry, spoken)
        joined[-1] = changed(joined[-1], metadata={**joined[-1].metadata, **request.metadata})
    nodes = in_line((place, message) for message in joined)
    about = mapping(entry.get("gen_ai"))
    models = (mapping(about.get(side)).get("model") for side in ("response", "request"))
    tool = mapping(entry.get("source")).get("tool")
    sequence = as_whole(entry.get("sequence"))
    return SavedChat(
        nodes,
        next(reversed(nodes), None),
        place,
        as_text(entry.get("id", "")),
        title=f"{as_text(tool or 'call')} {sequence if sequence is not None else ''}".strip(),
        model=next((as_text(model) for model in models if isinstance(model, str) and model), ""),
        context_window=as_whole(mapping(entry.get("context_lens")).get("window_size")),
        tools=reader.tools,
    )


def _request(entry: Mapping[str, Any], answered: int) -> SentRequest:
    """Return when and how the call went; its `timings` are in milliseconds."""
    http, took = mapping(entry.get("http")), as_number(mapping(entry.get("timings")).get("total_ms"))
    _, slash, below = as_text(http.get("url", "")).partition("://")[2].partition("?")[0].partition("/")
    seconds = None if took is None else took / 1_000
    return SentRequest(
        parse_time(entry.get("timestamp")), seconds, as_whole(http.get("status_code")), slash + below, answered
    )


def _answer(reader: Recorded, body: Any, place: str) -> list[Message]:
    """Return the messages of an answer: a body, or the text of a stream."""
    value = unwrapped(body)
    if isinstance(value, str) and value.strip():
        value = streamed_answer(value) or value
    return reader.read(value, "assistant", place)


def _with_usage(answer: Sequence[Message], entry: Mapping[str, Any]) -> list[Message]:
    """Return the answer with its usage: that of the body, else that of the entry, whose cached tokens are beside."""
    found = list(answer)
    told = mapping(mapping(entry.get("gen_ai")).get("usage"))
    if not found or "recorded_prompt_tokens" in found[-1].metadata or not told.get("output_tokens"):
        return found
    cache = mapping(entry.get("usage_ext"))
    names = {"cache_read_input_tokens": "cache_read_tokens", "cache_creation_input_tokens": "cache_write_tokens"}
    usage = read_usage({**told, **{name: cache[key] for name, key in names.items() if cache.get(key)}}).metadata
    found[-1] = changed(found[-1], metadata={**found[-1].metadata, **usage})
    return found


FORMAT = Format("lhar", "LHAR archive of Context Lens", sniff, load, "lines of `session` and `entry` with `gen_ai`")
