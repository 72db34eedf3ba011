"""The activation rules of a lorebook entry, read from its settings under SillyTavern's names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from inspector.model import LoreEntry

DEFAULT_WEIGHT = 100
DEFAULT_DEPTH = 4
SOURCES = {
    "matchPersonaDescription": "persona",
    "matchCharacterDescription": "description",
    "matchCharacterPersonality": "personality",
    "matchCharacterDepthPrompt": "depth_prompt",
    "matchScenario": "scenario",
}
"""The texts an entry may be searched for in besides the messages: setting and kind of text."""


class Logic(IntEnum):
    """The condition on the secondary keys, in SillyTavern's numbers."""

    AND_ANY = 0
    NOT_ALL = 1
    NOT_ANY = 2
    AND_ALL = 3


@dataclass(frozen=True, slots=True)
class CharacterFilter:
    """The characters an entry is for, or with `excludes` is not for; names and tags, case folded."""

    names: frozenset[str]
    tags: frozenset[str]
    excludes: bool


@dataclass(frozen=True, slots=True)
class EntryRules:
    """The settings of an entry; None leaves the choice to the scan.

    `probability` is in percent, 100 if unused. `delay`, `sticky` and `cooldown` are in messages. `level` is the first
    step of the recursion in which the entry may fire, 0 for at once. `book_budget` is in tokens, for all entries of the
    same `world`.
    """

    logic: Logic = Logic.AND_ANY
    selective: bool = True
    depth: int | None = None
    case_sensitive: bool | None = None
    whole_words: bool | None = None
    is_pattern: bool = False
    sources: tuple[str, ...] = ()
    probability: float = 100
    groups: tuple[str, ...] = ()
    group_wins: bool = False
    group_weight: float = DEFAULT_WEIGHT
    group_scored: bool | None = None
    recursive: bool | None = None
    skips_recursion: bool = False
    ends_recursion: bool = False
    level: float = 0
    delay: float = 0
    sticky: float = 0
    cooldown: float = 0
    ignores_budget: bool = False
    book_budget: float | None = None
    world: str = ""
    by_relevance: bool = False
    triggers: tuple[str, ...] = ()
    filter: CharacterFilter | None = None
    note: str = ""


PLAIN = EntryRules()


def rules_of(entry: LoreEntry) -> EntryRules:
    """Return the rules of an entry; a setting of the wrong kind counts as missing."""
    settings = entry.activation
    if not settings:
        return PLAIN
    return EntryRules(
        **_of_the_keys(settings),
        **_of_the_choice(settings),
        **_of_the_recursion(settings),
        probability=_number(settings, "probability", 100) if _truth(settings, "useProbability") is not False else 100,
        delay=_number(settings, "delay", 0),
        sticky=_number(settings, "sticky", 0),
        cooldown=_number(settings, "cooldown", 0),
        by_relevance=_truth(settings, "vectorized") is True,
        note=_unused(settings),
    )


def placement_of(entry: LoreEntry) -> str:
    """Return the entry's position in the prompt according to its settings, in words; "" if they do not say."""
    words = entry.position.replace("_", " ")
    if entry.position == "at_depth":
        depth = _number(entry.activation, "depth", DEFAULT_DEPTH)
        return f"at depth {depth:g} as {entry.activation.get('role') or 'system'}"
    if entry.position == "outlet" and (name := entry.activation.get("outletName")):
        return f"outlet {name}"
    return words


def _of_the_keys(settings: Mapping[str, Any]) -> dict[str, Any]:
    logic, depth = _number(settings, "selectiveLogic", 0), _number(settings, "scanDepth", -1)
    return {
        "logic": Logic(int(logic)) if logic in set(Logic) else Logic.AND_ANY,
        "selective": _truth(settings, "selective") is not False,
        "depth": int(depth) if depth >= 0 else None,
        "case_sensitive": _truth(settings, "caseSensitive"),
        "whole_words": _truth(settings, "matchWholeWords"),
        "is_pattern": _truth(settings, "useRegex") is True,
        "sources": tuple(kind for name, kind in SOURCES.items() if _truth(settings, name)),
    }


def _of_the_choice(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that decide between firing entries, and the characters they are for."""
    budget = _number(settings, "tokenBudget", 0)
    return {
        "groups": tuple(name for part in str(settings.get("group") or "").split(",") if (name := part.strip())),
        "group_wins": _truth(settings, "groupOverride") is True,
        "group_weight": max(_number(settings, "groupWeight", DEFAULT_WEIGHT), 0),
        "group_scored": _truth(settings, "useGroupScoring"),
        "ignores_budget": _truth(settings, "ignoreBudget") is True,
        "book_budget": budget if budget > 0 else None,
        "world": str(settings.get("world") or ""),
        "triggers": _words(settings.get("triggers")),
        "filter": _filter(settings.get("characterFilter")),
    }


def _of_the_recursion(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "recursive": _truth(settings, "recursiveScanning"),
        "skips_recursion": _truth(settings, "excludeRecursion") is True,
        "ends_recursion": _truth(settings, "preventRecursion") is True,
        "level": max(_number(settings, "delayUntilRecursion", 0), 0),
    }


def _unused(settings: Mapping[str, Any]) -> str:
    """Return the requests of an entry that this program does not fulfil, in words."""
    decorators = _words(settings.get("decorators"))
    return f"not read: {', '.join(f'@@{name}' for name in decorators)}" if decorators else ""


def _filter(value: Any) -> CharacterFilter | None:
    if not isinstance(value, Mapping):
        return None
    names, tags = (frozenset(word.casefold() for word in _words(value.get(key))) for key in ("names", "tags"))
    return CharacterFilter(names, tags, value.get("isExclude") is True) if names or tags else None


def _words(value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return ()
    return tuple(word for word in value if isinstance(word, str) and word)


def _number(settings: Mapping[str, Any], name: str, otherwise: float) -> float:
    value = settings.get(name)
    return value if isinstance(value, int | float) and value == value else otherwise


def _truth(settings: Mapping[str, Any], name: str) -> bool | None:
    value = settings.get(name)
    return value if isinstance(value, bool) else None
