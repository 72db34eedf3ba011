"""Characters of WhisperEngine's second version: a folder with `character.md`, the prompt, and YAML files beside it.

Each file is read by itself. Background facts are retrieved separately, so they are memories; stages and traits depend
on the trust in a user, so those for an unknown user are switched on.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.unique_ids import unique_texts
from inspector.formats.whisperengine.sections import section_text
from inspector.model import Character, Component, Memory, MemorySet, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, items_of, mapping, objects, stem, strings

_PLACEHOLDERS = ("{user_name}", "{current_datetime}")
_NAMED = re.compile(r"You are ((?:[A-Z][\w'’-]*)(?: [A-Z][\w'’-]*){0,3})")
_TRUST = 0  # of an unknown user
_BINARY = ("png", "zip", "sqlite", "parquet", "binary", "empty")
_UNUSED = {"facts": ("posting",), "evolution_stages": ("milestones", "trust_drop_messages", "moods")}


def sniff(source: FileSource) -> float:
    """Return how likely this is a file of a character's folder."""
    if source.shape == "yaml":
        return 0.92 if _kind(source.sample) else 0.0
    is_prompt = source.shape == "text" and all(mark in source.text for mark in _PLACEHOLDERS)
    return 0.92 if is_prompt and _NAMED.search(source.text) else 0.0


def _kind(value: Any) -> str:
    """Return the key that identifies this file of the folder, "" for other files."""
    fields = mapping(value)
    return next((key for key, (fits, _) in _KINDS.items() if fits(fields.get(key), fields)), "")


def load(source: FileSource) -> Workspace:
    """Return the file's part of the character. Raise UnreadableError if it is no file of the folder."""
    if source.shape in _BINARY:
        raise source.unreadable("", "expected the text or YAML of a character of WhisperEngine")
    if source.shape == "text":
        return Workspace(characters=(_prompt(source),))
    value = source.json if source.shape in ("json", "json_lines") else source.yaml
    kind = _kind(value)
    if not kind:
        expected = ", ".join(_KINDS)
        raise source.unreadable("$", f"expected a YAML file of a character of WhisperEngine, with one of {expected}")
    found = _KINDS[kind][1](value, source)
    unused = [key for key in _UNUSED.get(kind, ()) if key in value]
    if not unused:
        return found
    remark = source.problem("$", f"{', '.join(unused)}: their use by the application during a chat is not read", "info")
    return changed(found, problems=(*found.problems, remark))


def _prompt(source: FileSource) -> Character:
    named = _NAMED.search(source.text)
    name = named[1] if named else stem(source.path)
    return Character(name, name, system_prompt=source.text.strip())


def _facts(value: Mapping[str, Any], source: FileSource) -> Workspace:
    memories: list[Memory] = []
    problems = []
    for number, fact in enumerate(items_of(value["facts"])):
        parts = [as_text(mapping(fact).get(key)).strip() for key in ("predicate", "object")]
        if all(parts):
            text = f"{parts[0].replace('_', ' ').lower()}: {parts[1]}"
            memories.append(Memory(f"fact{number}", text, type="fact", category=parts[0].lower()))
        else:
            problems.append(
                source.problem(f"$.facts[{number}]", "expected a fact with predicate and object", "warning")
            )
    name = stem(source.path)
    return Workspace(memory_sets=(MemorySet(name, tuple(memories), f"Facts of {name}"),), problems=tuple(problems))


def _stages(value: Mapping[str, Any], source: FileSource) -> Workspace:
    """Return a component for each stage and trait; those beyond the current trust are switched off."""
    found: list[Component] = []
    for stage in objects(value["evolution_stages"]):
        least, most = (*(as_number(one) for one in items_of(stage.get("trust_range"))), None, None)[:2]
        here = (least is None or least <= _TRUST) and (most is None or most >= _TRUST)
        found.append(_component(stage, "stage", as_text(stage.get("behavior")), here))
    for trait in objects(value.get("traits")):
        needed = as_number(trait.get("unlock_at"))
        found.append(_component(trait, "trait", as_text(trait.get("description")), needed is None or needed <= _TRUST))
    return _character(as_text(value.get("character_name")).strip(), found, source)


def _component(fields: Mapping[str, Any], kind: str, text: str, here: bool) -> Component:
    return Component(f"{kind} {as_text(fields.get('name'))}".strip(), kind, text.strip(), 0, condition=here)


def _core(value: Mapping[str, Any], source: FileSource) -> Workspace:
    sections = ((as_text(key), section_text({key: inner})) for key, inner in value.items() if key != "timezone")
    found = [Component(key, key, text, 0) for key, text in sections if text]
    return _character("", found, source)


def _goals(value: Mapping[str, Any], source: FileSource) -> Workspace:
    goals = objects(value["goals"])
    lines = (f"- {as_text(goal['description'])}" for goal in goals if goal.get("description"))
    return _character("", [Component("goals", "goals", "\n".join(("goals:", *lines)), 0)], source)


def _character(name: str, found: list[Component], source: FileSource) -> Workspace:
    ids = unique_texts(one.id for one in found)
    pieces = (changed(one, id=id_, priority=n) for n, (one, id_) in enumerate(zip(found, ids, strict=True), 1))
    name = name or stem(source.path)
    return Workspace(characters=(Character(name, name, components=tuple(pieces)),))


def _have(*keys: str) -> Callable[[Any, Mapping[str, Any]], bool]:
    """Return a function that tests whether the first items of a list have these keys."""
    return lambda listed, _: bool(objects(listed)) and all(set(keys) <= one.keys() for one in objects(listed)[:5])


_KINDS: Mapping[
    str, tuple[Callable[[Any, Mapping[str, Any]], bool], Callable[[Mapping[str, Any], FileSource], Workspace]]
] = {
    "evolution_stages": (_have("name", "trust_range"), _stages),
    "facts": (_have("predicate", "object"), _facts),
    "constitution": (lambda rules, fields: bool(strings(rules)) and bool(fields.keys() & {"drives", "purpose"}), _core),
    "goals": (_have("slug", "description"), _goals),
}


FORMAT = Format(
    "whisperengine_character",
    "WhisperEngine character folder file",
    sniff,
    load,
    "a text with WhisperEngine's placeholders, or the keys of a background, evolution or goals",
)
