"""The parts of a request of VS Code's chat: its prompt and attachments, the rounds of its answer, and what was shown.

Layouts: microsoft/vscode, `src/vs/workbench/contrib/chat/common/chatService` (`IChatProgress`), and of the rounds
microsoft/vscode-copilot-chat, `src/extension/prompt/common/toolCallRound.ts`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.formats.agents.session import LeftOut, enumerated, thoughts_in, turn
from inspector.formats.content.at import At
from inspector.formats.content.media import medium_at
from inspector.formats.content.turns import result_message
from inspector.formats.notes import Notes
from inspector.model import Call, Message, Part, Result, Text
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time, pure_path

_SILENT = frozenset(
    (
        *("undoStop", "codeblockUri", "progressMessage", "progressTask", "progressTaskSerialized", "command"),
        *("prepareToolInvocation", "mcpServersStarting", "mcpServersStartingSlow", "confirmation", "warning"),
        *("textEditGroup", "notebookEditGroup", "textEdit", "notebookEdit", "workspaceEdit", "treeData", "hook"),
        *("elicitation", "elicitationSerialized", "elicitation2", "extensions", "pullRequest", "multiDiffData"),
        *("references", "usedContext", "codeCitation", "reference", "move", "clearToPreviousToolInvocation"),
        *("autoModeResolution", "agentDetection", "questionCarousel", "toolInvocation", "disabledClaudeHooks", "info"),
    )
)
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Round:
    """A round of an answer: its messages, its text, and the summary that replaces all up to it, "" for none."""

    messages: list[Message]
    text: str
    summary: str
    place: str


def text_of_prompt(message: Any, place: str) -> tuple[Any, str]:
    """Return the text of a prompt and its place: text itself, its `text`, or that of its parts."""
    held = mapping(message)
    if "text" in held:
        return held["text"], f"{place}.text"
    if "parts" in held:
        texts = [as_text(one["text"]) for one in objects(held["parts"]) if isinstance(one.get("text"), str)]
        return "".join(texts), f"{place}.parts"
    return (message if isinstance(message, str) else None), place


def attached(request: Mapping[str, Any], notes: Notes, place: str) -> tuple[list[Part], list[str]]:
    """Return the pictures of a prompt, and the names of its files."""
    media: list[Part] = []
    files: list[str] = []
    for at, one in enumerated(f"{place}.variableData.variables", _variables(request)):
        held = mapping(one)
        if held.get("kind") == "image" or as_text(held.get("mimeType")).startswith("image/"):
            media.append(medium_at("image", held, "value", At(notes, at)))
        elif name := as_text(held.get("name") or held.get("id")):
            files.append(name)
    return media, files


def _variables(request: Mapping[str, Any]) -> Sequence[Any]:
    return items_of(mapping(request.get("variableData")).get("variables"))


def rounds_of(request: Mapping[str, Any], notes: Notes, place: str) -> list[Round]:
    """Return the rounds of an answer, each with the results of its calls."""
    metadata = mapping(mapping(request.get("result")).get("metadata"))
    at = f"{place}.result.metadata"
    results = mapping(metadata.get("toolCallResults"))
    if metadata.get("toolCallResults") is not None and not isinstance(metadata["toolCallResults"], Mapping):
        notes.add(f"{at}.toolCallResults", "expected results by the ids of their calls; they were left out")
    summaries = _summaries(metadata)
    time = request.get("timestamp")
    found = [
        _round(mapping(one), results, summaries, notes, below, at, time)
        for below, one in enumerated(f"{at}.toolCallRounds", items_of(metadata.get("toolCallRounds")))
    ]
    called = {call.id for one in found for message in one.messages for call in message.tool_calls}
    if lost := len(results.keys() - called):
        notes.add(f"{at}.toolCallResults", f"holds {lost:,} results of calls that are in no round; they were left out")
    if any(metadata.get(key) for key in ("summary", "summaries")) and not summaries:
        notes.add(f"{at}.summary", "expected the text of a summary, found none; it was left out")
    if lost := len({*summaries.values()} - {one.summary for one in found}):
        notes.add(f"{at}.summary", f"holds {lost:,} summaries of rounds that are not there; they were left out")
    return found


def _summaries(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Return the summaries by the ids of their rounds."""
    told = [*objects(metadata.get("summaries")), mapping(metadata.get("summary"))]
    return {as_text(one.get("toolCallRoundId")): as_text(one["text"]) for one in told if one.get("text")}


