"""What a lorebook entry says of its own activation, read from its settings under SillyTavern's names."""

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
"""What an entry may be looked for in beside the messages: the setting, and the kind of the text."""


class Logic(IntEnum):
    """What the secondary keys have to do, in SillyTavern's numbers."""

    AND_ANY = 0
    NOT_ALL = 1
    NOT_ANY = 2
    AND_ALL = 3


@dataclass(frozen=True, slots=True)
class CharacterFilter:
    """The characters that an entry is for, or with `excludes` those it is not for; names and tags, case folded."""

    names: frozenset[str]
    tags: frozenset[str]
    excludes: bool


@dataclass(frozen=True, slots=True)
class EntryRules:
    """The settings of one entry; None leaves it to the scan.

    `probability` is in percent, 100 where none is used. `delay`, `sticky` and `cooldown` are in messages. `level` is
    the step of the recursion from which on the entry may fire, 0 for at once. `book_budget` is in tokens, for all
    entries of the same `world`.
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
    """The rules of an entry; a setting that is not of its kind counts as not given."""
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
    """Where the entry says that it stands, in words; "" where it does not say."""
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
    """What decides between entries whose keys fired, and for whom they are."""
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
    """What an entry asks for that this program does not do, in words."""
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
