"""window_rag: newest history, then retrieved chunks, then a last check of the whole (Sanguine Scribe's design)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I32, U8, Bool, Kind, Rows, Section, Source
from inspector.assembly.decisions import Assembly, Block, Composed, Each, Run
from inspector.assembly.defaults import (
    drop_unplaced,
    keep_system_text,
    note_small_window,
    paragraphs,
    split_current,
    split_pinned,
    system_rows,
)
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import enough, highest_few, highest_first, until_full
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import (
    AFTER_STOP,
    ALWAYS,
    DISABLED,
    NOT_RECALLED,
    NOT_RETRIEVED,
    OVER_BUDGET,
    PINNED,
    REPEATED,
    Reason,
    taken_out,
)
from inspector.assembly.thresholds import WINDOW, Budgets, Packing, Pool, Room, mask_of, pooled
from inspector.model import Message

TRIMS = {
    "oldest": "the oldest messages first",
    "middle_out": "those just before the newest that always stay, then older ones",
}
LORE_TAG, MEMORY_TAG = "lorebook_entries", "long_term_memory"


@dataclass(frozen=True)
class RagLimits:
    """The parameters of window_rag under every preset, and the steps that follow from them alone."""

    total_limit: int = param(
        200_000,
        0,
        1_000_000,
        step=1000,
        scale="log",
        unit="tokens",
        group="limits",
        label="Everything",
        help="The limit of everything together; at most the window.",
        sizes="prompt",
    )
    history_budget: int = param(
        150_000,
        0,
        1_000_000,
        step=500,
        scale="log",
        unit="tokens",
        group="limits",
        label="Conversation",
        help="Tokens for the conversation.",
        sizes="history",
    )
    rag_budget: int = param(
        50_000,
        0,
        500_000,
        step=500,
        scale="log",
        unit="tokens",
        group="limits",
        label="Retrieval",
        help="Tokens for retrieved passages.",
        sizes="memory",
    )
    misfit: str = param(
        "stop",
        choices={"stop": "stop there", "skip": "pass over it and try the next"},
        label="When one does not fit",
        help="What happens after a passage that does not fit.",
        topic="rare",
    )
    min_tail: int = param(
        8,
        0,
        100,
        unit="messages",
        label="Newest always kept",
        help="The last check never removes this many of the newest messages.",
        sizes="newest",
        topic="conversation",
    )
    trim: str = param(
        "oldest",
        choices=TRIMS,
        label="Last check removes",
        help="Which messages go first if everything together is too much.",
        topic="conversation",
    )

    def pack_chunks(self, ledger: Ledger, ranked: Rows, room: int) -> int:
        """Pack chunks, best first, as `misfit` says. Return the tokens spent."""
        pack = ledger.fill if self.misfit == "stop" else ledger.fit
        return pack(ranked, room, Section.RETRIEVED)

    def open_sections(self, ledger: Ledger) -> None:
        """Declare the sections independent of retrieval."""
        note_small_window(ledger, self.total_limit, "All parts together may")
        for section, limit in ((Section.SYSTEM, None), (Section.HISTORY, self.history_budget), (Section.CURRENT, None)):
            ledger.limit(section, limit)

    def last_check(self, ledger: Ledger, spent: int, total: int, chunks: Rows, history: Rows) -> int:
        """Take out chunks, worst first, then history outside the tail, while everything is over the total.

        `chunks` are the removable ones, best first. Return the remaining excess.
        """
        if spent <= total:
            return spent - total
        lowest_first = chunks[::-1]
        reason = taken_out("over_budget", "the lowest score first", spent, total)
        excess = withdraw_until(ledger, lowest_first, spent - total, reason)
        loose = self._loose(ledger, history)
        if self.trim == "oldest":
            return withdraw_until(ledger, loose, excess, out_of_history(spent, total))
        return withdraw_until(
            ledger, loose[::-1], excess, taken_out("middle_out", "from the middle backwards", spent, total)
        )

    def _loose(self, ledger: Ledger, history: Rows) -> Rows:
        """Return the history removable by the last check, oldest first: outside the tail and not pinned."""
        return split_pinned(ledger, history[: max(0, len(history) - self.min_tail)])[1]


RAG_BUDGETS = frozenset(("total_limit", "rag_budget"))
"""The parameters that affect only rooms."""


@dataclass(frozen=True, eq=False)
class RagRooms:
    """The certain tokens, the tokens used by history, and two pools. Called with budgets, it returns their rooms.

    `others` is the system text and the current message. The last check takes chunks and history out from the end of the
    packed rows until it fits, so the rest after both is a further limit of the same pools.
    """

    others: int
    used: int
    pinned: int
    chunks: Pool
    history: Pool

    def __call__(self, given: Budgets) -> Room:
        """Return the rooms for chunks and for the history outside the tail."""
        total = np.minimum(given["total_limit"], given[WINDOW])
        retrieved = np.minimum(given["rag_budget"], np.maximum(0, total - self.used)) - self.pinned
        left = total - self.others - self.used - self.pinned
        history = int(self.history.charges.sum()) + np.minimum(0, left)
        return Room((np.minimum(retrieved, left), history), history < 0)


TRIED_PARTS = (0.05, 0.15, 0.3, 0.5, 0.8)
LIMIT_STEP = 8


def _divisions(window: int, prompt: int) -> Iterator[dict[str, Any]]:
    """Yield a total limit, a part of it for the conversation and the rest for chunks, with misfits skipped or not.

    Limits are whole steps, to be easy to quote.
    """
    total = min(prompt, window) // LIMIT_STEP * LIMIT_STEP
    for part in TRIED_PARTS:
        history = int(total * part) // LIMIT_STEP * LIMIT_STEP
        for misfit in ("stop", "skip"):
            limits = {"total_limit": total, "history_budget": history, "rag_budget": total - history}
            yield {**limits, "misfit": misfit}


@dataclass(frozen=True)
class WindowRag(RagLimits):
    """Takes the newest messages up to their budget, then the best passages (or older messages), under one total."""

    per_source: int = param(
        15,
        0,
        200,
        unit="chunks",
        label="Passages a source",
        help="This many of the best passages of each source are considered.",
        topic="memories",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Errors: `request_too_large`."""
        ledger = Ledger(candidates, window)
        total = min(self.total_limit, window.tokens)
        self.open_sections(ledger)
        spent = keep_system_text(ledger)
        earlier, current = split_current(ledger)
        ledger.keep(current, ALWAYS, Section.CURRENT)
        history, used = fill_history(ledger, earlier, self.history_budget, ledger.costs[earlier])
        chunks, found = self._retrieve(ledger, history, used, min(self.rag_budget, max(0, total - used)))
        drop_unplaced(ledger, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)
        spent += ledger.cost(current) + used + found
        excess = self.last_check(ledger, spent, total, chunks, history)
        return too_large(ledger, excess, total) if excess > 0 else ledger.close(layout)

    @property
    def traits(self) -> Traits:
        """The traits; it compares messages, and ranks them together with all other chunks."""
        return Traits(
            title="Window with retrieval",
            whose="Sanguine Scribe",
            compares_messages=True,
            divisions=_divisions,
            packing=self.packing,
        )

    def packing(self, candidates: Candidates) -> Packing | None:
        """Return the thresholds of chunks, and of the history outside the tail; None if misfits are skipped.

        Messages left out of the history may return as chunks, so its budget determines the chunks.
        """
        if self.misfit == "skip":
            return None
        ledger = Ledger(candidates, ContextWindow(0))
        system = keep_system_text(ledger)
        earlier, current = split_current(ledger)
        history, used = fill_history(ledger, earlier, self.history_budget, ledger.costs[earlier])
        pinned, others = split_pinned(ledger, self._possible_chunks(ledger, history, used))
        loose = self._loose(ledger, history)
        told = np.setdiff1d(history, loose, assume_unique=True)
        sure = mask_of(candidates, ledger.those_kept(system_rows(ledger)), current, pinned, told)
        rooms = RagRooms(
            others=system + ledger.cost(current),
            used=used,
            pinned=ledger.cost(pinned),
            chunks=pooled(self._ranked(ledger, others), ledger.costs),
            history=pooled(loose[::-1] if self.trim == "oldest" else loose, ledger.costs),
        )
        return Packing(RAG_BUDGETS, ledger.forms, sure, (rooms.chunks, rooms.history), rooms)

    def _retrieve(self, ledger: Ledger, history: Rows, used: int, room: int) -> tuple[Rows, int]:
        """Keep the best chunks. Return the unpinned ones kept, best first, and the cost of all kept chunks."""
        ledger.limit(Section.RETRIEVED, room)
        pinned, others = split_pinned(ledger, self._possible_chunks(ledger, history, used))
        ledger.guarantee(pinned, PINNED, Section.RETRIEVED, room=room)
        spent = ledger.cost(pinned)
        ranked = self._ranked(ledger, others)
        spent += self.pack_chunks(ledger, ranked, room - spent)
        return ledger.those_kept(ranked), spent

    def _ranked(self, ledger: Ledger, others: Rows) -> Rows:
        """Return the chunks considered, best first; drop the others of these rows."""
        candidates = ledger.candidates
        scores, sources = relevance(candidates, others), candidates.items.sources[others]
        ledger.score(others, scores)
        considered = best_of_each_source(sources, scores, dict.fromkeys(Source, self.per_source))
        drop_unconsidered(ledger, others[~considered])
        return others[considered][highest_first(scores[considered])]

    def _possible_chunks(self, ledger: Ledger, history: Rows, used: int) -> Rows:
        """Return enabled lore, passages not repeated by the history, memories, and messages dropped by the history."""
        repeated, replaced = passages_of_messages(ledger, history)
        ledger.drop(np.flatnonzero(repeated), REPEATED, Section.RETRIEVED)
        passages, back = ledger.rows(Kind.PASSAGE), recalled(ledger, history, replaced, self.history_budget - used)
        return np.concatenate([enabled_lore(ledger), passages[~repeated[passages]], ledger.rows(Kind.MEMORY), back])


