"""prompt-inspector cache: the places and sizes of the cache and the log, and a way to clear the cache."""

from typing import Any

from inspector.cli.answering import Telling, answer
from inspector.cli.failure import InputError
from inspector.retrieval.summaries.summarizer import SummaryCache
from inspector.retrieval.vectors.embedding import VectorCache
from inspector.settings import cache_file, log_file
from inspector.tables import Column, Kind, Table
from inspector.tokens.cache import CountCache

_ROWS = (("cache", "token counts"), ("log", "log"))
_PLACES: Table[dict[str, Any]] = Table(
    (
        Column("what", "Contents", "The contents", lambda _, row: _ROWS[row][1]),
        Column("file", "File", "The file", lambda value, row: value[_ROWS[row][0]]),
        Column(
            "bytes", "Bytes", "How large it is", lambda value, row: value[f"{_ROWS[row][0]}_bytes"], kind=Kind.COUNT
        ),
    ),
    lambda _: range(len(_ROWS)),
)


def _removed(value: dict[str, Any]) -> list[str]:
    return [f"{value['removed_counts']:,} counts were forgotten."] if "removed_counts" in value else []


def cache(clear: bool, answer_format: str) -> None:
    """Run `prompt-inspector cache` with the values of its options."""
    counts, log = CountCache(cache_file()), log_file()
    removed = _clear(counts) if clear else {}
    counts.close()
    value: dict[str, Any] = {
        "cache": str(counts.path),
        "cache_bytes": counts.size,
        "log": str(log),
        "log_bytes": log.stat().st_size if log.exists() else 0,
    }
    value |= removed
    telling = Telling([_PLACES], below=_removed, value=lambda value: value)
    answer(value, telling, answer_format)


def _clear(counts: CountCache) -> dict[str, int]:
    """Delete everything cached, including files set aside as damaged, and return the number removed of each kind."""
    removed = {"removed_counts": counts.clear(), "removed_vectors": VectorCache(counts).clear()}
    removed["removed_summaries"] = SummaryCache(counts).clear()
    if not counts.is_usable:
        raise InputError(counts.trouble)
    counts.forget_damaged()
    return removed
