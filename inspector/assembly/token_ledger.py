"""The ledger of tokens: where the tokens of a prompt are, computed in two ways.

`planned_ledger` sums columns and touches no text, so it can follow a slider. `measured_ledger` counts each piece of the
prompt separately, and the whole prompt once more: the difference of the two is the residual.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, ROLES, Action, Bool, frozen
from inspector.assembly.decisions import Assembly, Composed, Each, Joined, Run
from inspector.assembly.exactness import are_exact, is_exact, server_tokens
from inspector.model import Character, Message, Tool
from inspector.tokens.chat.format import STAND_IN, ChatFormat, count_segments, shipped_format
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.chat.messages import FRAME, ChatCall, ChatMessage, RenderedChat
from inspector.tokens.chat.rendering import specials_pattern
from inspector.tokens.chat.sandbox import ChatTemplateError


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """A message of the prompt and the rows of the candidates in it.

    `content` is its whole text, including its calls; `said` is the message for a chat format, with separate calls.
    """

    content: str
    rows: tuple[int, ...]
    said: ChatMessage

    @property
    def role(self) -> str:
        """The role of the speaker: system, user, assistant or tool."""
        return self.said.role

    @property
    def name(self) -> str:
        """The speaker's name, "" for none."""
        return self.said.name


def prompt_messages(assembly: Assembly) -> Iterator[PromptMessage]:
    """Yield the messages of the prompt, in order."""
    for block in assembly.blocks:
        if isinstance(block, Run):
            for row in block.rows.tolist():
                yield _own_message(assembly, row)
        elif isinstance(block, Joined):
            texts = [block.mark + assembly.text(row) for row in block.rows.tolist()]
            content = block.heading + block.joint.join(texts)
            said = ChatMessage(block.role, content, _speaker(assembly, block))
            yield PromptMessage(content, tuple(block.rows.tolist()), said)
        else:
            content = "".join(block.written(assembly))
            said = ChatMessage(block.role, content, _speaker(assembly, block))
            yield PromptMessage(content, tuple(block.rows.tolist()), said)


def _speaker(assembly: Assembly, block: Joined | Composed) -> str:
    """Return the name of the speaker of a shared message; the system prompt in it may bring one."""
    if isinstance(block, Composed) and block.name:
        return block.name
    first = assembly.candidates.things[block.rows[0]] if len(block.rows) else None
    return first.speaker if isinstance(first, Character) and block.role == "system" else ""


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """The prompt as the text sent to the model, with its messages.

    If the model's own template refused them, `refusal` has its words, and another format was used instead.
    """

    messages: tuple[PromptMessage, ...]
    chat: RenderedChat
    chat_format: ChatFormat
    refusal: str = ""

    @property
    def asked(self) -> tuple[ChatFormat, RenderedChat, list[ChatMessage]]:
        """The format, the chat it wrote, and the messages it was given."""
        return self.chat_format, self.chat, [message.said for message in self.messages]


def render_prompt(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool] = ()) -> RenderedPrompt:
    """Return the prompt of an assembly as the text sent to the model; no text if it has no messages.

    Raise AbandonedError once it is no longer wanted.
    """
    messages = tuple(prompt_messages(assembly))
    if not messages:
        return RenderedPrompt((), RenderedChat((), faithful=True), chat_format)
    said, schemas = [message.said for message in messages], [tool.schema for tool in tools]
    try:
        return RenderedPrompt(messages, chat_format.render(said, schemas), chat_format)
    except ChatTemplateError as problem:
        stand_in = shipped_format(STAND_IN)
        return RenderedPrompt(messages, stand_in.render(said, schemas), stand_in, str(problem))


def _own_message(assembly: Assembly, row: int) -> PromptMessage:
    """Return the message of the prompt for a single candidate; only a whole one has its tool calls and thoughts."""
    thing, role, content = assembly.candidates.things[row], ROLES[assembly.candidates.role[row]], assembly.text(row)
    if not isinstance(thing, Message):
        return PromptMessage(content, (row,), ChatMessage(role, content))
    if assembly.action[row] != Action.KEPT:
        return PromptMessage(content, (row,), ChatMessage(role, content, thing.name, call_id=thing.tool_call_id))
    calls = tuple(ChatCall(call.name, call.arguments, call.id) for call in thing.tool_calls)
    text = thing.content if calls else content
    said = ChatMessage(role, text, thing.name, calls, thing.tool_call_id, _thought(thing))
    return PromptMessage(content, (row,), said)


