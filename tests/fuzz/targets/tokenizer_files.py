"""Targets: the files of models: folders of Hugging Face, SentencePiece, GGUF, tiktoken's ranks, and chat templates."""

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from inspector.resources import resource
from inspector.tokens.chat import processes
from inspector.tokens.chat.format import ChatFormat
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.chat.messages import ChatCall, ChatMessage, ChatTemplate
from inspector.tokens.chat.process import Limits
from inspector.tokens.chat.sandbox import ChatTemplateError
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.gguf.tokenizer import gguf_tokenizer
from inspector.tokens.huggingface import huggingface_tokenizer
from inspector.tokens.openai import openai_tokenizer
from inspector.tokens.tokenizer import Tokenizer, TokenizerUnavailableError
from tests.fuzz.frames import ROOT
from tests.fuzz.headers import written_gguf
from tests.fuzz.outcome import BrokenPromiseError, Input
from tests.fuzz.target import Target
from tests.fuzz.targets.using import chooser

_TEXTS = ("Hello, world! don't", "", " ", "日本語 e\u0301 😀\u200d", "<|im_end|> </s> [UNK]", "a" * 300, "\ud83d\0\r\n")
_CALL = ChatCall("look", '{"at": "sea"}', "call00001")
_CHATS = (
    (ChatMessage("system", "Be kind."), ChatMessage("user", "Hi <|im_end|>"), ChatMessage("assistant", "Hello")),
    (
        ChatMessage("user", "Hi"),
        ChatMessage("assistant", "", calls=(_CALL,)),
        ChatMessage("tool", "x", call_id="call00001"),
    ),
    (ChatMessage("tool", ""), ChatMessage("user", "", "Bo")),
)
_TOOLS = ({"name": "look", "parameters": {"type": "object", "properties": {"at": {"type": "string"}}}},)
_SENTENCEPIECE = ROOT / "tests" / "tokens" / "sentencepiece"
_BROKEN_TEMPLATES = (
    *("{{ ''.__class__.__mro__ }}", "{% for i in range(99999999) %}{{ i }}{% endfor %}", "{{ 'x' * 999999999 }}"),
    *(
        "{{ 'x'.center(4000000000) }}",
        "{% set x = 'a' %}{% for i in range(60) %}{% set x = x ~ x %}{% endfor %}{{ x }}",
    ),
    *("{{ messages | sort }}", "{{ messages | tojson(indent=99999999) }}", "{{ '%999999999d' | format(1) }}"),
    *("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "{{ 'x' | wordwrap(0) }}", "{{ 'x' | indent(999999999) }}"),
    *("{{ strftime_now('%Y' * 9999) }}", "{% include 'x' %}", "{{ raise_exception(messages) }}", "{{ 10**10**10 }}"),
    *(
        "{{ messages[0]['content'].format(a=1) }}",
        "{{ '{0.__class__}'.format(x) }}",
        "{{ [1] | sum('x') }}",
        "{{ 1 / 0 }}",
    ),
    *("{{ messages | map(attribute='x') | list }}", "{{ 'a' | truncate(-1) }}", "{{ lipsum(99) }}", "{{ cycler() }}"),
    *(
        "{% for m in messages %}{{ m.content[::0] }}{% endfor %}",
        "{{ '1e999' | int | round(99) }}",
        "{{ dict(x=1) | items }}",
    ),
)


def count_with(tokenizer: Tokenizer) -> None:
    """Ask a tokenizer for everything that it can be asked for."""
    counts = tokenizer.count(_TEXTS)
    if len(counts) != len(_TEXTS) or (counts < 0).any():
        raise BrokenPromiseError("counts are not one for each text", str(counts))
    for text, count in zip(_TEXTS, counts.tolist(), strict=True):
        first = tokenizer.first(text, 3)
        if not text.startswith(first):
            raise BrokenPromiseError("the first tokens are no prefix", f"{text!r} {first!r}")
        spans = tokenizer.spans(text)
        if spans is not None and len(spans.ids) != count:
            raise BrokenPromiseError("not as many spans as tokens", f"{text!r}: {count} and {len(spans.ids)}")
    template: ChatTemplate | None = getattr(tokenizer, "chat_template", None)
    if template is not None:
        write_chats(ChatFormat(template), tokenizer)


def write_chats(chat_format: ChatFormat, tokenizer: Tokenizer) -> None:
    """Write chats with a template, and measure what it adds."""
    _be_impatient()
    for messages in _CHATS:
        try:
            chat_format.render(messages, _TOOLS).text.encode()
        except ChatTemplateError as problem:
            str(problem).encode("utf-8", "surrogatepass")
    frames = frames_of.__wrapped__(chat_format, tokenizer)
    definitions = (json.dumps(_TOOLS[0]),)
    for measured in frames.measure(frames.lacking([("user", "Bo")], definitions)):
        frames.take(measured)
    added = [frames.constant(), frames.reply(), frames.tools(definitions), frames.frame("assistant", "Bo")]
    if not all(isinstance(tokens, int) for tokens in added):
        raise BrokenPromiseError("what a template adds is no number", repr(added))


@cache
def _be_impatient() -> None:
    """Give templates a second, and not ten: what is looked for here is what they do besides."""
    made = processes.TemplateProcesses(Limits(seconds=1.0))
    processes._processes = lambda: made  # type: ignore[assignment]


def open_template(file: Path, scratch: Path) -> None:
    """Write chats with a template that is anybody's."""
    source = file.read_bytes().decode("utf-8", "replace")
    specials = ("<|im_start|>", "<|im_end|>", "</s>", "")[: chooser(file.read_bytes()).randrange(5)]
    write_chats(ChatFormat(ChatTemplate("fuzz", source, tuple(filter(None, specials)), "<s>", "</s>")), _words())


@cache
def _words() -> Tokenizer:
    return ESTIMATORS["estimate:words"]


def open_folder(file: Path, scratch: Path) -> None:
    """Count with the folder of a model of which this file is one; the others are sound."""
    folder = scratch / "model"
    folder.mkdir()
    for name, data in model_folders()[file.parent.name].items():
        (folder / name).write_bytes(data)
    shutil.copyfile(file, folder / file.name)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    try:
        count_with(huggingface_tokenizer.__wrapped__(str(folder)))
    except TokenizerUnavailableError:
        return
    finally:
        if {path.name: path.read_bytes() for path in folder.iterdir()} != before:
            raise BrokenPromiseError("a folder of a model was changed")


def open_gguf(file: Path, scratch: Path) -> None:
    """Count with the tokenizer in the header of a GGUF file."""
    try:
        count_with(gguf_tokenizer.__wrapped__(str(file)))
    except TokenizerUnavailableError:
        return


def open_ranks(file: Path, scratch: Path) -> None:
    """Count with an encoding of tiktoken whose file in the cache is any: it is made anew."""
    shutil.copyfile(file, scratch / file.name)
    tokenizer = openai_tokenizer.__wrapped__("o200k_base", scratch)
    if tokenizer.count(["Hello, world!"]).tolist() != [4]:
        raise BrokenPromiseError("a wrong count")


@cache
def model_folders() -> dict[str, dict[str, bytes]]:
    """Folders of small models by name, each with its files."""
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": {"content": "<s>"},
        "eos_token": "<|im_end|>",
        "model_max_length": 4_096,
        "chat_template": resource("chat_templates/chatml.jinja").read_text("utf-8"),
        "added_tokens_decoder": {"500": {"content": "<|im_end|>", "special": True}},
        "add_prefix_space": False,
    }
    beside = {
        "tokenizer_config.json": json.dumps(settings).encode(),
        "special_tokens_map.json": json.dumps({"eos_token": "<|im_end|>", "unk_token": {"content": "<unk>"}}).encode(),
        "config.json": json.dumps({"max_position_embeddings": 4_096, "model_type": "qwen2"}).encode(),
        "added_tokens.json": json.dumps({"<|im_end|>": 500}).encode(),
    }
    folders = {f"fast_{kind}": {"tokenizer.json": text.encode(), **beside} for kind, text in _written().items()}
    pairs = json.loads(_written()["pairs"])["model"]
    merges = [" ".join(pair) if isinstance(pair, list) else pair for pair in pairs["merges"]]
    folders["pairs"] = {
        "vocab.json": json.dumps(pairs["vocab"]).encode(),
        "merges.txt": "\n".join(["#version: 0.2", *merges]).encode(),
        **beside,
    }
    folders["words"] = {
        "vocab.txt": "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcdefghij", "##a", "##b", "hello"]).encode(),
        "tokenizer_config.json": json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True}).encode(),
    }
    for path in sorted(_SENTENCEPIECE.glob("*.model")):
        folders[path.stem] = {"tokenizer.model": path.read_bytes(), "tokenizer_config.json": b'{"add_bos_token": true}'}
    return folders


