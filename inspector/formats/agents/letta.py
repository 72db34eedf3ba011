"""Letta's agent files (`.af`): the system prompt, the blocks of core memory, tools and messages of an agent.

Layout: github.com/letta-ai/agent-file; the first version was a flat object with `core_memory`. Blocks are always in the
prompt, so they are memories of type `core`; the first system message is the system prompt with the blocks written into
it, and would count both twice. Open files are in the prompt, too, and become documents. Passages of the archive are not
in these files; secrets of tools are not read.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.content.turns import result_message
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import row_tools
from inspector.formats.unique_ids import unique_texts
from inspector.model import (
    Character,
    Conversation,
    Document,
    Memory,
    MemorySet,
    Message,
    Result,
    Tool,
    Workspace,
    changed,
)
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time, stem, strings

_APPROVAL = "approval"
_ROLES = {"summary": "user"}  # a summary of dropped messages is sent as the user's


def read_letta_message(record: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a record: its own, and one for each result of a tool; none for a malformed record.

    An approval request becomes the call it asks about.
    """
    fields = mapping(record)
    role = as_text(fields.get("role"))
    if role == _APPROVAL:
        return _approval(fields, notes, place)
    if role == "tool" and (returned := _returned(fields)):
        return returned
    known = {**fields, "role": _ROLES.get(role, fields.get("role"))} if fields else record
    found = read_message(known, notes, place)
    return [changed(one, metadata={**one.metadata, "summary": True}) for one in found] if role in _ROLES else found


def _returned(fields: Mapping[str, Any]) -> list[Message]:
    """Return a tool result for each return of a record, if it has several, or a single return without other content."""
    returns = objects(fields.get("tool_returns"))
    if not returns or (len(returns) == 1 and fields.get("content")):
        return []
    ids = [as_text(fields.get("id")), *("" for _ in returns[1:])]
    time = parse_time(fields.get("created_at"))
    return [
        result_message(Result(as_text(one.get("tool_call_id")), content=_response(one)), id_, time=time)
        for id_, one in zip(ids, returns, strict=True)
    ]


def _response(returned: Mapping[str, Any]) -> str:
    return as_text(returned.get("func_response", returned.get("tool_return")))