def fill_history(ledger: Ledger, earlier: Rows, budget: int, charges: I32) -> tuple[Rows, int]:
    """Keep messages before the current one while they fit, newest first. Return the rows in order, and their charges.

    `charges` are those of all `earlier` rows. Misfits are not decided here: they may return as chunks.
    """
    is_pinned = ledger.candidates.pinned[earlier]
    pinned, others, charged, spent = earlier[:0], earlier, charges, 0
    if is_pinned.any():
        pinned, others, charged = earlier[is_pinned], earlier[~is_pinned], charges[~is_pinned]
        ledger.guarantee(pinned, PINNED, Section.HISTORY, room=budget, charges=charges[is_pinned])
        spent = int(charges[is_pinned].sum(dtype=np.int64))
    newest_first, charged = others[::-1], charged[::-1]
    count = until_full(charged, budget - spent)
    spent += ledger.fill(newest_first[:count], budget - spent, Section.HISTORY, charges=charged[:count])
    kept = newest_first[:count][::-1]
    return np.sort(np.concatenate([pinned, kept])) if len(pinned) else kept, spent


def withdraw_until(ledger: Ledger, rows: Rows, excess: int, reason: Reason) -> int:
    """Take these rows back, in this order, while there is an excess of tokens. Return the remaining excess."""
    out = rows[: enough(ledger.costs[rows], excess)]
    ledger.withdraw(out, reason)
    return excess - ledger.cost(out)


