"""The table of recorded outcomes beside those here, a heading for each pair. Columns only; no widgets."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recorded.tables import RECORDED_COLUMNS, SHARE_WORDS, pair_words
from inspector.analysis.recorded.usage import UsageError
from inspector.assembly.columns import Section
from inspector.assembly.items import ItemTexts
from inspector.assembly.recorded import RecordedComparison, RecordedGroup, ShareTotal
from inspector.figures import counted, figures, signed, signed_percentage
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme
from inspector.tables import first_line

MOST_MODELS = 6
_NO_ROWS = np.empty(0, dtype=np.intp)


def shares_text(comparison: RecordedComparison, estimated: bool) -> str:
    """Return the messages of each share with their tokens as recorded and here, which add up to the total of both."""
    if not len(comparison):
        return ""
    together = _change(comparison.recorded_total, comparison.total, estimated)
    return " · ".join([*(_share_text(share, estimated) for share in comparison.shares), f"Together {together}"])


def _share_text(share: ShareTotal, estimated: bool) -> str:
    tokens = _change(share.recorded_tokens, share.tokens, estimated)
    return f"{SHARE_WORDS[share.share]} {counted(share.messages, 'message')}, {tokens}"


def _change(before: int, after: int, estimated: bool) -> str:
    return f"{figures(before, estimated)} → {counted(after, 'token', estimated=estimated)}"


def usage_text(errors: Sequence[UsageError], estimated: bool) -> str:
    """Return the recorded cost of the messages beside the counts here, a line for each model and side."""
    lines = [_usage_line(error, estimated) for error in errors[:MOST_MODELS]]
    if len(errors) > MOST_MODELS:
        lines.append(f"… and {len(errors) - MOST_MODELS:,} more")
    return "\n".join(lines)


def _usage_line(error: UsageError, estimated: bool) -> str:
    bias = "" if error.bias is None else f" ({signed_percentage(error.bias)})"
    of = f"{first_line(error.model)}, {counted(error.messages, error.side)}"
    recorded, here = f"recorded {error.recorded:,}{_divided(error)}", figures(error.counted, estimated)
    return f"{of}: {recorded}, counted {here}{bias}{_besides(error)}"


def _divided(error: UsageError) -> str:
    """Return how the recorded tokens are divided, or what was recorded beside them; "" if the file does not tell."""
    parts = (error.cached, "read from a cache"), (error.written, "written to it"), (error.thoughts, "thoughts besides")
    told = [f"{tokens:,} {words}" for tokens, words in parts if tokens]
    return f" ({', '.join(told)})" if told else ""


def _besides(error: UsageError) -> str:
    """Return the measured factor, or what of each prompt is not in the file."""
    if error.calibration is not None:
        return f"; {error.calibration.words}"
    return f"; at least {error.remainder:,} of each are not in the file" if error.remainder else ""


class RecordedModel(ArrayTableModel[RecordedComparison]):
    """The places of a comparison with their records, each group under a heading."""

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
        if self.subject is None:
            return ""
        return heading_text(self.subject.groups[-1 - row], self.subject.assembly.candidates.has_estimates)

    def marking(self, position: int) -> Marking | None:
        """Return the heading of a group, or the colour of a row's section."""
        if self.subject is None:
            return None
        row, look = int(self.rows[position]), theme()
        if row < 0:
            return Marking(look.border, heading=self.heading(row))
        section = Section(int(self.subject.assembly.section[int(self.subject.rows[row])]))
        return Marking(look.section_color(section))


def heading_text(group: RecordedGroup, estimated: bool) -> str:
    """Return the heading of a group: its share, the recorded outcome and the one here, the number, and the token
    change.
    """
    change = group.tokens - group.recorded_tokens
    tokens = f"{signed(change, estimated)} {'token' if abs(change) == 1 else 'tokens'}"
    pair = pair_words(group.recorded, group.fate)
    return f"{SHARE_WORDS[group.share]}: {pair}: {counted(len(group), 'message')}, {tokens}"
