"""Bodies of the Gemini API: requests, answers, logs of both, batch and tuning files, and histories of its clients.

https://ai.google.dev/api/generate-content.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.branches import Link, branches_of
from inspector.formats.content.turns import with_thought_tokens
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.gemini.parts import ROLES, is_content, linked, messages_of, read_parts
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import row_tools, title_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Conversation, Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_text, items_of, mapping, objects, stem

_LOOKED_AT = 5
_HISTORIES = ("contents", "history")


def _sniff(source: FileSource) -> float:
    try:
        if source.shape == "json_lines":
            values = [record.value for record in source.first_records[:_LOOKED_AT]]
        elif source.shape == "json":
            values = list(source.first_items) if source.raw_items is not None else [source.sample]
        else:
            return 0.0
        return max((_sureness(value) for value in values), default=0.0)
    except UnreadableError:
        return 0.0


def _sureness(value: Any) -> float:
    if is_content(value):
        return 0.9
    return 0.95 if is_body(value) else 0.0


def is_body(value: Any) -> bool:
    """Return whether an object holds a history or an answer of Gemini, or such a request or response."""
    held = mapping(value)
    if any(is_content(item) for key in _HISTORIES for item in items_of(held.get(key))[:_LOOKED_AT]):
        return True
    if any(is_content(mapping(item).get("content")) for item in items_of(held.get("candidates"))[:_LOOKED_AT]):
        return True
    return any(is_body(held[key]) for key in ("request", "response", "body") if isinstance(held.get(key), Mapping))


class Body:
    """A chat while it is read: its turns, alternatives to the last answer, system prompt and tools.

    The answer and each alternative follow the first `shared` turns.
    """

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.messages: list[Message] = []
        self.other_answers: list[list[Message]] = []
        self.shared = 0
        self.system = ""
        self.model = ""
        self.tools: list[Mapping[str, Any]] = []

    def read(self, body: Mapping[str, Any], place: str) -> None:
        """Read a body, or the request and the response of a log."""
        told = body.get("systemInstruction", body.get("system_instruction"))
        if told:
            parts = mapping(told).get("parts", told)
            self.system = read_parts(parts, self.notes, f"{place}.systemInstruction").text
        named = body.get("model", body.get("modelVersion"))
        self.model = as_text(named).removeprefix("models/") if isinstance(named, str) else self.model
        for tool in objects(body.get("tools")):
            self.tools += objects(tool.get("functionDeclarations", tool.get("function_declarations")))
        for key in _HISTORIES:
            for number, content in enumerate(items_of(body.get(key))):
                self.add(content, f"{place}.{key}[{number}]")
        for key in ("request", "body", "response"):
            if isinstance(body.get(key), Mapping):
                self.read(body[key], f"{place}.{key}")
        self._read_answers(body, place)

    def add(self, content: Any, place: str) -> None:
        """Add the turns of a content."""
        self.messages += self._turns(content, place)

    def _turns(self, content: Any, place: str) -> list[Message]:
        held = mapping(content)
        word = held.get("role", "user")
        role = ROLES.get(word.strip().lower()) if isinstance(word, str) else None
        if role is None or not isinstance(content, Mapping):
            found = as_text(word)[:40] if content is held else type(content).__name__
            self.notes.add(f"{place}.role", f"expected user or model, found {found}; the turn was left out")
            return []
        if "parts" not in held:
            self.notes.add(f"{place}.parts", "expected a list of parts, found nothing; the turn was left out")
            return []
        about = f"{len(self.messages)}."
        return messages_of(read_parts(held["parts"], self.notes, f"{place}.parts", about), role)

    def _read_answers(self, body: Mapping[str, Any], place: str) -> None:
        """Add the first candidate as the answer and the others as alternatives; token counts go with the answer."""
        answers = [
            self._turns({"role": "model", **mapping(one.get("content"))}, f"{place}.candidates[{number}].content")
            for number, one in enumerate(objects(body.get("candidates")))
        ]
        usage = read_usage(body.get("usageMetadata", body.get("usage_metadata")))
        if answers:
            told = with_thought_tokens(answers[0], usage.thoughts)
            first = [changed(one, metadata={**one.metadata, **usage.metadata}) for one in told]
            self.shared = len(self.messages)
            self.messages += first
            self.other_answers += answers[1:]


def _load(source: FileSource) -> Workspace:
    notes = Notes(source.path)
    bodies = [body for body in _bodies(source, notes) if body.messages]
    if not bodies:
        raise notes.unreadable("$", "expected contents with parts of Gemini, found none")
    systems = {body.system for body in bodies}
    system = systems.pop() if len(systems) == 1 else ""
    file_stem = stem(source.path)
    wanted = [f"{file_stem}-{number}" if len(bodies) > 1 else file_stem for number in range(1, len(bodies) + 1)]
    found = [
        _conversation(body, id_, not system, notes) for body, id_ in zip(bodies, unique_texts(wanted), strict=True)
    ]
    return Workspace(
        conversations=tuple(found),
        characters=(Character("system", system_prompt=system),) if system else (),
        tools=row_tools([(chat.id, schemas_of(body)) for chat, body in zip(found, bodies, strict=True)]),
        problems=tuple(notes.problems),
    )


def _bodies(source: FileSource, notes: Notes) -> Iterator[Body]:
    """Yield the chats of a file; consecutive contents are a single chat."""
    loose = Body(notes)
    for place, value in _values(source, notes):
        if is_body(value):
            body = Body(notes)
            body.read(value, place)
            yield body
        else:
            loose.add(value, place)
    yield loose


def _values(source: FileSource, notes: Notes) -> Iterator[tuple[str, Any]]:
    if source.shape == "json_lines":
        yield from ((f"line {record.line}: $", record.value) for record in source.records(notes.problems))
    elif isinstance(source.json, list):
        yield from ((f"$[{number}]", value) for number, value in enumerate(source.json))
    else:
        yield "$", source.json


def _conversation(body: Body, id_: str, with_system: bool, notes: Notes) -> Conversation:
    """Return the chat, with its own system prompt if those of the file's chats differ."""
    told = [Message("", "system", body.system)] if with_system and body.system else []
    links = [Link("own", "", linked([*told, *body.messages]))]
    if body.other_answers:
        links[0].messages, answer = links[0].messages[:-1], links[0].messages[-1:]
        links.append(Link("answer0", "own", answer))
        links += [Link(f"answer{n}", "own", other) for n, other in enumerate(body.other_answers, 1) if other]
    branches = branches_of(links, "answer0" if len(links) > 1 else "own", notes.add)
    title = title_of(branches.path) or id_
    return Conversation(id_, branches.path, title, tree=branches.tree, model=body.model)


def schemas_of(body: Body) -> Iterator[Mapping[str, Any]]:
    """Return the functions of a chat, as other programs define tools."""
    return ({"type": "function", "function": schema} for schema in body.tools)


FORMAT = Format("gemini", "Gemini API body", _sniff, _load, "`contents` with `parts`, or `candidates`")
