"""Chat sessions of Visual Studio Code (Copilot): `chatSessions/ID.json`, its exports, and the newer `ID.jsonl`.

Layout: microsoft/vscode, `src/vs/workbench/contrib/chat/common/model/chatModel.ts` (`ISerializableChatData`); a file of
lines is a log of changes of the same object (`objectMutationLog.ts` there). An answer is there twice: as rounds of
calls that the extension keeps for its next request (`result.metadata`), and as pieces for the screen, read where there
are no rounds. A round with a `summary` stands for all before it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, enumerated, turn, usage_metadata, workspace_of_sessions
from inspector.formats.agents.vscode_parts import answer_of, attached, rounds_of, text_of_prompt
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import first_values, values_of
from inspector.model import Message, Workspace, changed
from inspector.reading.decode import kind_of
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_text, items_of, mapping

_ABOUT = frozenset(("requesterUsername", "responderUsername", "initialLocation", "creationDate", "sessionId"))
_INITIAL, _SET, _PUSH, _DELETE = range(4)
_UNDONE = {"recorded": {"action": "dropped", "reason": "taken back"}}


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a chat session."""
    try:
        values = first_values(source) if source.shape in ("json", "json_lines") else ()
    except UnreadableError:
        return 0.0
    held = [mapping(value) for value in values]
    return 0.97 if any(_is_session(one) or _is_session(_initial(one)) for one in held) else 0.0


def _is_session(held: Mapping[str, Any]) -> bool:
    return isinstance(held.get("requests"), list) and bool(held.keys() & _ABOUT)


def _initial(held: Mapping[str, Any]) -> Mapping[str, Any]:
    is_ours = held.get("kind") == _INITIAL and type(held.get("kind")) is int
    return mapping(held.get("v")) if is_ours else {}


def load(source: FileSource) -> Workspace:
    """Return the session as a conversation. Raise UnreadableError if it has no requests."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    chats = [_read(place, held, notes, left_out) for place, held in _sessions(source, notes)]
    return workspace_of_sessions(chats, source, left_out, notes, "requests of a chat session of VS Code")


def _sessions(source: FileSource, notes: Notes) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the sessions of a file; a log of changes is one session, as it is after all of them."""
    state: Any = None
    place = "$"
    for at, value in values_of(source, notes):
        held = mapping(value)
        if _is_session(held):
            yield at, held
        elif type(held.get("kind")) is int:
            state = _changed(state, held, notes, at)
            place = at if held["kind"] == _INITIAL else place
        else:
            notes.add(at, "expected a session with requests, or a change of it; it was left out")
    if isinstance(state, Mapping):
        yield f"{place}.v", state


def _changed(state: Any, change: Mapping[str, Any], notes: Notes, place: str) -> Any:
    """Return the state after a change; one that does not fit is noted."""
    kind, keys, value = change["kind"], items_of(change.get("k")), change.get("v")
    if kind == _INITIAL or (kind == _SET and not keys):
        return value
    holder = state
    for key in keys[:-1]:
        holder = _below(holder, key)
    if not keys or not _apply(holder, keys[-1], kind, value, change.get("i")):
        found = ".".join(as_text(key) for key in keys)[:60] or "nothing"
        notes.add(
            place, f"expected a change of the session, found kind {as_text(kind)[:20]} at {found}; it was left out"
        )
    return state


def _below(holder: Any, key: Any) -> Any:
    if isinstance(holder, dict):
        return holder.get(key) if isinstance(key, str) else None
    fits = isinstance(holder, list) and type(key) is int and 0 <= key < len(holder)
    return holder[key] if fits else None


