"""Files of LangChain's messages, of LangGraph's states and checkpoints, and of LangSmith's runs.

langchain-ai/langgraph: `libs/langgraph/langgraph/types.py` (`StateSnapshot`: `values`, `next`, `config`),
`libs/checkpoint/langgraph/checkpoint/base/__init__.py` (`Checkpoint`: `channel_values`; `CheckpointTuple`), threads and
their states in `libs/sdk-py/langgraph_sdk/schema.py`. langchain-ai/langsmith-sdk, `python/langsmith/schemas.py` (`Run`:
`run_type`, `inputs`, `outputs`), `python/langsmith/client.py` (`batch_ingest_runs`: `post` and `patch`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.formats.traces.attributes import at_path
from inspector.formats.traces.langchain_messages import is_langchain, messages_of, with_marks
from inspector.formats.traces.langgraph_states import are_messages
from inspector.formats.traces.recorded import Recorded, definitions_of, joined_sides
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_STATES = (("values",), ("channel_values",), ("checkpoint", "channel_values"), ("state", "values"))
_OF_STATES = frozenset(
    ("next", "config", "checkpoint", "thread_id", "channel_values", "metadata", "tasks", "state", "v")
)
_IDS = ("id", "thread_id", "checkpoint_id")
_MESSAGES = "messages"
_LOOKED_AT = 5
_BATCH = ("post", "patch")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds messages, states or runs of LangChain."""
    return surest(source, _sureness)


def _sureness(value: Any) -> float:
    if is_langchain(value):
        return 0.95 if "data" in value or "lc" in value else 0.9
    if _is_run(value) or _batch(value):
        return 0.93
    _, listed = _held(value)
    if any(is_langchain(item) for item in listed[:_LOOKED_AT]):
        return 0.9
    is_state = _state_of(value) is not None and any(is_message(item) for item in listed[:_LOOKED_AT])
    return 0.88 if is_state else 0.0


def _is_run(value: Any) -> bool:
    """Return whether a value is a run of LangSmith, by its type or by LangChain's messages in it."""
    fields = mapping(value)
    given, answered = (mapping(fields.get(key)) for key in ("inputs", "outputs"))
    if isinstance(fields.get("run_type"), str) and (given or answered):
        return True
    messages = items_of(given.get("messages"))
    first = messages[0] if messages and isinstance(messages[0], list) else messages
    generations = items_of(answered.get("generations"))
    answers = items_of(generations[0]) if generations else ()
    held = [*first, *(mapping(answer).get("message") for answer in answers)]
    return any(is_langchain(item) for item in held)


def _state_of(value: Any) -> tuple[str, Sequence[Any]] | None:
    """Return the path and the messages of a state or a checkpoint; None if a value is none."""
    fields = mapping(value)
    if not fields.keys() & _OF_STATES:
        return None
    for path in _STATES:
        held = mapping(at_path(dict(fields), path))
        named = [key for key in held if isinstance(held[key], list) and (key == _MESSAGES or are_messages(held[key]))]
        if named:
            key = min(named, key=lambda key: (key != _MESSAGES, -len(held[key])))
            return ".".join((*path, key)), items_of(held[key])
    return None


def _held(value: Any) -> tuple[str, Sequence[Any]]:
    """Return the path and the messages of a value that holds several."""
    fields = mapping(value)
    if is_langchain(value):
        return "", ()
    if state := _state_of(value):
        return f".{state[0]}", state[1]
    return f".{_MESSAGES}", items_of(fields.get(_MESSAGES))


def _batch(value: Any) -> list[tuple[str, Any]]:
    """Return the runs of a batch as LangSmith's clients send it (`post`, `patch`), each with its changes; else none."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for side in _BATCH:
        for number, run in enumerate(objects(mapping(value).get(side))):
            id_ = as_text(run.get("id") or run.get("dotted_order") or f"{side}{number}")
            key = next((known for known, (_, held) in found.items() if _is_same(held, run)), id_)
            place, before = found.get(key, (f".{side}[{number}]", {}))
            found[key] = (place, {**before, **{name: held for name, held in run.items() if held is not None}})
    return [(place, run) for place, run in found.values() if _is_run(run)]


def _is_same(run: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two records are of the same run: a change names its id, or its place in the trace alone."""
    return any(run.get(key) and run.get(key) == other.get(key) for key in ("id", "dotted_order"))


