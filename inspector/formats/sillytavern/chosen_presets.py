"""Which presets of SillyTavern go with the chats of a folder."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.formats.sillytavern.homes import Home, home_of, is_stored
from inspector.formats.sillytavern.presets import NAME, PRESET
from inspector.model import Character, Problem, changed
from inspector.reading.values import mapping

_NO_PRESET = Character(PRESET)


def is_preset(character: Character, formats: Mapping[str, str]) -> bool:
    """Return whether a character stands for a preset, or for the prompts of settings. `formats` are those of files."""
    return character.id.startswith(PRESET) and formats.get(character.origin) in ("sillytavern", NAME)


@dataclass(frozen=True, slots=True)
class ChosenPresets:
    """The presets joined for the chats of each home, and a problem for presets that differ and are not followed."""

    by_home: Mapping[Home, Character]
    problems: tuple[Problem, ...]

    @classmethod
    def of(cls, presets: Sequence[Character], homes: Iterable[Home], formats: Mapping[str, str]) -> "ChosenPresets":
        """Return what goes with each of these homes. `formats` are those of files."""
        with_chats, by_home = set(homes), dict[Home, Character]()
        elsewhere = [one for one in presets if home_of(one.origin) not in with_chats]
        problems: list[Problem] = []
        for home in with_chats:
            near = [one for one in presets if home_of(one.origin) == home]
            settings = [one for one in near if formats.get(one.origin) == "sillytavern"]
            stored = [one for one in near if one not in settings and is_stored(one.origin)]
            loose = [one for one in near if one not in settings and one not in stored]
            has_settings = any(home_of(path) == home and path.endswith("settings.json") for path in formats)
            chosen = [*loose, *elsewhere] or settings or ([] if has_settings else stored)
            by_home[home], found = _joined(chosen)
            problems += found
        return cls(by_home, tuple(problems))

    def for_home(self, home: Home) -> Character:
        """Return the preset for the chats of a home, an empty one if there is none."""
        return self.by_home.get(home, _NO_PRESET)


def _joined(presets: Sequence[Character]) -> tuple[Character, tuple[Problem, ...]]:
    """Return presets that agree as one; if they differ in a value, none, with a problem."""
    values: dict[str, Any] = {}
    for preset in presets:
        for name, value in mapping(preset.preferred_llm.get("parameters")).items():
            if values.setdefault(name, value) != value:
                named = ", ".join(one.id.removeprefix(PRESET) for one in presets)
                words = f"the presets {named} differ in {name}; none is followed: open the one in use with the chat"
                return _NO_PRESET, (Problem(preset.origin, "", words, "warning"),)
    texts = (one.system_prompt for one in presets if one.system_prompt.strip())
    pieces = tuple(piece for one in presets for piece in one.components)
    joined = changed(_NO_PRESET, system_prompt=next(texts, ""), components=pieces)
    return changed(joined, preferred_llm={"parameters": values} if values else {}), ()
