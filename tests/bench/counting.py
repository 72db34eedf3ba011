"""Counting 20 MB of chat text: our engines alone, with the cache written and from the cache, against those of others.

Every engine has counted before; the best of three passes counts. What is ten times slower than the rest is
timed on a tenth of the texts. And while a worker counts, how long the main thread waits between two ticks of a timer at
60 Hz: where other programs take the processor, that is more than counting does, so it stands beside an idle worker's.
"""

import gc
import math
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer

from inspector.gui.app import make_application
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import load_tokenizer
from inspector.tokens.counting import CountedChunk, count_texts
from inspector.tokens.embedded import EmbeddedTokenizer, embedded_ranks
from inspector.tokens.gguf.tokenizer import merges_by_score
from inspector.tokens.tokenizer import Tokenizer
from tests.bench.measure import Row, timed
from tests.bench.texts import megabytes_of_chat

MEGABYTES = 20
PASSES = 3
LONGEST_GAP_SECONDS = 0.05
_VOCABULARY = "o200k_base"
_LOOP = "tiktoken loop"
_TENTH = " (a tenth)"


def rows() -> Iterator[Row]:
    """The default install, then the extra `fast` where it is installed."""
    texts = megabytes_of_chat(MEGABYTES)
    default, fast = EmbeddedTokenizer(_VOCABULARY), EmbeddedTokenizer(_VOCABULARY)
    yield _longest_gap("a worker sleeps", lambda: time.sleep(2), at_most=None)
    yield _longest_gap("a worker loads the vocabulary", lambda: default.first("a", 1))
    default.engine = None
    yield _longest_gap("a worker counts", lambda: list(count_texts(texts, default)))
    ours = {"": default}
    if fast.engine is not None:
        yield _longest_gap("a worker counts, gigatoken loads beside it", lambda: list(count_texts(texts, fast)))
        fast.engine.begin().wait()
        yield _longest_gap("a worker counts with the extra", lambda: list(count_texts(texts, fast)))
        ours["with the extra, "] = fast
    yield from _speeds(texts, ours)


def _speeds(texts: Sequence[str], ours: dict[str, EmbeddedTokenizer]) -> Iterator[Row]:
    theirs = _theirs(texts)
    calls = {kind: partial(_count_all, texts, tokenizer) for kind, tokenizer in ours.items()}
    best = _best(calls | theirs)
    for kind, tokenizer in ours.items():
        what = f"{MEGABYTES} MB, {len(texts):,} messages: {kind}"
        for name in theirs:
            share = 10 if name.endswith(_TENTH) else 1
            goal = (6 if kind else 2.5) if name == _LOOP else None
            yield Row(f"{what}alone", best[kind], name, share * best[name], at_least=goal, megabytes=MEGABYTES)
        written, read = _with_cache(texts, tokenizer)
        for pass_name, seconds, goal in (("cold, the cache written", written, 1.5), ("warm, from the cache", read, 5)):
            yield Row(f"{what}{pass_name}", seconds, _LOOP, best[_LOOP], at_least=goal, megabytes=MEGABYTES)


def _count_all(texts: Sequence[str], tokenizer: Tokenizer) -> list[CountedChunk]:
    return list(count_texts(texts, tokenizer))


def _best(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Seconds of the fastest pass of each. They take turns, so that what else the machine does falls on all alike."""
    times = dict.fromkeys(calls, math.inf)
    for _ in range(PASSES):
        for name, call in calls.items():
            gc.collect()
            times[name] = min(times[name], timed(call))
    return times


def _with_cache(texts: Sequence[str], tokenizer: Tokenizer) -> tuple[float, float]:
    """Seconds of counting into an empty cache, and of a second opening of the same."""
    with tempfile.TemporaryDirectory() as folder:
        empty, filled = (CountCache(Path(folder) / "counts.sqlite3") for _ in range(2))
        written = timed(lambda: list(count_texts(texts, tokenizer, empty)))
        read = timed(lambda: list(count_texts(texts, tokenizer, filled)))
        empty.close()
        filled.close()
    return written, read


def _theirs(texts: Sequence[str]) -> dict[str, Callable[[], object]]:
    """What counts all texts, or a tenth of them, with the others."""
    import tiktoken

    load_tokenizer(f"tiktoken:{_VOCABULARY}")  # from here on tiktoken finds its vocabulary without a network
    encoding = tiktoken.get_encoding(_VOCABULARY)
    library = _tokenizers_library()
    slow = _transformers(library)
    everything, tenth = list(texts), list(texts[: len(texts) // 10])
    for engine in (encoding.encode_ordinary_batch, library.encode_batch_fast, slow):
        engine(tenth[:100])
    return {
        _LOOP: lambda: [len(encoding.encode_ordinary(text)) for text in texts],
        "tiktoken batch, 2 threads": lambda: encoding.encode_ordinary_batch(everything, num_threads=2),
        f"tokenizers, batch{_TENTH}": lambda: library.encode_batch_fast(tenth),
        f"transformers, list{_TENTH}": lambda: slow(tenth, add_special_tokens=False),
    }


def _tokenizers_library() -> Any:
    """The same vocabulary for Hugging Face's library."""
    import base64

    import splintr
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    spelled = (base64.b64decode(line.split(b" ")[0]) for line in embedded_ranks(_VOCABULARY).splitlines())
    letters = _letters_of_bytes()
    tokens = ["".join(map(letters.__getitem__, token)) for token in spelled]
    merges = list(merges_by_score(tokens, [-float(rank) for rank in range(len(tokens))]))
    library = Tokenizer(models.BPE({token: rank for rank, token in enumerate(tokens)}, merges, ignore_merges=True))
    words = pre_tokenizers.Split(Regex(splintr.O200K_BASE_PATTERN), "isolated")
    library.pre_tokenizer = pre_tokenizers.Sequence([words, pre_tokenizers.ByteLevel(False, use_regex=False)])
    return library


def _letters_of_bytes() -> list[str]:
    """The letter that stands for each byte: itself where it prints, else one after the other from 256 on."""
    prints = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte if byte in prints else next(others)) for byte in range(256)]


def _transformers(library: Any) -> Any:
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_object=library)


def _longest_gap(what: str, work: Callable[[], object], at_most: float | None = 1.0) -> Row:
    """The longest time between two ticks of a timer on the main thread while another thread works."""
    application = make_application()
    worker = threading.Thread(target=work)
    ticks: list[float] = []

    def tick() -> None:
        ticks.append(time.perf_counter())
        if not worker.is_alive():
            application.quit()

    owner = QObject()
    timer = QTimer(owner, interval=16, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(tick)
    timer.start()
    worker.start()
    ticks.append(time.perf_counter())
    application.exec()
    timer.stop()
    longest = max(after - before for before, after in pairwise(ticks))
    return Row(f"longest wait between ticks while {what}", longest, "50 ms", LONGEST_GAP_SECONDS, at_most=at_most)
