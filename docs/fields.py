"""The fields of native files, from the values that the program decodes them into."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from docs.markdown import code, prose, table
from inspector.analysis.tour import Tour, TourStep
from inspector.assembly.scenario import Scenario
from inspector.model import (
    Attachment,
    Character,
    Component,
    Conversation,
    Document,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    Passage,
    PastSummary,
    Probe,
    Profile,
    SkippedFile,
    Tool,
    Workspace,
)
from inspector.model.parts import Call, DocumentPart, Image, Result, Sound, Text, Thought, Unknown, Video
from inspector.retrieval.lore.settings import LoreSettings
from inspector.retrieval.relevance.settings import RelevanceSettings
from inspector.tokens.models.table import ModelRow

WORKSPACE = (
    *(Workspace, Conversation, Message, MemorySet, Memory, Character, Component, Profile, Lorebook, LoreEntry),
    *(Passage, PastSummary, Document, Attachment, SkippedFile, Tool),
)
PARTS = (Text, Thought, Call, Result, Image, DocumentPart, Sound, Video, Unknown)
OTHERS = (Scenario, RelevanceSettings, LoreSettings, ModelRow, Probe, Tour, TourStep)
_OF_THE_PROGRAM = {"origin", "place", "tree", "sources", "problems"}
"""Fields that the program fills in itself, and that no file has."""
_NAMES = {Probe: "Question"}
"""The names of values in the window, where the code has another one."""
_WORDS = {str: "text", int: "whole number", float: "number", bool: "true or false", datetime: "time", Any: "any"}


def fields_page() -> str:
    """Return the page of all fields, file by file."""
    parts = [
        "# Fields of native files\n",
        "[Native files](native-files.md) shows each file as an example; here is every field. Only fields without a "
        "default are required. Times are RFC 3339, and a key that is not known is a problem with its place.\n",
        "## Workspace\n",
        *map(_record, WORKSPACE),
        "## Parts of a message\n",
        "`content` of a message is text, or a list of parts in order, each with its `type`.\n",
        *map(_record, PARTS),
        "## Scenario, questions and tours\n",
        *map(_record, OTHERS),
    ]
    return "\n".join(parts)


def _record(kind: type) -> str:
    tag = kind.__struct_config__.tag if kind in PARTS else ""  # type: ignore[attr-defined]
    told = [prose(part) + "\n" for part in inspect.cleandoc(kind.__doc__ or "").split("\n\n")]
    heading = f"### {tag or _name(kind)} {{#{_name(kind).lower()}}}\n"
    return "\n".join([heading, *told, table(["field", "value", "default"], _rows(kind))])


def _name(kind: type) -> str:
    return _NAMES.get(kind, kind.__name__)


def _rows(kind: type) -> Iterator[list[str]]:
    hints = get_type_hints(kind)
    for name, default in _defaults(kind).items():
        if name not in _OF_THE_PROGRAM and (kind, name) != (Message, "parts"):  # a file has them as its content
            yield [code(name), words_of(hints[name]), default]


def _defaults(kind: type) -> Mapping[str, str]:
    """Return each field with its default as Markdown."""
    if is_dataclass(kind):
        return {one.name: _default(one.default, one.default_factory is not MISSING) for one in fields(kind)}
    found = msgspec.structs.fields(kind)
    return {one.encode_name: "required" if one.required else _default(one.default, False) for one in found}


def _default(value: Any, is_made: bool) -> str:
    if is_made or value is msgspec.NODEFAULT or value in (None, "", ()):
        return "–"
    if value is MISSING:
        return "required"
    plain = isinstance(value, str | int | float)
    return code(str(value).lower() if isinstance(value, bool) else str(value)) if plain else "–"


def words_of(hint: Any) -> str:
    """Return a type as words, such as `list of text` for a tuple of texts."""
    origin, held = get_origin(hint), get_args(hint)
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in held)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(words_of(one) for one in held if one is not NoneType))
    if origin is tuple:
        return f"list of {words_of(held[0])}"
    if origin is not None:
        return "object"
    if hint in (*WORKSPACE, *PARTS, *OTHERS):
        return f"[{_name(hint)}](#{_name(hint).lower()})"
    return _WORDS.get(hint, "object")