def out_of_history(spent: int, total: int) -> Reason:
    """Return the reason for messages taken out by the last check, oldest first."""
    return taken_out("over_budget", "the oldest message first", spent, total)


def too_large(ledger: Ledger, excess: int, total: int) -> Assembly:
    """Return the error if the last check cannot make the prompt small enough."""
    return ledger.fail(
        "request_too_large",
        f"The items that cannot be removed are {excess:,} tokens over the total limit of {total:,}.",
    )


def enabled_lore(ledger: Ledger) -> Rows:
    """Return the lore available for retrieval, enabled or pinned, in the order of the file; drop the rest."""
    lore = _lore_as_filed(ledger)
    enabled = (ledger.candidates.items.sources[lore] == int(Source.LOREBOOK)) | ledger.candidates.pinned[lore]
    ledger.drop(lore[~enabled], DISABLED, Section.RETRIEVED)
    return lore[enabled]


def recalled(ledger: Ledger, history: Rows, replaced: Bool, left: int) -> Rows:
    """Return the messages lost by the history, as possible chunks; drop those `replaced`.

    A passage represents its message, which then cannot return itself. `left` is the rest of the history budget.
    """
    earlier, _ = split_current(ledger)
    lost = earlier[~mask_of(ledger.candidates, history)[earlier]]
    _drop_replaced(ledger, lost[::-1], replaced, left)
    return lost[~replaced[lost]]


def _lore_as_filed(ledger: Ledger) -> Rows:
    """Return the lore entries in the order of the file, which is the order of equal scores."""
    lore, places = ledger.candidates.rows(Kind.LORE), ledger.candidates.items.lore_places
    if not len(lore):
        return lore
    rows = lore[ledger.candidates.items.derived("lore as filed", (), lambda: np.argsort(np.array(places, np.intp)))]
    return rows[ledger.open[rows]]