_MERGES = (
    ("h", "e"),
    ("l", "l"),
    ("he", "ll"),
    ("hell", "o"),
    ("Ġ", "w"),
    ("o", "r"),
    ("Ġw", "or"),
    ("Ġ", "t"),
    ("i", "s"),
)


@cache
def _written() -> dict[str, str]:
    """Small tokenizers as the library writes them, by the kind of their model."""
    import tokenizers
    from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers

    letters = ["<unk>", "<s>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    joined = [*letters, *("".join(pair) for pair in _MERGES)]
    words = [*letters, "Hello", "world", "##o", "##r", "##ld"]
    kinds: dict[str, Any] = {
        "pairs": models.BPE(_numbered(joined), list(_MERGES)),
        "unigram": models.Unigram([(token, -float(number)) for number, token in enumerate(joined)], 0, False),
        "pieces": models.WordPiece(_numbered(words), unk_token="<unk>"),
        "whole": models.WordLevel(_numbered(words), unk_token="<unk>"),
    }
    written = {}
    for kind, model in kinds.items():
        tokenizer = tokenizers.Tokenizer(model)
        tokenizer.normalizer = normalizers.NFC()
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.add_special_tokens([AddedToken("<|im_end|>", special=True)])
        written[kind] = tokenizer.to_str()
    return written


def _numbered(tokens: list[str]) -> dict[str, int]:
    return {token: number for number, token in enumerate(tokens)}


def _folder_seeds(*names: str) -> tuple[Input, ...]:
    """The files of these names in every folder."""
    folders = model_folders().items()
    return tuple(
        Input(f"{folder}/{name}", data) for folder, files in folders for name, data in files.items() if name in names
    )


def _gguf_seeds() -> tuple[Input, ...]:
    pairs = json.loads(_written()["pairs"])["model"]
    merges = [" ".join(pair) if isinstance(pair, list) else pair for pair in pairs["merges"]]
    tokens = list(pairs["vocab"])
    general = {"general.architecture": "llama", "general.name": "Fuzz", "llama.context_length": 4_096, "x.y": ["a"]}
    template = {"tokenizer.chat_template": resource("chat_templates/chatml.jinja").read_text("utf-8")}
    marks = {
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.add_space_prefix": True,
    }
    of_pairs = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "qwen2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3 if token.startswith("<") else 1 for token in tokens],
        "tokenizer.ggml.merges": merges,
    }
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *"▁helowrd", "he", "hel", "▁w", "lo"]
    of_pieces = {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": pieces,
        "tokenizer.ggml.scores": [-float(number) for number in range(len(pieces))],
        "tokenizer.ggml.token_type": [2, 3, 3, *[6] * 256, *[1] * (len(pieces) - 259)],
    }
    return tuple(
        Input(f"{name}.gguf", written_gguf({**general, **template, **marks, **values}))
        for name, values in (("pairs", of_pairs), ("pieces", of_pieces))
    )


