"""Costs in words: a figure with its error or range, and how tokens are counted."""

from inspector.figures import figures
from inspector.tokens.certainty import Certainty, Cost
from inspector.tokens.tokenizer import tokenizer_title

NOT_KNOWN = "?"
"""Shown in place of a cost that nothing says."""
_WORDS = {
    Certainty.EXACT: "exact",
    Certainty.RULE: "by rule",
    Certainty.ESTIMATE: "estimated",
    Certainty.UNKNOWN: "not known",
}


def figure_of(tokens: int, certainty: Certainty) -> str:
    """Return a cost for a narrow column: 776, ≈ 776, or ? for one that is not known at all."""
    if certainty is Certainty.UNKNOWN and not tokens:
        return NOT_KNOWN
    return figures(tokens, certainty >= Certainty.ESTIMATE)


def cost_figure(cost: Cost) -> str:
    """Return a cost with its error: 12, 765 ± 61, ≈ 1,240 (1,100 to 1,400), or ? for one that is not known at all."""
    figure = figure_of(cost.tokens, cost.certainty)
    if cost.low >= cost.high:
        return figure
    return f"{figure} {_error(cost)}" if cost.certainty is Certainty.RULE else f"{figure} ({_range(cost)})"


def state_words(cost: Cost, *, of_whole: bool = False) -> str:
    """Return how sure a cost is: exact, by rule ± 61, estimated, 1,100 to 1,400, not known; `of_whole`: of a sum."""
    words = "not all known" if of_whole and cost.certainty is Certainty.UNKNOWN else _WORDS[cost.certainty]
    if cost.low >= cost.high:
        return words
    return f"{words} {_error(cost)}" if cost.certainty is Certainty.RULE else f"{words}, {_range(cost)}"


def counted_with(name: str, cost: Cost, unknown: str = "") -> str:
    """Return how tokens are counted, such as `Exact, o200k`; `unknown` names the parts of unknown cost."""
    title = tokenizer_title(name)
    if cost.certainty is Certainty.EXACT:
        return f"Exact, {title}"
    if cost.certainty is Certainty.RULE:
        return f"By rule{f' ({_error(cost)})' if cost.low < cost.high else ''}, {title}"
    if cost.certainty is Certainty.ESTIMATE:
        return f"Estimated, {title}{f', {_range(cost)}' if cost.low < cost.high else ''}"
    return f"Not all known{f' ({unknown})' if unknown else ''}, {title}"


def _error(cost: Cost) -> str:
    return f"± {max(cost.high - cost.tokens, cost.tokens - cost.low):,}"


def _range(cost: Cost) -> str:
    return f"{cost.low:,} to {cost.high:,}"
