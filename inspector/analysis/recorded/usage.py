"""The costs of messages as recorded by the program that wrote a file, beside our counts: the measured error.

An answer is compared with its own text, a prompt with everything before the answer: the constant beginning of the chat,
and each message since the last summary of all before it. Tools, and silent additions of an application, are in the
recorded figures of prompts alone: a constant remainder, which is told apart from the error of the count. Thoughts are
told apart from answers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.assembly.recorded_requests import (
    calibration_of,
    constant_overhead,
    prompts_before,
    recorded_requests,
)
from inspector.model import Message, Thought, Usage, recorded_usage
from inspector.tokens.calibration import Calibration

Side = Literal["answer", "prompt"]


@dataclass(frozen=True, slots=True)
class UsageError:
    """Recorded against counted tokens of a model, of its answers without their thoughts or of the prompts before them.

    `mean_error` is the mean distance of both, in tokens, for prompts without the remainder; `worst` the id of the
    message with the largest. `remainder` is the tokens of each prompt that are not in the file, None for answers.
    `calibration` is measured on prompts, None for answers and for too few prompts. `cached` and `written` are the
    tokens of the prompts read from a cache and written to it, `thoughts` those beside the answers; None if not told.
    """

    model: str
    side: Side
    messages: int
    recorded: int
    counted: int
    mean_error: float
    worst: str
    remainder: int | None = None
    calibration: Calibration | None = None
    cached: int | None = None
    written: int | None = None
    thoughts: int | None = None

    @property
    def bias(self) -> float | None:
        """The excess of counted over recorded tokens without the remainder, as a share of these; below 0 if fewer.

        None where they cannot be told from the remainder: for too few prompts, with more recorded than counted.
        """
        if self.calibration is None and self.remainder:
            return None
        told = self.recorded - (self.remainder or 0) * self.messages
        return (self.counted - told) / told if told > 0 else None


@dataclass(frozen=True, slots=True)
class _Figure:
    """A recorded figure of a message, with the tokens counted for the same."""

    row: int
    recorded: int
    counted: int
    usage: Usage


def usage_errors(assembly: Assembly, total: int) -> tuple[UsageError, ...]:
    """Return the measured error per model, prompts behind answers; none if the file records no usage.

    `total` is the tokens of the assembly's prompt: what it has besides its items is in every prompt.
    """
    candidates, constant = assembly.candidates, constant_overhead(assembly, total)
    found: dict[tuple[str, Side], list[_Figure]] = {}
    for model, row, usage in candidates.items.derived(
        "recorded answers", None, lambda: tuple(_answers(candidates.items))
    ):
        figure = _Figure(row, usage.answer or 0, int(candidates.tokens[row]), usage)
        found.setdefault((model, "answer"), []).append(figure)
    requests = recorded_requests(candidates.items)
    before = prompts_before(candidates) if requests else np.empty(0, np.int64)
    for one in requests:
        figure = _Figure(one.answer, one.usage.prompt or 0, int(before[one.start]) + constant, one.usage)
        found.setdefault((one.model, "prompt"), []).append(figure)
    return tuple(_error(candidates, constant, *key, found[key]) for key in sorted(found))


def _answers(items: ItemTexts) -> Iterator[tuple[str, int, Usage]]:
    """Yield model, row and usage of every message whose own tokens are recorded.

    Not those with thoughts that the figure may contain: it is not told how much of it is the answer.
    """
    default = items.conversation.model if items.conversation else ""
    for row, thing in enumerate(items.things[items.first_message :], items.first_message):
        if not isinstance(thing, Message) or not thing.metadata:
            continue
        usage = recorded_usage(thing.metadata)
        is_mixed = usage.thoughts is None and any(isinstance(part, Thought) for part in thing.parts)
        if usage.answer and not is_mixed:
            model = thing.metadata.get("model")
            yield model if isinstance(model, str) and model else default, row, usage


def _error(candidates: Candidates, constant: int, model: str, side: Side, found: list[_Figure]) -> UsageError:
    calibration = calibration_of(candidates, model, constant) if side == "prompt" else None
    remainder = _remainder(found, calibration) if side == "prompt" else None
    distances = [abs(one.counted + (remainder or 0) - one.recorded) for one in found]
    return UsageError(
        model or "not named",
        side,
        len(found),
        sum(one.recorded for one in found),
        sum(one.counted for one in found),
        sum(distances) / len(distances),
        candidates.ids[found[distances.index(max(distances))].row],
        remainder,
        calibration,
        _told(one.usage.cached for one in found) if side == "prompt" else None,
        _told(one.usage.written for one in found) if side == "prompt" else None,
        _told(one.usage.thoughts for one in found) if side == "answer" else None,
    )


def _remainder(found: list[_Figure], calibration: Calibration | None) -> int:
    """Return the tokens of each prompt that are not in the file.

    The measured constant or, for too few prompts, the smallest excess of a recorded prompt; 0 for none.
    """
    if calibration is not None:
        return calibration.remainder
    return max(0, min(one.recorded - one.counted for one in found))


def _told(figures: Iterator[int | None]) -> int | None:
    """Return the sum of the told figures, None if none is."""
    told = [tokens for tokens in figures if tokens is not None]
    return sum(told) if told else None