def _thought(message: Message) -> str:
    """Return the thoughts of the model that its message brings, "" for none."""
    found = message.metadata.get("reasoning") if message.role == "assistant" else None
    return found if isinstance(found, str) else ""


NOT_MEASURED = -1
"""In `TokenLedger.counted`: the item is not in the prompt."""


_OF_SERVER = "tool prompt of the server"
_JOINS = "joins"
"""The line of the tokens where two texts meet."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """A named part of the prompt outside all items, in tokens."""

    name: str
    tokens: int

    @property
    def title(self) -> str:
        """Its name for users, such as Chat template."""
        return "Seams between texts" if self.name == _JOINS else self.name.capitalize()


@dataclass(frozen=True, slots=True)
class TypedSpecials:
    """Rows whose text spells special tokens, an example of these, and the count of a server obeying them."""

    rows: tuple[int, ...]
    example: str
    parsed: int


@dataclass(frozen=True, slots=True)
class TokenLedger:
    """Where the tokens of a prompt are: items, overhead lines, and the count of the whole, measured separately.

    `rendered` is None until it has been measured. `exact` holds when every figure is a real count of the model's own
    tokenizer; then `residual` must be 0. `counted` is the cost of each item in the rendered prompt, row by row;
    `prompt` is the measured prompt, and `leaves_tools_out` is true if its chat template has no place for the tools.
    """

    items: int
    lines: tuple[Overhead, ...]
    rendered: int | None
    exact: bool
    tokenizer: str
    counted: I32 | None = field(default=None, compare=False)
    specials: TypedSpecials | None = None
    leaves_tools_out: bool = False
    prompt: RenderedPrompt | None = field(default=None, compare=False)

    @property
    def overhead(self) -> int:
        """The sum of the overhead lines."""
        return sum(line.tokens for line in self.lines)

    @property
    def total(self) -> int:
        """Items and overhead together."""
        return self.items + self.overhead

    @property
    def estimated(self) -> bool:
        """Whether any of its figures, or any derived from it, is an estimate: also until the whole is measured."""
        return self.rendered is None or not self.exact

    @property
    def drift(self) -> int | None:
        """The cost of the items in the rendered prompt above their planned cost; None until it has been measured."""
        return None if self.counted is None else int(self.counted[self.counted >= 0].sum(dtype="int64")) - self.items

    @property
    def residual(self) -> int | None:
        """The count of the whole above the sum of its parts; None until it has been measured."""
        return None if self.rendered is None else self.rendered - self.total


def planned_ledger(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool], exact: bool) -> TokenLedger:
    """Return the ledger from columns alone, without touching a text, for a slider until the prompt is measured.

    List marks are exact sums of counted lines; a joint of paragraphs is taken as one token, and the frame of a message
    as its size in the shortest chat.
    """
    tokenizer, lines = assembly.candidates.counts.tokenizer, _planned_lines(assembly, chat_format, tools)
    exact = exact and not frames_of(chat_format, tokenizer).stands_in and not _is_estimated(assembly)
    exact = exact and are_exact(chat_format, bool(tools), _has_calls(assembly))
    return TokenLedger(assembly.items_total, _named(lines), None, exact, tokenizer.name)


def planned_total(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool]) -> int:
    """Return the total of the planned ledger alone, for many prompts."""
    return assembly.items_total + sum(_planned_lines(assembly, chat_format, tools).values())


def is_rough_plan(assembly: Assembly) -> bool:
    """Return whether a planned total is an estimate: a text of the prompt is estimated, or texts share a message.

    Joined texts may have other tokens than a planned ledger assumes.
    """
    candidates = assembly.candidates
    if candidates.has_estimates and bool(candidates.estimated[assembly.in_prompt].any()):
        return True
    return any(
        len(block.parts if isinstance(block, Composed) else block.rows) > 1
        for block in assembly.blocks
        if not isinstance(block, Run)
    )


def _planned_lines(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool]) -> dict[str, int]:
    candidates = assembly.candidates
    count, added = candidates.counts.count, frames_of(chat_format, candidates.counts.tokenizer)
    frames = marks = joins = 0
    for block in assembly.blocks:
        if isinstance(block, Run):
            frames += int(candidates.frame_tokens[block.rows].sum(dtype="int64"))
            continue
        frames += added.frame(block.role, _speaker(assembly, block))
        if isinstance(block, Composed):
            marks += sum(_literal_tokens(candidates, part) for part in block.parts if not isinstance(part, int))
        elif block.mark:
            lines_total = int(candidates.line_tokens[block.rows].sum(dtype="int64"))
            marks += count(block.heading) + lines_total - int(candidates.tokens[block.rows].sum(dtype="int64"))
        else:
            joins += len(block.rows) - 1
    lines = {"headings and list marks": marks, _JOINS: joins, "tool calls": _uncharged_calls(assembly)}
    if first_role := _first_role(assembly):
        frames += added.constant(first_role)
        lines["beginning of the reply"] = added.reply()
        lines["tool definitions"] = added.tools(tool_texts(tools))
        lines["choice among the tools"] = added.choice()
        lines[_OF_SERVER] = server_tokens(chat_format, tools, True)
    return {"chat template": frames, **lines}


def _first_role(assembly: Assembly) -> str:
    """Return the role of the first message in the prompt; "" for none."""
    for block in assembly.blocks:
        if not isinstance(block, Run):
            return block.role
        if len(block.rows):
            return ROLES[assembly.candidates.role[block.rows[0]]]
    return ""


def _literal_tokens(candidates: Candidates, part: str | Each) -> int:
    """Return the tokens of the literal texts in a part of a message."""
    if isinstance(part, Each):
        openings = int(candidates.form_tokens(part.rows, part.form, part.opening).sum(dtype="int64"))
        return openings + candidates.counts.count(part.ending) * len(part.rows)
    return candidates.counts.count(part)


def measured_ledger(
    assembly: Assembly,
    chat_format: ChatFormat,
    tools: Sequence[Tool],
    exact: bool,
) -> TokenLedger:
    """Return the ledger with every overhead line counted on its own piece of text, and the whole prompt separately.

    Raise AbandonedError once it is no longer wanted: a large prompt takes seconds.
    """
    tokenizer, prompt = assembly.candidates.counts.tokenizer, render_prompt(assembly, chat_format, tools)
    chat = prompt.chat
    if chat.faithful:
        lines, counted = _Measurement(assembly, prompt, tools).ledger_parts()
    else:
        lines, counted = planned_ledger(assembly, prompt.chat_format, tools, exact).lines, None
    return TokenLedger(
        items=assembly.items_total,
        lines=lines,
        rendered=count_segments(tokenizer, chat.stretches) + server_tokens(prompt.chat_format, tools, prompt.messages),
        exact=exact and not prompt.refusal and is_exact(*prompt.asked, bool(tools)) and not _is_estimated(assembly),
        tokenizer=tokenizer.name,
        counted=counted,
        specials=_typed_specials(assembly, prompt),
        leaves_tools_out=bool(tools) and not any(segment.part == "tools" for segment in chat.segments),
        prompt=prompt,
    )


def _has_calls(assembly: Assembly) -> bool:
    results = bool((assembly.candidates.role[assembly.in_prompt] == ROLES.index("tool")).any())
    return results or _uncharged_calls(assembly) > 0


class _Measurement:
    """The parts of a rendered prompt, every piece of text counted once."""

    def __init__(self, assembly: Assembly, prompt: RenderedPrompt, tools: Sequence[Tool]) -> None:
        self._of_server = server_tokens(prompt.chat_format, tools, prompt.messages)
        self._assembly, self._messages, self._segments = assembly, prompt.messages, prompt.chat.segments
        self._stretches = prompt.chat.stretches
        self._joined = [block for block in assembly.blocks if not isinstance(block, Run)]
        texts = [piece.text for pieces in (self._segments, self._stretches) for piece in pieces if not piece.special]
        texts += [message.content for message in prompt.messages]
        texts += [text for block in self._joined for part in _shared_texts(assembly, block) for text in part]
        self._count = _counter(assembly, texts)

    def ledger_parts(self) -> tuple[tuple[Overhead, ...], I32]:
        """Return the overhead lines, and the cost of each row in the prompt."""
        by_part: Counter[str] = Counter()
        written = np.zeros(len(self._messages), np.int64)
        pieces = 0
        for segment in self._segments:
            tokens = 1 if segment.special else self._count[segment.text]
            pieces += tokens
            if segment.message == FRAME or segment.part == "thought":
                by_part[segment.part] += tokens
            else:
                written[segment.message] += tokens
        whole = sum(1 if stretch.special else self._count[stretch.text] for stretch in self._stretches)
        marks, joins, counted = self._shared()
        planned = np.array([self._count[message.content] for message in self._messages], np.int64)
        named = {
            "chat template": by_part["frame"],
            "beginning of the reply": by_part["reply"],
            "headings and list marks": marks,
            _JOINS: joins + whole - pieces,
            "tool calls": _uncharged_calls(self._assembly),
            "tool definitions": by_part["tools"],
            "choice among the tools": by_part["choice"],
            "thoughts": by_part["thought"],
            _OF_SERVER: self._of_server,
            "rewritten by the template": int((written - planned).sum()),
        }
        for message, tokens in zip(self._messages, written.tolist(), strict=True):
            if len(message.rows) == 1 and counted[message.rows[0]] == NOT_MEASURED:
                counted[message.rows[0]] = tokens
        return _named(named), frozen(counted)

    def _shared(self) -> tuple[int, int, I32]:
        """Return the tokens of headings and list marks, of joints and seams, and of the rows of shared messages.

        A mark is the count of a line above that of its text; a joint without marks, and every seam, is the count of the
        whole message above that of its lines.
        """
        marks = joins = 0
        counted = np.full(len(self._assembly.candidates), NOT_MEASURED, np.int32)
        for block in self._joined:
            lines, texts, (content,) = _shared_texts(self._assembly, block)
            of_lines, of_texts = ([self._count[text] for text in part] for part in (lines, texts))
            marks += sum(of_lines) - sum(of_texts)
            joins += self._count[content] - sum(of_lines)
            counted[block.rows] = of_texts
        return marks, joins, counted


def _counter(assembly: Assembly, texts: Sequence[str]) -> dict[str, int]:
    """Return the tokens of every text: as counted before, else counted now."""
    counts, wanted = assembly.candidates.counts, list(dict.fromkeys(texts))
    tokens, known = counts.lookup(wanted)
    missing = np.flatnonzero(~known)
    tokens[missing] = counts.tokenizer.count([wanted[place] for place in missing.tolist()])
    return dict(zip(wanted, tokens.tolist(), strict=True))


def _shared_texts(assembly: Assembly, block: Joined | Composed) -> tuple[list[str], list[str], list[str]]:
    """Return the lines of a message shared by items, the texts of the items in them, and the whole."""
    texts = [assembly.text(row) for row in block.rows.tolist()]
    if isinstance(block, Composed):
        lines = block.written(assembly)
        return lines, texts, ["".join(lines)]
    lines = [block.heading, *(block.mark + text + (block.joint if block.mark else "") for text in texts)]
    lines[-1] = block.mark + texts[-1]
    return lines, texts, [block.heading + block.joint.join(block.mark + text for text in texts)]


def _typed_specials(assembly: Assembly, prompt: RenderedPrompt) -> TypedSpecials | None:
    """Return the items that spell special tokens of the model, None if there are none."""
    chat, pattern = prompt.chat, specials_pattern(prompt.chat_format.template.specials)
    own = (segment for segment in chat.segments if segment.message != FRAME)
    spelled = {segment.message for segment in own if pattern.search(segment.text)}
    rows = [row for place in sorted(spelled) for row in prompt.messages[place].rows]
    found = {row: match[0] for row in rows if (match := pattern.search(assembly.text(row)))}
    if not found:
        return None
    parsed = count_segments(assembly.candidates.counts.tokenizer, prompt.chat_format.split(chat.text))
    return TypedSpecials(tuple(found), next(iter(found.values())), parsed)


def _named(lines: Mapping[str, int]) -> tuple[Overhead, ...]:
    return tuple(Overhead(name, tokens) for name, tokens in lines.items() if tokens)


def _uncharged_calls(assembly: Assembly) -> int:
    """Return the tokens of the tool calls of messages kept whole but charged for their content alone."""
    callers = assembly.candidates.items.callers
    if assembly.error or not len(callers):
        return 0
    whole = callers[assembly.action[callers] == int(Action.KEPT)]
    return int((assembly.candidates.tokens[whole] - assembly.spent[whole]).sum(dtype="int64"))


def tool_texts(tools: Sequence[Tool]) -> tuple[str, ...]:
    """Return the definitions of tools, each as compact JSON."""
    compact = {"ensure_ascii": False, "separators": (",", ":"), "default": str}
    return tuple(json.dumps(tool.schema, **compact) for tool in tools)


def _is_estimated(assembly: Assembly) -> bool:
    """Return whether any figure of the prompt is not a real count: recorded, uncounted, a picture, or of no prompt."""
    candidates = assembly.candidates
    if assembly.error is not None:
        return True
    doubtful = candidates.derived("doubtful", None, lambda: _doubtful(candidates))
    return bool((assembly.in_prompt & doubtful).any())


def _doubtful(candidates: Candidates) -> Bool:
    return candidates.recorded | ~candidates.exact | (candidates.images > 0)
