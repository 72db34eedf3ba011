"""The table of what a file records beside what is done here, a heading for each pair. Columns only; no widgets."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recorded_usage import UsageError
from inspector.assembly.columns import Fate, Section, outcome_tone, outcome_words
from inspector.assembly.items import ItemTexts
from inspector.assembly.recorded import (
    Recorded,
    RecordedComparison,
    RecordedGroup,
    Share,
    ShareTotal,
    recorded_note,
    recorded_sentence,
    recorded_text,
)
from inspector.figures import counted, figures, signed, signed_percentage
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme
from inspector.reading.values import as_text
from inspector.tables import Column, Tone, first_line

MOST_MODELS = 6
_NO_ROWS = np.empty(0, dtype=np.intp)
_SHARE_WORDS: dict[Share, str] = {
    "only recorded": "Only recorded",
    "only here": "Only here",
    "both": "In both",
    "neither": "In neither",
    "not yet": "Not yet",
}


def shares_text(comparison: RecordedComparison, estimated: bool) -> str:
    """The messages of each share with their tokens as recorded and here, which come to what both are together."""
    if not len(comparison):
        return ""
    together = _change(comparison.recorded_total, comparison.total, estimated)
    return " · ".join([*(_share_text(share, estimated) for share in comparison.shares), f"Together {together}"])


def _share_text(share: ShareTotal, estimated: bool) -> str:
    tokens = _change(share.recorded_tokens, share.tokens, estimated)
    return f"{_SHARE_WORDS[share.share]} {counted(share.messages, 'message')}, {tokens}"


def _change(before: int, after: int, estimated: bool) -> str:
    return f"{figures(before, estimated)} → {counted(after, 'token', estimated=estimated)}"


def usage_text(errors: Sequence[UsageError], estimated: bool) -> str:
    """What the file says that its messages cost, beside what is counted here, a line for each model and side."""
    lines = [_usage_line(error, estimated) for error in errors[:MOST_MODELS]]
    if len(errors) > MOST_MODELS:
        lines.append(f"… and {len(errors) - MOST_MODELS:,} more")
    return "\n".join(lines)


def _usage_line(error: UsageError, estimated: bool) -> str:
    bias = "" if error.bias is None else f" ({signed_percentage(error.bias)})"
    of = f"{first_line(error.model)}, {counted(error.messages, error.side)}"
    return f"{of}: recorded {error.recorded:,}, counted {figures(error.counted, estimated)}{bias}"


def _row(comparison: RecordedComparison, place: int) -> int:
    return int(comparison.rows[place])


def _text(comparison: RecordedComparison, place: int) -> str:
    return comparison.assembly.candidates.texts[_row(comparison, place)]


def _pair(recorded: int, fate: int) -> str:
    return f"{recorded_text(recorded)} → {outcome_words(Fate(fate))}"


def _fate_color(comparison: RecordedComparison, place: int) -> Tone | None:
    fate = Fate(int(comparison.fates[place]))
    return outcome_tone(fate) if fate > Fate.KEPT else None


def _recorded_tokens(comparison: RecordedComparison, place: int) -> str:
    if comparison.recorded[place] != Recorded.KEPT:
        return figures(None)
    return figures(int(comparison.recorded_spent[place]), _is_estimated(comparison, place))


def _tokens(comparison: RecordedComparison, place: int) -> str:
    if comparison.fates[place] >= Fate.DROPPED:
        return figures(None)
    return figures(int(comparison.spent[place]), _is_estimated(comparison, place))


def _is_estimated(comparison: RecordedComparison, place: int) -> bool:
    return bool(comparison.assembly.candidates.estimated[_row(comparison, place)])


def _recorded_reason(comparison: RecordedComparison, place: int) -> str:
    note = recorded_note(comparison.assembly.candidates.things[_row(comparison, place)])
    by = f"by {as_text(note['by'])}" if note.get("by") else ""
    return first_line(as_text(note.get("reason") or "") or by)


def _muted(_: RecordedComparison, __: int) -> Tone:
    return "muted"


RECORDED_COLUMNS: tuple[Column[RecordedComparison], ...] = (
    Column(
        "item",
        "Item",
        "The id of the message",
        lambda comparison, place: comparison.assembly.candidates.ids[_row(comparison, place)],
        digits=10,
    ),
    Column(
        "text",
        "Text",
        "The first line of the message",
        lambda comparison, place: first_line(_text(comparison, place)),
        digits=22,
        stretches=True,
        tooltip=_text,
    ),
    Column(
        "transition",
        "Recorded → Here",
        "What the program that wrote the file did with it, and what is done here",
        lambda comparison, place: _pair(int(comparison.recorded[place]), int(comparison.fates[place])),
        digits=21,
        tone=_fate_color,
    ),
    Column(
        "recorded",
        "Recorded",
        "What the whole message costs, if it was sent, in tokens counted here",
        _recorded_tokens,
        digits=8,
        right=True,
        tone=_muted,
        yields=1,
    ),
    Column("here", "Here", "What it costs in this prompt, in tokens", _tokens, digits=7, right=True),
    Column(
        "recorded_reason",
        "Recorded reason",
        "Why, as the file says",
        _recorded_reason,
        digits=17,
        tone=_muted,
        yields=3,
        tooltip=lambda comparison, place: recorded_sentence(
            comparison.assembly.candidates.things[_row(comparison, place)]
        ),
    ),
    Column(
        "reason",
        "Why here",
        "Why, in this prompt",
        lambda comparison, place: comparison.assembly.reason_of(_row(comparison, place)).label,
        digits=21,
        yields=2,
    ),
)


class RecordedModel(ArrayTableModel[RecordedComparison]):
    """The places of a comparison with what was recorded, each group under a heading."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(RECORDED_COLUMNS, parent)
        self._items: ItemTexts | None = None

    def show_comparison(self, comparison: RecordedComparison | None) -> None:
        """Show a comparison with its headings; None shows nothing."""
        if comparison is None:
            self._items = None
            self.show(None, _NO_ROWS, ())
            return
        candidates = comparison.assembly.candidates
        ids = self.ids
        if candidates.items is not self._items:
            self._items = candidates.items
            ids = [candidates.ids[row] for row in comparison.rows.tolist()]
        parts = [_NO_ROWS]
        for number, group in enumerate(comparison.groups):
            parts += [np.array([-1 - number], np.intp), group.places]
        self.show(comparison, np.concatenate(parts), ids)

    def heading(self, row: int) -> str:
        """What was recorded and is done here with the rows below."""
        if self.subject is None:
            return ""
        return heading_text(self.subject.groups[-1 - row], self.subject.assembly.candidates.has_estimates)

    def marking(self, position: int) -> Marking | None:
        """The heading of a group, or the colour of a row's section."""
        if self.subject is None:
            return None
        row, look = int(self.rows[position]), theme()
        if row < 0:
            return Marking(look.border, heading=self.heading(row))
        section = Section(int(self.subject.assembly.section[_row(self.subject, row)]))
        return Marking(look.section_color(section))


def heading_text(group: RecordedGroup, estimated: bool) -> str:
    """The heading of a group: who has them, what was recorded and is done here, how many, and the change in tokens."""
    change = group.tokens - group.recorded_tokens
    tokens = f"{signed(change, estimated)} {'token' if abs(change) == 1 else 'tokens'}"
    pair = _pair(group.recorded, group.fate)
    return f"{_SHARE_WORDS[group.share]}: {pair}: {counted(len(group), 'message')}, {tokens}"
