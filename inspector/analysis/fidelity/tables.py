"""The table of summaries beside their originals, and the same as JSON."""

from dataclasses import asdict
from typing import Any

from inspector.analysis.fidelity.ask import SummaryTable, SummaryTotal
from inspector.analysis.recorded.usage import usage_errors
from inspector.assembly.columns import Fate, outcome_tone, word
from inspector.assembly.numbers import number_of
from inspector.assembly.replacements import COMPUTED, SummarySource
from inspector.figures import figures, signed
from inspector.retrieval.facts.fidelity import Fidelity
from inspector.tables import Column, Face, Kind, Table, Tone

FIDELITY_FORMAT = "prompt-inspector/fidelity@1"
SOURCE_SENTENCES = {
    SummarySource.FILE: "The file has this summary.",
    SummarySource.PREVIEW: "The file has no summary: these are the first 100 characters.",
    SummarySource.EXTRACTIVE: "The file has no summary: these sentences of the message were chosen here.",
    SummarySource.ENDPOINT: "The file has no summary: your endpoint wrote this one.",
}
_NAMED, _LOST_CODE_POINTS = 4, 30


def source_of(table: SummaryTable, place: int) -> SummarySource:
    """Return where the summary at a place comes from."""
    return SummarySource(int(table.sources[place]))


def item_id(table: SummaryTable, place: int) -> str:
    """Return the id of the message at a place."""
    return table.assembly.candidates.ids[int(table.rows[place])]


def item_number(table: SummaryTable, place: int) -> str:
    """Return the number of the message at a place."""
    return number_of(table.assembly.candidates, int(table.rows[place]))


def saved_text(table: SummaryTable, place: int) -> str:
    """Return the savings of a summary: 85; +3 if it costs three more than its original."""
    saved = int(table.saved[place])
    return figures(saved) if saved >= 0 else signed(-saved)


def _is_estimated(table: SummaryTable, place: int) -> bool:
    return not table.exact[place]


def _saved_color(table: SummaryTable, place: int) -> Tone | None:
    return "warning" if table.saved[place] < 0 else None


def _fact_hint(table: SummaryTable, place: int) -> str:
    one = table.fidelities[place]
    if not one.fact_count:
        return "The original has no names, numbers, dates or other facts that could be lost."
    kinds = (f"{kind.value}: {kept} of {facts}" for kind, (kept, facts) in one.by_kind.items())
    return "\n".join((f"{one.kept_count} of {one.fact_count} facts kept", *kinds))


def _fate(table: SummaryTable, place: int) -> Fate:
    return Fate(int(table.assembly.fate[int(table.rows[place])]))


def _muted(table: SummaryTable, place: int) -> Tone:
    return "muted"


def _fate_color(table: SummaryTable, place: int) -> Tone | None:
    fate = _fate(table, place)
    return None if fate is Fate.KEPT else outcome_tone(fate)


def lost_texts(one: Fidelity, original: str) -> list[tuple[str, str]]:
    """Return kind and text of each lost fact, without duplicates, as it first appears in the original."""
    found: dict[tuple[str, str], str] = {}
    for fact in one.lost:
        found.setdefault((fact.kind.value, fact.value), original[fact.start : fact.end])
    return [(kind, text) for (kind, _), text in found.items()]


def _lost(table: SummaryTable, place: int) -> list[str]:
    return [text for _, text in lost_texts(table.fidelities[place], table.original(place))]


def _lost_words(table: SummaryTable, place: int) -> str:
    lost = [" ".join(text.split())[:_LOST_CODE_POINTS] for text in _lost(table, place)]
    return ", ".join(lost[:_NAMED]) + (f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else "")


