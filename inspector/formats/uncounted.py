"""Token counts of a file that its reader left out, as where a program renamed their key. They are reported.

Only a file without the counts of any answer is looked at: applications leave them out of some answers. Large exports
whose chats are read one by one are not: neither ChatGPT nor Claude.ai writes counts into them. Limits and sums
of a session are no counts of an answer; counts under a usual key that can be read were left out on purpose, as those of
several requests together.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from inspector.figures import counted
from inspector.formats.content.usage import read_usage
from inspector.formats.coverage import checked_values
from inspector.model import Problem, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_whole

_RECORDED = frozenset(("recorded_prompt_tokens", "recorded_tokens"))
"""The metadata of an answer of which both the prompt and the answer were counted."""
_USUAL = frozenset(
    (
        *("usage", "usageMetadata", "usage_metadata", "usageDetails", "usage_details", "tokens", "tokenUsage"),
        *("token_usage", "last_token_usage"),
    )
)
_LEAST = 2  # counts in an object
_DEEPEST = 60
_HINT = re.compile(rb'[tT]oken\w*"\s*:\s*"?[1-9]|[uU]sage\w*"\s*:\s*\{')
"""A key of a count with a number, or of usage with an object; most files have neither, and are not walked through."""
_USAGE, _TOKEN = "usage", "token"
_OTHERS = frozenset(
    (
        *("accumulated", "before", "budget", "context", "cost", "cumulative", "limit", "limits", "max", "min"),
        *("overall", "per", "price", "pricing", "remaining", "reserve", "session", "threshold", "total", "totals"),
        "window",
    )
)
"""Words in the keys of limits, sums and prices."""
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def uncounted(source: FileSource, part: Workspace) -> Iterator[Problem]:
    """Yield a problem if the file has token counts and no answer was read with any."""
    if source.pieces or not all(chat.is_read for chat in part.conversations):
        return  # looking for them would read what stays unread
    chats = (chat.tree or chat for chat in part.conversations)
    answers = [one.metadata for chat in chats for one in chat.messages if one.role == "assistant"]
    if not answers or all(any(key in one for one in answers) for key in _RECORDED):
        return
    if source.shape not in ("json", "json_lines") or not _HINT.search(source.data):
        return
    found: list[tuple[str, str]] = []
    with suppress(UnreadableError):
        found = [one for place, value in checked_values(source) for one in _counts_in(value, place)]
    if found:
        place, key = found[0]
        times = f" ({counted(len(found), 'time')})" if found[1:] else ""
        yield source.problem(place, f'no answer has all token counts; those under "{key}"{times} were not read', "info")


def _counts_in(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Yield the places of the objects that hold token counts, with their keys; nothing inside of these."""
    waiting: list[tuple[Any, str, str, int]] = [(value, place, "", _DEEPEST)]
    while waiting:
        inner, at, key, depth = waiting.pop()
        if isinstance(inner, Mapping):
            if key and _are_counts(inner, key):
                yield at, key
            elif depth:
                waiting += [(one, f"{at}.{name}", str(name), depth - 1) for name, one in reversed([*inner.items()])]
        elif isinstance(inner, list) and depth:
            waiting += [(one, f"{at}[{n}]", key, depth - 1) for n, one in reversed(list(enumerate(inner)))]


def _are_counts(held: Mapping[Any, Any], key: str) -> bool:
    """Return whether most of an object are whole numbers above 0 under names of counts, or under `usage`."""
    is_usage = _USAGE in key.lower()
    if not is_usage and not any(isinstance(name, str) and _TOKEN in name.lower() for name in held):
        return False  # almost all objects, told apart without their words
    if _is_other(key) or (key in _USUAL and read_usage(held).metadata.keys() >= _RECORDED):
        return False
    names = [name for name, value in held.items() if (as_whole(value) or 0) > 0 and not isinstance(value, str)]
    told = [str(name) for name in names if not _is_other(str(name))]
    counts = [name for name in told if is_usage or _TOKEN in name.lower()]
    return len(counts) >= _LEAST and 2 * len(names) >= len(held)


def _is_other(key: str) -> bool:
    return any(word.lower() in _OTHERS for word in _WORDS.findall(key))
