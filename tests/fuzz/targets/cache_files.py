"""Targets: the cache, which is no source but the program's own, and yet may be damaged in any way."""

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from inspector.retrieval.summaries.summarizer import SummaryCache
from inspector.retrieval.vectors.embedding import VectorCache
from inspector.tokens.cache import UNKNOWN, CacheFile, CountCache, text_hashes
from tests.fuzz.outcome import BrokenPromiseError, Input
from tests.fuzz.target import Target

_FINGERPRINT = "fuzz@1"
_TEXTS = [f"text {number}" for number in range(300)]
_COUNTS = np.array([number * 7 % 50 + 1 for number in range(300)], np.int32)
_VECTORS = np.arange(300 * 4, dtype=np.float16).reshape(300, 4)
_SUMMARIES = [f"summary {number}" for number in range(300)]


@cache
def _cache_seeds() -> tuple[Input, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "counts.sqlite3")
        file = CountCache(path)
        hashes = text_hashes(_TEXTS)
        file.write(_FINGERPRINT, hashes, _COUNTS)
        VectorCache(file).write(_FINGERPRINT, hashes, _VECTORS)
        SummaryCache(file).write(_FINGERPRINT, hashes, _SUMMARIES)
        file.close()
        return (Input("counts.sqlite3", path.read_bytes()),)


def open_cache(file: Path, scratch: Path) -> None:
    """A cache, which is no source but the program's own: it answers what is right or nothing, and goes on."""
    own = scratch / file.name
    own.write_bytes(file.read_bytes())
    cached = CountCache(own)
    hashes = text_hashes(_TEXTS)
    _check_counts(cached, hashes[:5])
    _check_counts(cached, hashes)
    _check_vectors(cached, hashes)
    _check_summaries(cached, hashes)
    cached.write(_FINGERPRINT, hashes, _COUNTS)
    _check_counts(cached, hashes)
    if not cached.trouble and (found := cached.read(_FINGERPRINT, hashes[:5]).tolist()) != _COUNTS[:5].tolist():
        raise BrokenPromiseError("what was just kept is not there, and no trouble is told", str(found))
    cached.clear()
    VectorCache(cached).clear()
    SummaryCache(cached).clear()
    cached.close()


def _check_counts(cached: CountCache, hashes: Any) -> None:
    found = cached.read(_FINGERPRINT, hashes)
    wrong = (found != UNKNOWN) & (found != _COUNTS[: len(hashes)])
    if wrong.any():
        raise BrokenPromiseError("a wrong count", f"{found[wrong][:5]}, expected {_COUNTS[: len(hashes)][wrong][:5]}")


def _check_vectors(cached: CacheFile, hashes: Any) -> None:
    rows, vectors = VectorCache(cached).read(_FINGERPRINT, hashes)
    if len(rows) and not np.array_equal(vectors, _VECTORS[rows]):
        raise BrokenPromiseError("a wrong vector")


def _check_summaries(cached: CacheFile, hashes: Any) -> None:
    for found, right in zip(SummaryCache(cached).read(_FINGERPRINT, hashes), _SUMMARIES, strict=True):
        if found not in (None, right):
            raise BrokenPromiseError("a wrong summary", repr(found)[:200])


TARGETS = (Target("cache", _cache_seeds, open_cache),)
