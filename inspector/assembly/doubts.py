"""How sure the total of a prompt is, and which parts of it are by a rule, estimated or not known."""

from collections.abc import Mapping

import numpy as np

from inspector.assembly.decisions import Assembly
from inspector.assembly.summary_items import SUMMARIES_TITLE
from inspector.assembly.token_ledger import TokenLedger
from inspector.tokens.certainty import Certainty
from inspector.tokens.cost_words import counted_with

_WORDS = {
    Certainty.RULE: "Counted by a rule",
    Certainty.ESTIMATE: "Estimated",
    Certainty.UNKNOWN: "Not known, and not in the total",
}


def doubt_words(assembly: Assembly, ledger: TokenLedger) -> str:
    """Return which parts of a prompt are not exact, and the range of its total; "" if all of it is exact."""
    doubted = _doubted(assembly, ledger)
    parts = [f"{words}: {names}." for certainty, words in _WORDS.items() if (names := _named(doubted, certainty))]
    cost = ledger.cost
    between = (f"The total is between {cost.low:,} and {cost.high:,}.",) if cost.low < cost.high else ()
    return " ".join((*parts, *between))


def prompt_counted_with(assembly: Assembly, ledger: TokenLedger) -> str:
    """Return how the tokens of a prompt are counted, such as `Exact, o200k`, with what is unknown."""
    is_unknown = ledger.certainty is Certainty.UNKNOWN
    unknown = _named(_doubted(assembly, ledger), Certainty.UNKNOWN).lower() if is_unknown else ""
    return counted_with(ledger.tokenizer, ledger.cost, unknown)


def _named(doubted: Mapping[str, Certainty], certainty: Certainty) -> str:
    return ", ".join(name for name, found in doubted.items() if found is certainty)


def _doubted(assembly: Assembly, ledger: TokenLedger) -> dict[str, Certainty]:
    """Return the certainty of what is in a prompt: of texts, of the lines around them, and of media."""
    candidates = assembly.candidates
    media, texts = candidates.media, assembly.in_prompt.copy()
    texts[media.rows] = False
    found = {"Texts of items": Certainty(int(candidates.certainty[texts].max(initial=np.uint8(0))))}
    if assembly.summaries_total:
        found[SUMMARIES_TITLE] = Certainty.ESTIMATE
    found |= {line.title: line.cost.certainty for line in ledger.lines}
    held = assembly.in_prompt[media.rows]
    for certainty in Certainty if held.any() else ():
        found |= {noun.capitalize(): certainty for noun in media.nouns(held, certainty)}
    return found
