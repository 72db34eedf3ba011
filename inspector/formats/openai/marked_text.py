"""Prompts as a model reads them: turns between the marks of `markups`, and the harmony of gpt-oss.

Layouts: Qwen's templates for what is in a turn (`<think>`, `<tool_call>`, `<tool_response>`);
github.com/openai/harmony, `docs/format.md` (`<|start|>…<|message|>`, channels analysis, commentary and final, `to=` the
tool that is called).
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
from inspector.formats.openai.markups import Markup, markup_of
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.formats.vercel.parts import Steps
from inspector.model import Call, Message, Part, Result, Role, Text, Thought, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping

_HARMONY = re.compile(
    r"<\|start\|>(?P<head>.{0,500}?)<\|message\|>(?P<text>.*?)(?=<\|(?:end|call|return|start)\|>|\Z)", re.DOTALL
)
_OPEN = re.compile(r"<\|start\|>\w*\s*\Z")  # the last turn, in which the model goes on
_TO = re.compile(r"\bto=(?P<to>[^\s<]+)")
_CHANNEL = re.compile(r"<\|channel\|>\s*(?P<channel>\w+)")
_INSIDE = re.compile(
    r"<(?:mm:)?think>(?P<thought>(?:(?!<(?:mm:)?think>).)*?)</(?:mm:)?think>"
    r"|<tool_call>(?P<call>(?:(?!<tool_call>).)*?)</tool_call>"
    r"|<tool_response>(?P<result>(?:(?!<tool_response>).)*?)</tool_response>",
    re.DOTALL,
)
"""What templates write into a turn; a mark that nothing closes ends at the next, or reading would take forever."""
_CLOSING = re.compile(r"^</(?:mm:)?think>")
_HEAD = 4_000  # bytes
_SURE, _POSSIBLE = 0.95, 0.3
_FUNCTIONS = "functions."
_COLUMNS = ("text", "prompt", "formatted_chat", "chatml", "conversation", "content", "input")
_BEFORE = re.compile(r"\s*(?:<s>|<\|(?:endoftext|begin_of_text|startoftext)\|>)?\s*")
_MARK = re.compile(r"<\|[a-z_]+\|>|</?s>")

_Turns = Iterator[tuple[str, Message]]


def sniff(source: FileSource) -> float:
    """Return how likely the file is a prompt of marked turns: with roles, from its beginning on."""
    if source.shape in ("text", "yaml"):
        return _sureness(source.utf8[:_HEAD].decode(errors="ignore"), _POSSIBLE)
    return surest(source, lambda row: _sureness(_column(row), _SURE))


def _sureness(text: str, of_weak: float) -> float:
    """Return how likely a text is a prompt, from its head; `of_weak` where other texts are headed like this one."""
    before = _BEFORE.match(text)
    head = text[before.end() if before else 0 :][:_HEAD]
    if head.startswith("<|start|>"):
        found = _HARMONY.match(head)
        is_prompt = found is not None and re.split(r"[\s<]", found["head"].strip(), maxsplit=1)[0].lower() in ROLES
        return _SURE if is_prompt else 0.0
    markup = markup_of(head)
    return 0.0 if markup is None else of_weak if markup.is_weak else _SURE


def _column(row: Any) -> str:
    """Return the prompt of a row, "" without a prompt."""
    texts = (mapping(row).get(key) for key in _COLUMNS)
    return next((text for text in texts if isinstance(text, str) and _sureness(text, _SURE)), "")


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
    inner = Notes(notes.file)
    markup = None if "<|start|>" in text and "<|message|>" in text else markup_of(text[:_HEAD])
    found = [
        (place + at, message) for at, message in (_marked(text, markup, inner) if markup else _harmony(text, inner))
    ]
    notes.problems += [changed(problem, place=place + problem.place) for problem in inner.problems]
    nodes = in_line(found)
    title = title_of(message for _, message in found)
    return SavedChat(nodes, next(reversed(nodes), None), place.removesuffix(", "), title=title) if found else None


def _marked(text: str, markup: Markup, notes: Notes) -> _Turns:
    for number, turn in enumerate(markup.turns(text)):
        place = f"turn {number + 1}"
        if turn.outside:
            notes.add(place, f"has text outside of the turns, which was left out: {turn.outside[:40]!r}")
        if turn.role is None:
            notes.add(place, f"expected a role, found {turn.heading[:40] or 'nothing'}; the turn was left out", "error")
        elif turn.text or not turn.outside:
            steps = Steps(turn.role, notes)
            parts = list(_inside(turn.text, turn.role, At(notes, place), number))
            name = turn.heading.partition(" ")[2].removeprefix("name=")
            steps.add(as_result(parts, "", name) if turn.role == "tool" else parts)
            steps.flush()
            yield from ((place, one) for one in steps.messages or [Message("", turn.role)])


def _inside(text: str, role: Role, at: At, number: int) -> Iterator[Part]:
    """Yield the text of a turn with the thoughts, calls and results written inside by templates.

    System prompts explain these with the same marks.
    """
    text = _CLOSING.sub("", text)  # a template closes the thoughts that it leaves out
    start = 0
    for block in _INSIDE.finditer(text) if role != "system" else ():
        yield Text(as_text(text[start : block.start()].strip()))
        if block["thought"] is not None and block["thought"].strip():
            yield Thought(as_text(block["thought"].strip()))
        elif block["call"] is not None:
            asked = mapping(unwrapped(block["call"].strip()))
            told = {**asked, "id": f"call{number}.{block.start()}"}
            yield from read_call(told, at) if asked else [Call(told["id"], "", as_text(block["call"].strip()))]
        elif block["result"] is not None:
            yield Result("", "", as_text(block["result"].strip()))
        start = block.end()
    yield Text(as_text(text[start:].strip("\n")))


def _harmony(text: str, notes: Notes) -> _Turns:
    """Yield the turns; thoughts, calls and text of an assistant without a break form a single turn."""
    if outside := _MARK.sub("", _OPEN.sub("", _HARMONY.sub("", text))).strip():
        notes.add("", f"has text outside of its turns, which was left out: {outside[:40]!r}")
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
