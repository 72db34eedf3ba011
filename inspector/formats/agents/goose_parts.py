"""The messages of Goose: their blocks as parts, without what is only for the screen.

Layout: block/goose, `crates/goose/src/conversation/message.rs` (later in `crates/goose-provider-types`) and
`tool_result_serde.rs`; blocks and results are those of MCP (modelcontextprotocol.io/specification, Tools). By
`filter_for_audience`, a block whose annotations name an audience without the assistant is not sent. The usage of an
answer has the cached tokens inside of its input (`conversation/token_usage.rs`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.agents.session import LeftOut, enumerated, turn, usage_metadata
from inspector.formats.content.at import At
from inspector.formats.content.reader import read_part, read_result
from inspector.formats.notes import Notes
from inspector.formats.openai.message import role_of
from inspector.model import Call, Message, Part, Result
from inspector.reading.values import as_text, items_of, mapping, parse_time

_ON_SCREEN = frozenset(
    (
        *("systemNotification", "toolConfirmationRequest", "actionRequired", "enableExtensionRequest"),
        *("conversationCompacted", "contextLengthExceeded", "summarizationRequested", "error"),
    )
)
_CALLS = ("toolRequest", "frontendToolRequest")
_STREAMED = ("text", "thinking")
_RENAMED = {"resource_link": "uri", "redactedThinking": "redacted_thinking"}

Placed = tuple[str, Mapping[str, Any]]
"""A message with its place."""


def joined(printed: Sequence[Placed]) -> list[Placed]:
    """Return printed messages, those with the same id as one: they are pieces of an answer (`Conversation::push`).

    A message without blocks only tells about the one before it.
    """
    groups: list[list[Placed]] = []
    for place, held in printed:
        last = groups[-1][0][1] if groups else {}
        is_piece = bool(held.get("id")) and held.get("id") == last.get("id")
        if last and held.get("role") == last.get("role") and (is_piece or held.get("content") == []):
            groups[-1].append((place, held))
        else:
            groups.append([(place, held)])
    return [(group[0][0], _whole([held for _, held in group])) for group in groups]


def _whole(pieces: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return a message of its pieces, whose texts and thoughts go on from one piece to the next."""
    if len(pieces) == 1:
        return pieces[0]
    runs: list[list[Any]] = []
    for block in (block for one in pieces for block in items_of(one.get("content"))):
        if runs and _goes_on(mapping(runs[-1][-1]), mapping(block)):
            runs[-1].append(block)
        else:
            runs.append([block])
    metadata = {key: value for one in pieces for key, value in mapping(one.get("metadata")).items()}
    return {**pieces[0], "content": [_run(run) for run in runs], "metadata": metadata}


def _goes_on(last: Mapping[str, Any], block: Mapping[str, Any]) -> bool:
    """Return whether a block goes on with the last: a text for the same audience, or a thought not yet signed."""
    kind = block.get("type")
    if kind not in _STREAMED or kind != last.get("type") or not isinstance(block.get(kind), str):
        return False
    signed = last.get("signature")
    return last.get("annotations") == block.get("annotations") and (not signed or signed == block.get("signature"))


def _run(run: list[Any]) -> Any:
    if len(run) == 1:
        return run[0]
    kind = run[0]["type"]
    return {**run[-1], kind: "".join(as_text(one.get(kind)) for one in run)}