def _apply(holder: Any, key: Any, kind: int, value: Any, end: Any) -> bool:
    """Change a holder in place; return whether the change fits it."""
    if kind == _PUSH:
        listed = _below(holder, key)
        is_pushed = isinstance(value, list) or (value is None and type(end) is int)
        if not isinstance(listed, list | None) or not is_pushed:
            return False
        kept = (listed or [])[: end if type(end) is int and end >= 0 else None]
        value = [*kept, *items_of(value)]
    elif kind not in (_SET, _DELETE):
        return False
    if isinstance(holder, dict) and isinstance(key, str):
        holder[key] = value
        return True
    if isinstance(holder, list) and type(key) is int and 0 <= key <= len(holder):
        holder[key : key + 1] = [value]
        return True
    return False


def _read(place: str, held: Mapping[str, Any], notes: Notes, left_out: LeftOut) -> Session:
    session = Session(notes, as_text(held.get("sessionId")))
    session.title = as_text(held.get("customTitle") or held.get("name"))
    for at, request in enumerated(f"{place}.requests", items_of(held.get("requests"))):
        if isinstance(request, Mapping):
            _add_request(session, request, at, left_out)
        else:
            notes.add(at, f"expected a request (an object), found {kind_of(request)}; it was left out")
    return session


def _add_request(session: Session, request: Mapping[str, Any], place: str, left_out: LeftOut) -> None:
    """Add a prompt and its answer; taken back ones are excluded."""
    id_ = as_text(request.get("requestId")) or f"request{len(session.nodes)}"
    metadata = mapping(mapping(request.get("result")).get("metadata"))
    session.model = as_text(request.get("modelId")) or session.model
    is_undone = request.get("isHidden") is True or bool(request.get("shouldBeRemovedOnSend"))
    asked, at = text_of_prompt(request.get("message"), f"{place}.message")
    media, files = attached(request, session.notes, place)
    time = request.get("timestamp")
    prompt = turn("user", asked, session.notes, at, time=time, after=media, metadata={"files": files})
    session.add(id_, _undone(prompt, is_undone), place)
    rounds = rounds_of(request, session.notes, place)
    answer_id = as_text(request.get("responseId")) or f"{id_}.answer"
    for number, part in enumerate(rounds):
        session.add(f"{answer_id}.{number}", _undone(part.messages, is_undone), part.place)
        if part.summary:
            session.compact(f"{answer_id}.{number}.summary", Message("", "user", part.summary), part.place)
    shown = answer_of(request, session.notes, place, left_out, [one.text for one in rounds])
    session.add(answer_id, _undone(shown, is_undone), place)
    _add_usage(session, request, metadata)
    if not rounds and not shown and "response" not in request:
        session.notes.add(f"{place}.response", "expected the pieces of an answer, found nothing")
    error = as_text(mapping(mapping(request.get("result")).get("errorDetails")).get("message"))
    if error and not rounds and not shown:
        session.notes.add(f"{place}.result.errorDetails", f"has no answer: {error[:200]}", "info")


def _add_usage(session: Session, request: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
    """Add the usage of the last request to the model, which counts for the last answer."""
    held = {**metadata, **request}
    output = held.get("completionTokens", held.get("outputTokens"))
    usage = {"prompt_tokens": held.get("promptTokens"), "completion_tokens": output}
    told, thoughts = usage_metadata(usage, request.get("modelId"))
    answer = session.last_answer()
    if answer and session.nodes[answer].place.startswith(session.nodes[session.tip].place):
        session.annotate(answer, told, thoughts)


def _undone(messages: list[Message], is_undone: bool) -> list[Message]:
    if not is_undone:
        return messages
    return [changed(one, excluded=True, metadata={**one.metadata, **_UNDONE}) for one in messages]


_BESIDE = (
    "invocationMessage",
    "pastTenseMessage",
    "toolSpecificData",
    "renderedUserMessage",
    "renderedGlobalContext",
    "codeBlocks",
    "agent",
    "slashCommand",
    "followups",
    "contentReferences",
    "codeCitations",
    "inputState",
    "variableData",
    "edits",
    "errorDetails",
    "command",
    "title",
    "buttons",
)
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "vscode_chat",
    "VS Code chat session",
    sniff,
    load,
    "`requests` with `message` and `response`, or changes of them",
    beside=_BESIDE,
)
