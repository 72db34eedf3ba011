"""The table of waste, and the waste as JSON and in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector.analysis.waste.ask import Waste
from inspector.figures import counted, dollars
from inspector.tables import Column, Face, Kind, Table

WASTE_FORMAT = "prompt-inspector/waste@1"
NOTHING_WASTED = "Nothing that an agent sent for nothing was found."


@dataclass(frozen=True, slots=True)
class Wasted:
    """All waste that was found, the worst first."""

    found: tuple[Waste, ...]

    def __len__(self) -> int:
        return len(self.found)


def _agent(waste: Waste) -> str:
    return agent_words(waste) or waste.title or waste.conversation


def agent_words(waste: Waste) -> str:
    """Return the agent of a recording in words, "" for a saved chat."""
    return waste.agent and f"{'Subagent' if '.' in waste.agent else 'Agent'} {waste.agent}"


def whole_sentence(waste: Waste) -> str:
    """Return what was found with its tokens and its money over the whole session."""
    tokens = counted(waste.tokens, "token", estimated=waste.estimated)
    money = "" if waste.dollars is None else f", {dollars(waste.dollars, waste.estimated)}"
    whose = f"{agent_words(waste)}: " if waste.agent else ""
    return f"{whose}{waste.sentence} {tokens}{money} over the session."


COLUMNS: tuple[Column[Wasted], ...] = (
    Column("code", "Code", "The code of its kind", lambda all_, row: all_.found[row].kind.code, faces=Face.FILES),
    Column("kind", "What", "What is sent for nothing", lambda all_, row: all_.found[row].kind.title, digits=20),
    Column("agent", "Agent", "Whose session it is", lambda all_, row: _agent(all_.found[row]), digits=14, yields=2),
    Column(
        "tokens",
        "Tokens",
        "Its tokens in all requests of the session",
        lambda all_, row: all_.found[row].tokens,
        kind=Kind.TOKENS,
        estimated=lambda all_, row: all_.found[row].estimated,
    ),
    Column(
        "once",
        "A request",
        "Its tokens in one request",
        lambda all_, row: all_.found[row].once,
        kind=Kind.TOKENS,
        estimated=lambda all_, row: all_.found[row].estimated,
        yields=3,
    ),
    Column(
        "dollars",
        "Cost",
        "US dollars over the session, with the maker's cache where its rule is known",
        lambda all_, row: all_.found[row].dollars,
        kind=Kind.MONEY,
        estimated=lambda all_, row: all_.found[row].estimated,
        absent="",
    ),
    Column("share", "Share", "Of all tokens of the session", lambda all_, row: all_.found[row].share, kind=Kind.SHARE),
    Column("sentence", "In words", "What was found", lambda all_, row: all_.found[row].sentence, stretches=True),
    Column("advice", "What to do", "One thing to do", lambda all_, row: all_.found[row].advice, faces=Face.FILES),
    Column("conversation", "Id", "The conversation", lambda all_, row: all_.found[row].conversation, faces=Face.FILES),
    Column("items", "Items", "Its messages", lambda all_, row: all_.found[row].items, kind=Kind.IDS, faces=Face.FILES),
)

WASTE: Table[Wasted] = Table(COLUMNS, lambda all_: range(len(all_)))


def waste_sentence(wasted: Wasted) -> str:
    """Return all waste in a sentence."""
    if not len(wasted):
        return NOTHING_WASTED
    prices = [waste.dollars for waste in wasted.found]
    told = [price for price in prices if price is not None]
    estimated = any(waste.estimated for waste in wasted.found)
    money = "" if len(told) < len(prices) else f", {dollars(sum(told), estimated)}"
    tokens = counted(sum(waste.tokens for waste in wasted.found), "token", estimated=estimated)
    return f"{counted(len(wasted), 'finding')}, {tokens}{money}."


def advice_lines(found: Sequence[Waste]) -> list[str]:
    """Return the advice about each kind of waste once, the worst first."""
    kinds = dict.fromkeys(waste.kind for waste in found)
    return [f"{kind.title}: {kind.advice}" for kind in kinds]


def waste_value(wasted: Wasted) -> dict[str, Any]:
    """Return the waste as JSON."""
    return {"format": WASTE_FORMAT, "words": waste_sentence(wasted), "found": list(WASTE.records(wasted))}
