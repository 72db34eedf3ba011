"""Prompts as a model reads them: ChatML (`<|im_start|>`), and the harmony of gpt-oss (`<|start|>…<|message|>`).

Layouts: github.com/openai/openai-python `chatml.md` and Qwen's templates (`<think>`, `<tool_call>`, `<tool_response>`);
github.com/openai/harmony, `docs/format.md` (channels analysis, commentary and final, `to=` the tool that is called).
A file is one prompt, or rows of a data set with one in each.
"""

import re
from collections.abc import Iterator
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.reader import read_call
from inspector.formats.content.turns import as_result
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.formats.vercel.parts import Steps
from inspector.model import Call, Message, Part, Result, Role, Text, Thought, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping

_CHATML = re.compile(
    r"<\|im_start\|>[ \t]*(?P<role>[^\n<|]*?)[ \t]*(?:\n|\Z)(?P<text>.*?)(?=<\|im_end\|>|<\|im_start\|>|\Z)", re.DOTALL
)
_HARMONY = re.compile(
    r"<\|start\|>(?P<head>.*?)<\|message\|>(?P<text>.*?)(?=<\|(?:end|call|return|start)\|>|\Z)", re.DOTALL
)
_TO = re.compile(r"\bto=(?P<to>[^\s<]+)")
_CHANNEL = re.compile(r"<\|channel\|>\s*(?P<channel>\w+)")
_INSIDE = re.compile(
    r"<think>(?P<thought>.*?)</think>|<tool_call>(?P<call>.*?)</tool_call>|<tool_response>(?P<result>.*?)</tool_response>",
    re.DOTALL,
)
_HEAD = 4_000  # bytes
_FUNCTIONS = "functions."
_COLUMNS = ("text", "prompt", "formatted_chat", "chatml", "conversation", "content", "input")
_BEFORE = re.compile(r"\s*(?:<s>|<\|(?:endoftext|begin_of_text|startoftext)\|>)?\s*")
_MARK = re.compile(r"<\|[a-z_]+\|>|</?s>")

_Turns = Iterator[tuple[str, Message]]


def sniff(source: FileSource) -> float:
    """Return how likely the file is a prompt in one of the two layouts: turns with roles, from its beginning on."""
    if source.shape in ("text", "yaml"):
        return 0.95 if _begins(source.utf8[:_HEAD].decode(errors="ignore")) else 0.0
    return surest(source, lambda row: 0.95 if _begins(_column(row)) else 0.0)


def _begins(text: str) -> bool:
    before = _BEFORE.match(text)
    head = text[before.end() if before else 0 :][:_HEAD]
    found = _HARMONY.match(head) if head.startswith("<|start|>") else _CHATML.match(head)
    return found is not None and found[1].split("<|")[0].split(" ")[0].strip().lower() in ROLES


def _column(row: Any) -> str:
    """Return the prompt of a row, "" without a prompt."""
    texts = (mapping(row).get(key) for key in _COLUMNS)
    return next((text for text in texts if isinstance(text, str) and "<|" in text[:_HEAD]), "")


def load(source: FileSource) -> Workspace:
    """Return each prompt as a conversation. Raise UnreadableError if none has a turn."""
    notes = Notes(source.path)
    chats = [chat for place, text in _prompts(source, notes) if (chat := _chat(text, notes, place))]
    if not chats:
        raise notes.unreadable("", "expected turns that begin with <|im_start|> or <|start|>, found none")
    return workspace_of(chats, source, notes)


def _prompts(source: FileSource, notes: Notes) -> Iterator[tuple[str, str]]:
    """Yield the prompts, each with the prefix of its places."""
    if source.shape in ("text", "yaml"):
        yield "", source.text
        return
    for place, row in values_of(source, notes):
        if text := _column(row):
            yield f"{place}, ", text
        else:
            notes.add(place, "expected a row with a prompt of marked turns; it was left out", "error")


