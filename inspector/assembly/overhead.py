"""The overhead of a prompt: its named parts outside all items, and the certainty of their costs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector.assembly.columns import ROLES, Action
from inspector.assembly.decisions import Assembly, Run
from inspector.model import Tool
from inspector.tokens.certainty import Certainty, Cost, exact, weakest
from inspector.tokens.chat.certainties import PricedPart
from inspector.tokens.chat.format import ChatFormat
from inspector.tokens.chat.messages import Part as ChatPart

JOINS = "joins"
"""The line of the tokens where two texts meet."""
TOOLS = "tool definitions"
"""The line of the definitions of the tools."""
CHOICE = "choice among the tools"
"""The line of the tokens by which a request chooses a tool."""
THOUGHTS = "thoughts"
"""The line of thoughts of earlier replies, sent to the model again."""
OF_SERVER = "tool prompt of the server"
"""The line of the prompt for tools that the model's server adds."""
_PARTS: Mapping[str, ChatPart] = {
    "chat template": "frame",
    "beginning of the reply": "reply",
    "tool calls": "call",
    TOOLS: "tools",
    CHOICE: "choice",
    THOUGHTS: "thought",
}
"""The part of the chat format behind each line of the overhead; the other lines are text."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """A named part of the prompt outside all items, and its cost."""

    name: str
    cost: Cost

    @property
    def tokens(self) -> int:
        """Its tokens; those of an unknown cost are 0."""
        return self.cost.tokens

    @property
    def title(self) -> str:
        """Its name for users, such as Chat template."""
        return "Seams between texts" if self.name == JOINS else self.name.capitalize()


def priced(
    assembly: Assembly,
    chat_format: ChatFormat,
    lines: Mapping[str, int],
    *,
    is_sure: bool,
    leaves_tools_out: bool = False,
) -> tuple[Overhead, ...]:
    """Return the lines with their certainty: that of the chat format for its parts, and of the vocabulary for all.

    Without `is_sure` nothing around the items is exact.
    """
    candidates = assembly.candidates
    by_own = is_sure and candidates.is_own and candidates.counts.tokenizer.exact
    told = {name: tokens for name, tokens in lines.items() if tokens or (name == TOOLS and leaves_tools_out)}
    within = _parts_within(assembly)
    costs = {name: _line_cost(chat_format, name, tokens, within, leaves_tools_out) for name, tokens in told.items()}
    return tuple(Overhead(name, cost if by_own else _doubted(cost)) for name, cost in costs.items())


def _line_cost(
    chat_format: ChatFormat, name: str, tokens: int, within: Iterable[PricedPart], leaves_tools_out: bool
) -> Cost:
    """Return the cost of a line; that of the frame has the doubts about the parts `within` messages, too."""
    part = _PARTS.get(name)
    if name == OF_SERVER:
        return chat_format.server_tools(has_tools=True) or exact(tokens)
    if part is None:
        return exact(tokens)
    cost = chat_format.cost(part, tokens, not (name == TOOLS and leaves_tools_out))
    doubts = [chat_format.cost(one, 1) for one in within] if part == "frame" else []
    return replace(
        cost,
        low=min(cost.low, max(cost.low - sum(1 - doubt.low for doubt in doubts), 0)),
        high=cost.high + sum(doubt.high - 1 for doubt in doubts),
        certainty=weakest([cost.certainty, *(doubt.certainty for doubt in doubts)]),
    )


def _parts_within(assembly: Assembly) -> list[PricedPart]:
    """Return the parts that stand inside of messages of the prompt, where a format may be less certain of them."""
    candidates, items = assembly.candidates, assembly.candidates.items
    if not (len(items.callers) or len(items.of_several_texts) or candidates.has_results):
        return []
    runs = [block.rows for block in assembly.blocks if isinstance(block, Run)]
    results = any((candidates.role[rows] == ROLES.index("tool")).any() for rows in runs)
    own = np.zeros(len(candidates), np.bool_)
    for rows in runs if len(items.callers) or len(items.of_several_texts) else ():
        own[rows] = assembly.action[rows] == int(Action.KEPT)
    calls: list[PricedPart] = ["call"] if results or own[items.callers].any() else []
    return [*calls, "texts"] if own[items.of_several_texts].any() else calls


def _doubted(cost: Cost) -> Cost:
    return replace(cost, certainty=max(cost.certainty, Certainty.ESTIMATE))


def server_tokens(chat_format: ChatFormat, tools: Sequence[Tool]) -> int:
    """Return the tokens that the model's server adds for tools, beside the rendered prompt."""
    added = chat_format.server_tools(bool(tools))
    return 0 if added is None else added.tokens


def tool_texts(tools: Sequence[Tool]) -> tuple[str, ...]:
    """Return the definitions of tools, each as compact JSON."""
    compact = {"ensure_ascii": False, "separators": (",", ":"), "default": str}
    return tuple(json.dumps(tool.schema, **compact) for tool in tools)
