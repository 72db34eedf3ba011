"""window_rag: newest history, then retrieved chunks, then a last check of the whole (Sanguine Scribe's design)."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, Bool, Kind, Rows, Section, Source
from inspector.assembly.decisions import Assembly, Block, Composed, Run
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import enough, highest_few, highest_first, until_full
from inspector.assembly.places import (
    drop_unplaced,
    keep_system_text,
    note_small_window,
    paragraphs,
    split_current,
    split_pinned,
)
from inspector.assembly.policy import param
from inspector.assembly.reasons import (
    AFTER_STOP,
    ALWAYS,
    DISABLED,
    NOT_RECALLED,
    NOT_RETRIEVED,
    OVER_BUDGET,
    PINNED,
    REPEATED,
    taken_out,
)

LORE_TAG, MEMORY_TAG = "lorebook_entries", "long_term_memory"


@dataclass(frozen=True)
class WindowRag:
    """Newest history within its budget, then the best retrieved chunks, older messages among them, under one total."""

    total_limit: int = param(
        200_000, 0, 1_000_000, step=1000, unit="tokens", group="limits", help="Everything together; at most the window."
    )
    history_budget: int = param(
        150_000, 0, 1_000_000, step=500, unit="tokens", group="limits", help="Tokens for the conversation."
    )
    rag_budget: int = param(
        50_000,
        0,
        500_000,
        step=500,
        unit="tokens",
        group="limits",
        label="Retrieval budget",
        help="Tokens for retrieved chunks.",
    )
    per_source: int = param(15, 0, 200, unit="chunks", help="Best chunks of each kind that are considered.")
    misfit: str = param(
        "stop",
        choices=("stop", "skip"),
        label="At a misfit",
        help="The first chunk that does not fit ends retrieval, or is skipped.",
    )
    min_tail: int = param(
        8, 0, 100, unit="messages", label="Protected tail", help="Newest messages that the last check does not touch."
    )
    trim: str = param(
        "oldest",
        choices=("oldest", "middle_out"),
        label="Last check removes",
        help="The oldest messages first, or those just before the protected tail.",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Errors: `request_too_large`."""
        book = Ledger(candidates, window)
        total = min(self.total_limit, window.tokens)
        note_small_window(book, self.total_limit, "All parts together may")
        spent = keep_system_text(book)
        earlier, current = split_current(book)
        book.keep(current, ALWAYS, Section.CURRENT)
        history, used = self._fill_history(book, earlier)
        chunks, found = self._retrieve(book, history, used, min(self.rag_budget, max(0, total - used)))
        for section, limit in ((Section.SYSTEM, None), (Section.HISTORY, self.history_budget), (Section.CURRENT, None)):
            book.limit(section, limit)
        drop_unplaced(book, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)
        spent += book.cost(current) + used + found
        excess = self._last_check(book, spent, total, chunks, history)
        if excess > 0:
            return book.fail(
                "request_too_large",
                f"The prompt cannot be made smaller and is {excess:,} tokens over its limit of {total:,}.",
            )
        return book.close(_layout)

    def _fill_history(self, book: Ledger, earlier: Rows) -> tuple[Rows, int]:
        """Keep what fits before the current message, newest first. Returns the rows in order, and what they cost.

        Those that do not fit are not decided here: they may come back as chunks.
        """
        pinned, others = split_pinned(book, earlier)
        book.guarantee(pinned, PINNED, Section.HISTORY, room=self.history_budget)
        spent = book.cost(pinned)
        newest_first = others[::-1]
        fitting = newest_first[: until_full(book.costs[newest_first], self.history_budget - spent)]
        spent += book.fill(fitting, self.history_budget - spent, Section.HISTORY)
        return np.sort(np.concatenate([pinned, fitting])), spent

    def _retrieve(self, book: Ledger, history: Rows, used: int, room: int) -> tuple[Rows, int]:
        """Keep the best chunks. Returns those that are kept and not pinned, best first, and what all of them cost."""
        book.limit(Section.RETRIEVED, room)
        pinned, others = split_pinned(book, self._possible_chunks(book, history, used))
        book.guarantee(pinned, PINNED, Section.RETRIEVED, room=room)
        spent = book.cost(pinned)
        scores = _relevance(book.candidates, others)
        book.score(others, scores)
        considered = _best_of_each_source(book.candidates.items.sources[others], scores, self.per_source)
        _drop_unconsidered(book, others[~considered])
        ranked = others[considered][highest_first(scores[considered])]
        pack = book.fill if self.misfit == "stop" else book.fit
        spent += pack(ranked, room - spent, Section.RETRIEVED)
        return book.those_kept(ranked), spent

    def _possible_chunks(self, book: Ledger, history: Rows, used: int) -> Rows:
        """Lore that is enabled, passages that the history does not repeat, memories, and messages that it dropped.

        A passage stands for its message, which then cannot come back itself.
        """
        candidates = book.candidates
        lore = book.rows(Kind.LORE)
        enabled = (candidates.items.sources[lore] == Source.LOREBOOK) | candidates.pinned[lore]
        book.drop(lore[~enabled], DISABLED, Section.RETRIEVED)
        repeated, replaced = _passages_of_messages(book, history)
        book.drop(np.flatnonzero(repeated), REPEATED, Section.RETRIEVED)
        passages, (earlier, _) = book.rows(Kind.PASSAGE), split_current(book)
        lost = earlier[~np.isin(earlier, history, assume_unique=True)]
        _drop_replaced(book, lost[::-1], replaced, self.history_budget - used)
        back = lost[~replaced[lost]]
        return np.concatenate([lore[enabled], passages[~repeated[passages]], book.rows(Kind.MEMORY), back])

    def _last_check(self, book: Ledger, spent: int, total: int, chunks: Rows, history: Rows) -> int:
        """Take out chunks, then history, while everything is over the total. Returns what is over in the end."""
        excess = spent - total
        lowest_first = chunks[::-1]
        chunks_out = lowest_first[: enough(book.costs[lowest_first], excess)]
        book.withdraw(chunks_out, taken_out("over_budget", "the lowest score first", spent, total))
        excess -= book.cost(chunks_out)
        _, loose = split_pinned(book, history[: max(0, len(history) - self.min_tail)])
        if self.trim == "oldest":
            reason = taken_out("over_budget", "the oldest message first", spent, total)
        else:
            loose, reason = loose[::-1], taken_out("middle_out", "from the middle backwards", spent, total)
        messages_out = loose[: enough(book.costs[loose], excess)]
        book.withdraw(messages_out, reason)
        return excess - book.cost(messages_out)