def _chat(text: str, notes: Notes, place: str) -> SavedChat | None:
    shape, read = (_HARMONY, _harmony) if "<|start|>" in text and "<|message|>" in text else (_CHATML, _chatml)
    inner = Notes(notes.file)
    found = [(place + at, message) for at, message in read(text, inner)]
    notes.problems += [changed(problem, place=place + problem.place) for problem in inner.problems]
    if outside := _MARK.sub("", shape.sub("", text)).strip():
        notes.add(place.removesuffix(", "), f"has text outside of its turns, which was left out: {outside[:40]!r}")
    nodes = in_line(found)
    title = title_of(message for _, message in found)
    return SavedChat(nodes, next(reversed(nodes), None), place.removesuffix(", "), title=title) if found else None


def _chatml(text: str, notes: Notes) -> _Turns:
    for number, turn in enumerate(_CHATML.finditer(text)):
        word, _, name = turn["role"].partition(" ")
        role = ROLES.get(word.lower())
        place = f"turn {number + 1}"
        if role is None:
            notes.add(place, f"expected a role, found {turn['role'][:40] or 'nothing'}; the turn was left out", "error")
        elif turn["text"].strip() or turn.end() < len(text):  # the last turn is open, where the model goes on
            steps = Steps(role, notes)
            parts = list(_inside(turn["text"], role, At(notes, place), number))
            steps.add(as_result(parts, "", name.removeprefix("name=")) if role == "tool" else parts)
            steps.flush()
            yield from ((place, one) for one in steps.messages or [Message("", role)])


def _inside(text: str, role: Role, at: At, number: int) -> Iterator[Part]:
    """Yield the text of a turn with the thoughts, calls and results written inside by templates.

    System prompts explain these with the same marks.
    """
    start = 0
    for block in _INSIDE.finditer(text) if role != "system" else ():
        yield Text(as_text(text[start : block.start()].strip()))
        if block["thought"] is not None:
            yield Thought(as_text(block["thought"].strip()))
        elif block["call"] is not None:
            asked = mapping(unwrapped(block["call"].strip()))
            told = {**asked, "id": f"call{number}.{block.start()}"}
            yield from read_call(told, at) if asked else [Call(told["id"], "", as_text(block["call"].strip()))]
        else:
            yield Result("", "", as_text(block["result"].strip()))
        start = block.end()
    yield Text(as_text(text[start:].strip("\n")))


def _harmony(text: str, notes: Notes) -> _Turns:
    """Yield the turns; thoughts, calls and text of an assistant without a break form a single turn."""
    steps: Steps | None = None
    place = ""
    calls: dict[str, str] = {}
    for number, turn in enumerate(_HARMONY.finditer(text), 1):
        role = _role(turn["head"])
        if steps and (role != "assistant" or steps.role != role):
            yield from _finished(steps, place)
            steps = None
        place = place if steps else f"turn {number}"
        steps = steps or Steps(role, notes)
        steps.add(_part(turn, role, number, calls))
    if steps:
        yield from _finished(steps, place)


def _finished(steps: Steps, place: str) -> _Turns:
    steps.flush()
    yield from ((place, one) for one in steps.messages or [Message("", steps.role)])


def _role(head: str) -> Role:
    """Return the role of a heading; any other word is the name of an answering tool."""
    return ROLES.get(re.split(r"[\s<]", head.strip(), maxsplit=1)[0].lower(), "tool")


def _part(turn: re.Match[str], role: Role, number: int, calls: dict[str, str]) -> list[Part]:
    head, text = turn["head"], as_text(turn["text"])
    if role == "tool":
        name = re.split(r"[\s<]", head.strip(), maxsplit=1)[0].removeprefix(_FUNCTIONS)
        return [Result(calls.get(name, ""), name, text)]
    channel, to = _CHANNEL.search(head), _TO.search(head)
    if role == "assistant" and to:
        name = to["to"].removeprefix(_FUNCTIONS)
        calls[name] = f"call{number}"
        return [Call(calls[name], name, text)]
    return [Thought(text)] if channel and channel["channel"] == "analysis" else [Text(text)]


FORMAT = Format("marked_text", "ChatML or harmony text", sniff, load, "a text of `<|im_start|>` or `<|start|>` turns")
