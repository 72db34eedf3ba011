"""Files of text-generation-webui: chat logs, characters, and the templates beside them.

Layout: github.com/oobabooga/text-generation-webui, `modules/chat.py`. A log holds no system prompt: that is in the
character. An instruction template describes how a prompt is written; it holds nothing that could enter a prompt.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.cards.card import component
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, workspace_of
from inspector.formats.text_generation_webui.log import read_log
from inspector.model import Character, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, stem

_TEMPLATE = "instruction_template"
_ROWS = (("internal", "visible"), ("data", "data_visible"))


def sniff(source: FileSource) -> float:
    """Return how likely this is a log, a character or a template."""
    if source.shape not in ("json", "yaml") or source.raw_items is not None:
        return 0.0
    value = source.sample
    if not isinstance(value, Mapping):
        return 0.0
    if _is_log(value):
        return 0.95
    if _is_character(value):
        return 0.85 if source.shape == "yaml" else 0.75
    return 0.9 if _is_template(value) else 0.0


def _rows(value: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the key and the rows of a log; the first versions called them `data`."""
    for key, shown in _ROWS:
        if shown in value and isinstance(value.get(key), list):
            return key, value[key]
    return "", None


def _is_log(value: Mapping[str, Any]) -> bool:
    key, rows = _rows(value)
    return bool(key) and all(isinstance(row, list) and len(row) == 2 for row in rows[:5])


def _is_character(value: Mapping[str, Any]) -> bool:
    texts = all(isinstance(value.get(key), str) for key in ("name", "context"))
    return texts and "greeting" in value and not value.keys() & {"spec", "first_mes", "messages"}


def _is_template(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get(_TEMPLATE), str) and "{%" in value[_TEMPLATE]


def load(source: FileSource) -> Workspace:
    """Return the chat or the character of a file. Raise UnreadableError for a template, and if there is neither."""
    value = source.yaml if source.shape == "yaml" else source.json
    if isinstance(value, Mapping) and _is_log(value):
        return _log(value, source)
    if isinstance(value, Mapping) and _is_character(value):
        return _character(value, source)
    if isinstance(value, Mapping) and _is_template(value):
        message = "is an instruction template of text-generation-webui, in which there is neither chat nor character"
        raise source.unreadable(f"$.{_TEMPLATE}", message)
    raise source.unreadable("$", "expected a log with internal and visible rows, or a character with a context")


def _log(value: Mapping[str, Any], source: FileSource) -> Workspace:
    key, rows = _rows(value)
    notes = Notes(source.path)
    read = read_log(rows, value.get("metadata"), notes, key)
    chat = SavedChat(read.nodes, read.leaf or None, f"$.{key}", model=read.model)
    return workspace_of([chat], source, notes, attachments=tuple(read.attachments))


def _character(value: Mapping[str, Any], source: FileSource) -> Workspace:
    name = as_text(value["name"]).strip() or stem(source.path)
    texts = (("description", "context"), ("example", "example_dialogue"))
    pieces = tuple(
        component(kind, as_text(value[key])) for kind, key in texts if isinstance(value.get(key), str) and value[key]
    )
    greeting = as_text(value["greeting"]) if isinstance(value["greeting"], str) else ""
    return Workspace(characters=(Character(name, name=name, components=pieces, greeting=greeting),))


FORMAT = Format(
    "text_generation_webui",
    "text-generation-webui chat log or character",
    sniff,
    load,
    "`internal` and `visible`, a character with `context`, or a template",
)
