"""Prompts as a model reads them: ChatML (`<|im_start|>`), and the harmony of gpt-oss (`<|start|>…<|message|>`).

Layouts: github.com/openai/openai-python `chatml.md` and Qwen's templates (`<think>`, `<tool_call>`, `<tool_response>`);
github.com/openai/harmony, `docs/format.md` (channels analysis, commentary and final, `to=` the tool that is called).
"""

import re
from collections.abc import Iterator

from inspector.formats.content.at import At
from inspector.formats.content.reader import read_call
from inspector.formats.content.turns import as_result
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import SavedChat, in_line, title_of, workspace_of
from inspector.formats.vercel.parts import Steps
from inspector.model import Call, Message, Part, Result, Role, Text, Thought, Workspace
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

_Turns = Iterator[tuple[str, Message]]


def sniff(source: FileSource) -> float:
    """Return how likely the file is a prompt in one of the two layouts: turns with roles, from its beginning on."""
    if source.shape not in ("text", "yaml"):
        return 0.0
    head = source.utf8[:_HEAD].decode(errors="ignore").lstrip()
    found = _HARMONY.match(head) if head.startswith("<|start|>") else _CHATML.match(head.removeprefix("<|endoftext|>"))
    word = found[1].split("<|")[0].split(" ")[0].strip().lower() if found else ""
    return 0.95 if word in ROLES else 0.0


def load(source: FileSource) -> Workspace:
    """Return the prompt as a conversation. Raise UnreadableError if it has no turn."""
    notes = Notes(source.path)
    text = source.text
    found = list(_harmony(text, notes) if "<|start|>" in text and "<|message|>" in text else _chatml(text, notes))
    if not found:
        raise notes.unreadable("", "expected turns that begin with <|im_start|> or <|start|>, found none")
    nodes = in_line(found)
    chat = SavedChat(nodes, next(reversed(nodes), None), "", title=title_of(message for _, message in found))
    return workspace_of([chat], source, notes)


def _chatml(text: str, notes: Notes) -> _Turns:
    for number, turn in enumerate(_CHATML.finditer(text)):
        word, _, name = turn["role"].partition(" ")
        role = ROLES.get(word.lower())
        place = f"turn {number + 1}"
        if role is None:
            notes.add(place, f"expected a role, found {turn['role'][:40] or 'nothing'}; the turn was left out", "error")
        elif turn["text"].strip() or turn.end() < len(text):  # the last turn is open, where the model goes on
            steps = Steps(role, notes)
            parts = list(_inside(turn["text"], At(notes, place), number))
            steps.add(as_result(parts, "", name.removeprefix("name=")) if role == "tool" else parts)
            steps.flush()
            yield from ((place, one) for one in steps.messages or [Message("", role)])


def _inside(text: str, at: At, number: int) -> Iterator[Part]:
    """Yield the text of a turn, with the thoughts, calls and results that templates write inside of it."""
    start = 0
    for block in _INSIDE.finditer(text):
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
    """Yield the turns; what an assistant thinks, calls and says without a break is one turn."""
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
    """Return the role of a heading; one that is no role is the name of a tool that answers."""
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
