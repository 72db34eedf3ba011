"""The ledger of tokens: where the tokens of a prompt are, computed in two ways.

`planned_ledger` sums columns and touches no text, so it can follow a slider. `measured_ledger` counts each piece of the
prompt separately, and the whole prompt once more: the difference of the two is the residual.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, ROLES, Action, Bool, Rows, frozen
from inspector.assembly.decisions import Assembly, Composed, Each, Joined, Run
from inspector.assembly.overhead import (
    CHOICE,
    JOINS,
    OF_SERVER,
    THOUGHTS,
    TOOLS,
    Overhead,
    priced,
    server_tokens,
    tool_texts,
)
from inspector.assembly.rendered_prompt import RenderedPrompt, render_prompt, speaker_of
from inspector.assembly.sent_thoughts import sent_thoughts
from inspector.assembly.uncharged_calls import uncharged_calls
from inspector.derived import cached_property
from inspector.model import Tool
from inspector.tokens.certainty import Certainty, Cost, total
from inspector.tokens.chat.format import ChatFormat, count_segments
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.chat.messages import FRAME
from inspector.tokens.chat.rendering import specials_pattern

NOT_MEASURED = -1
"""In `TokenLedger.counted`: the item is not in the prompt."""


@dataclass(frozen=True, slots=True)
class TypedSpecials:
    """Rows whose text spells special tokens, an example of these, and the count of a server obeying them."""

    rows: tuple[int, ...]
    example: str
    parsed: int


@dataclass(frozen=True)
class TokenLedger:
    """Where the tokens of a prompt are: items, overhead lines, and the count of the whole, measured separately.

    `within` is the cost of the items with its range and the weakest certainty among them. `rendered` is None until it
    has been measured; where all is exact, `residual` must be 0. `counted` is the cost of each item in the rendered
    prompt, row by row, and `of_summaries` that of the summaries beside the candidates; `prompt` is the measured prompt,
    and `leaves_tools_out` is true if its chat template has no place for the tools.
    """

    within: Cost
    lines: tuple[Overhead, ...]
    rendered: int | None
    tokenizer: str
    counted: I32 | None = field(default=None, compare=False)
    specials: TypedSpecials | None = None
    leaves_tools_out: bool = False
    prompt: RenderedPrompt | None = field(default=None, compare=False)
    of_summaries: int = 0

    @property
    def items(self) -> int:
        """The tokens of the items."""
        return self.within.tokens

    @property
    def overhead(self) -> int:
        """The sum of the overhead lines."""
        return sum(line.tokens for line in self.lines)

    @cached_property
    def cost(self) -> Cost:
        """Items and overhead together: the range of their sum, as certain as the least certain of them."""
        return total((self.within, *(line.cost for line in self.lines)))

    @property
    def total(self) -> int:
        """The tokens of items and overhead together."""
        return self.cost.tokens

    @property
    def certainty(self) -> Certainty:
        """The certainty of the total."""
        return self.cost.certainty

    @property
    def exact(self) -> bool:
        """Whether every figure is a real count of the model's own vocabulary."""
        return self.certainty is Certainty.EXACT

    @property
    def estimated(self) -> bool:
        """Whether any of its figures, or any derived from it, is an estimate: also until the whole is measured."""
        return self.rendered is None or self.certainty >= Certainty.ESTIMATE

    @property
    def drift(self) -> int | None:
        """The cost of the items in the rendered prompt above their planned cost; None until it has been measured."""
        if self.counted is None:
            return None
        return int(self.counted[self.counted >= 0].sum(dtype="int64")) + self.of_summaries - self.items

    @property
    def residual(self) -> int | None:
        """The count of the whole above the sum of its parts; None until it has been measured."""
        return None if self.rendered is None else self.rendered - self.total


def planned_ledger(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool]) -> TokenLedger:
    """Return the ledger from columns alone, without touching a text, for a slider until the prompt is measured.

    List marks are exact sums of counted lines; a joint of paragraphs is taken as one token, and the frame of a message
    as its size in the shortest chat, as is what goes around a thought. The items have no range yet.
    """
    tokenizer, lines = assembly.candidates.counts.tokenizer, _planned_lines(assembly, chat_format, tools)
    items = Cost(assembly.items_total, assembly.items_total, assembly.items_total, _weakest_item(assembly))
    stands_in = frames_of(chat_format, tokenizer).stands_in
    return TokenLedger(items, priced(assembly, chat_format, lines, is_sure=not stands_in), None, tokenizer.name)


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
        frames += added.frame(block.role, speaker_of(assembly, block))
        if isinstance(block, Composed):
            if block.summary:
                continue
            marks += sum(_literal_tokens(candidates, part) for part in block.parts if not isinstance(part, int))
        elif block.mark:
            lines_total = int(candidates.line_tokens[block.rows].sum(dtype="int64"))
            marks += count(block.heading) + lines_total - int(candidates.tokens[block.rows].sum(dtype="int64"))
        else:
            joins += len(block.rows) - 1
    thoughts = sent_thoughts(assembly, added, bool(tools))
    frames += int(thoughts.frames.sum(dtype="int64"))
    lines = {"headings and list marks": marks, JOINS: joins, "tool calls": int(uncharged_calls(assembly).sum())}
    lines[THOUGHTS] = int(thoughts.tokens.sum(dtype="int64"))
    if first_role := _first_role(assembly):
        frames += added.constant(first_role)
        lines["beginning of the reply"] = added.reply()
        lines[TOOLS] = added.tools(tool_texts(tools))
        lines[CHOICE] = added.choice()
        lines[OF_SERVER] = server_tokens(chat_format, tools)
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


