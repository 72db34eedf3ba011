"""The converters of transformers, which is imported only here and only when they are asked for: half a second.

Its classes are not used: they ask the hub about names, may run code of a folder, and treat spaces otherwise than
SentencePiece does, as its converter of such models does too. The converters get what was read and checked before, so
they open no file and ask nobody.
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


# Converters that differ in the tokens around a text, which are not counted, are one way to cut.
_CUTS = {
    **dict.fromkeys(
        ("GPT2Converter", "RobertaConverter", "WhisperConverter", "DebertaConverter", "BlenderbotConverter"), Cut.GPT_2
    ),
    "Qwen2Converter": Cut.QWEN_2,
    **dict.fromkeys(("BertConverter", "MPNetConverter"), Cut.BERT),
    **dict.fromkeys(("LlamaConverter", "GemmaConverter", "T5Converter"), Cut.SENTENCEPIECE),
}


def class_of_model(model_type: str) -> str:
    """The class of tokenizers that models of a kind have, as transformers knows it; "" where it knows none."""
    _silence()
    from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES

    return (TOKENIZER_MAPPING_NAMES.get(model_type) or "").removesuffix("Fast")


def cut_of_class(name: str) -> Cut | None:
    """How tokenizers of a class cut texts; None where it is not known, or is not told by the class."""
    _silence()
    from transformers.convert_slow_tokenizer import SLOW_TO_FAST_CONVERTERS

    converter = SLOW_TO_FAST_CONVERTERS.get(name)
    return _CUTS.get(converter.__name__) if converter else None


def byte_pairs_backend(
    vocabulary: Mapping[str, int], merges: Sequence[tuple[str, str]], cut: Cut | None, space_first: bool
) -> Any:
    """The library's object for byte pairs, cut as for Qwen 2, else as for GPT-2."""
    _silence()
    from transformers.convert_slow_tokenizer import GPT2Converter, Qwen2Converter

    make = Qwen2Converter if cut is Cut.QWEN_2 else GPT2Converter
    like = SimpleNamespace(add_prefix_space=space_first, bpe_ranks={})
    return make(like).converted(dict(vocabulary), list(merges))


def wordpiece_backend(vocabulary: Mapping[str, int], unknown: str, rules: Mapping[str, bool | None]) -> Any:
    """The library's object for WordPiece; `rules` are those of BERT by the names of its settings.

    The tokens that begin and end a text are not counted: the unknown one, which is there, stands for them.
    """
    _silence()
    from transformers.convert_slow_tokenizer import BertConverter

    number = vocabulary[unknown]
    ends = {"cls_token": unknown, "cls_token_id": number, "sep_token": unknown, "sep_token_id": number}
    like = {"vocab": dict(vocabulary), "unk_token": unknown, "basic_tokenizer": SimpleNamespace(**rules)}
    return BertConverter(SimpleNamespace(**like, **ends)).converted()


def _silence() -> None:
    """Before the library is imported: what it says of PyTorch and the like is for nobody at this terminal."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
