"""Rendering: from an assembly to the chat messages of the prompt, and the two ways of counting them.

`planned_ledger` sums columns and touches no text, so it can follow a slider. `measured_ledger` counts each piece of
the prompt on its own, and the whole prompt apart: the difference of the two is the residual.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.assembly.columns import ROLES, Action
from inspector.assembly.decisions import Assembly, Composed, Joined, Run
from inspector.model import Message, Tool
from inspector.tokens.chat_format import ChatFormat, ChatMessage
from inspector.tokens.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """A message of the prompt and the rows of the candidates in it."""

    role: str
    content: str
    rows: tuple[int, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Overhead:
    """A named part of the prompt that belongs to no item, in tokens."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class TokenLedger:
    """Where the tokens of a prompt are: items, overhead lines, and the count of the whole, measured apart.

    `rendered` is None until it has been measured. `exact` holds when every figure is a real count of the model's
    own tokenizer; then `residual` must be 0.
    """

    items: int
    lines: tuple[Overhead, ...]
    rendered: int | None
    exact: bool
    tokenizer: str

    @property
    def overhead(self) -> int:
        """Sum of the overhead lines."""
        return sum(line.tokens for line in self.lines)

    @property
    def total(self) -> int:
        """Items and overhead together."""
        return self.items + self.overhead

    @property
    def residual(self) -> int | None:
        """What the whole counts more than its parts; None until it has been measured."""
        return None if self.rendered is None else self.rendered - self.total


def prompt_messages(assembly: Assembly) -> Iterator[PromptMessage]:
    """The messages of the prompt, in order."""
    candidates = assembly.candidates
    for block in assembly.blocks:
        if isinstance(block, Joined):
            texts = [block.mark + assembly.text(row) for row in block.rows.tolist()]
            content = block.heading + block.joint.join(texts)
            yield PromptMessage(block.role, content, tuple(block.rows.tolist()))
            continue
        if isinstance(block, Composed):
            content = "".join(block.written(assembly))
            rows = tuple(piece for piece in block.pieces if isinstance(piece, int))
            yield PromptMessage(block.role, content, rows, block.name)
            continue
        for row in block.rows.tolist():
            thing = candidates.things[row]
            name = thing.name if isinstance(thing, Message) else ""
            yield PromptMessage(ROLES[candidates.role[row]], assembly.text(row), (row,), name)


def planned_ledger(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool], exact: bool) -> TokenLedger:
    """The ledger from columns alone, without touching a text: what a slider shows until the prompt is measured.

    List marks are exact sums of counted lines; a joint of paragraphs is taken as one token.
    """
    candidates, tokenizer = assembly.candidates, assembly.candidates.counts.tokenizer
    count = candidates.counts.count
    frames = marks = joins = 0
    for block in assembly.blocks:
        if isinstance(block, Run):
            frames += int(candidates.frame_tokens[block.rows].sum(dtype="int64"))
            continue
        frames += chat_format.frame_tokens(tokenizer, block.role, block.name if isinstance(block, Composed) else "")
        if isinstance(block, Composed):
            marks += sum(count(piece) * times for piece, times in _literals(block).items())
        elif block.mark:
            lines_total = int(candidates.line_tokens[block.rows].sum(dtype="int64"))
            marks += count(block.heading) + lines_total - int(candidates.tokens[block.rows].sum(dtype="int64"))
        else:
            joins += len(block.rows) - 1
    priming = chat_format.priming_tokens(tokenizer) if assembly.in_prompt.any() and assembly.blocks else 0
    lines = _lines(frames, priming, marks, joins, _call_tokens(assembly), _tool_tokens(assembly, tools))
    return TokenLedger(assembly.items_total, lines, None, exact and not _is_estimated(assembly), tokenizer.name)


def _literals(block: Composed) -> Counter[str]:
    """The literal texts of a message, and how often each stands in it."""
    return Counter(piece for piece in block.pieces if isinstance(piece, str))


