"""Threads of Amp: `T-ID.json` of `~/.local/share/amp/threads`, with blocks of Anthropic and results of its own.

The layout is undocumented; this follows jonathan-kellerai/cross_agent_session_resumer, `src/providers/amp.rs`, which
reads and writes it, and the names in the program as it is delivered. A message of role `info` may hold the summary of
all before it, or a command that the user ran, which is sent unless it is hidden. Files that a message mentions, and
files of instructions found with it, are sent with it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, enumerated, turn, usage_metadata, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import role_of
from inspector.formats.saved_chats import surest, values_of
from inspector.model import DocumentPart, Message, Part, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_LOOKED_AT = 20
_CALL_KEYS = ("toolUseID", "tool_use_id", "toolUseId", "tool_useId")
_BAD = frozenset(("error", "cancelled", "rejected-by-user"))
_COMMAND = "manual_bash_invocation"
_HIDDEN = {"recorded": {"action": "dropped", "reason": "hidden, not sent"}}


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a thread."""
    return surest(source, lambda value: 0.96 if _is_thread(value) else 0.0)


def _is_thread(value: Any) -> bool:
    held = mapping(value)
    listed = [mapping(one) for one in items_of(held.get("messages"))[:_LOOKED_AT]]
    if not any("role" in one and isinstance(one.get("content"), list) for one in listed):
        return False
    is_named = as_text(held.get("id")).startswith("T-") and ("created" in held or "v" in held)
    return is_named or any("messageId" in one and one.keys() & {"state", "meta", "userState"} for one in listed)


def load(source: FileSource) -> Workspace:
    """Return the thread. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    threads = [_thread(mapping(value), notes, place, left_out) for place, value in values_of(source, notes)]
    return workspace_of_sessions(threads, source, left_out, notes, "messages of a thread of Amp")


def _thread(held: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> Session:
    session = Session(notes, as_text(held.get("id")))
    session.title = as_text(held.get("title"))
    for at, one in enumerated(f"{place}.messages", items_of(held.get("messages"))):
        _add(session, mapping(one), notes, at, left_out)
    return session


def _add(session: Session, held: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> None:
    id_, content = as_text(held.get("messageId", "")), held.get("content")
    summaries = [text for one in objects(content) if (text := _summary(one))]
    if summaries:
        session.compact(id_, Message("", "user", "\n".join(summaries)), place)
        return
    role = "user" if held.get("role") == "info" else role_of(held)
    if role is None:
        found = as_text(held.get("role"))[:40] or "nothing"
        notes.add(f"{place}.role", f"expected user, assistant or info, found {found}; the message was left out")
        return
    usage = mapping(held.get("usage"))
    session.model = as_text(usage.get("model")) or session.model
    metadata, thoughts = usage_metadata(usage, usage.get("model"))
    known = [*_known(content)] if isinstance(content, list) else content
    time = mapping(held.get("meta")).get("sentAt") or usage.get("timestamp")
    found = turn(
        role,
        known,
        notes,
        f"{place}.content",
        time=time,
        about=f"{id_}.",
        after=_files(held, left_out, place),
        metadata=metadata,
        thoughts=thoughts,
    )
    commands = [one for one in objects(content) if one.get("type") == _COMMAND]
    if commands and all(one.get("hidden") is True for one in commands) and len(commands) == len(items_of(content)):
        found = [changed(one, excluded=True, metadata={**one.metadata, **_HIDDEN}) for one in found]
    session.add(id_, found, place)


def _files(held: Mapping[str, Any], left_out: LeftOut, place: str) -> Iterator[Part]:
    """Yield the texts of the files that a message mentions, and of the files of instructions found with it."""
    mentioned = objects(mapping(held.get("fileMentions")).get("files"))
    for file in (*mentioned, *objects(held.get("discoveredGuidanceFiles"))):
        if file.get("isImage") is True:
            left_out.add("mentioned picture, which is among the blocks", place, True)
        elif isinstance(file.get("content"), str):
            yield DocumentPart(media_type="text/plain", text=as_text(file["content"]), name=as_text(file.get("uri")))


def _summary(block: Mapping[str, Any]) -> str:
    """Return the summary in a block, "" for any other block."""
    if block.get("type") != "summary":
        return ""
    told = block.get("summary")
    return as_text(told if isinstance(told, str) else mapping(told).get("summary") or "")


def _known(content: list[Any]) -> Iterator[Any]:
    """Yield the blocks, results in Anthropic's layout, and commands of the user as text."""
    for block in content:
        held = mapping(block)
        if held.get("type") == "tool_result" and ("run" in held or held.keys() & {*_CALL_KEYS}):
            yield _result(held)
        elif held.get("type") == _COMMAND:
            run = _result({"run": held.get("toolRun")})
            yield {
                "type": "text",
                "text": f"$ {as_text(mapping(held.get('args')).get('cmd'))}\n{_printed(run['output'])}",
            }
        else:
            yield block


def _result(held: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a result: that of its run, else its error, its progress, or the run's state."""
    run = mapping(held.get("run")) or held
    id_ = next((held[key] for key in _CALL_KEYS if key in held), "")
    status = as_text(run.get("status"))
    error = run.get("error")
    message = mapping(error).get("message", error)
    given = (run.get("result"), run.get("output"), held.get("content"), message, run.get("progress"))
    told = next((one for one in given if one not in (None, "")), status)
    return {"type": "tool_result", "tool_use_id": id_, "output": told, "is_error": status in _BAD}


def _printed(output: Any) -> str:
    """Return the output of a command as text."""
    told = mapping(output).get("output", output)
    return as_text(told)


_BESIDE = ("env", "meta", "userState", "fileMentions", "discoveredGuidanceFiles", "skills")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format("amp", "Amp thread", sniff, load, "an id `T-…` and `messages` with `messageId`", beside=_BESIDE)
