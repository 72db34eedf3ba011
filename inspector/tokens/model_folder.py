"""The contents of a model's folder besides its vocabulary: chat template, begin and end of a text, context length.

The files are those of Hugging Face: `chat_template.jinja` and `additional_chat_templates/` of newer models,
`chat_template.json` of processors, `tokenizer_config.json`, `special_tokens_map.json`, `config.json`. None is needed
for counting, so a fault in one is reported and the rest is used.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.reading.files import read_text
from inspector.reading.values import UnreadableError
from inspector.tokens.chat.messages import ChatTemplate

# Without a known limit, files have 10^30 or other numbers beyond those of any model.
_LONGEST_CONTEXT = 20_000_000
_CONTEXT_KEYS = ("max_position_embeddings", "n_positions", "max_sequence_length", "seq_length", "n_ctx")
_DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The contents found; `problems` are sentences about unusable files or parts of files."""

    chat_template: ChatTemplate | None = None
    context_length: int | None = None
    problems: tuple[str, ...] = ()


def read_model_folder(folder: Path, added: Mapping[str, bool]) -> ModelFolder:
    """Return the contents of a folder; `added` are the added tokens of its tokenizer and whether each is special."""
    return _Reader(folder).found(added)


def specials_of(added: Mapping[str, bool], source: str) -> tuple[str, ...]:
    """Return the added tokens a template may write: special tokens, and others spelled in it, such as <think>."""
    return tuple(token for token, special in added.items() if special or token in source)


class _Reader:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._problems: list[str] = []

    def found(self, added: Mapping[str, bool]) -> ModelFolder:
        settings, model = self._mapping("tokenizer_config.json"), self._mapping("config.json")
        marks = self._mapping("special_tokens_map.json") | settings
        file, source = next(self._templates(settings), (None, ""))
        template = None
        if file is not None:
            bos, eos = (_content(marks.get(key)) for key in ("bos_token", "eos_token"))
            template = ChatTemplate(str(self._folder / file), source, specials_of(added, source), bos, eos)
        return ModelFolder(template, _context_length(model, settings), tuple(self._problems))

    def _templates(self, settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield every default template of the model with its file, in transformers' order of preference."""
        for file in ("chat_template.jinja", f"additional_chat_templates/{_DEFAULT}.jinja"):
            source = self._text(file)
            if source is not None:
                yield file, source
        for file, mapping in (
            ("chat_template.json", self._mapping("chat_template.json")),
            ("tokenizer_config.json", settings),
        ):
            source = self._default_of(file, mapping.get("chat_template"))
            if source is not None:
                yield file, source

    def _default_of(self, file: str, value: Any) -> str | None:
        """Return the template; of several named ones, the default."""
        named = value
        if isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
            named = {str(entry.get("name")): entry.get("template") for entry in value}
        source = named.get(_DEFAULT) if isinstance(named, dict) else named
        if isinstance(source, str) or value is None:
            return source
        wanted = "a text or a list of names and templates with one called default"
        self._problems.append(f"The chat template in {self._folder / file} cannot be used: expected {wanted}.")
        return None

    def _mapping(self, file: str) -> dict[str, Any]:
        text = self._text(file)
        if text is None:
            return {}
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as problem:
            self._problems.append(f"{self._folder / file} is not JSON ({problem}).")
            return {}
        if isinstance(value, dict):
            return value
        self._problems.append(f"{self._folder / file} is not an object of JSON.")
        return {}

    def _text(self, file: str) -> str | None:
        path = self._folder / file
        if not os.path.isfile(path):
            return None
        try:
            return read_text(path)
        except UnreadableError as error:
            self._problems.append(f"{error}.")
            return None


def _content(token: Any) -> str:
    """Return the text of a special token, which files write as a string or an object."""
    text = token.get("content") if isinstance(token, dict) else token
    return text if isinstance(text, str) else ""


def _context_length(model: Mapping[str, Any], settings: Mapping[str, Any]) -> int | None:
    """Return the context length in tokens; models with vision have their language part in `text_config`."""
    text_part = model.get("text_config")
    parts = (model, text_part if isinstance(text_part, dict) else {})
    lengths = [part.get(key) for part in parts for key in _CONTEXT_KEYS]
    return next(filter(_is_sane, [*lengths, settings.get("model_max_length")]), None)


def _is_sane(length: Any) -> bool:
    return type(length) is int and 0 < length < _LONGEST_CONTEXT