def _passages_of_messages(book: Ledger, history: Rows) -> tuple[Bool, Bool]:
    """Masks over all candidates: passages that repeat what is in the prompt, and messages that a passage stands for."""
    candidates = book.candidates
    said, repeated, replaced = (np.zeros(len(candidates), np.bool_) for _ in range(3))
    passages, messages = candidates.items.passage_messages
    passages, messages = passages[book.open[passages]], messages[book.open[passages]]
    said[history] = said[candidates.current_message] = True
    repeated[passages] = said[messages] & ~candidates.pinned[passages]
    replaced[messages] = True
    return repeated, replaced


def _drop_replaced(book: Ledger, lost: Rows, replaced: Bool, left: int) -> None:
    """Drop those of the messages lost to the history, newest first, that a passage stands for."""
    out = lost[replaced[lost]]
    at_stop = out == lost[:1] if len(lost) else np.zeros(0, np.bool_)
    book.drop(out[at_stop], OVER_BUDGET, Section.HISTORY, left=left)
    book.drop(out[~at_stop], AFTER_STOP, Section.HISTORY, left=left)


def _relevance(candidates: Candidates, rows: Rows) -> F64:
    """The scores of chunks, NaN where there is none. Messages are compared with the query only if there are some."""
    scores = candidates.similarity[rows]
    is_message = candidates.kind[rows] == Kind.MESSAGE
    if is_message.any():
        scores[is_message] = candidates.message_similarity[rows[is_message]]
    return scores


def _best_of_each_source(sources: np.ndarray, scores: F64, count: int) -> Bool:
    chosen = np.zeros(len(scores), np.bool_)
    for source in Source:
        inside = np.flatnonzero(sources == source)
        chosen[inside] = highest_few(scores[inside], count)
    return chosen


def _drop_unconsidered(book: Ledger, rows: Rows) -> None:
    is_message = book.candidates.kind[rows] == Kind.MESSAGE
    book.drop(rows[~is_message], NOT_RETRIEVED, Section.RETRIEVED)
    book.drop(rows[is_message][::-1], NOT_RECALLED, Section.HISTORY)


def _layout(assembly: Assembly) -> tuple[Block, ...]:
    """System text, history, and the current message with the retrieved chunks in front of it."""
    messages = assembly.kept_rows(Kind.MESSAGE)
    history, current = (messages[assembly.section[messages] == part] for part in (Section.HISTORY, Section.CURRENT))
    chunks = _retrieved_pieces(assembly)
    last = Composed("user", (*chunks, *current.tolist())) if chunks else Run(current)
    return (*paragraphs(assembly, Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE), Run(history), last)


def _retrieved_pieces(assembly: Assembly) -> tuple[str | int, ...]:
    """The chunks that have a text, best first, lore inside one pair of tags and everything else inside another."""
    candidates = assembly.candidates
    kept = np.flatnonzero(assembly.in_prompt & (assembly.section == Section.RETRIEVED))
    kept = kept[np.argsort(assembly.rank[kept])]
    is_lore = (candidates.items.sources[kept] == Source.LOREBOOK) | (candidates.kind[kept] == Kind.LORE)
    pieces: list[str | int] = []
    for tag, rows in ((LORE_TAG, kept[is_lore]), (MEMORY_TAG, kept[~is_lore])):
        filled = [row for row in rows.tolist() if candidates.texts[row]]
        opening = f"<{tag}>\n"
        for row in filled:
            pieces += [opening, row]
            opening = "\n"
        if filled:
            pieces.append(f"\n</{tag}>\n")
    return tuple(pieces)
