"""The tokenizer of a folder without a tokenizer.json, made from its other files, and whether it is known as exact."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.tokens.converted.converters import (
    Cut,
    byte_pairs_backend,
    class_of_model,
    cut_of_class,
    wordpiece_backend,
)
from inspector.tokens.converted.files import read_byte_pairs, read_wordpiece
from inspector.tokens.converted.marks import AddedMark, add_marks, with_marks
from inspector.tokens.converted.pieces import pieces_backend
from inspector.tokens.converted.settings import TokenizerSettings, read_settings
from inspector.tokens.tokenizer import library_call

_MODELS = ("tokenizer.model", "spiece.model")
_VOCABULARY, _MERGES, _WORDS = "vocab.json", "merges.txt", "vocab.txt"

VOCABULARY_FILES = (*_MODELS, _VOCABULARY, _WORDS)
"""The files by which such a folder is recognised; a vocab.json needs a merges.txt beside it."""

# Classes that do not determine the cut: a SentencePiece model contains all of it.
_ANY_CLASS = ("", "PreTrainedTokenizer", "TokenizersBackend", "MistralCommonBackend")
_GPT_2_MODELS = ("gpt2", "gpt_neo", "gptj", "opt", "codegen", "phi")
_WORDPIECE_RULES = {"do_lower_case": True, "strip_accents": None, "tokenize_chinese_chars": True}


@dataclass(frozen=True, slots=True)
class ConvertedBackend:
    """A library object, with sentences on why it may count otherwise than the folder's own; none if it does not."""

    backend: Any
    remarks: tuple[str, ...]


def holds_vocabulary(folder: Path) -> bool:
    """Return whether a folder holds convertible files."""
    return bool(_model_file(folder)) or _holds_pairs(folder) or os.path.isfile(folder / _WORDS)


def converted_backend(folder: Path) -> ConvertedBackend:
    """Return the tokenizer of a folder that passes `holds_vocabulary`.

    Raises TokenizerUnavailableError with the unusable file, the place in it and the expected content.
    """
    settings = read_settings(folder)
    make = _pieces if _model_file(folder) else _byte_pairs if _holds_pairs(folder) else _wordpiece
    with library_call(f"{folder} is not usable"):
        backend, *remarks = make(folder, settings)
    return ConvertedBackend(backend, tuple(filter(None, remarks)))


def _model_file(folder: Path) -> Path | None:
    return next((folder / name for name in _MODELS if os.path.isfile(folder / name)), None)


def _holds_pairs(folder: Path) -> bool:
    return os.path.isfile(folder / _VOCABULARY) and os.path.isfile(folder / _MERGES)


def _pieces(folder: Path, settings: TokenizerSettings) -> tuple[Any, str, str]:
    name = _class(settings)
    known = name in _ANY_CLASS or cut_of_class(name) is Cut.SENTENCEPIECE
    backend, remark = pieces_backend(_model_file(folder) or folder, settings, same_ids=known)
    return backend, remark, "" if known else _unheard(folder, name, Cut.SENTENCEPIECE)


def _byte_pairs(folder: Path, settings: TokenizerSettings) -> tuple[Any, str, str]:
    files = read_byte_pairs(folder / _VOCABULARY, folder / _MERGES)
    vocabulary = with_marks(files.vocabulary, settings.marks, folder / _VOCABULARY)
    name = _class(settings)
    cut = cut_of_class(name)
    space_first = bool(settings.flag("add_prefix_space", False))
    backend = byte_pairs_backend(vocabulary, files.merges, cut, space_first)
    add_marks(backend, [*settings.marks, *_if_there(vocabulary, "<|endoftext|>")])
    remark = "" if _is_told(settings, name, cut) else _unheard(folder, name, cut or Cut.GPT_2)
    return backend, remark, _lacking_bytes(vocabulary, folder / _VOCABULARY)


def _is_told(settings: TokenizerSettings, name: str, cut: Cut | None) -> bool:
    """Return whether a class determines how byte pairs are cut.

    Makers write GPT-2's class for others too, and Qwen's for newer ones.
    """
    if name == "GPT2Tokenizer":
        return settings.model_type in _GPT_2_MODELS
    if cut is Cut.QWEN_2:
        return not settings.model_type or class_of_model(settings.model_type) == name
    return cut is Cut.GPT_2


def _wordpiece(folder: Path, settings: TokenizerSettings) -> tuple[Any, str]:
    file, unknown = folder / _WORDS, settings.token("unk_token", "[UNK]")
    vocabulary = with_marks(read_wordpiece(file, unknown), settings.marks, file)
    rules = {key: settings.flag(key, default) for key, default in _WORDPIECE_RULES.items()}
    backend = wordpiece_backend(vocabulary, unknown, rules)
    add_marks(backend, [*settings.marks, *_if_there(vocabulary, unknown, "[SEP]", "[PAD]", "[CLS]", "[MASK]")])
    name = _class(settings)
    return backend, "" if cut_of_class(name) is Cut.BERT else _unheard(folder, name, Cut.BERT)


def _class(settings: TokenizerSettings) -> str:
    """Return the class named by the files, else the usual class for their kind of model."""
    return settings.tokenizer_class or (class_of_model(settings.model_type) if settings.model_type else "")


def _if_there(vocabulary: Mapping[str, int], *texts: str) -> list[AddedMark]:
    return [AddedMark(text, vocabulary[text], special=True, normalized=False) for text in texts if text in vocabulary]


def _lacking_bytes(vocabulary: Mapping[str, int], file: Path) -> str:
    """Return a sentence on bytes without a token, which the library leaves out; "" if every byte has a token."""
    from tokenizers.pre_tokenizers import ByteLevel

    lacking = len(set(ByteLevel.alphabet()).difference(vocabulary))
    return f"{file} lacks {lacking} of the 256 bytes, and texts written with them are not counted." if lacking else ""


def _unheard(folder: Path, name: str, cut: Cut) -> str:
    if name:
        return f"{folder} names {name}, which does not say how texts are cut: they are cut as for {cut.value}."
    return f"Nothing in {folder} says how texts are cut: they are cut as for {cut.value}."
