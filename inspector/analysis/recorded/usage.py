"""The costs of messages as recorded by the program that wrote a file, beside our counts: the measured error.

An answer is compared with its own text, a prompt with everything before the answer: the constant beginning of the chat,
and each message since the last summary of all before it. Tools, and silent additions of an application, are in the
recorded figures alone; so is thinking that was paid for and is not sent again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from inspector.analysis.recorded.calibration import Calibration, calibrate
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, State
from inspector.assembly.items import ItemTexts
from inspector.formats.compaction import SUMMARY_MARK
from inspector.model import Message

Side = Literal["answer", "prompt"]
_KEYS: tuple[tuple[Side, str], ...] = (("answer", "recorded_tokens"), ("prompt", "recorded_prompt_tokens"))
_ALWAYS = (Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE)
_MOST_TOKENS = 2**53


@dataclass(frozen=True, slots=True)
class UsageError:
    """Recorded against counted tokens of a model, of its answers or of the prompts before them.

    `mean_error` is the mean distance of both, in tokens; `worst` the id of the message with the largest. `calibration`
    is measured on prompts, None for answers and for too few prompts.
    """

    model: str
    side: Side
    messages: int
    recorded: int
    counted: int
    mean_error: float
    worst: str
    calibration: Calibration | None = None

    @property
    def bias(self) -> float | None:
        """The excess of counted over recorded tokens, as a share of the recorded; below 0 if fewer, None if there are
        none.
        """
        return (self.counted - self.recorded) / self.recorded if self.recorded else None


def usage_errors(candidates: Candidates) -> tuple[UsageError, ...]:
    """Return the measured error per model, prompts behind answers; none if the file records no usage."""
    found: dict[tuple[str, Side], list[tuple[int, int, int]]] = {}
    for key, row, recorded, counted in _pairs(candidates):
        found.setdefault(key, []).append((row, recorded, counted))
    return tuple(_error(candidates, *key, found[key]) for key in sorted(found))


def _pairs(candidates: Candidates) -> Iterator[tuple[tuple[str, Side], int, int, int]]:
    """Yield model and side, row, recorded and counted tokens of every figure in the file."""
    items = candidates.items
    figures = items.derived("recorded_figures", None, lambda: tuple(_figures(items)))
    before = _before(candidates) if figures else candidates.tokens
    for (model, side), row, recorded in figures:
        counted = int(candidates.tokens[row]) if side == "answer" else int(before[row])
        yield (model, side), row, recorded, counted


def _figures(items: ItemTexts) -> Iterator[tuple[tuple[str, Side], int, int]]:
    """Yield model and side, row and recorded tokens of every figure in the file."""
    default = items.conversation.model if items.conversation else ""
    for row, thing in enumerate(items.things[items.first_message :], items.first_message):
        if not isinstance(thing, Message) or not thing.metadata:
            continue
        model = thing.metadata.get("model")
        named = model if isinstance(model, str) and model else default or "not named"
        for side, name in _KEYS:
            recorded = thing.metadata.get(name)
            if isinstance(recorded, int) and not isinstance(recorded, bool) and 0 < recorded < _MOST_TOKENS:
                yield (named, side), row, recorded


def _before(candidates: Candidates) -> np.ndarray:
    """Return for each row the tokens of the prompt before it, including the chat format's frame around each message."""
    items = candidates.items
    first = items.first_message
    cost = candidates.tokens.astype(np.int64) + candidates.frame_tokens
    cost[candidates.state == State.EXCLUDED] = 0
    always = int(cost[np.isin(candidates.kind, _ALWAYS)].sum())
    sums = np.zeros(len(cost), np.int64)
    sums[first + 1 :] = np.cumsum(cost[first:-1])
    for row in items.derived("recorded_summaries", None, lambda: _summaries(items)):
        sums[row + 1 :] -= sums[row]  # the summary stands for all before it
    return sums + always


def _summaries(items: ItemTexts) -> tuple[int, ...]:
    """Return the rows of the messages that replace all before them."""
    placed = enumerate(items.things[items.first_message :], items.first_message)
    return tuple(row for row, thing in placed if isinstance(thing, Message) and thing.metadata.get(SUMMARY_MARK))


def _error(candidates: Candidates, model: str, side: Side, found: list[tuple[int, int, int]]) -> UsageError:
    distances = [abs(counted - recorded) for _, recorded, counted in found]
    worst = found[distances.index(max(distances))][0]
    recorded, counted = (sum(pair[place] for pair in found) for place in (1, 2))
    mean = sum(distances) / len(distances)
    pairs = np.array(found, np.int64)
    calibration = calibrate(pairs[:, 2], pairs[:, 1]) if side == "prompt" else None
    return UsageError(model, side, len(found), recorded, counted, mean, candidates.ids[worst], calibration)
