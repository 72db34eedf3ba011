"""The recorded usage of a request: the tokens of its prompt and of its answer, as a provider or server counted them."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

MOST_RECORDED = 2**53
"""Figures from here on are no counts of tokens: they would not survive JSON or arithmetic in doubles."""
PROMPT, CACHED, WRITTEN = "recorded_prompt_tokens", "recorded_cached_tokens", "recorded_written_tokens"
OUTPUT, THOUGHTS = "recorded_tokens", "recorded_thought_tokens"
"""The keys of a message's metadata: whole prompt and whole output, and the parts of each that are told."""


class Usage(Struct, frozen=True):
    """Tokens of a request that add up: no token is in two of the fields; None where the file does not tell.

    fresh, cached, written: the prompt's tokens that were neither read from a cache of prompts nor written to it; that
    were read from it; that were written to it. All of the prompt is `fresh` where it is not divided.
    thoughts, answer: the output's tokens of thinking, and of everything else. All of it is `answer` where it is not
    divided.
    """

    fresh: int | None = None
    cached: int | None = None
    written: int | None = None
    thoughts: int | None = None
    answer: int | None = None

    @property
    def prompt(self) -> int | None:
        """Tokens of the whole prompt."""
        return _sum(self.fresh, self.cached, self.written)

    @property
    def output(self) -> int | None:
        """Tokens of the whole output, thoughts included."""
        return _sum(self.thoughts, self.answer)

    @property
    def is_divided(self) -> bool:
        """Whether a part of the prompt was read from a cache or written to it."""
        return bool(self.cached or self.written)

    @property
    def metadata(self) -> dict[str, int]:
        """The usage as metadata of the message that answered."""
        told = {PROMPT: self.prompt, CACHED: self.cached, WRITTEN: self.written}
        told |= {OUTPUT: self.output, THOUGHTS: self.thoughts}
        return {key: tokens for key, tokens in told.items() if tokens is not None}


def recorded_usage(metadata: Mapping[str, Any]) -> Usage:
    """Return the usage in the metadata of a message; nothing is told where there is none.

    A part that is larger than its whole, as edited files have it, is left out.
    """
    prompt, cached, written = (_count(metadata.get(key)) for key in (PROMPT, CACHED, WRITTEN))
    output, thoughts = (_count(metadata.get(key)) for key in (OUTPUT, THOUGHTS))
    if prompt is None or (cached or 0) + (written or 0) > prompt:
        cached = written = None
    if output is None or (thoughts or 0) > output:
        thoughts = None
    fresh = None if prompt is None else prompt - (cached or 0) - (written or 0)
    return Usage(fresh, cached, written, thoughts, None if output is None else output - (thoughts or 0))


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_RECORDED
    return value if is_count else None


def _sum(*parts: int | None) -> int | None:
    told = [part for part in parts if part is not None]
    return sum(told) if told else None