def _round(
    held: Mapping[str, Any],
    results: Mapping[str, Any],
    summaries: Mapping[str, str],
    notes: Notes,
    place: str,
    above: str,
    time: Any,
) -> Round:
    calls = [
        Call(as_text(one.get("id")), as_text(one.get("name")), as_text(one.get("arguments")))
        for one in objects(held.get("toolCalls"))
    ]
    content, moment = held.get("response", held.get("text")), held.get("timestamp", time)
    if content is None:
        notes.add(f"{place}.response", "expected the text of a round, found nothing")
    before = thoughts_in(held, ("thinking",), notes, place)
    messages = turn("assistant", content, notes, f"{place}.response", time=moment, before=before, after=calls)
    for call in calls:
        if call.id in results:
            answer = mapping(results[call.id])
            text = "\n".join(_texts(answer.get("content"), _DEEPEST))
            messages.append(result_message(Result(call.id, call.name, text), time=parse_time(moment)))
            if not text and answer.get("content"):
                notes.add(f"{above}.toolCallResults.{call.id[:40]}", "expected text in a result, found none")
    summary = as_text(held.get("summary") or "") or summaries.get(as_text(held.get("id")), "")
    return Round(messages, as_text(content) if isinstance(content, str) else "", summary, place)


def _texts(value: Any, depth: int) -> Iterator[str]:
    """Yield the texts of a result: plain values, or trees of a prompt, whose pieces are joined as they are sent."""
    if isinstance(value, str):
        yield as_text(value)
    elif depth and isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one, depth - 1)
    elif depth and isinstance(value, Mapping):
        if isinstance(value.get("node"), Mapping):
            yield "".join(_pieces(value["node"], depth - 1))
        else:
            inner = next((value[key] for key in ("value", "text", "content") if key in value), None)
            yield from _texts(inner, depth - 1)


def _pieces(node: Mapping[str, Any], depth: int) -> Iterator[str]:
    if isinstance(node.get("text"), str):
        yield "\n" if node.get("lineBreakBefore") else ""
        yield as_text(node["text"])
    for child in objects(node.get("children")) if depth else ():
        yield from _pieces(child, depth - 1)


def answer_of(
    request: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut, rounds: Sequence[str]
) -> list[Message]:
    """Return the answer as it was shown; after rounds only the text that none of them has."""
    shown = _Shown(notes, left_out)
    response = request.get("response")
    listed = response if isinstance(response, list) else [response]
    for at, one in enumerated(f"{place}.response", listed):
        if one is not None:
            shown.read(one, at)
    time = request.get("timestamp")
    if not rounds:
        return shown.messages(time)
    text = "".join("".join(part.text for part in shown.parts if isinstance(part, Text)).split())
    if not text or text in "".join("".join(rounds).split()) or not _ends_open(request):
        return []
    shown.parts = shown.last
    return shown.messages(time)


def _ends_open(request: Mapping[str, Any]) -> bool:
    """Return whether the last round has calls: the text after their results is only shown, in no round."""
    rounds = objects(mapping(mapping(request.get("result")).get("metadata")).get("toolCallRounds"))
    return bool(rounds) and bool(rounds[-1].get("toolCalls"))