def _template_seeds() -> tuple[Input, ...]:
    shipped = sorted(resource("chat_templates").glob("*.jinja"))
    broken = (Input(f"broken {number}.jinja", source.encode()) for number, source in enumerate(_BROKEN_TEMPLATES))
    return (*(Input(path.name, path.read_bytes()) for path in shipped), *broken)


def _rank_seeds() -> tuple[Input, ...]:
    return (Input("fb374d419588a4632f3f557e76b4b70aebbca790", b"IQ== 0\nIg== 1\nIw== 2\n"),)


_SETTINGS = ("tokenizer_config.json", "special_tokens_map.json", "config.json", "added_tokens.json")
TARGETS = (
    Target("tokenizer/json", lambda: _folder_seeds("tokenizer.json"), open_folder),
    Target("tokenizer/settings", lambda: _folder_seeds(*_SETTINGS), open_folder, patience=4),
    Target("tokenizer/sentencepiece", lambda: _folder_seeds("tokenizer.model"), open_folder),
    Target("tokenizer/vocabulary", lambda: _folder_seeds("vocab.json", "merges.txt", "vocab.txt"), open_folder),
    Target("tokenizer/tiktoken", _rank_seeds, open_ranks),
    Target("gguf", _gguf_seeds, open_gguf, patience=4),
    Target("template", _template_seeds, open_template, patience=12),
)
