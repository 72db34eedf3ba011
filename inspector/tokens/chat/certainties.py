"""How certain the parts of a rendered prompt are: its frame, definitions of tools, calls, thoughts, and the rest."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from inspector.tokens.certainty import Cost, by_rule, estimated, exact, unknown
from inspector.tokens.chat.messages import Part

PricedPart = Part | Literal["texts"]
"""A part of a prompt; `texts` is the content of a message made of several, joined by the format."""

_NO_TOOLS = "The chat template writes no tools: what the server adds for them is not in the template."
_DROPPED = "The chat template leaves these thoughts out."
_PUBLISHED = "The chat format was compared with its maker's own."
_STANDS_IN = "The chat format stands in for that of the model, or was not compared with its maker's."
_SPREAD = 0.5


@dataclass(frozen=True, slots=True)
class PartRule:
    """How certain some parts of a format are: an entry of `rules` in `chat_templates/formats.yaml`.

    `error` is the known error of the rule in tokens; `below` and `above` are the shares of the tokens by which an
    estimate may be too high and too low. `families` are those it is true for, () for all others; the first rule of a
    part counts.
    """

    parts: tuple[PricedPart, ...]
    certainty: Literal["exact", "rule", "estimate", "unknown"]
    says: str
    error: int = 0
    below: float = 0.0
    above: float = 0.0
    families: tuple[str, ...] = ()


def cost_of_part(rules: Iterable[PartRule], published: bool, part: PricedPart, tokens: int, is_written: bool) -> Cost:
    """Return the cost of a part: by the first rule for it, else as certain as the frame of the format.

    Tools that a template leaves out are unknown, thoughts that it leaves out cost nothing.
    """
    rule = next((rule for rule in rules if part in rule.parts), None)
    if not is_written and part == "tools":
        return unknown(rule.says if rule is not None and rule.certainty == "unknown" else _NO_TOOLS)
    if not is_written:
        return exact(0, _DROPPED) if published else estimated(0, _DROPPED)
    if rule is not None:
        return _by(rule, tokens)
    if published:
        return exact(tokens, _PUBLISHED)
    spread = round(tokens * _SPREAD)
    return estimated(tokens, _STANDS_IN, tokens - spread, tokens + spread)


def _by(rule: PartRule, tokens: int) -> Cost:
    if rule.certainty == "exact":
        return exact(tokens, rule.says)
    if rule.certainty == "unknown":
        return unknown(rule.says, high=tokens)
    low = tokens - max(rule.error, round(tokens * rule.below))
    high = tokens + max(rule.error, round(tokens * rule.above))
    make = by_rule if rule.certainty == "rule" else estimated
    return make(tokens, rule.says, max(low, 0), high)