def measured_ledger(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool], exact: bool) -> TokenLedger:
    """The ledger with every overhead line counted on its own piece of text, and the whole prompt counted apart."""
    tokenizer = assembly.candidates.counts.tokenizer
    messages = list(prompt_messages(assembly))
    written = [ChatMessage(message.role, message.content, message.name) for message in messages]
    frames = sum(_once(chat_format, tokenizer, written))
    seams = sum(chat_format.seam_tokens(tokenizer, message.role, message.content) for message in written)
    marks, joins = _joined_overhead(assembly, tokenizer)
    priming = chat_format.priming_tokens(tokenizer) if messages else 0
    tool_tokens = _tool_tokens(assembly, tools)
    lines = _lines(frames, priming, marks, joins + seams, _call_tokens(assembly), tool_tokens)
    rendered = (chat_format.rendered_tokens(tokenizer, written) if messages else 0) + tool_tokens
    true = exact and not _is_estimated(assembly)
    return TokenLedger(assembly.items_total, lines, rendered, true, tokenizer.name)


def _once(chat_format: ChatFormat, tokenizer: Tokenizer, messages: Iterable[ChatMessage]) -> Iterator[int]:
    """The frame of each message; frames of the same role and name are counted once."""
    known: dict[tuple[str, str], int] = {}
    for message in messages:
        key = (message.role, message.name)
        if key not in known:
            known[key] = chat_format.frame_tokens(tokenizer, *key)
        yield known[key]


def _joined_overhead(assembly: Assembly, tokenizer: Tokenizer) -> tuple[int, int]:
    """Tokens of headings and list marks, and of joints and seams, each counted on the text of its own message.

    A mark is what a line counts more than the text in it; a joint without marks, and every seam, is what the whole
    message counts more than its lines.
    """
    marks = joins = 0
    for block in assembly.blocks:
        if isinstance(block, Joined):
            lines, texts, content = _list_lines(assembly, block)
        elif isinstance(block, Composed):
            lines = block.written(assembly)
            texts = [assembly.text(piece) for piece in block.pieces if isinstance(piece, int)]
            content = "".join(lines)
        else:
            continue
        lines_total, texts_total = (int(tokenizer.count(parts).sum()) for parts in (lines, texts))
        marks += lines_total - texts_total
        joins += int(tokenizer.count([content])[0]) - lines_total
    return marks, joins


def _list_lines(assembly: Assembly, block: Joined) -> tuple[list[str], list[str], str]:
    """The heading and lines of a joined message, the texts in them, and the whole."""
    texts = [assembly.text(row) for row in block.rows.tolist()]
    lines = [block.heading, *(block.mark + text + (block.joint if block.mark else "") for text in texts)]
    lines[-1] = block.mark + texts[-1]
    return lines, texts, block.heading + block.joint.join(block.mark + text for text in texts)


def _lines(frames: int, priming: int, marks: int, joins: int, calls: int, tools: int) -> tuple[Overhead, ...]:
    named = {
        "chat template": frames,
        "beginning of the reply": priming,
        "headings and list marks": marks,
        "joins": joins,
        "tool calls": calls,
        "tool definitions": tools,
    }
    return tuple(Overhead(name, tokens) for name, tokens in named.items() if tokens)


def _call_tokens(assembly: Assembly) -> int:
    """Tokens of the tool calls of messages that are kept whole and that the policy charged for their content alone."""
    callers = assembly.candidates.items.callers
    if assembly.error or not len(callers):
        return 0
    whole = callers[assembly.action[callers] == Action.KEPT]
    return int((assembly.candidates.tokens[whole] - assembly.spent[whole]).sum(dtype="int64"))


def _tool_tokens(assembly: Assembly, tools: Sequence[Tool]) -> int:
    """Tokens of the tool definitions, as one line of JSON each; 0 for a prompt that could not be made."""
    if assembly.error:
        return 0
    count = assembly.candidates.counts.count
    return sum(count(tool_text(tool.schema)) for tool in tools)


def tool_text(schema: Any) -> str:
    """A tool definition as compact JSON."""
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"), default=str)


def _is_estimated(assembly: Assembly) -> bool:
    """Whether some figure of the prompt is not a real count: recorded, not yet counted, a picture, or of no prompt."""
    candidates = assembly.candidates
    if assembly.error is not None:
        return True
    doubtful = candidates.recorded | ~candidates.exact | (candidates.images > 0)
    return bool((doubtful & assembly.in_prompt).any())
