"""Files of tokenizers damaged in many ways, and whether the program survives them; run as a process of its own.

`python -m tests.tokens.damage FOLDER FIRST LAST` takes each file or folder of FOLDER for each seed, damages a copy, and
loads and counts with it. What is neither counted nor refused with TokenizerUnavailableError is printed, and the exit
code is 1; a library that ends the process shows by another one.
"""

import json
import random
import shutil
import struct
import sys
from pathlib import Path
from typing import Any

from inspector.tokens.gguf.tokenizer import gguf_tokenizer
from inspector.tokens.huggingface import huggingface_tokenizer
from inspector.tokens.tokenizer import Tokenizer, TokenizerUnavailableError

TEXTS = (
    *("hello world, this is a test. It's", "a" * 28 + "!", " " * 300 + "x", "日本語のテキスト é e\u0301 ﬁ"),
    *("<s>hello</s> x y", "\0\x07 1234567 \n\n\t", "😀👩‍👩‍👧‍👦", "", "word " * 50),
)
MOST_BYTES = 4_000_000_000
_WHOLE_NUMBERS = (0, 1, 255, 2**16, 2**24, 2**31 - 1, 2**31, 2**32 - 1, 2**60, 2**62, 2**63, 2**64 - 1)
_NUMBERS = (*_WHOLE_NUMBERS, -1, 1e308, 0.5)
_TEXTS = (
    *(
        "",
        "a",
        " ",
        "\0",
        "é",
        "😀",
        "a" * 5_000,
        "▁",
        "##",
        "<0x00>",
        "[UNK]",
        "<unk>",
        "AAAA",
        "Isolated",
        "Sequence",
    ),
    *("NFC", "Precompiled", "ByteLevel", "BPE", "WordPiece", "Unigram", "(", "[", "(a+)+$", "(a|aa)+$", "\\", " *", ""),
)
_STEPS = (
    {"type": "Precompiled", "precompiled_charsmap": "AAAA"},
    {"precompiled_charsmap": "BAAAAP////8AAA=="},
    {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10_000},
    {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False},
    {"type": "FixedLength", "length": 0},
    {"type": "Metaspace", "replacement": "▁▁", "prepend_scheme": "always"},
    {"type": "Sequence"},
)
_MODELS = (
    {"type": "WordPiece", "unk_token": "q", "vocab": {"a": 0}, "continuing_subword_prefix": "##"},
    {"type": "WordLevel", "unk_token": "q", "vocab": {"a": 0}},
    {"type": "Unigram", "unk_id": 5, "vocab": [["a", 0.0]]},
    {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"], "dropout": 0.5},
)
_ODD = (None, True, [], {}, [[]], ["a", "b", "c"], {"Regex": ""}, *_NUMBERS, *_TEXTS, *_STEPS, *_MODELS)


def damaged_json(content: bytes, choose: random.Random) -> bytes:
    """The text of an object with values changed, taken away, exchanged or added."""
    value = json.loads(content)
    for _ in range(choose.choice((1, 1, 1, 2, 3))):
        places = list(_places(value))
        shallow = [place for place in places if len(place[2]) <= 3]
        holder, key, _ = choose.choice(shallow if choose.random() < 0.6 else places)
        if key not in holder if isinstance(holder, dict) else key >= len(holder):
            continue
        how = choose.randrange(5)
        if how == 0:
            del holder[key]
        elif how == 1:
            other = choose.choice(places)
            holder[key] = json.loads(json.dumps(other[0][other[1]])) if _is_there(other) else None
        else:
            like = [odd for odd in _ODD if type(odd) is type(holder[key])]
            holder[key] = json.loads(json.dumps(choose.choice(like if how == 2 and like else _ODD)))
    return json.dumps(value).encode()


def damaged_bytes(content: bytes, choose: random.Random) -> bytes:
    """The content with bytes and numbers changed, repeated, taken away or added."""
    data = bytearray(content)
    for _ in range(choose.choice((1, 1, 2, 5, 30))):
        end = len(data) if choose.random() < 0.6 else min(len(data), 400)
        place, number = choose.randrange(max(end, 1)), choose.choice(_WHOLE_NUMBERS)
        removed, added = choose.choice(
            (
                (1, choose.randbytes(1)),
                (8, struct.pack("<Q", number)),
                (4, struct.pack("<I", number & 0xFFFFFFFF)),
                (choose.choice((1, 8, 100)), b""),
                (0, choose.randbytes(choose.choice((1, 8, 50)))),
                (len(data) if choose.random() < 0.2 else 1, b""),
            )
        )
        data[place : place + removed] = added
    return bytes(data)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """Every place in a value: what holds it, its key there, and the way to it."""
    for key, item in list(value.items()) if isinstance(value, dict) else list(enumerate(value)):
        yield value, key, (*path, key)
        if isinstance(item, dict | list):
            yield from _places(item, (*path, key))


def _is_there(place: tuple[Any, Any, Any]) -> bool:
    holder, key, _ = place
    return key in holder if isinstance(holder, dict) else key < len(holder)


def _damaged(source: Path, target: Path, choose: random.Random) -> Tokenizer:
    """A tokenizer of a damaged copy: of a GGUF file, or of a folder one of whose files was damaged."""
    if source.is_file():
        target.write_bytes(damaged_bytes(source.read_bytes(), choose))
        return gguf_tokenizer(str(target))
    shutil.copytree(source, target)
    file = choose.choice(sorted(target.iterdir()))
    damage = damaged_json if file.suffix == ".json" and choose.random() < 0.8 else damaged_bytes
    file.write_bytes(damage(file.read_bytes(), choose))
    return huggingface_tokenizer(str(target))


def _use(tokenizer: Tokenizer) -> None:
    counts = tokenizer.count(TEXTS)
    assert counts.min() >= 0
    assert counts[TEXTS.index("")] == 0
    for text in TEXTS:
        assert text.startswith(tokenizer.first(text, 3))
        spans = tokenizer.spans(text)
        assert spans is not None
        assert len(spans.ids) == len(spans.ends)


def main(folder: Path, first: int, last: int) -> int:
    """Damage, load and count; the exit code says whether all went well."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sources, target, code = sorted((folder / "whole").iterdir()), folder / "damaged", 0
    for seed in range(first, last):
        for source in sources:
            print(source.name, seed, flush=True)
            try:
                _use(_damaged(source, target, random.Random(f"{source.name} {seed}")))
            except TokenizerUnavailableError:
                pass
            except BaseException as problem:  # noqa: BLE001 - a panic of Rust is no Exception
                print(f"!!! {type(problem).__name__}: {problem}", flush=True)
                code = 1
            target.unlink() if target.is_file() else shutil.rmtree(target, ignore_errors=True)
            gguf_tokenizer.cache_clear()
            huggingface_tokenizer.cache_clear()
    return code


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
