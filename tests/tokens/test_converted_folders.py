"""Folders without a tokenizer.json: against SentencePiece's recorded ids and the library's own trained tokenizers."""

import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import (
    AddedToken,
    BertWordPieceTokenizer,
    ByteLevelBPETokenizer,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
)

from inspector.tokens.chat.messages import ChatTemplate
from inspector.tokens.choice import choose_tokenizer
from inspector.tokens.converted.sentencepiece import read_sentencepiece
from inspector.tokens.gguf.patterns import CUTTINGS
from inspector.tokens.huggingface import huggingface_tokenizer
from inspector.tokens.tokenizer import TokenizerUnavailableError
from tests.examples import examples

RECORDED = Path(__file__).parent / "sentencepiece"
MODELS = ("byte_pairs", "no_prefix", "unigram", "unigram_bytes")
CORPUS = ["Hello world, this is a test. It's 2024!\n\n  def f(x): return x\n", "日本語のテキスト éclair WON'T "] * 5
PIECES = [
    "Hello",
    " world",
    "  ",
    "\n\n",
    "日本語",
    "e\u0301",
    "É",
    "😀",
    "<|im_end|>",
    "[SEP]",
    "123",
    "don't",
    "▁",
    "a\u061d",
]
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=8).map("".join)

Make = Callable[..., Path]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError(f"the network was asked: {arguments}")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """A new folder with files of these contents; the name `vocab_json` is the file vocab.json."""

    def make(**files: Any) -> Path:
        folder = tmp_path_factory.mktemp("model")
        for name, content in files.items():
            stem, _, ending = name.rpartition("_")
            text = content if isinstance(content, str) else json.dumps(content)
            (folder / f"{stem}.{ending}").write_text(text, encoding="utf-8", newline="\n")
        return folder

    return make


def _with_model(folder: Path, name: str) -> Path:
    shutil.copy(RECORDED / f"{name}.model", folder / "tokenizer.model")
    return folder


