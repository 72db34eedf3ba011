"""Lorebooks: SillyTavern World Info, Scribe lorebooks, Character Card V3 lorebooks, and the books inside cards.

A single reader serves all of them, because their entries differ only in the names of the keys. Which entries fire is
decided elsewhere: their settings are kept in `LoreEntry.activation` under SillyTavern's names.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.unique_ids import unique_texts
from inspector.model import Lorebook, LoreEntry, Problem, Workspace
from inspector.reading.decode import kind_of
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, as_truth, as_whole, comma_strings, mapping, stem, strings

POSITIONS = (
    "before_char",
    "after_char",
    "note_top",
    "note_bottom",
    "at_depth",
    "examples_top",
    "examples_bottom",
    "outlet",
)
_ROLES = ("system", "user", "assistant")
_KEYS = ("key", "keys", "keywords")
_SECONDARY = ("keysecondary", "secondary_keys")
_TITLES = ("comment", "title", "display_name", "name")
_ORDERS = ("order", "insertion_order")
_NUMBERS = frozenset(
    ("selectiveLogic", "probability", "depth", "groupWeight", "scanDepth", "sticky", "cooldown", "delay", "priority")
)
_TRUTHS = frozenset(
    (
        *("selective", "vectorized", "excludeRecursion", "preventRecursion", "useProbability", "groupOverride"),
        *("caseSensitive", "matchWholeWords", "useGroupScoring", "ignoreBudget", "useRegex", "matchPersonaDescription"),
        *("matchCharacterDescription", "matchCharacterPersonality", "matchCharacterDepthPrompt", "matchScenario"),
    )
)
_TEXTS = frozenset(("group", "automationId", "outletName"))
_OF_THE_BOOK = {
    "scan_depth": "scanDepth",
    "scanDepth": "scanDepth",
    "token_budget": "tokenBudget",
    "recursive_scanning": "recursiveScanning",
}


def sniff(source: FileSource) -> float:
    """Return how likely this is a lorebook: an object with `entries` with keys and content."""
    if source.shape != "json":
        return 0.0
    book = source.sample
    if not isinstance(book, Mapping):
        return 0.0
    if book.get("spec") == "lorebook_v3":
        return 1.0
    if "lorebookVersion" in book or "kind" in book or "spec" in book:
        return 0.0  # NovelAI, Agnai and cards
    return _sureness(book.get("entries"))


def _sureness(entries: Any) -> float:
    if isinstance(entries, Mapping):
        first = next(iter(entries.values()), None)
        if first is None:
            return 0.5
        return 0.95 if isinstance(first, Mapping) and first.keys() & {"uid", "key", "content"} else 0.0
    if isinstance(entries, list):
        first = next((entry for entry in entries if isinstance(entry, Mapping)), {})
        return 0.9 if "content" in first and first.keys() & set(_KEYS) else 0.0
    return 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with a lorebook. Raise UnreadableError if there are no entries at all."""
    value = source.json
    if not isinstance(value, Mapping):
        raise source.unreadable("$", "expected an object with entries")
    inside = isinstance(value.get("data"), Mapping) and "entries" not in value
    book, place = (value["data"], "$.data") if inside else (value, "$")
    if not isinstance(book.get("entries"), Mapping | list):
        raise source.unreadable(f"{place}.entries", "expected an object or a list of lorebook entries")
    problems: list[Problem] = []
    lorebook = read_book(book, place, stem(source.path), source, problems)
    return Workspace(lorebooks=(lorebook,), problems=tuple(problems))


def read_book(book: Mapping[str, Any], place: str, name: str, source: FileSource, problems: list[Problem]) -> Lorebook:
    """Return the lorebook of an object with `entries`; `name` is its id, and its title if it has none.

    Unusable parts are appended to `problems` with their JSON path below `place`.
    """
    common = {ours: book[theirs] for theirs, ours in _OF_THE_BOOK.items() if book.get(theirs) is not None}
    if "tokenBudget" in common:
        common["world"] = name  # says which entries share the budget
    found: list[tuple[str, Mapping[str, Any], str]] = []
    for own_id, entry, where in _entries_of(book.get("entries"), f"{place}.entries"):
        if isinstance(entry, Mapping):
            found.append((own_id, entry, where))
        else:
            problems.append(source.problem(where, f"expected a lorebook entry, found {kind_of(entry)}", "warning"))
    ids = unique_texts(own_id for own_id, _, _ in found)
    entries = tuple(
        _entry(entry, entry_id, common, where, source, problems)
        for entry_id, (_, entry, where) in zip(ids, found, strict=True)
    )
    return Lorebook(id=name, entries=entries, title=as_text(book.get("name")).strip() or name)


def _entries_of(entries: Any, place: str) -> Iterator[tuple[str, Any, str]]:
    """Yield each entry with its own id and its JSON path; an object is keyed by that id."""
    pairs = entries.items() if isinstance(entries, Mapping) else enumerate(entries if isinstance(entries, list) else ())
    for key, entry in pairs:
        fields = mapping(entry)
        own = next((fields[name] for name in ("uid", "id") if isinstance(fields.get(name), int | str)), key)
        yield (
            as_text(own) or as_text(key) or "entry",
            entry,
            f"{place}[{key}]" if isinstance(key, int) else f"{place}.{key}",
        )