class _Shown:
    """The pieces of an answer for the screen, as parts; pieces of text in a row are one text.

    `last` are the parts after the last call.
    """

    def __init__(self, notes: Notes, left_out: LeftOut) -> None:
        self.parts: list[Part] = []
        self._notes = notes
        self._left_out = left_out
        self._results: dict[str, Result] = {}

    @property
    def last(self) -> list[Part]:
        places = [number for number, part in enumerate(self.parts) if isinstance(part, Call)]
        return self.parts[places[-1] + 1 :] if places else self.parts

    def messages(self, time: Any) -> list[Message]:
        """Return the turns: calls end one, and their results come before the next."""
        moment = parse_time(time)
        found: list[Message] = []
        for parts in self._turns():
            found.append(Message("", "assistant", time=moment, parts=tuple(parts)))
            calls = [part for part in parts if isinstance(part, Call)]
            results = (self._results[call.id] for call in calls if call.id in self._results)
            found += [result_message(result, time=moment) for result in results]
        return found

    def _turns(self) -> list[list[Part]]:
        turns: list[list[Part]] = []
        after_call = True
        for part in self.parts:
            if isinstance(part, Text) and not part.text.strip():
                continue
            is_call = isinstance(part, Call)
            if not turns or (after_call and not is_call):
                turns.append([])
            turns[-1].append(part)
            after_call = is_call
        return turns

    def read(self, piece: Any, place: str) -> None:
        """Read a piece."""
        held = mapping(piece)
        kind = as_text(held.get("kind"))
        if isinstance(piece, str):
            self._say(piece)
        elif kind == "toolInvocationSerialized":
            self._call(held, place)
        elif kind == "thinking":
            if "value" not in held and "metadata" not in held:
                self._notes.add(f"{place}.value", "expected the text of a thought, found nothing; it was skipped")
            self.parts += thoughts_in(held, ("value",), self._notes, place)
        elif kind == "inlineReference":
            self._say(_reference(held))
        elif kind in ("", "markdownContent", "markdownVuln", "markdown") and (text := _markdown(held)) is not None:
            self._say(text)
        else:
            self._left_out.add(f"response {kind or '(none)'}", f"{place}.kind", kind in _SILENT)

    def _say(self, text: str) -> None:
        if self.parts and isinstance(self.parts[-1], Text):
            self.parts[-1] = Text(self.parts[-1].text + as_text(text))
        else:
            self.parts.append(Text(as_text(text)))

    def _call(self, held: Mapping[str, Any], place: str) -> None:
        """Add a call; it is written again whenever it changes, and the last time has its result."""
        id_ = as_text(held.get("toolCallId")) or f"call{len(self.parts)}"
        details = mapping(held.get("resultDetails"))
        data = mapping(held.get("toolSpecificData"))
        command = mapping(data.get("commandLine"))
        asked = details.get("input") or data.get("rawInput") or command.get("original") or data.get("command") or ""
        call = Call(id_, as_text(held.get("toolId")), as_text(asked))
        known = [number for number, part in enumerate(self.parts) if isinstance(part, Call) and part.id == id_]
        if known:
            self.parts[known[0]] = call
        else:
            self.parts.append(call)
        output = "\n".join(_texts(details.get("output"), _DEEPEST))
        if not output and _should_tell(held.get("resultDetails")):
            self._notes.add(f"{place}.resultDetails", "expected the text of a result, found none")
        told = output or "".join(_texts(held.get("pastTenseMessage"), _DEEPEST))
        if told:
            self._results[id_] = Result(id_, call.name, told)


def _should_tell(details: Any) -> bool:
    """Return whether the details of a result, which may be a list of files too, should have a text."""
    if not isinstance(details, Mapping):
        return details is not None and not isinstance(details, list)
    texts = [mapping(one).get("value") for one in items_of(details.get("output"))]
    return details.get("output") != [] and not any(isinstance(text, str) for text in texts)


def _markdown(held: Mapping[str, Any]) -> str | None:
    content = held.get("content", held.get("value"))
    text = mapping(content).get("value") if isinstance(content, Mapping) else content
    return as_text(text) if isinstance(text, str) else None


def _reference(held: Mapping[str, Any]) -> str:
    """Return a reference in a text as it is shown: its name, or that of its file."""
    target = mapping(held.get("inlineReference"))
    inner = mapping(target.get("location")) or target
    path = as_text(mapping(inner.get("uri")).get("path") or inner.get("path") or "")
    name = as_text(held.get("name") or target.get("name") or pure_path(path).name)
    return f"`{name}`" if name else ""
