"""What a model's folder says besides its vocabulary, and that it counts whatever is wrong with the rest."""

import json
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import AddedToken, models, pre_tokenizers

from inspector.tokens.chat.messages import ChatTemplate
from inspector.tokens.huggingface import huggingface_tokenizer
from inspector.tokens.model_folder import read_model_folder

SPECIALS = ("<|im_start|>", "<|im_end|>")
SETTINGS = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a vocabulary of bytes, two specials and a token that is none."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = tokenizers.Tokenizer(models.BPE({letter: number for number, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens([AddedToken(special, normalized=False) for special in SPECIALS])
    tokenizer.add_tokens([AddedToken("<think>", normalized=False)])
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def _write(folder: Path, **files: Any) -> None:
    for name, content in files.items():
        stem, _, ending = name.rpartition("_")
        (folder / f"{stem}.{ending}").write_text(content if isinstance(content, str) else json.dumps(content))


def test_all_of_it(folder: Path) -> None:
    bos = {"content": "<|im_start|>", "__type": "AddedToken"}
    _write(folder, tokenizer_config_json=SETTINGS | {"chat_template": "{{ bos_token }}", "bos_token": bos})
    _write(folder, config_json={"max_position_embeddings": 4096})
    tokenizer = huggingface_tokenizer(str(folder))
    file = str(folder / "tokenizer_config.json")
    assert tokenizer.chat_template == ChatTemplate(file, "{{ bos_token }}", SPECIALS, SPECIALS[0], SPECIALS[1])
    assert (tokenizer.context_length, tokenizer.remarks) == (4096, ())
    assert tokenizer.count(["ab<|im_end|><think>"]).tolist() == [2 + len("<|im_end|>") + 1]


def test_nothing_is_said(folder: Path) -> None:
    tokenizer = huggingface_tokenizer(str(folder))
    assert (tokenizer.chat_template, tokenizer.context_length) == (None, None)
    assert tokenizer.count(["ab"]).tolist() == [2]


def test_tokens_that_are_not_special_count_as_such_where_the_template_spells_them(folder: Path) -> None:
    _write(folder, chat_template_jinja="<think>{{ eos_token }}")
    template = huggingface_tokenizer(str(folder)).chat_template
    assert template is not None
    assert template.specials == (*SPECIALS, "<think>")


def test_which_template(folder: Path) -> None:
    named = [{"name": "tool_use", "template": "tools"}, {"name": "default", "template": "of several"}]
    _write(folder, tokenizer_config_json={"chat_template": named})
    assert _source(folder) == "of several"
    _write(folder, chat_template_json={"chat_template": "of the processor"})
    assert _source(folder) == "of the processor"
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "default.jinja").write_text("of the folder")
    assert _source(folder) == "of the folder"
    _write(folder, chat_template_jinja="of the file")
    assert _source(folder) == "of the file"


def _source(folder: Path) -> str | None:
    template = read_model_folder(folder, dict.fromkeys(SPECIALS, True)).chat_template
    return template and template.source


def test_marks_that_only_the_older_file_names(folder: Path) -> None:
    _write(folder, special_tokens_map_json={"bos_token": "<s>", "eos_token": {"content": "</s>"}})
    _write(folder, tokenizer_config_json={"chat_template": "x", "eos_token": "<|im_end|>", "bos_token": None})
    template = read_model_folder(folder, {}).chat_template
    assert template is not None
    assert (template.bos, template.eos) == ("", "<|im_end|>")


@pytest.mark.parametrize(
    ("model", "settings", "length"),
    [
        ({"max_position_embeddings": 8192}, {"model_max_length": 100}, 8192),
        ({"text_config": {"max_position_embeddings": 131072}}, {}, 131072),
        ({"n_positions": 1024}, {}, 1024),
        ({}, {"model_max_length": 32768}, 32768),
        ({}, {"model_max_length": 40960000}, None),
        ({}, {"model_max_length": 1000000000000000019884624838656}, None),
        ({"max_position_embeddings": True}, {"model_max_length": -1}, None),
        ({"max_position_embeddings": "4096", "text_config": []}, {"model_max_length": 2048.5}, None),
    ],
)
def test_context_length(folder: Path, model: dict[str, Any], settings: dict[str, Any], length: int | None) -> None:
    _write(folder, config_json=model, tokenizer_config_json=settings)
    assert read_model_folder(folder, {}).context_length == length


BROKEN: list[tuple[str, Any, str]] = [
    ("tokenizer_config_json", SETTINGS | {"chat_template": 42}, "expected a text or a list"),
    ("tokenizer_config_json", SETTINGS | {"chat_template": [{"name": "rag", "template": "x"}]}, "one called default"),
    ("tokenizer_config_json", SETTINGS | {"chat_template": ["x"]}, "expected a text or a list"),
    ("tokenizer_config_json", SETTINGS | {"chat_template": [{"name": "default"}]}, "expected a text or a list"),
    ("tokenizer_config_json", "{not JSON", "is not JSON"),
    ("tokenizer_config_json", "[" * 100_000, "is not JSON"),
    ("config_json", "[]", "is not an object"),
    ("chat_template_json", "[1]", "is not an object"),
]


@pytest.mark.parametrize(("name", "content", "problem"), BROKEN)
def test_what_is_wrong_is_told_and_the_tokenizer_counts(folder: Path, name: str, content: Any, problem: str) -> None:
    _write(folder, **{name: content})
    tokenizer = huggingface_tokenizer(str(folder))
    assert tokenizer.chat_template is None
    assert any(problem in said and str(folder) in said for said in tokenizer.remarks)
    assert tokenizer.count(["ab <|im_end|>"]).tolist() == [len("ab <|im_end|>")]


def test_a_template_that_is_not_utf_8(folder: Path) -> None:
    (folder / "chat_template.jinja").write_bytes(b"\xff\xfe")
    found = read_model_folder(folder, {})
    assert found.chat_template is None
    assert "chat_template.jinja: byte 0: expected UTF-8 text" in found.problems[0]
