"""The tokenizer settings in the JSON files of a folder: its class, flags, and tokens besides the vocabulary.

The files are `tokenizer_config.json`, `special_tokens_map.json`, `added_tokens.json` and `config.json`. Unlike files
that only describe a model, they affect counts, so an unusable file is an error.
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
    """The settings in the files. `tokenizer_class` is without its ending `Fast`; "" if no file names a class."""

    folder: Path
    values: Mapping[str, Any]
    tokenizer_class: str
    model_type: str
    marks: tuple[AddedMark, ...]

    def flag(self, key: str, default: bool | None) -> bool | None:
        """Return a flag of tokenizer_config.json. Raises TokenizerUnavailableError unless it is true, false or null."""
        value = self.values.get(key)
        if value is None:
            return default
        if isinstance(value, bool):
            return value
        file = self.folder / "tokenizer_config.json"
        raise TokenizerUnavailableError(f"{file} is not usable: {key} is {value!r}, expected true or false")

    def token(self, key: str, default: str) -> str:
        """Return the text of a token such as `unk_token`."""
        return token_text(self.values.get(key)) or default


def read_settings(folder: Path) -> TokenizerSettings:
    """Return the settings of a folder; every file is optional. Raises TokenizerUnavailableError for a bad file."""
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
    """Return the value in a JSON file. Raises TokenizerUnavailableError if it is not valid."""
    try:
        return json.loads(read_lines(file))
    except (ValueError, RecursionError) as problem:
        raise TokenizerUnavailableError(f"{file} is not usable: it is not JSON ({problem})") from problem


def read_lines(file: Path) -> str:
    """Return the text of a UTF-8 file with line feeds as line ends. Raises TokenizerUnavailableError if unreadable."""
    try:
        return read_text(file)
    except UnreadableError as error:
        raise TokenizerUnavailableError(str(error)) from error
