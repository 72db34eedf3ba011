"""Checks of a tokenizer.json before libraries load it: against content that would crash or hang the process.

The libraries make tables as long as the highest id, follow a character table wherever it leads, insert replacements of
any length, and run patterns without a time limit. They report all other faults themselves.
"""

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from time import thread_time
from typing import Annotated, Any

import msgspec

from inspector.tokens.converted.charsmap import charsmap_fault
from inspector.tokens.tokenizer import TokenizerUnavailableError, library_call
from inspector.tokens.vocabulary_limits import HIGHEST_ID, added_fault, vocabulary_fault

MOST_STEPS = 100
MOST_GROWTH = 256
"""The factor by which the steps before counting may lengthen a text, all together."""
LONGEST_PATTERN = 50_000
PATTERN_SECONDS = 0.5
"""The time limit of all patterns of a file on the test texts; ordinary patterns take a fiftieth."""
_RUNS = (30, 60, 90, 130, 180, 250)
_SIGNS = " \n\ta1.'é漢"
_MOST_SIGNS = 60
_WORD = re.compile(r"[^\W_]+")

_Id = Annotated[int, msgspec.Meta(ge=0, lt=HIGHEST_ID)]
_Ids = dict[str, _Id]
_Scores = list[tuple[str, float]]


class _Added(msgspec.Struct):
    id: _Id
    content: str


class _Model(msgspec.Struct):
    vocab: _Ids | _Scores


class _File(msgspec.Struct):
    """The checked parts of a file; merges and the rest are skipped without becoming objects."""

    model: _Model
    added_tokens: list[_Added] | None = None
    normalizer: Any = None
    pre_tokenizer: Any = None


def check_tokenizer_json(content: bytes, path: Path) -> None:
    """Raise TokenizerUnavailableError with the file and its fault if it is not safe to load."""
    try:
        value = msgspec.json.decode(content, type=_File)
        vocabulary = value.model.vocab
        tokens = vocabulary if isinstance(vocabulary, dict) else [token for token, _ in vocabulary]
        added = value.added_tokens or []
        if fault := vocabulary_fault(tokens) or vocabulary_fault([one.content for one in added]) or added_fault(added):
            raise _FaultError(fault)
        steps = [*_steps(value.normalizer), *_steps(value.pre_tokenizer)]
        _check_steps(steps)
        _check_patterns([pattern for step in steps if (pattern := _pattern(step))])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, _FaultError) as fault:
        raise TokenizerUnavailableError(f"{path} is not usable: {fault}") from fault


class _FaultError(ValueError):
    """A fault, worded to follow the name of the file in a sentence."""


def _steps(step: Any) -> Iterator[dict[str, Any]]:
    """Yield each step of a normalizer or a pre-tokenizer, which may be sequences of sequences."""
    pending = [step]
    while pending:
        step = pending.pop()
        if not isinstance(step, dict):
            continue
        yield step
        for inner in (step.get("normalizers"), step.get("pretokenizers")):
            pending += inner if isinstance(inner, list) else []


def _check_steps(steps: list[dict[str, Any]]) -> None:
    if len(steps) > MOST_STEPS:
        raise _FaultError(f"it has {len(steps):,} steps before tokens are looked for, expected at most {MOST_STEPS}")
    growth = 1
    for step in steps:
        growth *= _growth(step)
        if growth > MOST_GROWTH:
            raise _FaultError(f"its steps may make a text more than {MOST_GROWTH} times as long")
        if "precompiled_charsmap" in step:  # a step need not name its type
            _check_charsmap(step["precompiled_charsmap"])


def _growth(step: dict[str, Any]) -> int:
    """Return the factor by which a step may lengthen a text: bytes written as letters take twice the room."""
    if step.get("type") == "ByteLevel" or "trim_offsets" in step:
        return 2
    return max([1, *(len(text) for key in ("content", "prepend") if isinstance(text := step.get(key), str))])


def _check_charsmap(written: Any) -> None:
    try:
        content = base64.b64decode(written, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise _FaultError("its table of characters to normalise is not in base 64") from None
    if fault := charsmap_fault(content):
        raise _FaultError(f"its table of characters to normalise {fault}")


def _pattern(step: dict[str, Any]) -> str:
    pattern = step.get("pattern")
    expression = pattern.get("Regex") if isinstance(pattern, dict) else None
    return expression if isinstance(expression, str) else ""


def _check_patterns(patterns: list[str]) -> None:
    """Try each pattern on runs of a sign: the library panics when a match exceeds its limit of steps."""
    from tokenizers import Regex, pre_tokenizers

    begun = thread_time()
    for pattern in patterns:
        what = f"its pattern {pattern[:80]!r}"
        if len(pattern) > LONGEST_PATTERN:
            raise _FaultError(f"{what} is longer than {LONGEST_PATTERN:,} characters")
        try:
            with library_call(f"{what} cannot be used"):
                split = pre_tokenizers.Split(Regex(pattern), "isolated")
                for text in _runs(pattern):
                    split.pre_tokenize_str(text)
                    if thread_time() - begun > PATTERN_SECONDS:
                        raise TokenizerUnavailableError(f"{what} takes too long")
        except TokenizerUnavailableError as problem:
            raise _FaultError(str(problem)) from problem


def _runs(pattern: str) -> Iterator[str]:
    """Yield texts with the most work for a backtracking pattern: runs with a different end.

    All signs of the pattern follow, because the library skips a text lacking a sign the pattern requires.
    """
    words = _WORD.findall(pattern)
    signs = dict.fromkeys(chain(_SIGNS, *words, (word[:2] for word in words)))
    end = "\x00" + "".join(dict.fromkeys(pattern))
    for sign in list(signs)[:_MOST_SIGNS]:
        for length in _RUNS:
            yield (sign * length)[:length] + end
