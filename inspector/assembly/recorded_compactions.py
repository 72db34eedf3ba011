"""The moments at which the program that wrote a file shortened its list of messages, as the file records them.

A message of the file stands for those that name it in their record; where none is named, only the state at the end of
the file is known. Sizes are those that the program wrote beside its summary, else the recorded prompts around it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from inspector.assembly.columns import Rows, frozen
from inspector.assembly.items import ItemTexts
from inspector.assembly.numbers import title_in
from inspector.assembly.recorded import Recorded, recorded_column, recorded_note
from inspector.assembly.recorded_requests import recorded_requests, summary_rows
from inspector.figures import counted
from inspector.formats.compaction import CUT_OFF
from inspector.model import Message

RecordedKind = Literal["compacted", "truncated"]
_BEFORE = ("preTokens", "pre_tokens", "preCompactionTokens", "tokensBefore", "originalTokenCount")
_AFTER = ("postTokens", "post_tokens", "postCompactionTokens", "tokensAfter", "newTokenCount")
"""The names of both sizes beside a summary: Claude Code, its stream, Copilot CLI, Kimi, pi and Grok CLI, Qwen Code."""


@dataclass(frozen=True, eq=False)
class RecordedCompaction:
    """A moment at which the program shortened its list: `row` is the message that stands for those of `told` since.

    `row` is None where the file has no such message: the time is unknown then. `before` and `after` are the tokens of
    the prompt; None if the file does not tell them.
    """

    row: int | None
    kind: RecordedKind
    told: Rows
    before: int | None = None
    after: int | None = None


def recorded_compactions(items: ItemTexts) -> tuple[RecordedCompaction, ...]:
    """Return the recorded moments in the order of the conversation, those of unknown time last."""
    return items.derived("recorded compactions", None, lambda: tuple(_found(items)))


def _found(items: ItemTexts) -> list[RecordedCompaction]:
    named, unnamed = _told(items)
    dated = sorted({*summary_rows(items), *named})
    spans = pairwise(pairwise([items.first_message - 1, *dated, len(items.things)]))
    found = [_sized(items, row, named.get(row, ()), (before, end)) for (before, row), (_, end) in spans]
    return [*found, *_undated(items, unnamed, is_state=not dated)]


def _told(items: ItemTexts) -> tuple[dict[int, list[int]], dict[str, list[int]]]:
    """Return the messages that are not sent any more, by the row of the message that stands for them.

    Where the record names no message of the chat, they stand in the second by the name, "" for none.
    """
    actions = recorded_column(items)
    gone = np.flatnonzero((actions == Recorded.SUMMARIZED) | (actions == Recorded.DROPPED)).tolist()
    places = {name: row for row, name in enumerate(items.plain_ids) if row >= items.first_message} if gone else {}
    named: dict[int, list[int]] = {}
    unnamed: dict[str, list[int]] = {}
    for row in gone:
        note = recorded_note(items.things[row])
        if note.get("reason", CUT_OFF) != CUT_OFF and "by" not in note:
            continue  # left out for a reason of its own, such as a message hidden by hand
        by = note.get("by")
        place = places.get(by) if isinstance(by, str) else None
        if place is not None:
            named.setdefault(place, []).append(row)
        else:
            unnamed.setdefault(by if isinstance(by, str) else "", []).append(row)
    return named, unnamed


def _sized(items: ItemTexts, row: int, told: Sequence[int], span: tuple[int, int]) -> RecordedCompaction:
    """Return the moment of a message; `span` are the rows of the summaries before and after it."""
    noted = _noted_sizes(items.things[row])
    requests = [one for one in recorded_requests(items) if span[0] < one.answer < row or row < one.start < span[1]]
    earlier = [one.usage.prompt for one in requests if one.answer < row]
    later = [one.usage.prompt for one in requests if one.start > row]
    before = noted[0] if noted[0] is not None else earlier[-1] if earlier else None
    after = noted[1] if noted[1] is not None else later[0] if later else None
    return RecordedCompaction(row, _kind_of(items, told), _rows(told), before, after)


def _noted_sizes(thing: object) -> tuple[int | None, int | None]:
    """Return both sizes that the program wrote beside a summary; None for a size that it did not."""
    noted = thing.metadata.get("compaction") if isinstance(thing, Message) else None
    if not isinstance(noted, Mapping):
        return None, None
    before, after = ([noted[key] for key in keys if _is_size(noted.get(key))] for keys in (_BEFORE, _AFTER))
    return before[0] if before else None, after[0] if after else None


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _undated(items: ItemTexts, unnamed: Mapping[str, list[int]], *, is_state: bool) -> list[RecordedCompaction]:
    """Return those of which no message of the chat tells the time.

    Messages dropped without a name are such a moment only where the file says of others that they were still sent, and
    names no summary (`is_state`).
    """
    says_kept = bool((recorded_column(items) == Recorded.KEPT).any())
    found = [(name, RecordedCompaction(None, _kind_of(items, rows), _rows(rows))) for name, rows in unnamed.items()]
    return [one for name, one in found if name or one.kind == "compacted" or (is_state and says_kept)]


def _kind_of(items: ItemTexts, told: Sequence[int]) -> RecordedKind:
    """Return whether a summary tells any of these messages; one without messages is a summary, too."""
    actions = recorded_column(items)[list(told)]
    return "truncated" if len(told) and not (actions == Recorded.SUMMARIZED).any() else "compacted"


def _rows(told: Sequence[int]) -> Rows:
    return frozen(np.array(told, np.intp))


def recorded_compactions_sentence(items: ItemTexts) -> str:
    """Name the messages with which the program shortened its list, and how many they stand for; "" without any."""
    found = recorded_compactions(items)
    if not found:
        return ""
    at = [title_in(items, one.row) for one in found if one.row is not None]
    where = f", the last with {at[-1]}" if len(at) > 1 else f", with {at[0]}" if at else ""
    told = len(np.unique(np.concatenate([one.told for one in found])))
    gone = f"{counted(told, 'message')} {'is' if told == 1 else 'are'} not sent since"
    times = "once" if len(found) == 1 else f"{len(found):,} times"
    return f"The program that wrote this file shortened its list {times}{where}: {gone}."
