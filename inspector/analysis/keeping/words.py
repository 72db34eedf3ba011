"""Ways in words: their labels, and their price in tokens, money, and items that leave the prompt."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from inspector.analysis.keeping.way import Way
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind
from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter
from inspector.assembly.thresholds import WINDOW
from inspector.figures import counted, figures, signed

_LEAST_MONEY = 0.0005
"""Less is written as nothing."""
_NOUNS = {
    Kind.MEMORY: ("memory", "memories"),
    Kind.LORE: ("lore entry", "lore entries"),
    Kind.PASSAGE: ("passage", "passages"),
    Kind.SUMMARY: ("summary", "summaries"),
    Kind.DOCUMENT: ("document", "documents"),
    Kind.MESSAGE: ("message", "messages"),
}


def changes_label(changes: Mapping[str, Any], declared: Mapping[str, Parameter]) -> str:
    """Return values of the window and of parameters in words, such as `Window 17,993, Conversation 52.3 %`."""
    return ", ".join(_change(name, value, declared) for name, value in changes.items())


def _change(name: str, value: Any, declared: Mapping[str, Parameter]) -> str:
    return f"Window {value:,}" if name == WINDOW else edit_label(declared[name], value)


def those(candidates: Candidates, rows: Sequence[int]) -> str:
    """Return some items as an object: `this message`, `these 3 memories`, `these 4 items`."""
    noun, plural = _noun(candidates, rows)
    return f"this {noun}" if len(rows) == 1 else f"these {len(rows):,} {plural}"


def others(candidates: Candidates, rows: Sequence[int]) -> str:
    """Return some other items: `1 other message`, `3 other messages`, `4 other items`."""
    noun, plural = _noun(candidates, rows)
    return counted(len(rows), f"other {noun}", plural=f"other {plural}")


def price_text(way: Way, candidates: Candidates) -> str:
    """Return what a way costs: `+3,685 tokens, +$0.009; nothing leaves`."""
    parts = [tokens_text(way), leaves_text(way, candidates)]
    return "; ".join([*parts, exceeds_text(way)] if way.exceeds else parts)


def tokens_text(way: Way) -> str:
    """Return the change of tokens and of money: `+3,685 tokens, +$0.009`; no money where it rounds to nothing."""
    noun = "token" if abs(way.added) == 1 else "tokens"
    tokens = f"{signed(way.added, way.added_estimated)} {noun}"
    money = way.cost_added
    if money is None or abs(money) < _LEAST_MONEY:
        return tokens
    sign = "+" if money > 0 else "\N{MINUS SIGN}"
    return f"{tokens}, {sign}${abs(money):,.3f}"


def leaves_text(way: Way, candidates: Candidates) -> str:
    """Return which other items leave or are shortened: `nothing leaves`, `12 messages leave, 3 are shortened`."""
    left = _said(candidates, way.leaves, "leaves", "leave") if way.leaves else "nothing leaves"
    if not way.shortened:
        return left
    if way.leaves:
        return f"{left}, {len(way.shortened):,} {'is' if len(way.shortened) == 1 else 'are'} shortened"
    return f"{left}, {_said(candidates, way.shortened, 'is shortened', 'are shortened')}"


def comes_in_text(way: Way, candidates: Candidates) -> str:
    """Return how many other items are then kept whole: `63 messages are also kept`; "" for none."""
    return _said(candidates, way.comes_in, "is also kept", "are also kept") if way.comes_in else ""


def exceeds_text(way: Way) -> str:
    """Return by how much the prompt then exceeds the window: `3,808 over the window`; "" where it fits."""
    return f"{figures(way.exceeds, way.estimated)} over the window" if way.exceeds else ""


def _said(candidates: Candidates, rows: Sequence[int], verb: str, verb_of_many: str) -> str:
    noun, plural = _noun(candidates, rows)
    return f"{counted(len(rows), noun, plural=plural)} {verb if len(rows) == 1 else verb_of_many}"


def _noun(candidates: Candidates, rows: Iterable[int]) -> tuple[str, str]:
    """Return the noun for some items, one and many: that of their kind, or of items."""
    kinds = np.unique(candidates.kind[np.asarray(rows, np.intp)]).tolist()
    return _NOUNS.get(Kind(kinds[0]), ("item", "items")) if len(kinds) == 1 else ("item", "items")
