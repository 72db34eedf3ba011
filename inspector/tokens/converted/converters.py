"""The converters of transformers. It is imported only here and on first use, which takes half a second.

Its classes are not used: they ask the hub about names, may run code of a folder, and treat spaces otherwise than
SentencePiece, as does its converter of such models. The converters get content already read and checked, so they open
no file and use no network.
"""

import os
from collections.abc import Mapping, Sequence
from enum import Enum
from types import SimpleNamespace
from typing import Any


class Cut(Enum):
    """How texts are cut into words before tokens are looked for."""

    GPT_2 = "GPT-2"
    QWEN_2 = "Qwen 2"
    BERT = "BERT"
    SENTENCEPIECE = "SentencePiece"


# Converters that differ only in the tokens around a text, which are not counted, share a cut.
_CUTS = {
    **dict.fromkeys(
        ("GPT2Converter", "RobertaConverter", "WhisperConverter", "DebertaConverter", "BlenderbotConverter"), Cut.GPT_2
    ),
    "Qwen2Converter": Cut.QWEN_2,
    **dict.fromkeys(("BertConverter", "MPNetConverter"), Cut.BERT),
    **dict.fromkeys(("LlamaConverter", "GemmaConverter", "T5Converter"), Cut.SENTENCEPIECE),
}


def class_of_model(model_type: str) -> str:
    """Return the tokenizer class for a kind of model according to transformers; "" if unknown there."""
    _silence()
    from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES

    return (TOKENIZER_MAPPING_NAMES.get(model_type) or "").removesuffix("Fast")


def cut_of_class(name: str) -> Cut | None:
    """Return how a tokenizer class cuts texts; None if unknown or not determined by the class."""
    _silence()
    from transformers.convert_slow_tokenizer import SLOW_TO_FAST_CONVERTERS

    converter = SLOW_TO_FAST_CONVERTERS.get(name)
    return _CUTS.get(converter.__name__) if converter else None


def byte_pairs_backend(
    vocabulary: Mapping[str, int], merges: Sequence[tuple[str, str]], cut: Cut | None, space_first: bool
) -> Any:
    """Return the library's object for byte pairs, cut as for Qwen 2, else as for GPT-2."""
    _silence()
    from transformers.convert_slow_tokenizer import GPT2Converter, Qwen2Converter

    make = Qwen2Converter if cut is Cut.QWEN_2 else GPT2Converter
    like = SimpleNamespace(add_prefix_space=space_first, bpe_ranks={})
    return make(like).converted(dict(vocabulary), list(merges))


def wordpiece_backend(vocabulary: Mapping[str, int], unknown: str, rules: Mapping[str, bool | None]) -> Any:
    """Return the library's object for WordPiece; `rules` are BERT's, by the names of its settings.

    The tokens that begin and end a text are not counted: the unknown token, which always exists, takes their place.
    """
    _silence()
    from transformers.convert_slow_tokenizer import BertConverter

    number = vocabulary[unknown]
    ends = {"cls_token": unknown, "cls_token_id": number, "sep_token": unknown, "sep_token_id": number}
    like = {"vocab": dict(vocabulary), "unk_token": unknown, "basic_tokenizer": SimpleNamespace(**rules)}
    return BertConverter(SimpleNamespace(**like, **ends)).converted()


def _silence() -> None:
    """Silence the library before its import: its remarks on PyTorch and the like help no user here."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
