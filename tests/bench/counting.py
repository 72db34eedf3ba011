"""Counting 20 MB of chat text against a plain tiktoken loop: alone, with the cache written, and from the cache."""

import gc
import tempfile
from collections.abc import Iterator
from pathlib import Path

from inspector.tokens.cache import CountCache
from inspector.tokens.choice import load_tokenizer
from inspector.tokens.counting import count_texts
from tests.bench.measure import Row, timed
from tests.bench.texts import megabytes_of_chat

MEGABYTES = 20


def rows() -> Iterator[Row]:
    """Three ways of ours, one of theirs; every engine has counted a little before."""
    import tiktoken

    texts = megabytes_of_chat(MEGABYTES)
    ours, theirs = load_tokenizer("embedded:o200k_base"), load_tokenizer("tiktoken:o200k_base")
    for engine in (ours, theirs):
        engine.count(texts[:100])
    encode = tiktoken.get_encoding("o200k_base").encode_ordinary
    loop = timed(lambda: [len(encode(text)) for text in texts])
    gc.collect()
    alone = timed(lambda: list(count_texts(texts, ours)))
    with tempfile.TemporaryDirectory() as folder:
        cache = CountCache(Path(folder) / "counts.sqlite3")
        written = timed(lambda: list(count_texts(texts, ours, cache)))
        again = CountCache(Path(folder) / "counts.sqlite3")
        read = timed(lambda: list(count_texts(texts, ours, again)))
    what = f"{MEGABYTES} MB, {len(texts):,} messages:"
    yield Row(f"{what} counting alone", alone, "tiktoken loop", loop, at_least=2.5)
    yield Row(f"{what} with the cache written", written, "tiktoken loop", loop, at_least=1.5)
    yield Row(f"{what} second opening", read, "tiktoken loop", loop, at_least=5)