def passages_of_messages(ledger: Ledger, history: Rows) -> tuple[Bool, Bool]:
    """Return masks over all candidates: passages repeating messages of the prompt, and messages with a passage."""
    candidates = ledger.candidates
    said, repeated, replaced = (np.zeros(len(candidates), np.bool_) for _ in range(3))
    passages, messages = candidates.items.passage_messages
    passages, messages = passages[ledger.open[passages]], messages[ledger.open[passages]]
    said[history] = said[candidates.current_message] = True
    repeated[passages] = said[messages] & ~candidates.pinned[passages]
    replaced[messages] = True
    return repeated, replaced


def _drop_replaced(ledger: Ledger, lost: Rows, replaced: Bool, left: int) -> None:
    """Drop those messages lost to the history, newest first, with a passage in their place."""
    out = lost[replaced[lost]]
    at_stop = out == lost[:1] if len(lost) else np.zeros(0, np.bool_)
    ledger.drop(out[at_stop], OVER_BUDGET, Section.HISTORY, left=left)
    ledger.drop(out[~at_stop], AFTER_STOP, Section.HISTORY, left=left)


def relevance(candidates: Candidates, rows: Rows) -> F64:
    """Return the scores of chunks, NaN for none. Messages are compared with the query only if there are any."""
    scores = candidates.similarity[rows]
    is_message = candidates.kind[rows] == int(Kind.MESSAGE)
    if is_message.any():
        scores[is_message] = candidates.message_likeness.values[rows[is_message]]
    return scores


def best_of_each_source(sources: U8, scores: F64, most: Mapping[Source, int]) -> Bool:
    """Return a mask of the highest scores of each source, up to its limit in `most`."""
    chosen, sizes = np.zeros(len(scores), np.bool_), np.bincount(sources, minlength=len(Source))
    for source, count in most.items():
        if not sizes[source]:
            continue
        inside = np.flatnonzero(sources == source)
        chosen[inside] = highest_few(scores[inside], count)
    return chosen


def drop_unconsidered(ledger: Ledger, rows: Rows) -> None:
    """Drop these chunks as not retrieved; messages among them stay lost to the history."""
    is_message = ledger.candidates.kind[rows] == int(Kind.MESSAGE)
    ledger.drop(rows[~is_message], NOT_RETRIEVED, Section.RETRIEVED)
    ledger.drop(rows[is_message][::-1], NOT_RECALLED, Section.HISTORY)


def layout(assembly: Assembly) -> tuple[Block, ...]:
    """Return system text, greeting, history, and the current message with the retrieved chunks in front of it."""
    messages = assembly.kept_rows(Kind.MESSAGE)
    history, current = (messages[assembly.section[messages] == part] for part in (Section.HISTORY, Section.CURRENT))
    chunks = _retrieved_pieces(assembly)
    speakers = (assembly.candidates.things[row] for row in current.tolist())
    name = next((speaker.name for speaker in speakers if isinstance(speaker, Message)), "")
    last = Composed("user", (*chunks, *current.tolist()), name) if chunks else Run(current)
    greeting = (Composed("assistant", (row,)) for row in assembly.kept_rows(Kind.GREETING).tolist())
    return (*paragraphs(assembly, Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE), *greeting, Run(history), last)


def _retrieved_pieces(assembly: Assembly) -> tuple[str | int | Each, ...]:
    """Return the chunks with a text, best first, lore inside a pair of tags and everything else inside another."""
    candidates = assembly.candidates
    is_retrieved = assembly.in_prompt & (assembly.section == int(Section.RETRIEVED))
    kept = assembly.decided[is_retrieved[assembly.decided]]
    kept = np.array([row for row in kept.tolist() if candidates.texts[row]], np.intp)
    is_lore = (candidates.items.sources[kept] == int(Source.LOREBOOK)) | (candidates.kind[kept] == int(Kind.LORE))
    pieces: list[str | int | Each] = []
    for tag, rows in ((LORE_TAG, kept[is_lore]), (MEMORY_TAG, kept[~is_lore])):
        if len(rows):
            pieces += [f"<{tag}>\n", int(rows[0]), Each(rows[1:], "rag: chunk", lambda _: "\n"), f"\n</{tag}>\n"]
    return tuple(pieces)