def measured_ledger(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool]) -> TokenLedger:
    """Return the ledger with every overhead line counted on its own piece of text, and the whole prompt separately.

    Raise AbandonedError once it is no longer wanted: a large prompt takes seconds.
    """
    tokenizer, prompt = assembly.candidates.counts.tokenizer, render_prompt(assembly, chat_format, tools)
    chat, leaves_out = prompt.chat, bool(tools and prompt.messages) and not prompt.has_tools
    if chat.faithful:
        lines, counted = _Measurement(assembly, prompt, tools).ledger_parts()
    else:
        lines, counted = _planned_lines(assembly, prompt.chat_format, tools), None
    is_sure = chat.faithful and not prompt.refusal and not chat.doubt and assembly.error is None
    return TokenLedger(
        within=_items_cost(assembly),
        lines=priced(assembly, prompt.chat_format, lines, is_sure=is_sure, leaves_tools_out=leaves_out),
        rendered=count_segments(tokenizer, chat.stretches) + _beside_text(assembly, prompt, tools),
        tokenizer=tokenizer.name,
        counted=counted,
        specials=_typed_specials(assembly, prompt),
        leaves_tools_out=leaves_out,
        prompt=prompt,
        of_summaries=_of_summaries(assembly),
    )


def _of_summaries(assembly: Assembly) -> int:
    """Return the tokens of the texts of the summaries in the prompt."""
    count = assembly.candidates.counts.count
    return sum(count(compaction.text) for compaction in assembly.compactions.standing)


def _items_cost(assembly: Assembly) -> Cost:
    """Return the cost of the items in the prompt; of an item in another form, its range is in proportion to its own."""
    candidates, rows = assembly.candidates, np.flatnonzero(assembly.in_prompt)
    spent, tokens = assembly.spent[rows].astype(np.float64), candidates.tokens[rows]
    # A form may have tokens where the item has none.
    shares = (np.where(tokens > 0, bound[rows] / np.maximum(tokens, 1), 1.0) for bound in candidates.token_bounds)
    low, high = (int(np.round(share * spent).sum()) + assembly.summaries_total for share in shares)
    return Cost(assembly.items_total, low, high, _weakest_item(assembly))


def _weakest_item(assembly: Assembly) -> Certainty:
    if assembly.error is not None or assembly.summaries_total:
        return Certainty.ESTIMATE
    candidates = assembly.candidates
    if len(candidates.certainties) == 1:  # as nearly always: no slider has to look at every row
        return candidates.certainties[0] if assembly.in_prompt.any() else Certainty.EXACT
    return Certainty(int(candidates.certainty[assembly.in_prompt].max(initial=Certainty.EXACT)))


def _beside_text(assembly: Assembly, prompt: RenderedPrompt, tools: Sequence[Tool]) -> int:
    """Return the tokens that are no text of the rendered prompt: media of whole messages, and the server's prompt."""
    media = assembly.candidates.media
    held = int(media.tokens[_are_counted(assembly, media.rows)].sum())
    return held + (server_tokens(prompt.chat_format, tools) if prompt.messages else 0)


def _are_counted(assembly: Assembly, rows: Rows) -> Bool:
    """Return which of these messages are whole in the prompt at a cost that is counted, not given by the file."""
    if assembly.error is not None:
        return np.zeros(len(rows), np.bool_)
    return (assembly.action[rows] == int(Action.KEPT)) & ~assembly.candidates.recorded[rows]


class _Measurement:
    """The parts of a rendered prompt, every piece of text counted once."""

    def __init__(self, assembly: Assembly, prompt: RenderedPrompt, tools: Sequence[Tool]) -> None:
        self._format, self._tools = prompt.chat_format, tools
        self._assembly, self._messages, self._segments = assembly, prompt.messages, prompt.chat.segments
        self._stretches = prompt.chat.stretches
        self._joined = [block for block in assembly.blocks if not isinstance(block, Run)]
        texts = [piece.text for pieces in (self._segments, self._stretches) for piece in pieces if not piece.special]
        texts += [message.content for message in prompt.messages]
        texts += [text for block in self._joined for part in _shared_texts(assembly, block) for text in part]
        self._count = _counter(assembly, texts)

    def ledger_parts(self) -> tuple[dict[str, int], I32]:
        """Return the tokens of the overhead lines, and of each row in the prompt."""
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
            JOINS: joins + whole - pieces,
            "tool calls": int(uncharged_calls(self._assembly).sum()),
            TOOLS: by_part["tools"],
            CHOICE: by_part["choice"],
            THOUGHTS: by_part["thought"],
            OF_SERVER: server_tokens(self._format, self._tools) if self._messages else 0,
            "rewritten by the template": int((written - planned).sum()),
        }
        for message, tokens in zip(self._messages, written.tolist(), strict=True):
            if len(message.rows) == 1 and counted[message.rows[0]] == NOT_MEASURED:
                counted[message.rows[0]] = tokens
        media = self._assembly.candidates.media
        there = _are_counted(self._assembly, media.rows)
        counted[media.rows[there]] += media.tokens[there]
        return named, frozen(counted)

    def _shared(self) -> tuple[int, int, I32]:
        """Return the tokens of headings and list marks, of joints and seams, and of the rows of shared messages.

        A mark is the count of a line above that of its text; a joint without marks, and every seam, is the count of the
        whole message above that of its lines.
        """
        marks = joins = 0
        counted = np.full(len(self._assembly.candidates), NOT_MEASURED, np.int32)
        for block in self._joined:
            if isinstance(block, Composed) and block.summary:
                continue
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