def _recorded(name: str) -> list[tuple[str, list[int]]]:
    with (RECORDED / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [(text, ids) for text, ids in map(json.loads, lines)]


@pytest.mark.parametrize("name", MODELS)
def test_pieces_are_those_of_sentencepiece(name: str, make: Make) -> None:
    tokenizer = huggingface_tokenizer(str(_with_model(make(), name)))
    cases = _recorded(name)
    assert (len(cases) > 140, tokenizer.exact, tokenizer.remarks) == (True, True, ())
    different = [(text, ids) for text, ids in cases if tokenizer.spans(text).ids.tolist() != ids]
    assert not different
    assert tokenizer.count([text for text, _ in cases]).tolist() == [len(ids) for _, ids in cases]


@pytest.mark.parametrize("name", MODELS)
def test_first_is_a_prefix_within_the_limit(name: str, make: Make) -> None:
    tokenizer = huggingface_tokenizer(str(_with_model(make(), name)))

    @given(text=TEXTS, limit=st.integers(-1, 10))
    @examples(40)
    def check(text: str, limit: int) -> None:
        first, spans = tokenizer.first(text, limit), tokenizer.spans(text)
        assert text.startswith(first)
        assert tokenizer.count([first])[0] <= max(limit, 0)
        assert len(spans.ids) == tokenizer.count([text])[0]
        assert spans.ends[-1:].tolist() == ([len(spans.text)] if len(spans.ids) else [])

    check()


def test_lone_surrogates_count_as_replaced(make: Make) -> None:
    tokenizer = huggingface_tokenizer(str(_with_model(make(), "byte_pairs")))
    assert tokenizer.count(["lone \ud83d"])[0] == tokenizer.count(["lone \ufffd"])[0] > 2


def _byte_pairs(folder: Path) -> ByteLevelBPETokenizer:
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(CORPUS, vocab_size=420, special_tokens=["<|endoftext|>"], show_progress=False)
    trained.save_model(str(folder))
    return trained


def _ids(reference: Any, text: str) -> list[int]:
    return reference.encode(text, add_special_tokens=False).ids


def _check_ids(folder: Path, reference: Any, expected_exact: bool = True) -> None:
    tokenizer = huggingface_tokenizer(str(folder))
    reference.encode_special_tokens = True
    assert tokenizer.exact == expected_exact == (not tokenizer.remarks)

    @given(text=TEXTS)
    @examples(120)
    def check(text: str) -> None:
        ids = _ids(reference, text)
        assert tokenizer.spans(text).ids.tolist() == ids
        assert tokenizer.count([text]).tolist() == [len(ids)]

    check()


@pytest.mark.parametrize(
    "files",
    [
        {"config_json": {"model_type": "gpt2"}},
        {"tokenizer_config_json": {"tokenizer_class": "RobertaTokenizerFast"}},
        {"tokenizer_config_json": {"tokenizer_class": "GPT2Tokenizer"}, "config_json": {"model_type": "gpt2"}},
    ],
)
def test_byte_pairs_as_gpt_2_cuts(files: dict[str, Any], make: Make) -> None:
    folder = make(**files)
    _check_ids(folder, _byte_pairs(folder)._tokenizer)


@pytest.mark.parametrize("model", [{}, {"config_json": {"model_type": "qwen3"}}])
def test_byte_pairs_as_qwen_cuts(model: dict[str, Any], make: Make) -> None:
    folder = make(tokenizer_config_json={"tokenizer_class": "Qwen2Tokenizer"}, **model)
    trained = _byte_pairs(folder)
    reference = Tokenizer(models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt")))
    reference.normalizer = normalizers.NFC()
    (pattern,) = CUTTINGS["qwen2"].patterns
    cuts = pre_tokenizers.Split(Regex(pattern), "isolated")
    reference.pre_tokenizer = pre_tokenizers.Sequence([cuts, pre_tokenizers.ByteLevel(False, use_regex=False)])
    reference.decoder = decoders.ByteLevel()
    assert _ids(reference, "e\u0301 2024") != _ids(trained._tokenizer, "e\u0301 2024")
    _check_ids(folder, reference)


@pytest.mark.parametrize("flags", [{}, {"do_lower_case": False}, {"strip_accents": False}])
def test_wordpiece_as_bert_cuts(flags: dict[str, bool], make: Make) -> None:
    folder = make(tokenizer_config_json={"tokenizer_class": "BertTokenizer"} | flags)
    trained = BertWordPieceTokenizer(
        lowercase=flags.get("do_lower_case", True), strip_accents=flags.get("strip_accents")
    )
    trained.train_from_iterator(CORPUS, vocab_size=300, show_progress=False)
    trained.save_model(str(folder))
    _check_ids(folder, trained._tokenizer)


BARE = {"vocab_txt": "[UNK]\na\nb\n##b\n"}
NAMELESS = {"vocab_json": {"a": 0, "b": 1, "Ġ": 2}, "merges_txt": "#version: 0.2\n"}
INEXACT: list[tuple[dict[str, Any], str]] = [
    (BARE, "Nothing in .* says how texts are cut: they are cut as for BERT"),
    (BARE | {"tokenizer_config_json": {"tokenizer_class": "EsmTokenizer"}}, "names EsmTokenizer, which does not say"),
    (NAMELESS, "says how texts are cut: they are cut as for GPT-2"),
    (NAMELESS | {"config_json": {"model_type": "gpt2"}}, "lacks 253 of the 256 bytes"),
]


@pytest.mark.parametrize(("files", "remark"), INEXACT)
def test_what_is_not_known_to_be_its_own_says_so(files: dict[str, Any], remark: str, make: Make) -> None:
    folder = make(**files)
    tokenizer = huggingface_tokenizer(str(folder))
    assert tokenizer.count(["a b"])[0] == (3 if "merges_txt" in files else 2)
    choice = choose_tokenizer(f"hf:{folder}", None)
    assert not tokenizer.exact
    assert not choice.exact
    assert re.search(remark, choice.reason)


@pytest.mark.parametrize(
    ("files", "exact"),
    [
        (
            {"tokenizer_config_json": {"tokenizer_class": "GPT2Tokenizer"}, "config_json": {"model_type": "olmo2"}},
            False,
        ),
        ({"tokenizer_config_json": {"tokenizer_class": "GPT2Tokenizer"}}, False),
        (
            {"tokenizer_config_json": {"tokenizer_class": "Qwen2Tokenizer"}, "config_json": {"model_type": "qwen3_5"}},
            False,
        ),
        ({"config_json": {"model_type": "opt"}}, True),
    ],
)
def test_a_class_that_makers_write_for_others_too(files: dict[str, Any], exact: bool, make: Make) -> None:
    folder = make(**files)
    _byte_pairs(folder)
    assert huggingface_tokenizer(str(folder)).exact == exact


@pytest.mark.parametrize(
    ("name", "exact"),
    [("LlamaTokenizer", True), ("LlamaTokenizerFast", True), ("T5Tokenizer", True), ("AlbertTokenizer", False)],
)
def test_classes_that_change_texts_before_sentencepiece(name: str, exact: bool, make: Make) -> None:
    folder = _with_model(make(tokenizer_config_json={"tokenizer_class": name}), "byte_pairs")
    assert huggingface_tokenizer(str(folder)).exact == exact


def test_code_of_a_folder_is_never_run(make: Make) -> None:
    config = {"tokenizer_class": "OwnTokenizer", "auto_map": {"AutoTokenizer": ["own.OwnTokenizer", None]}}
    folder = _with_model(make(tokenizer_config_json=config, own_py="raise SystemExit('it was run')"), "byte_pairs")
    assert not huggingface_tokenizer(str(folder)).exact


ADDED = {"<|user|>": 1000, "<tool>": 1001}
DECODER = {
    "1000": {"content": "<|user|>", "special": True, "normalized": False},
    "1001": {"content": "<tool>", "special": False, "normalized": False},
}


@pytest.mark.parametrize(
    "files",
    [
        {"added_tokens_json": ADDED, "special_tokens_map_json": {"additional_special_tokens": ["<|user|>"]}},
        {"tokenizer_config_json": {"added_tokens_decoder": DECODER}},
    ],
)
@pytest.mark.parametrize("name", MODELS)
def test_added_tokens(name: str, files: dict[str, Any], make: Make) -> None:
    plain = huggingface_tokenizer(str(_with_model(make(), name)))
    size = len(read_sentencepiece(RECORDED / f"{name}.model").pieces)
    shifted = json.loads(json.dumps(files).replace("1000", str(size)).replace("1001", str(size + 1)))
    template = {"chat_template_jinja": "<|user|>{{ eos_token }}", "config_json": {"max_position_embeddings": 4096}}
    folder = _with_model(make(**shifted, **template), name)
    tokenizer = huggingface_tokenizer(str(folder))
    assert tokenizer.spans("a<tool>").ids.tolist() == [*plain.spans("a").ids, size + 1]
    assert tokenizer.spans("a <|user|>").ids.tolist() == plain.spans("a <|user|>").ids.tolist()
    assert tokenizer.count(["<|user|>"])[0] > 2
    assert isinstance(tokenizer.chat_template, ChatTemplate)
    assert "<|user|>" in tokenizer.chat_template.specials
    assert tokenizer.context_length == 4096
    assert tokenizer.exact


def test_what_lies_between_added_tokens_by_both_rules(make: Make) -> None:
    folders = (make(added_tokens_json=ADDED, tokenizer_config_json={"legacy": rule}) for rule in (True, False))
    older, newer = (huggingface_tokenizer(str(_with_model(folder, "byte_pairs"))) for folder in folders)
    without = make(tokenizer_config_json={"add_prefix_space": False})
    bare = huggingface_tokenizer(str(_with_model(without, "byte_pairs"))).spans("The").ids.tolist()
    text = older.spans("The").ids.tolist()
    space = newer.spans("<tool>The").ids.tolist()[0]
    assert text != bare
    assert older.spans("<tool>The").ids.tolist() == [1001, *text]
    assert newer.spans("<tool>The").ids.tolist() == [space, 1001, *bare]
    assert newer.spans("The<tool>").ids.tolist() == [*text, 1001]


def test_a_piece_in_whose_place_the_folder_has_a_mark(make: Make) -> None:
    plain = huggingface_tokenizer(str(_with_model(make(), "byte_pairs")))
    text = "The harbour was quiet"
    number = int(plain.spans(text).ids[0])
    decoder = {str(number): {"content": "<|user|>", "special": True}}
    folder = _with_model(make(tokenizer_config_json={"added_tokens_decoder": decoder}), "byte_pairs")
    changed = huggingface_tokenizer(str(folder))
    assert number not in changed.spans(text).ids
    assert changed.count([text])[0] > plain.count([text])[0]


def test_no_space_before_texts_where_the_folder_says_so(make: Make) -> None:
    folder = _with_model(make(tokenizer_config_json={"add_prefix_space": False}), "byte_pairs")
    plain = huggingface_tokenizer(str(_with_model(make(), "byte_pairs")))
    assert huggingface_tokenizer(str(folder)).spans(" The").ids.tolist() == plain.spans("The").ids.tolist()


def test_other_files_have_another_fingerprint(make: Make) -> None:
    model = {"config_json": {"model_type": "gpt2"}}
    folder = make(**model)
    _byte_pairs(folder)
    before = huggingface_tokenizer(str(folder)).fingerprint
    huggingface_tokenizer.cache_clear()
    assert huggingface_tokenizer(str(folder)).fingerprint == before
    lines = (folder / "merges.txt").read_text(encoding="utf-8").splitlines()
    (folder / "merges.txt").write_text("\n".join(lines[:-1]), encoding="utf-8")
    huggingface_tokenizer.cache_clear()
    assert huggingface_tokenizer(str(folder)).fingerprint != before


def test_found_in_the_cache_of_the_hub(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = tmp_path / "models--Maker--Pieces-7B"
    shutil.copytree(_with_model(make(), "byte_pairs"), repository / "snapshots" / "abc123")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc123")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    tokenizer = huggingface_tokenizer("Maker/Pieces-7B")
    huggingface_tokenizer.cache_clear()
    assert (tokenizer.name, tokenizer.exact) == ("hf:Maker/Pieces-7B", True)


def test_a_tokenizer_json_is_preferred_and_transformers_not_loaded(make: Make) -> None:
    folder = _with_model(make(), "byte_pairs")
    alphabet = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    reference = Tokenizer(models.BPE(alphabet, []))
    reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    reference.add_special_tokens([AddedToken("<|im_end|>")])
    reference.save(str(folder / "tokenizer.json"))
    said = _run(folder, "print(tokenizer.count(['The harbour'])[0], 'transformers' in sys.modules)")
    assert (said.stdout.split(), said.stderr) == (["11", "False"], "")


def test_the_library_says_nothing_on_the_terminal(make: Make) -> None:
    folder = _with_model(make(tokenizer_config_json={"tokenizer_class": "T5Tokenizer"}), "unigram")
    said = _run(folder, "print('transformers' in sys.modules, 'torch' in sys.modules)")
    assert (said.stdout.split(), said.stderr) == (["True", "False"], "")


def _run(folder: Path, more: str) -> subprocess.CompletedProcess[str]:
    code = f"""
import sys
from inspector.tokens.huggingface import huggingface_tokenizer
tokenizer = huggingface_tokenizer({str(folder)!r})
{more}
"""
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)


WORDS = {"tokenizer_config_json": {"tokenizer_class": "BertTokenizer"}}
PAIRS: dict[str, Any] = {"vocab_json": {"a": 0, "b": 1, "ab": 2}, "merges_txt": "#version: 0.2\na b\n"}
BROKEN: list[tuple[dict[str, Any], str]] = [
    (WORDS | {"vocab_txt": "a\nb\n"}, r"vocab\.txt is not usable: none of its 2 tokens is '\[UNK\]'"),
    (WORDS | {"vocab_txt": "\n\n"}, r"vocab\.txt is not usable: it holds no tokens"),
    (BARE | {"tokenizer_config_json": {"do_lower_case": "yes"}}, "do_lower_case is 'yes', expected true or false"),
    (BARE | {"tokenizer_config_json": "{"}, r"tokenizer_config\.json is not usable: it is not JSON"),
    (BARE | {"tokenizer_config_json": "[]"}, r"tokenizer_config\.json is not usable: expected an object of JSON"),
    (BARE | {"added_tokens_json": {"<x>": 2**31}}, r"added_tokens\.json is not usable: .* has the id 2147483648"),
    (BARE | {"added_tokens_json": {"<x>": 1}}, "'<x>' has the id 1, but in vocab.txt that is 'a'"),
    (BARE | {"added_tokens_json": {"<x>": 9, "<y>": 9}}, "'<x>' and '<y>' have the same id"),
    (
        BARE | {"tokenizer_config_json": {"added_tokens_decoder": {"nine": "<x>"}}},
        "'<x>' has the id 'nine', expected a number",
    ),
    (PAIRS | {"vocab_json": "{"}, r"vocab\.json is not usable: it is not JSON"),
    (PAIRS | {"vocab_json": {}}, r"vocab\.json is not usable: expected an object of JSON from tokens to ids"),
    (PAIRS | {"vocab_json": {"a": 2**31, "b": 1}}, "the token 'a' has the id 2147483648, expected a number from 0"),
    (PAIRS | {"vocab_json": {"a": True}}, "the token 'a' has the id True"),
    (PAIRS | {"vocab_json": {"a": 1, "b": 1}}, "the tokens 'a' and 'b' have the same id, 1"),
    (PAIRS | {"merges_txt": "a b\nb c\n"}, r"merges\.txt is not usable: line 2 is 'b c', but vocab\.json has no 'c'"),
    (PAIRS | {"merges_txt": "b a\n"}, r"line 1 is 'b a', but vocab\.json has no 'ba'"),
    (PAIRS | {"merges_txt": "a b c\n"}, "line 1 is 'a b c', expected two tokens and a space between them"),
]


@pytest.mark.parametrize(("files", "problem"), BROKEN)
def test_a_broken_file_says_so(files: dict[str, Any], problem: str, make: Make) -> None:
    with pytest.raises(TokenizerUnavailableError, match=problem):
        huggingface_tokenizer(str(make(**files)))


@pytest.mark.parametrize("name", ["unigram", "byte_pairs"])
def test_an_added_token_that_contradicts_the_model(name: str, make: Make) -> None:
    folder = _with_model(make(added_tokens_json={"<unk>": 5}), name)
    with pytest.raises(TokenizerUnavailableError, match=r"'<unk>' has the id 5, but in tokenizer\.model its id is"):
        huggingface_tokenizer(str(folder))


def test_ids_without_a_place_in_a_list(make: Make) -> None:
    folder = _with_model(make(added_tokens_json={"<x>": 5000}), "unigram")
    with pytest.raises(TokenizerUnavailableError, match=r"'<x>' has the id 5,000, expected .* the next one"):
        huggingface_tokenizer(str(folder))


def test_a_file_that_is_no_text(make: Make) -> None:
    folder = make()
    (folder / "vocab.txt").write_bytes(b"[UNK]\n\xff\xfe\n")
    with pytest.raises(TokenizerUnavailableError, match=r"vocab\.txt: byte 6: expected UTF-8 text"):
        huggingface_tokenizer(str(folder))
