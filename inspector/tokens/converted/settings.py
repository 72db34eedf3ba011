"""What the JSON files of a folder say of its tokenizer: the class it is for, flags, and tokens besides the vocabulary.

The files are `tokenizer_config.json`, `special_tokens_map.json`, `added_tokens.json` and `config.json`. Other than for
what only describes a model, a file that decides counts and cannot be used is an error.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.reading.files import read_text
from inspector.reading.values import UnreadableError
from inspector.tokens.converted.marks import AddedMark, read_marks, token_text
from inspector.tokens.tokenizer import TokenizerUnavailableError


@dataclass(frozen=True, slots=True)
class TokenizerSettings:
    """What the files say. `tokenizer_class` is without `Fast` at its end; "" where no file names one."""

    folder: Path
    values: Mapping[str, Any]
    tokenizer_class: str
    model_type: str
    marks: tuple[AddedMark, ...]

    def flag(self, key: str, default: bool | None) -> bool | None:
        """A flag of tokenizer_config.json. TokenizerUnavailableError where it is neither true, false nor null."""
        value = self.values.get(key)
        if value is None:
            return default
        if isinstance(value, bool):
            return value
        file = self.folder / "tokenizer_config.json"
        raise TokenizerUnavailableError(f"{file} is not usable: {key} is {value!r}, expected true or false")

    def token(self, key: str, default: str) -> str:
        """The text of a token such as `unk_token`."""
        return token_text(self.values.get(key)) or default


def read_settings(folder: Path) -> TokenizerSettings:
    """The settings of a folder, in which no file has to be. TokenizerUnavailableError names what cannot be used."""
    config, added = _mapping(folder / "tokenizer_config.json"), _mapping(folder / "added_tokens.json")
    values = _mapping(folder / "special_tokens_map.json") | config
    model = _mapping(folder / "config.json")
    named = config.get("tokenizer_class") or model.get("tokenizer_class")
    tokenizer_class = named.removesuffix("Fast") if isinstance(named, str) else ""
    model_type = model.get("model_type")
    marks = read_marks(folder, values, added)
    return TokenizerSettings(folder, values, tokenizer_class, model_type if isinstance(model_type, str) else "", marks)


def _mapping(file: Path) -> dict[str, Any]:
    if not os.path.isfile(file):
        return {}
    value = read_json(file)
    if isinstance(value, dict):
        return value
    raise TokenizerUnavailableError(f"{file} is not usable: expected an object of JSON")


def read_json(file: Path) -> Any:
    """The value in a file of JSON. TokenizerUnavailableError says where it is none."""
    try:
        return json.loads(read_lines(file))
    except (ValueError, RecursionError) as problem:
        raise TokenizerUnavailableError(f"{file} is not usable: it is not JSON ({problem})") from problem


def read_lines(file: Path) -> str:
    """The text of a file in UTF-8, each line ended by a line feed. TokenizerUnavailableError says where it is none."""
    try:
        return read_text(file)
    except UnreadableError as error:
        raise TokenizerUnavailableError(str(error)) from error