def _entry(
    entry: Mapping[str, Any],
    entry_id: str,
    common: Mapping[str, Any],
    place: str,
    source: FileSource,
    problems: list[Problem],
) -> LoreEntry:
    if not isinstance(entry.get("content"), str):
        problems.append(source.problem(f"{place}.content", "expected text", "warning"))
    extensions = mapping(entry.get("extensions"))
    decorators, content = split_decorators(as_text(entry.get("content")))
    settings = {**common, **_settings({**extensions, **entry}, place, source, problems), **_decorated(decorators)}
    position = settings.pop("position", None)
    order = next((number for name in _ORDERS if (number := _number(entry.get(name))) is not None), 100)
    return LoreEntry(
        id=entry_id,
        content=content,
        title=next((text for name in _TITLES if (text := as_text(entry.get(name)).strip())), ""),
        keys=_keys(entry, _KEYS),
        secondary_keys=_keys(entry, _SECONDARY),
        constant=settings.pop("constant", False) or as_truth(entry.get("constant")),
        enabled=not (settings.pop("disable", False) or as_truth(entry.get("disable")))
        and as_truth(entry.get("enabled"), True),
        order=order,
        position=position or _position(extensions.get("position", entry.get("position", 0 if "uid" in entry else ""))),
        activation=settings,
    )


def _keys(entry: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of an entry.

    Very old entries write them as comma-separated text; a regular expression keeps its commas.
    """
    value = next((entry[name] for name in names if entry.get(name)), ())
    if isinstance(value, str) and value.startswith("/"):
        return strings(value)
    return comma_strings(value)


def _position(value: Any) -> str:
    if isinstance(value, str) and not value.isdigit():
        return value
    number = as_number(value)
    return POSITIONS[int(number)] if number is not None and 0 <= number < len(POSITIONS) else ""


def _settings(fields: Mapping[str, Any], place: str, source: FileSource, problems: list[Problem]) -> dict[str, Any]:
    """Return an entry's activation settings under SillyTavern's names; cards write them with underscores."""
    settings: dict[str, Any] = {}
    for written, value in fields.items():
        name = _camel(written)
        if value is None or name not in _READERS:
            continue
        read = _READERS[name](value)
        if read is None:
            problems.append(source.problem(f"{place}.{written}", f"{as_text(value)[:40]} is no {name}", "warning"))
        else:
            settings[name] = read
    return settings


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _number(value: Any) -> float | None:
    """Return a number, whole if possible; a number with more digits than a float has is rounded to a float."""
    number, whole = as_number(value), as_whole(value)
    if whole is not None and whole == float(whole):
        return whole
    return None if number is None else float(number)


def _truth(value: Any) -> bool | None:
    return as_truth(value) if as_truth(value) == as_truth(value, True) else None


def _role(value: Any) -> str | None:
    """Return the role of an entry placed among the messages, as a word."""
    if isinstance(value, str) and value.lower() in _ROLES:
        return value.lower()
    number = as_number(value)
    return _ROLES[int(number)] if number is not None and 0 <= number < len(_ROLES) else None


def _character_filter(value: Any) -> Mapping[str, Any] | None:
    return value if isinstance(value, Mapping) else None


def _delay_until_recursion(value: Any) -> float | bool | None:
    """Return whether an entry may fire during recursion, or from which step on."""
    return value if isinstance(value, bool) else _number(value)


_READERS: Mapping[str, Any] = {
    **dict.fromkeys(_NUMBERS, _number),
    **dict.fromkeys(_TRUTHS, _truth),
    **dict.fromkeys(_TEXTS, as_text),
    "role": _role,
    "triggers": strings,
    "characterFilter": _character_filter,
    "delayUntilRecursion": _delay_until_recursion,
}


def split_decorators(content: str) -> tuple[tuple[str, ...], str]:
    """Return the decorators (`depth 4`) at the start of a Character Card V3 entry, and the content without their lines.

    A fallback (`@@@…`) counts only after a decorator unknown here.
    """
    lines = content.split("\n")
    decorators: list[str] = []
    understood = True
    while lines and lines[0].startswith("@@"):
        line = lines.pop(0)
        if line.startswith("@@@") and understood:
            continue
        decorator = line.lstrip("@").strip()
        understood = decorator.split(" ")[0] in _DECORATORS
        decorators.append(decorator)
    return tuple(decorators), "\n".join(lines) if decorators else content


_DECORATORS: Mapping[str, str] = {
    "depth": "depth",
    "role": "role",
    "scan_depth": "scanDepth",
    "position": "position",
    "probability": "probability",
    "activate": "constant",
    "constant": "constant",
    "dont_activate": "disable",
}


def _decorated(decorators: tuple[str, ...]) -> dict[str, Any]:
    """Return the settings of an entry's decorators; decorators without such a setting are kept as written."""
    settings: dict[str, Any] = {}
    others: list[str] = []
    for decorator in decorators:
        name, _, value = decorator.partition(" ")
        setting = _DECORATORS.get(name)
        if setting is None:
            others.append(decorator)
        elif setting in ("constant", "disable"):
            settings[setting] = True
        else:
            settings[setting] = value if (number := _number(value)) is None else number
        if setting == "depth":
            settings.setdefault("position", "at_depth")
    return {**settings, "decorators": others} if others else settings


FORMAT = Format(
    "world_info",
    "Lorebook (SillyTavern World Info, Scribe, card V3)",
    sniff,
    load,
    "`entries` with keys and content, or `spec: lorebook_v3`",
)
