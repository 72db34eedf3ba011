"""The table of summaries: one row a message, with what its summary saves and keeps. Columns only; no widgets."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.fidelity import SummaryTable, SummaryTotal
from inspector.assembly.columns import Fate, outcome_tone, outcome_words
from inspector.assembly.replacements import SummarySource
from inspector.figures import figures, percentage, signed
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column, Tone, first_line

SOURCE_WORDS = {
    SummarySource.FILE: "file",
    SummarySource.PREVIEW: "preview",
    SummarySource.EXTRACTIVE: "extractive",
    SummarySource.ENDPOINT: "endpoint",
}
SOURCE_SENTENCES = {
    SummarySource.FILE: "The file has this summary.",
    SummarySource.PREVIEW: "The file has no summary: these are the first 100 characters.",
    SummarySource.EXTRACTIVE: "The file has no summary: these sentences of the message were chosen here.",
    SummarySource.ENDPOINT: "The file has no summary: the endpoint that you configured wrote this one.",
}
NO_FACTS = "–"

_NO_ROWS = np.empty(0, dtype=np.intp)


def source_of(table: SummaryTable, place: int) -> SummarySource:
    """Where the summary at a place comes from."""
    return SummarySource(int(table.sources[place]))


def item_id(table: SummaryTable, place: int) -> str:
    """The id of the message at a place."""
    return table.assembly.candidates.ids[int(table.rows[place])]


def saved_text(table: SummaryTable, place: int) -> str:
    """What a summary saves: 85; +3 where it costs three more than its original."""
    saved = int(table.saved[place])
    return figures(saved) if saved >= 0 else signed(-saved)


def fidelity_text(table: SummaryTable, place: int) -> str:
    """The share of the facts that a summary kept, a dash where there are none."""
    share = table.fidelities[place].share
    return NO_FACTS if share is None else percentage(share)


def total_line(table: SummaryTable) -> str:
    """What the summaries of this prompt come to; where it has none, what those at hand would."""
    inside: SummaryTotal = table.total(table.summarized)
    marked = "≈ " if not table.exact.all() else ""
    if inside.messages:
        return f"{_messages(inside.messages)} summarized · {marked}{inside.sentence}"
    return f"None in this prompt; {_messages(len(table))} would be · {marked}{table.total().sentence}"


def _messages(count: int) -> str:
    return f"{count:,} message{'' if count == 1 else 's'}"


def _tokens(table: SummaryTable, place: int) -> str:
    return figures(int(table.tokens[place]), not bool(table.exact[place]))


def _summary_tokens(table: SummaryTable, place: int) -> str:
    return figures(int(table.summary_tokens[place]), not bool(table.exact[place]))


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


def _muted(_: SummaryTable, __: int) -> Tone:
    return "muted"


def _fate_color(table: SummaryTable, place: int) -> Tone | None:
    fate = _fate(table, place)
    return None if fate is Fate.KEPT else outcome_tone(fate)


SUMMARY_COLUMNS: tuple[Column[SummaryTable], ...] = (
    Column("item", "Item", "The id of the message", item_id, digits=7),
    Column(
        "summary",
        "Summary",
        "The first line of what stands, or would stand, in its place",
        lambda table, place: first_line(table.summary(place)),
        digits=20,
        stretches=True,
        tooltip=lambda table, place: table.summary(place),
        yields=4,
    ),
    Column(
        "original",
        "Original",
        "Tokens of the original",
        _tokens,
        lambda table: table.tokens,
        digits=7,
        right=True,
        yields=1,
    ),
    Column(
        "tokens",
        "Tokens",
        "Tokens of what stands for it",
        _summary_tokens,
        lambda table: table.summary_tokens,
        digits=7,
        right=True,
    ),
    Column(
        "saved",
        "Saved",
        "Tokens that the summary saves; + where it costs more than its original",
        saved_text,
        lambda table: table.saved,
        digits=7,
        right=True,
        goes_last=1,
        tone=_saved_color,
    ),
    Column(
        "facts",
        "Facts kept",
        "The share of the names, numbers, dates and other facts of the original that the summary has",
        fidelity_text,
        lambda table: table.shares,
        digits=8,
        right=True,
        tooltip=_fact_hint,
    ),
    Column(
        "source",
        "Source",
        "Where the summary comes from: the file, or computed (preview, extractive, endpoint)",
        lambda table, place: SOURCE_WORDS[source_of(table, place)],
        lambda table: table.sources,
        digits=8,
        tone=_muted,
        tooltip=lambda table, place: SOURCE_SENTENCES[source_of(table, place)],
        yields=2,
    ),
    Column(
        "now",
        "Now",
        "What becomes of the message in this prompt",
        lambda table, place: outcome_words(_fate(table, place)),
        digits=12,
        tone=_fate_color,
        yields=3,
    ),
)


class SummaryModel(ArrayTableModel[SummaryTable]):
    """The messages of a table of summaries, in conversation order unless sorted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(SUMMARY_COLUMNS, parent)

    def show_table(self, table: SummaryTable | None) -> None:
        """Show a table; None shows nothing."""
        if table is None:
            self.show(None, _NO_ROWS, ())
            return
        ids = tuple(item_id(table, place) for place in range(len(table)))
        self.show(table, np.arange(len(table)), self.ids if ids == self.ids else ids)
