"""The text of an Open WebUI answer, with thinking, tool calls and code as HTML `<details type="…">`.

Open WebUI takes thinking and code out before it sends an answer back, and leaves text in code fences alone.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_START = re.compile(r'<details\s+type="(reasoning|tool_calls|code_interpreter)"')
_END = "</details>"
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_SUMMARY = re.compile(r"\s*<summary>[^<]*</summary>\n?")


@dataclass(frozen=True, slots=True)
class Details:
    """A block: its type, its attributes with their escapes undone, and its text without its heading."""

    kind: str
    attributes: dict[str, str]
    text: str


def pieces_of(content: str) -> Iterator[str | Details]:
    """Yield the texts and the blocks of an answer in order; a block without an end is text."""
    written = position = 0
    fences = 0
    while start := _START.search(content, position):
        fences += len(_FENCE.findall(content, position, start.start()))
        if fences % 2:
            position = start.end()
            continue
        head = content.find(">", start.end())
        end = content.find(_END, head) if head >= 0 else -1
        if end < 0:
            break
        if text := content[written : start.start()].strip("\n"):
            yield text
        attributes = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(content[start.start() : head])}
        yield Details(start[1], attributes, _text(content[head + 1 : end]))
        written = position = end + len(_END)
    if text := content[written:].strip("\n") if written else content:
        yield text


def _text(inside: str) -> str:
    """Return the text of a block, without its heading and quotation marks (`>`)."""
    found = _SUMMARY.match(inside)
    lines = html.unescape(inside[found.end() if found else 0 :]).strip("\n").split("\n")
    return "\n".join(line.removeprefix(">").removeprefix(" ") if line.startswith(">") else line for line in lines)