def _approval(fields: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    calls = items_of(fields.get("tool_calls"))
    if calls:
        return read_letta_message({**fields, "role": "assistant"}, notes, place)
    answered = [one for one in objects(fields.get("approvals")) if one.get("tool_call_id")]
    results = _returned({**fields, "tool_returns": [one for one in answered if _response(one)], "content": None})
    if not results:
        notes.add(place, "answers a question for approval; that is not a message of the prompt", "info")
    return results


def open_files(agent: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the id, name and visible text of the files an agent has open; they are in its prompt."""
    for number, file in enumerate(objects(agent.get("files_agents"))):
        text = file.get("visible_content")
        if file.get("is_open") is True and isinstance(text, str) and text.strip():
            yield as_text(file.get("id")) or f"file{number}", as_text(file.get("file_name")), as_text(text)


_OLD_MARKS = frozenset(("core_memory", "in_context_message_indices", "in_context_message_ids"))


def sniff(source: FileSource) -> float:
    """Return how likely this is an agent file: agents with their blocks, or a single agent with its core memory."""
    if source.shape != "json":
        return 0.0
    value = mapping(source.sample)
    agents = objects(value.get("agents"))
    if agents and ("blocks" in value or any(_OLD_MARKS & agent.keys() for agent in agents)):
        return 0.95
    return 0.95 if "messages" in value and _OLD_MARKS & value.keys() else 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with a character, core memories and a conversation for each agent, and the tools of the file.

    The memory of an agent without any messages goes with no chat of the others. Raise UnreadableError if there is no
    agent.
    """
    value = mapping(source.json)
    notes = Notes(source.path)
    agents = [(f"$.agents[{i}]", agent) for i, agent in enumerate(objects(value.get("agents")))] or [("$", value)]
    if not objects(value.get("agents")) and not value.keys() & {*_OLD_MARKS, "system"}:
        raise notes.unreadable("$.agents", "expected agents with a system prompt and blocks, found none")
    names = [as_text(agent.get("name")).strip() or stem(source.path) for _, agent in agents]
    characters, sets, conversations = [], [], []
    given: list[tuple[str, frozenset[str]]] = []
    for (place, agent), id_ in zip(agents, unique_texts(names), strict=True):
        model, window = _model(agent)
        preferred = {"model": model, "context_window": window}
        characters.append(
            Character(
                id=id_,
                name=id_,
                system_prompt=as_text(agent.get("system")),
                preferred_llm={key: item for key, item in preferred.items() if item},
            )
        )
        messages = _messages(agent, place, notes)
        own = (id_,) if messages else ()
        sets.append(MemorySet(id_, _blocks(agent, value, place, notes), f"Core memory of {id_}", own))
        if messages:
            conversations.append(Conversation(id_, messages, id_, model=model, context_window=window))
            given.append((id_, frozenset(strings(agent.get("tool_ids")))))
    if not conversations:
        sets = [changed(one, conversations=None) for one in sets]
    return Workspace(
        conversations=tuple(conversations),
        memory_sets=tuple(memories for memories in sets if memories.memories),
        characters=tuple(characters),
        documents=_documents([agent for _, agent in agents], notes),
        tools=_tools(value, given, notes),
        problems=tuple(notes.problems),
    )


def _documents(agents: Sequence[Mapping[str, Any]], notes: Notes) -> tuple[Document, ...]:
    """Return the open files of the only agent; none with several agents, as they would go with the chats of all."""
    found = [Document(id_, text, title) for agent in agents for id_, title, text in open_files(agent)]
    if found and len(agents) > 1:
        notes.add(
            "$.agents", f"the texts of {len(found):,} open files belong to single agents; they are left out", "info"
        )
        return ()
    ids = unique_texts(one.id for one in found)
    return tuple(changed(one, id=id_) for one, id_ in zip(found, ids, strict=True))


def _model(agent: Mapping[str, Any]) -> tuple[str, int | None]:
    """Return the model of an agent and its window; the agent's own limit takes precedence over that of its model."""
    settings = mapping(agent.get("llm_config"))
    sizes = (as_whole(agent.get("context_window_limit")), as_whole(settings.get("context_window")))
    model = as_text(settings.get("model") or agent.get("model")).strip()
    return model, next((size for size in sizes if size and size > 0), None)


def _blocks(agent: Mapping[str, Any], file: Mapping[str, Any], place: str, notes: Notes) -> tuple[Memory, ...]:
    """Return the blocks written with an agent, then the shared blocks it names, in its order."""
    own = objects(agent.get("core_memory")) or objects(agent.get("memory_blocks"))
    ids = strings(agent.get("block_ids"))
    shared = {as_text(block.get("id")): block for block in objects(file.get("blocks"))}
    if missing := [id_ for id_ in ids if id_ not in shared]:
        notes.add(f"{place}.block_ids", f"names {', '.join(missing[:5])}, which no block of the file is")
    blocks = [*own, *(shared[id_] for id_ in ids if id_ in shared)]
    memories: list[Memory] = []
    for number, block in enumerate(blocks):
        label = as_text(block.get("label")).strip()
        if not isinstance(block.get("value"), str):
            notes.add(f"{place}: block {label or number}", "expected a block with a text under `value`")
            continue
        tags = strings(block.get("tags"))
        id_ = label or as_text(block.get("id")) or f"block{number}"
        memories.append(Memory(id_, as_text(block["value"]), type="core", category=label, tags=tags))
    unique = unique_texts(memory.id for memory in memories)
    return tuple(changed(memory, id=id_) for memory, id_ in zip(memories, unique, strict=True))


def _messages(agent: Mapping[str, Any], place: str, notes: Notes) -> tuple[Message, ...]:
    """Return the messages of an agent, each with Letta's record of whether it was still in the context."""
    records = items_of(agent.get("messages"))
    kept = _kept(agent, records)
    found: list[Message] = []
    for number, record in enumerate(records):
        for message in read_letta_message(record, notes, f"{place}.messages[{number}]"):
            action = {"action": "kept" if number in kept else "dropped"}
            recorded = {"recorded": action} if kept else {}
            found.append(changed(message, metadata={**message.metadata, **recorded}))
    if found and found[0].role == "system" and agent.get("system"):
        notes.add(f"{place}.messages[0]", "is the system prompt with the blocks in it; both are here already", "info")
        found = found[1:]
    ids = unique_texts(message.id or f"m{number}" for number, message in enumerate(found))
    return tuple(changed(message, id=id_) for message, id_ in zip(found, ids, strict=True))


def _kept(agent: Mapping[str, Any], records: tuple[Any, ...]) -> set[int]:
    """Return the numbers of the messages in the context; none if the file does not say."""
    ids = set(strings(agent.get("in_context_message_ids")))
    numbers = {
        number for item in items_of(agent.get("in_context_message_indices")) if (number := as_whole(item)) is not None
    }
    return numbers | {number for number, record in enumerate(records) if as_text(mapping(record).get("id")) in ids}


def _tools(file: Mapping[str, Any], given: Sequence[tuple[str, frozenset[str]]], notes: Notes) -> tuple[Tool, ...]:
    """Return the definitions of all tools, as they are sent to a model.

    `given` are the chats with the ids of their agents' tools; with several chats, each has its own.
    """
    found: list[tuple[str, Mapping[str, Any]]] = []
    for number, tool in enumerate(objects(file.get("tools"))):
        schema = tool.get("json_schema")
        if isinstance(schema, Mapping) and schema.get("name"):
            found.append((as_text(tool.get("id")), {"type": "function", "function": schema}))
        else:
            notes.add(f"$.tools[{number}].json_schema", "expected the definition of a tool with a name")
    if len(given) < 2:
        return tuple(Tool(schema) for _, schema in found)
    return row_tools([(chat, [schema for id_, schema in found if not ids or id_ in ids]) for chat, ids in given])


FORMAT = Format("letta", "Letta agent file", sniff, load, "`agents` with `blocks`, or an agent with `core_memory`")
