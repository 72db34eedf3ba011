"""Transcripts that Cursor's agent wrote as text: `agent-transcripts/ID.txt` in a folder of `~/.cursor/projects`.

Turns begin with `user:` and `assistant:` (`A:`) on lines of their own, thoughts with `[Thinking]`, calls with `[Tool
call] NAME` above their arguments, and results with `[Tool result] NAME`, nearly always without their text. Cursor's
source is closed: the layout is that of wakatime/wakatime-cli (`pkg/ai`, which reads both kinds of transcripts) and of
transcripts in public repositories. Later versions write lines of JSON, which the readers of agents' lines open.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, pairwise
from textwrap import dedent

from inspector.figures import counted
from inspector.formats.content.turns import identified
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, first_line, workspace_of
from inspector.formats.vercel.parts import Steps
from inspector.model import Call, Message, Part, Result, Role, Text, Thought, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text

_HEADER = re.compile(r"(user|assistant|A):[ \t]*\n")
_MARK = re.compile(r"^\[(Thinking|Tool call|Tool result)\][ \t]*", re.MULTILINE)
_TURN = re.compile(r"(?:\A\s*|\n[ \t]*\n)(?=(?:user|assistant|A):[ \t]*\n)")
_SURE = re.compile(
    r"\A\s*user:[ \t]*\n\s*<\w+>|^(?:assistant|A):[ \t]*\n\[(?:Thinking|Tool call)\]|^\[Tool result\] \w+[ \t]*$",
    re.MULTILINE,
)
_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_GOES_ON = re.compile(r"[ \t]|[-*+#>|`]|\d+[.)]")
"""Beginnings of lines that continue the paragraph, list or code above them."""
_LEADS_ON = re.compile(r"[#>|`]")
"""Beginnings of headings, quotations, tables and code, which a line without a mark may continue."""
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "A": "assistant"}
_HEAD = 20_000  # bytes


def sniff(source: FileSource) -> float:
    """Return how likely the file is such a transcript."""
    if source.shape not in ("text", "yaml"):
        return 0.0
    head = source.utf8[:_HEAD].decode(errors="ignore").replace("\r\n", "\n")
    return 0.95 if _HEADER.match(head.lstrip()) and _SURE.search(head) else 0.0


def load(source: FileSource) -> Workspace:
    """Return the chat. Raise UnreadableError if it has no turn."""
    notes = Notes(source.path)
    chat = SavedChat({}, None, "")
    unsaid = 0
    for line, role, text in _turns(source.text.replace("\r\n", "\n")):
        name = f"m{len(chat.nodes)}"
        parts = list(identified(_parts(role, text), f"{name}."))
        unsaid += sum(isinstance(part, Result) and not part.content for part in parts)
        messages = _messages(role, parts, chat, notes)
        if messages:
            chat.nodes[name] = Node(as_text(chat.leaf), messages, f"line {line}")
            chat.leaf = name
        else:
            notes.add(f"line {line}", "expected a text below the name of the speaker, found none", "info")
    if not chat.nodes:
        raise notes.unreadable("", "expected turns that begin with user: or assistant:, found none")
    if unsaid:
        notes.add("", f"Cursor wrote no text of {counted(unsaid, 'result')}, so the prompts were longer than shown")
    if any(isinstance(part, Thought) for node in chat.nodes.values() for one in node.messages for part in one.parts):
        notes.add("", "ends of thoughts are not marked; a thought is taken to end where a line follows it", "info")
    asked = (match[1] for node in chat.nodes.values() for one in node.messages if (match := _QUERY.search(one.content)))
    chat.title = first_line(next(asked, ""))
    return workspace_of([chat], source, notes)


def _turns(text: str) -> Iterator[tuple[int, Role, str]]:
    """Yield the line, the role and the text of each turn."""
    starts = [match.end() for match in _TURN.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        header = _HEADER.match(text, start)
        if header:
            yield text.count("\n", 0, start) + 1, _ROLES[header[1]], text[header.end() : end].strip("\n")


def _parts(role: Role, text: str) -> Iterator[Part]:
    """Yield the parts of a turn; those of a user have no marks."""
    marks = list(_MARK.finditer(text)) if role == "assistant" else []
    ends = [*(one.start() for one in marks), len(text)]
    yield Text(text[: ends[0]].strip())
    for mark, end in zip(marks, ends[1:], strict=True):
        yield from _marked(mark[1], text[mark.end() : end].rstrip())


def _marked(mark: str, text: str) -> Iterator[Part]:
    if mark == "Thinking":
        thought, said = _thought(text.lstrip(" \t"))
        yield from (Thought(thought), Text(said))
        return
    name, _, rest = text.partition("\n")
    if mark == "Tool call":
        yield Call("", name.strip(), dedent(rest).strip())
    else:
        yield Result("", name.strip(), rest.strip())


def _thought(text: str) -> tuple[str, str]:
    """Return a thought and the text after it, which begins on the next line, without a mark or an empty line."""
    lines = text.split("\n")
    in_code = False
    if not lines[0].strip():
        return "", text.strip()
    for number, (above, line) in enumerate(pairwise(lines), 1):
        in_code ^= above.lstrip().startswith("```")
        is_below = above.strip() and line.strip() and not above.rstrip().endswith(":")
        if is_below and not in_code and not _GOES_ON.match(line) and not _LEADS_ON.match(above):
            return "\n".join(lines[:number]).strip(), "\n".join(lines[number:]).strip()
    return text, ""


def _messages(role: Role, parts: Iterable[Part], chat: SavedChat, notes: Notes) -> tuple[Message, ...]:
    """Return the messages of a turn; a result answers the first call of its tool that has none."""
    steps = Steps(role, notes)
    steps.add(_answering(parts, chat))
    steps.flush()
    return tuple(steps.messages)


def _answering(parts: Iterable[Part], chat: SavedChat) -> Iterator[Part]:
    before = [part for node in chat.nodes.values() for one in node.messages for part in one.parts]
    answered = {part.id for part in before if isinstance(part, Result)}
    open_calls = [part for part in before if isinstance(part, Call) and part.id not in answered]
    numbers = count()
    for part in parts:
        if isinstance(part, Call):
            open_calls.append(part)
        if isinstance(part, Result):
            call = next((one for one in open_calls if one.name == part.name), None)
            if call:
                open_calls.remove(call)
            part = Result(call.id if call else f"unasked{next(numbers)}", part.name, part.content)
        yield part


FORMAT = Format(
    "cursor_text",
    "Cursor agent transcript (text)",
    sniff,
    load,
    "`user:` and `assistant:` on lines of their own, with `[Tool call]` or `[Thinking]`",
)