def _values(source: FileSource, notes: Notes) -> Iterator[tuple[str, Any]]:
    """Yield the values of a file, and the runs of a batch in place of it."""
    for place, value in values_of(source, notes):
        runs = _batch(value)
        yield from ((f"{place}{at}", run) for at, run in runs) if runs else ((place, value),)


def load(source: FileSource) -> Workspace:
    """Return the messages of a file as a conversation, and each run, state or list of messages in it as another.

    Raise UnreadableError if there are none.
    """
    notes = Notes(source.path)
    loose: list[tuple[str, Any]] = []
    chats: list[SavedChat] = []
    for place, value in _values(source, notes):
        if _is_run(value):
            chats.append(_run(value, notes, place))
        elif inside := _inside(value, place):
            chats.append(_chat(inside, notes, place, mapping(value)))
        else:
            loose.append((place, value))
    if any(is_langchain(value) for _, value in loose) or not chats:
        chats.insert(0, _chat(loose, notes, "$", {}))
    else:
        for place, _ in loose:
            notes.add(place, "expected a message or a run of LangChain; it was left out", "error")
    if not any(chat.nodes for chat in chats):
        raise notes.unreadable("$", "expected messages of LangChain, found none")
    return workspace_of(chats, source, notes)


def _inside(value: Any, place: str) -> list[tuple[str, Any]]:
    """Return the messages of a value that holds several, with their places."""
    path, listed = _held(value)
    if not any(is_langchain(item) or is_message(item) for item in listed):
        return []
    return [(f"{place}{path}[{number}]", item) for number, item in enumerate(listed)]


def _run(value: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    """Return the chat of a run: what it was given, and what it answered."""
    reader = Recorded(notes)
    given = reader.read(value.get("inputs"), "user", f"{place}.inputs")
    answered = reader.read(value.get("outputs"), "assistant", f"{place}.outputs")
    about = mapping(mapping(value.get("extra")).get("invocation_params"))
    asked, told = mapping(value.get("inputs")), mapping(value.get("outputs"))
    usage = read_usage(mapping(told.get("usage_metadata")) or mapping(told.get("usage"))).metadata
    if answered and usage:
        answered[-1] = changed(answered[-1], metadata={**usage, **answered[-1].metadata})
    placed = [(place, message) for message in joined_sides(given, answered)]
    tools = reader.tools or definitions_of(about.get("tools"))
    named = (about.get("model"), about.get("model_name"), asked.get("model"), told.get("model"))
    model = next((as_text(one) for one in named if isinstance(one, str) and one), "")
    return _saved(placed, place, value, model, tools)


def _chat(values: list[tuple[str, Any]], notes: Notes, place: str, outer: Mapping[str, Any]) -> SavedChat:
    held = [value for _, value in values]
    if any(map(is_message, held)) and not any(map(is_langchain, held)):  # a state of messages in OpenAI's layout
        reader = Recorded(notes)
        read = [(at, message) for at, value in values for message in reader.read([value], "user", at)]
        return _saved(read, place, outer, "", reader.tools)
    marked = ((at, with_marks(value)) for at, value in values)
    return _saved(list(messages_of(marked, notes)), place, outer, "", ())


def _saved(
    placed: list[tuple[str, Message]],
    place: str,
    outer: Mapping[str, Any],
    model: str,
    tools: Sequence[Mapping[str, Any]],
) -> SavedChat:
    nodes = in_line(placed)
    models = (message.metadata.get("model") for _, message in placed)
    ids = (outer.get(key) for key in _IDS)
    return SavedChat(
        nodes,
        next(reversed(nodes), None),
        place,
        next((as_text(id_) for id_ in ids if isinstance(id_, str) and id_), ""),
        title=as_text(outer["name"]) if isinstance(outer.get("name"), str) else title_of(one for _, one in placed),
        model=model or as_text(next((model for model in models if model), "")),
        tools=tools,
    )


FORMAT = Format(
    "langchain",
    "LangChain messages, LangGraph states or LangSmith runs",
    sniff,
    load,
    "`lc` and `id`, messages with `type` and `data`, states with `values`, or runs",
)
