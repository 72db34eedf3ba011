"""The table of memories: one row a memory in the order of decision, with its signals, and why not. No widgets here."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from inspector.assembly.columns import Action, Kind, Rows, Section, State, outcome_tone, word
from inspector.assembly.explain import Signal as Term
from inspector.assembly.explain import explain
from inspector.assembly.memory_ranking import Fate, MemoryRanking
from inspector.figures import figures
from inspector.gui.table.model import ArrayTableModel, Cell, Marking, Sign
from inspector.gui.theme import ACTION_GLYPH, PINNED_GLYPH, theme
from inspector.retrieval.similarity import Origin
from inspector.tables import Column, Tone, first_line

_PROMPT_WORDS = {Action.KEPT: "in", Action.DROPPED: "out", Action.TRUNCATED: "cut"}
_SOURCES = {
    Origin.RECORDED: "recorded",
    Origin.EMBEDDING: "embedding",
    Origin.LEXICAL: "BM25",
    Origin.HYBRID: "hybrid",
    Origin.FUSED: "fused",
}


class SignalBar(NamedTuple):
    """What the bar of a memory shows: the terms of its score, and whether it was ranked by them."""

    signals: tuple[Term, ...]
    ranked: bool


def signal_words(signals: tuple[Term, ...]) -> str:
    """The terms of a score, such as `0.52 similarity × 0.40 = 0.208`, a line each, and their sum."""
    lines = [
        f"{signal.name} {signal.value:.3f} × {signal.weight:g} = {signal.part:.3f}"
        + ("" if signal.known else " (not known)")
        for signal in signals
    ]
    return "\n".join([*lines, f"score {sum(signal.part for signal in signals):.3f}"]) if lines else ""


def _rank(ranking: MemoryRanking, row: int) -> str:
    rank = ranking.rank(row)
    return "" if rank is None else f"{rank:,}"


def _is_out(ranking: MemoryRanking, row: int) -> bool:
    return int(ranking.assembly.action[row]) == Action.DROPPED


def _muted_when_out(ranking: MemoryRanking, row: int) -> Tone | None:
    return "muted" if _is_out(ranking, row) else None


def _muted(ranking: MemoryRanking, row: int) -> Tone:
    return "muted"


def _action_color(ranking: MemoryRanking, row: int) -> Tone | None:
    if _is_later(ranking, row):
        return "muted"
    action = Action(int(ranking.assembly.action[row]))
    return None if action == Action.KEPT else outcome_tone(action)


def _why_color(ranking: MemoryRanking, row: int) -> Tone | None:
    return None if _is_out(ranking, row) else "muted"


def _why_tooltip(ranking: MemoryRanking, row: int) -> str:
    like = ranking.like(row)
    return explain(ranking.assembly, row) + (f"\nIt says nearly the same as {', '.join(like)}." if like else "")


def _score(ranking: MemoryRanking, row: int) -> str:
    score = ranking.score(row)
    return "" if score is None else f"{score:.3f}"


def _signals(ranking: MemoryRanking, row: int) -> str:
    return signal_words(ranking.signals(row)).replace("\n", "; ")


def _tokens(ranking: MemoryRanking, row: int) -> str:
    candidates = ranking.assembly.candidates
    return figures(int(candidates.tokens[row]), bool(candidates.estimated[row]))


def _similarity(ranking: MemoryRanking, row: int) -> str:
    similarity, _ = ranking.similarity(row)
    return "" if similarity is None else f"{similarity:.3f} {_SOURCES[Origin(ranking.origin(row))]}"


def _similarity_tooltip(ranking: MemoryRanking, row: int) -> str:
    similarity, source = ranking.similarity(row)
    if similarity is None:
        return "How similar it is to the query is not known."
    parts = ranking.similarity_words(row).replace(" + ", "\n+ ")
    return f"{similarity:.4f}, {source}" + (f"\n= {parts}" if parts else "")


def _prompt(ranking: MemoryRanking, row: int) -> str:
    if _is_later(ranking, row):
        return "not yet"
    action = Action(int(ranking.assembly.action[row]))
    return f"{ACTION_GLYPH[action]} {_PROMPT_WORDS.get(action, word(action))}".lstrip()


def _is_later(ranking: MemoryRanking, row: int) -> bool:
    """Whether a memory does not exist yet at the turn that is replayed."""
    return int(ranking.assembly.candidates.state[row]) == State.NOT_YET


def _like(ranking: MemoryRanking, row: int) -> str:
    like = ranking.like(row)
    more = f" +{len(like) - 1}" if len(like) > 1 else ""
    return f"≈ {like[0]}{more}" if like else ""


def _like_tooltip(ranking: MemoryRanking, row: int) -> str:
    like = ranking.like(row)
    return f"It says nearly the same as {', '.join(like)}." if like else ""


def _kind(ranking: MemoryRanking, row: int) -> str:
    return word(Kind(int(ranking.assembly.candidates.kind[row])))


def _has_likes(ranking: MemoryRanking) -> bool:
    return ranking.duplicates is not None and len(ranking.duplicates.grouped) > 0


def _similarities(ranking: MemoryRanking) -> NDArray:
    """The similarities by row; messages, which are compared elsewhere, only where some are listed."""
    candidates = ranking.assembly.candidates
    if not (candidates.kind[ranking.rows] == Kind.MESSAGE).any():
        return candidates.similarity
    return np.where(candidates.kind == Kind.MESSAGE, candidates.message_likeness.values, candidates.similarity)


MEMORY_COLUMNS: tuple[Column[MemoryRanking], ...] = (
    Column(
        "rank",
        "Rank",
        "Its place in the order of decision",
        _rank,
        lambda ranking: ranking.places,
        digits=6,
        right=True,
        tone=_muted_when_out,
        tooltip=lambda ranking, row: f"{ranking.assembly.candidates.ids[row]}: {_kind(ranking, row)}",
    ),
    Column(
        "prompt",
        "In",
        "Whether it is in the prompt",
        _prompt,
        lambda ranking: ranking.assembly.action,
        digits=5,
        tone=_action_color,
        tooltip=_why_tooltip,
    ),
    Column(
        "why",
        "Why",
        "Why it is in the prompt, or why not",
        MemoryRanking.why,
        lambda ranking: ranking.fates,
        digits=18,
        tone=_why_color,
        tooltip=_why_tooltip,
    ),
    Column(
        "score",
        "Score",
        "What it was ranked by",
        _score,
        lambda ranking: ranking.assembly.score,
        digits=5,
        right=True,
        yields=1,
        tone=_muted_when_out,
        shown=lambda ranking: ranking.is_scored,
    ),
    Column(
        "signals",
        "Signals",
        "What the score is made of: each signal times its weight. Faint where it was not ranked: what it would be",
        _signals,
        digits=12,
        tooltip=lambda ranking, row: signal_words(ranking.signals(row)),
        shown=lambda ranking: bool(ranking.terms),
    ),
    Column(
        "similarity",
        "Similarity",
        "How similar it is to the query, 0 to 1, and where that comes from",
        _similarity,
        _similarities,
        digits=15,
        yields=3,
        tone=_muted_when_out,
        tooltip=_similarity_tooltip,
    ),
    Column(
        "tokens",
        "Tokens",
        "What the whole memory costs; ≈ marks an estimate",
        _tokens,
        lambda ranking: ranking.assembly.candidates.tokens,
        digits=5,
        right=True,
        yields=2,
        tone=_muted_when_out,
    ),
    Column(
        "kind",
        "Kind",
        "What it is",
        _kind,
        lambda ranking: ranking.assembly.candidates.kind,
        digits=8,
        yields=5,
        tone=_muted,
        shown=lambda ranking: ranking.is_mixed,
    ),
    Column(
        "memory",
        "Memory",
        "Its id",
        lambda ranking, row: ranking.assembly.candidates.ids[row],
        digits=8,
        yields=6,
        tone=_muted,
    ),
    Column(
        "like",
        "Like",
        "A memory that says nearly the same",
        _like,
        digits=9,
        yields=4,
        tone=lambda ranking, row: "summarized",
        tooltip=_like_tooltip,
        shown=_has_likes,
    ),
    Column(
        "text",
        "Text",
        "How it begins",
        lambda ranking, row: first_line(ranking.assembly.candidates.texts[row]),
        digits=14,
        stretches=True,
        tone=_muted_when_out,
        tooltip=lambda ranking, row: ranking.assembly.candidates.texts[row],
    ),
)


class MemoryModel(ArrayTableModel[MemoryRanking]):
    """The memories of one ranking; in the order of decision a row below zero is a line between the others.

    With every step of a slider the order is another one. Where as many rows stay, the model is not reset for that,
    which takes 2 ms at 100,000 rows: `order_will_change` and `order_changed` tell a view to keep what is selected.
    """

    order_will_change = Signal()
    order_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(MEMORY_COLUMNS, parent)

    def show_ranking(self, ranking: MemoryRanking | None) -> None:
        """Show a ranking, with its lines unless a column sorts the rows."""
        if ranking is None:
            self.show(None, np.empty(0, np.intp), ())
        else:
            self.show(ranking, _with_lines(ranking), ranking.assembly.candidates.ids)

    def show(self, subject: MemoryRanking | None, rows: Rows, ids: Sequence[str]) -> None:
        """Show these rows; the same items in another order are other values in the same places."""
        if ids is not self.ids or self.subject is None or self.sorted_by or len(rows) != len(self.rows):
            super().show(subject, rows, ids)
            return
        self.order_will_change.emit()
        self.subject, self.rows, self._base = subject, rows, rows
        self.values_changed()
        self.order_changed.emit()

    def heading(self, row: int) -> str:
        """The caption of the line that a row below zero stands for."""
        lines = self.subject.lines if self.subject else ()
        return lines[-1 - row].caption if -1 - row < len(lines) else ""

    def cell(self, position: int, column: Column[MemoryRanking]) -> Cell:
        """What is painted where a row and a column meet; the signals are drawn as a bar."""
        return Cell("", figure=self._bar(position)) if column.key == "signals" else super().cell(position, column)

    def _bar(self, position: int) -> SignalBar:
        ranking, row = cast(MemoryRanking, self.subject), int(self.rows[position])
        ranked = ranking.score(row) is not None and ranking.fates[row] != Fate.THRESHOLD
        return SignalBar(ranking.signals(row), ranked)

    def marking(self, position: int) -> Marking | None:
        """The colour of the row's section with its pin, or the caption of a line."""
        if self.subject is None:
            return None
        look, row = theme(), int(self.rows[position])
        if row < 0:
            return Marking(look.border, heading=self.heading(row))
        pinned = self.subject.assembly.candidates.pinned[row]
        section = Section(int(self.subject.assembly.section[row]))
        return Marking(look.section_color(section), (Sign(PINNED_GLYPH, look.pinned_color),) if pinned else ())

    def _ordered(self, rows: Rows, values: NDArray | None) -> Rows:
        return super()._ordered(rows if values is None else rows[rows >= 0], values)


def _with_lines(ranking: MemoryRanking) -> Rows:
    """The rows with −1, −2, … for the lines, where they stand."""
    places = [line.place for line in ranking.lines]
    return np.insert(ranking.rows, places, -1 - np.arange(len(places)))
