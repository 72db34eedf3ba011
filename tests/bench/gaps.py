"""How long the window's thread stands still while something is made on a worker: the longest gap of a heartbeat."""

import threading
import time
from collections.abc import Callable, Iterator

from inspector.retrieval.lexical import LexicalIndex
from inspector.tokens.embedded import EmbeddedTokenizer
from tests.bench.measure import Row
from tests.bench.texts import chat_texts

MEMORIES = 100_000
VOCABULARIES = ("o200k_base", "llama3", "qwen2.5", "gemma3", "gemma4")
BEAT_SECONDS = 0.001
LONGEST_SECONDS = 0.050


def rows() -> Iterator[Row]:
    """The longest gap while words are indexed, and while each vocabulary is loaded and counts for the first time."""
    texts = chat_texts(MEMORIES, seed=2)
    yield _row(f"words of {MEMORIES:,} memories are indexed", lambda: LexicalIndex(texts))
    for name in VOCABULARIES:
        yield _row(f"{name} is loaded", lambda name=name: EmbeddedTokenizer(name).count(["A word."]))


def longest_gap(call: Callable[[], object]) -> float:
    """Seconds between two beats of this thread, at most, while another makes a call."""
    worker = threading.Thread(target=call)
    longest, last = 0.0, time.perf_counter()
    worker.start()
    while worker.is_alive():
        time.sleep(BEAT_SECONDS)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    return longest


def _row(what: str, call: Callable[[], object]) -> Row:
    return Row(f"longest gap while {what}", longest_gap(call), "50 ms", LONGEST_SECONDS, at_most=1.0)
