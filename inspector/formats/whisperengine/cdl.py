"""Characters of WhisperEngine in its definition language (CDL): JSON, or the YAML that it exports.

Each section becomes a component. WhisperEngine writes its prompt from these sections in words of its own, which no file
holds, so the sections are counted as text.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.unique_ids import with_unique_ids
from inspector.formats.whisperengine.sections import section_text
from inspector.model import Character, Component, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping, stem

_SECTIONS = frozenset(("identity", "personality", "communication_style", "background", "speech_patterns", "backstory"))
_ABOUT_THE_FILE = "metadata"
_REQUIRED = "identity"
_OWN_WORDS = "WhisperEngine writes its prompt from these sections in words of its own, which are not in the file"


def sniff(source: FileSource) -> float:
    """Return how likely this is a character in sections."""
    value = source.sample if source.shape in ("json", "yaml") else None
    fields = mapping(value)
    sections = _character(fields).keys() & _SECTIONS
    if "cdl_version" in fields and sections:
        return 0.98
    return 0.9 if {"identity", "personality"} <= sections and len(sections) > 2 else 0.0


def _character(value: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = value.get("character")
    return inner if isinstance(inner, Mapping) else value


def load(source: FileSource) -> Workspace:
    """Return a workspace with the character. Raise UnreadableError if there are no sections."""
    value = mapping(source.json if source.shape == "json" else source.yaml)
    fields = _character(value)
    place = "$" if fields is value else "$.character"
    if not fields.keys() & _SECTIONS:
        raise source.unreadable(place, f"expected a character with sections such as {', '.join(sorted(_SECTIONS)[:3])}")
    components, problems = with_unique_ids(tuple(_components(fields)), lambda _: (source.path, place))
    about = (mapping(fields.get("identity")), mapping(fields.get(_ABOUT_THE_FILE)))
    name = next((as_text(one["name"]).strip() for one in about if isinstance(one.get("name"), str)), "")
    name = name or stem(source.path)
    remark = source.problem(place, _OWN_WORDS, "info")
    return Workspace(characters=(Character(name, name, components=components),), problems=(*problems, remark))


def _components(fields: Mapping[str, Any]) -> Iterator[Component]:
    """Yield the non-empty sections, in the order of the file."""
    for number, (key, section) in enumerate(fields.items(), 1):
        name = as_text(key)
        if name == _ABOUT_THE_FILE or not (text := section_text({name: section})):
            continue
        yield Component(name, name, text, number, required=name == _REQUIRED)


FORMAT = Format(
    "whisperengine_cdl",
    "WhisperEngine character (CDL)",
    sniff,
    load,
    "`cdl_version`, or `identity`, `personality` and `communication_style`",
)