def messages_of(held: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> list[Message]:
    """Return the turns of a message: what it says and calls, and the results in it."""
    role = role_of(held)
    if role is None:
        found = as_text(held.get("role"))[:40] or "nothing"
        notes.add(f"{place}.role", f"expected user or assistant, found {found}; the message was left out")
        return []
    content, time = held.get("content"), held.get("created")
    at = f"{place}.content"
    if not isinstance(content, list):
        return turn(role, content, notes, at, time=time)
    read = _Blocks(notes, left_out)
    parts = [part for where, block in enumerated(at, content) for part in read.parts(block, where)]
    inference = mapping(mapping(held.get("metadata")).get("inference"))
    model = as_text(inference.get("resolvedModel") or inference.get("requestedModel"))
    if not content:
        notes.add(at, "expected blocks, found none; the message was left out")
    about = as_text(held.get("id") or "")
    used, thoughts = _used(held)
    told = {**used, "model": model}
    return turn(role, [], notes, at, time=time, about=about, before=parts, metadata=told, thoughts=thoughts)


def _used(held: Mapping[str, Any]) -> tuple[dict[str, Any], int | None]:
    """Return the usage of an answer; that of the request for a summary is another request's."""
    usage = mapping(mapping(held.get("metadata")).get("usage"))
    return usage_metadata({} if usage.get("isCompaction") else usage)


class _Blocks:
    """Reads the blocks of messages; those that only the screen has are counted."""

    def __init__(self, notes: Notes, left_out: LeftOut) -> None:
        self._notes = notes
        self._left_out = left_out

    def parts(self, block: Any, place: str) -> Iterator[Part]:
        """Yield the parts of a block."""
        held = mapping(block)
        kind = as_text(held.get("type"))
        if kind in _ON_SCREEN:
            self._left_out.add(kind, place, True)
        elif not self._is_sent(held, place):
            return
        elif kind in _CALLS:
            yield self._call(held, place)
        elif kind == "toolResponse":
            yield self._result(held, place)
        else:
            yield from read_part(_known(held) if held else block, At(self._notes, place))

    def _is_sent(self, block: Mapping[str, Any], place: str) -> bool:
        if _is_for_user(block):
            self._left_out.add("block for the user alone", place, True)
            return False
        return True

    def _call(self, held: Mapping[str, Any], place: str) -> Part:
        """Return a call; Goose answers one that it cannot read with the error."""
        id_ = as_text(held.get("id"))
        told = mapping(held.get("toolCall"))
        call = mapping(told.get("value", told))
        if told.get("status") == "error" or not call.keys() & {"name", "arguments"}:
            self._notes.add(f"{place}.toolCall", "holds no call that Goose could read; the error stands for it")
            return Result(id_, "", as_text(told.get("error") or held.get("toolCall") or ""))
        return Call(id_, as_text(call.get("name")), as_text(call.get("arguments", "")))

    def _result(self, held: Mapping[str, Any], place: str) -> Part:
        """Return a result: blocks of MCP, in older versions alone, or an error."""
        told = mapping(held.get("toolResult"))
        value = told.get("value", told.get("error"))
        where = f"{place}.toolResult"
        listed = mapping(value).get("content") if isinstance(value, Mapping) else value
        if listed is None:
            self._notes.add(where, "expected the blocks of a result, found none; it is empty")
        if isinstance(listed, list):
            blocks = enumerated(f"{where}.value", listed)
            listed = [_known(mapping(one)) if one else one for at, one in blocks if self._is_sent(mapping(one), at)]
        return read_result({"tool_use_id": held.get("id"), "content": listed}, At(self._notes, where))


def _known(block: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a block of MCP in the layout of parts: an embedded resource as its text or file, a link as an address."""
    kind = as_text(block.get("type"))
    if kind in _RENAMED:
        return {**block, "type": _RENAMED[kind]}
    resource = mapping(block.get("resource"))
    if kind != "resource" or not resource:
        return block
    if isinstance(resource.get("text"), str):
        return {"type": "text", "text": resource["text"]}
    return {"type": "file", "name": resource.get("uri"), "data": resource.get("blob"), **resource}


def _is_for_user(block: Mapping[str, Any]) -> bool:
    audience = mapping(block.get("annotations")).get("audience")
    return isinstance(audience, list) and bool(audience) and "assistant" not in audience


def is_on_screen(held: Mapping[str, Any]) -> bool:
    """Return whether a block or a printed event is for the screen alone: a notice, a question, or an error."""
    return held.get("type") in (*_ON_SCREEN, "notification") or _is_for_user(held)


def is_message(value: Any) -> bool:
    """Return whether a value is a message: a role, the second of its creation, and blocks."""
    held = mapping(value)
    created = held.get("created")
    is_told = isinstance(created, int) and not isinstance(created, bool) and parse_time(created) is not None
    return is_told and role_of(held) in ("user", "assistant") and isinstance(held.get("content"), list)


def is_marked(value: Any) -> bool:
    """Return whether a message has a mark of Goose alone: for whom it is visible, or a call or result of its own."""
    held = mapping(value)
    visible = mapping(held.get("metadata")).keys() & {"agentVisible", "userVisible"}
    kinds = {as_text(mapping(one).get("type")) for one in items_of(held.get("content"))}
    return bool(visible or kinds & {*_CALLS, "toolResponse"})
