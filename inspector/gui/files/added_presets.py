"""Presets of SillyTavern added to chats that are open: the newest is followed, and undoing takes it away again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.assembly.tidying import Tidying, key_of
from inspector.formats import Part
from inspector.formats.sillytavern.presets import NAME as PRESET
from inspector.reading.values import mapping

CHATS = "sillytavern"


@dataclass(frozen=True, slots=True)
class AddedPresets:
    """The step of adding presets in words, the files that it brings into use, and those that give way to them."""

    label: str
    added: tuple[str, ...]
    replaced: tuple[str, ...]

    def tidied(self, tidying: Tidying, is_done: bool) -> Tidying:
        """Return a tidying with the step done, or undone."""
        there, gone = (self.added, self.replaced) if is_done else (self.replaced, self.added)
        return tidying.with_files(there).without(key_of("file", file) for file in gone)


def added_presets(there: Sequence[Part], found: Sequence[Part]) -> AddedPresets | None:
    """Return the step of adding files to those in use; None unless all are presets, and chats are there for them.

    An open preset with another value gives way: of presets that differ, none would be followed.
    """
    read = [part for part in found if part.is_read]
    has_chats = any(source.format == CHATS for part in there for source in part.workspace.sources)
    if not read or not has_chats or not all(map(_is_preset, read)):
        return None
    files, known = {part.file for part in read}, {part.file for part in there}
    others = [part for part in there if _is_preset(part) and part.file not in files]
    replaced = [part for part in others if any(_differ(part, one) for one in read)]
    label = f"Use the preset {_names(read)}" + (f" in place of {_names(replaced)}" if replaced else "")
    return AddedPresets(label, tuple(sorted(files - known)), tuple(part.file for part in replaced))


def _is_preset(part: Part) -> bool:
    return all(source.format == PRESET for source in part.workspace.sources)


def _differ(one: Part, other: Part) -> bool:
    """Return whether two presets give different values to a parameter."""
    return any(
        mine[name] != theirs[name]
        for mine in _values(one)
        for theirs in _values(other)
        for name in mine.keys() & theirs
    )


def _values(part: Part) -> Iterator[Mapping[str, Any]]:
    return (mapping(one.preferred_llm.get("parameters")) for one in part.workspace.characters)


def _names(parts: Sequence[Part]) -> str:
    return ", ".join(Path(part.file).stem for part in parts)