SUMMARY_COLUMNS: tuple[Column[SummaryTable], ...] = (
    Column("id", "#", "The number of the message", item_id, words=item_number, digits=5, tooltip=item_id),
    Column(
        "summary",
        "Summary",
        "The first line of the summary",
        lambda table, place: table.summary(place),
        kind=Kind.EXCERPT,
        faces=Face.FILES | Face.WINDOW,
        digits=20,
        stretches=True,
        tooltip=lambda table, place: table.summary(place),
        yields=4,
    ),
    Column(
        "tokens",
        "Original",
        "Tokens of the original",
        lambda table, place: int(table.tokens[place]),
        lambda table: table.tokens,
        Kind.TOKENS,
        estimated=_is_estimated,
        digits=7,
        yields=2,
    ),
    Column(
        "summary_tokens",
        "Tokens",
        "Tokens of the summary",
        lambda table, place: int(table.summary_tokens[place]),
        lambda table: table.summary_tokens,
        Kind.TOKENS,
        estimated=_is_estimated,
        digits=7,
    ),
    Column(
        "saved",
        "Saved",
        "Tokens saved by the summary; + if it costs more than the original",
        lambda table, place: int(table.saved[place]),
        lambda table: table.saved,
        Kind.TOKENS,
        saved_text,
        digits=7,
        goes_last=1,
        tone=_saved_color,
    ),
    Column(
        "facts",
        "Facts",
        "Names, numbers, dates and other facts of the original",
        lambda table, place: table.fidelities[place].fact_count,
        kind=Kind.COUNT,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "kept",
        "Kept",
        "The number of them in the summary",
        lambda table, place: table.fidelities[place].kept_count,
        kind=Kind.COUNT,
        faces=Face.FILES,
    ),
    Column(
        "fidelity",
        "Facts kept",
        "The share of the names, numbers, dates and other facts kept by the summary",
        lambda table, place: table.fidelities[place].share,
        lambda table: table.shares,
        Kind.SHARE,
        digits=7,
        tooltip=_fact_hint,
    ),
    Column(
        "source",
        "Source",
        "The source of the summary: the file, or computed (preview, extractive, endpoint)",
        lambda table, place: word(source_of(table, place)),
        lambda table: table.sources,
        digits=8,
        tone=_muted,
        tooltip=lambda table, place: SOURCE_SENTENCES[source_of(table, place)],
        yields=3,
    ),
    Column(
        "computed",
        "Computed",
        "Whether the summary is not in the file",
        lambda table, place: source_of(table, place) in COMPUTED,
        faces=Face.FILES,
    ),
    Column(
        "summarized",
        "Summarized",
        "Whether the message is summarized in this prompt",
        lambda table, place: bool(table.summarized[place]),
        faces=Face.FILES,
    ),
    Column(
        "action",
        "Outcome",
        "The outcome of the message in this prompt",
        lambda table, place: word(_fate(table, place)),
        kind=Kind.OUTCOME,
        digits=11,
        tone=_fate_color,
        yields=1,
    ),
    Column(
        "lost",
        "Lost",
        "The facts of the original lost by the summary",
        lambda table, place: ", ".join(_lost(table, place)),
        words=_lost_words,
        faces=Face.FILES | Face.TERMINAL,
        stretches=True,
        yields=5,
    ),
)
SUMMARIES: Table[SummaryTable] = Table(SUMMARY_COLUMNS, lambda table: range(len(table)))


def fidelity_value(table: SummaryTable) -> dict[str, Any]:
    """Return the table as a JSON value: an item for each message, a total of all, and a total for this prompt."""
    candidates = table.assembly.candidates
    return {
        "format": FIDELITY_FORMAT,
        "tokenizer": candidates.counts.tokenizer.name,
        "exact": candidates.counts.tokenizer.exact and bool(table.exact.all()),
        "items": [record | _facts_value(table, place) for place, record in enumerate(SUMMARIES.records(table))],
        "total": _total_value(table.total()),
        "in_prompt": _total_value(table.total(table.summarized)),
        "usage": [{**asdict(error), "bias": error.bias} for error in usage_errors(table.assembly, table.prompt)],
    }


def _facts_value(table: SummaryTable, place: int) -> dict[str, Any]:
    one = table.fidelities[place]
    return {
        "kinds": {kind.value: {"kept": kept, "facts": facts} for kind, (kept, facts) in one.by_kind.items()},
        "lost": [{"kind": kind, "text": text} for kind, text in lost_texts(one, table.original(place))],
    }


def _total_value(total: SummaryTotal) -> dict[str, Any]:
    return {
        "messages": total.messages,
        "tokens": total.tokens,
        "summary_tokens": total.summary_tokens,
        "saved": total.saved,
        "facts": total.facts,
        "kept": total.kept,
        "fidelity": total.share,
    }
