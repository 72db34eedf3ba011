"""The user's own presets: a YAML file of policy → name → preset, read with a problem for each bad preset, and changed.

A preset there has a `title`, a `description`, `parameters`, a `tokenizer` for `auto`, and a `base`: the shipped preset
of the policy on which it is based. Changes are made to the document as written, so a preset invalid here is preserved.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.assembly.policy import PolicyError, by_own_names, make_policy, parameter_troubles, traits_of
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.formats.own_file import OwnFile
from inspector.model import Problem
from inspector.reading.decode import decode, kind_of
from inspector.reading.values import UnreadableError
from inspector.reading.yaml import YamlMapping
from inspector.visible_text import made_visible

Entry = dict[str, Any]
KnownPresets = Mapping[tuple[str, str], Preset]

REFUSED_VALUES = ("invalid_parameter", "shares_do_not_sum")
"""The errors of an assembly about the values of its parameters, which then must not be saved."""
LONGEST_NAME = 60
_HEAD = "# Your own presets, by policy and name; `prompt-inspector presets` lists them.\n"
_BAD_IN_NAMES = re.compile(r"[,/\x00-\x1f\x7f-\x9f\u2028\u2029]|^-")


@dataclass(frozen=True)
class _Written:
    """A preset as stored in the file."""

    title: str = ""
    description: str = ""
    base: str = ""
    tokenizer: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)


def own_presets(
    path: Path, policies: Mapping[str, type], shipped: KnownPresets
) -> tuple[dict[tuple[str, str], Preset], tuple[Problem, ...]]:
    """Return the good presets of the user's own file by (policy, name), and a problem for each bad preset."""
    found: dict[tuple[str, str], Preset] = {}
    problems: list[Problem] = []
    try:
        document, repeated = _file(path).read()
    except UnreadableError as error:
        return found, (error.problem,)
    for place, message in repeated:
        problems.append(Problem(str(path), place, message))
    for policy, name, entry in _entries(document, str(path), policies, problems):
        try:
            found[policy, name], more = _preset(entry, policy, name, str(path), policies[policy], shipped)
            problems.extend(more)
        except UnreadableError as error:
            problems.append(error.problem)
    return found, tuple(problems)


def name_trouble(name: str, policy: str, shipped: KnownPresets) -> str:
    """Return why a preset of a policy cannot have this name, "" if it can."""
    if not name.strip():
        return "A preset needs a name."
    if len(name) > LONGEST_NAME:
        return f"A name has at most {LONGEST_NAME} characters."
    if bad := _BAD_IN_NAMES.search(name):
        what = {",": "no comma", "/": "no slash", "-": "no - at its beginning"}.get(bad[0], "no control characters")
        return f"A name has {what}."
    if made_visible(name) != name:
        return "A name has no characters that cannot be seen."
    words = {
        word.casefold()
        for (owner, known), one in shipped.items()
        if owner == policy and not one.is_own
        for word in (known, one.title)
    }
    if name.strip().casefold() in {*words, DEFAULT_PRESET}:
        return f"{name.strip()} is a preset that comes with the program."
    return ""


def free_preset_name(wanted: str, policy: str, presets: KnownPresets) -> str:
    """Return the name, or the first free one of NAME 2, NAME 3, …"""
    number, name = 1, wanted
    while (policy, name) in presets or name_trouble(name, policy, presets):
        number += 1
        name = f"{wanted} {number}"
    return name


def entry_of(parameters: Mapping[str, Any], policy: str, preset: str, presets: KnownPresets) -> Entry:
    """Return the entry for parameters given under a preset; the caller includes the preset's own parameters."""
    before = presets.get((policy, preset), Preset())
    base = before.base if before.is_own else preset
    stands_on = presets.get((policy, base), Preset())
    if not (stands_on.variant or stands_on.tokenizer or stands_on.tokenizers):
        base, stands_on = "", Preset()
    own_tokenizer = before.tokenizer if before.tokenizer != stands_on.tokenizer else ""
    entry = {"base": base, "tokenizer": own_tokenizer}
    return {**{key: text for key, text in entry.items() if text}, "parameters": _plain(parameters)}


def save_preset(path: Path, policy: str, name: str, entry: Entry, opened: Iterable[str | Path]) -> Any:
    """Write a preset, keeping title and description of a preset it replaces. Return the replaced entry, or None.

    Raise UnreadableError if the file cannot be read completely, since rewriting it would lose content, and OSError.
    """

    def put(document: Entry) -> Any:
        presets = _of_policy(document, policy, path)
        before = _taken_out(presets, name)
        words = {key: before[key] for key in ("title", "description") if isinstance(before, dict) and key in before}
        presets[name] = {**words, **entry}
        return before

    return _file(path).change(put, opened)


def restore_preset(path: Path, policy: str, name: str, entry: Any, opened: Iterable[str | Path]) -> None:
    """Write back an entry returned by `remove_preset`, unless the name is taken. Raise the errors of `save_preset`."""

    def put(document: Entry) -> None:
        presets = _of_policy(document, policy, path)
        if name not in map(str, presets):
            presets[name] = entry

    _file(path).change(put, opened)


def remove_preset(path: Path, policy: str, name: str, opened: Iterable[str | Path]) -> Any:
    """Remove a preset from the file and return its entry, None if there is none. Raise the errors of `save_preset`."""

    def take(document: Entry) -> Any:
        taken = _taken_out(_of_policy(document, policy, path), name)
        if not document[policy]:
            del document[policy]
        return taken

    return _file(path).change(take, opened)


def _file(path: Path) -> OwnFile:
    return OwnFile(path, _HEAD, "presets by policy and name", {}, levels=2, most_bytes=200_000)


def _entries(
    document: Entry, file: str, policies: Mapping[str, type], problems: list[Problem]
) -> Iterator[tuple[str, str, Any]]:
    """Yield each preset as (policy, name, entry); add a problem for an unknown policy or an entry of a wrong type."""
    for policy, presets in document.items():
        if policy not in policies:
            message = f"is not a policy; there are {', '.join(policies)}"
            problems.append(Problem(file, f"$.{policy}", message))
        elif isinstance(presets, dict):
            yield from ((policy, str(name), entry) for name, entry in presets.items())
        elif presets is not None:
            problems.append(Problem(file, f"$.{policy}", f"expected presets by name, found {kind_of(presets)}"))


def _preset(
    entry: Any, policy: str, name: str, file: str, kind: type, shipped: KnownPresets
) -> tuple[Preset, tuple[Problem, ...]]:
    """Return a preset of the file, with problems for its unknown keys. Raise UnreadableError."""
    place = f"$.{policy}.{name}"

    def wrong(message: str, where: str = "") -> UnreadableError:
        return UnreadableError(Problem(file, place + where, message))

    if trouble := name_trouble(name, policy, shipped):
        raise wrong(trouble)
    written, problems = decode(YamlMapping(entry) if isinstance(entry, dict) else entry, _Written, file, place)
    if written.base and written.base != DEFAULT_PRESET and (policy, written.base) not in shipped:
        known = ", ".join(known for owner, known in shipped if owner == policy) or DEFAULT_PRESET
        raise wrong(f"{written.base} is not a shipped preset of {policy}; there are {known}", ".base")
    base = shipped.get((policy, written.base), Preset())
    parameters = {**base.parameters, **written.parameters}
    for steps, trouble in parameter_troubles(base.kind(kind), parameters):
        raise wrong(trouble, ".".join((".parameters", *steps)))
    if trouble := _trouble_together(base.kind(kind), parameters):
        raise wrong(trouble, ".parameters")
    preset = Preset(
        title=written.title or name,
        description=written.description or "Your own preset.",
        parameters=by_own_names(base.kind(kind), parameters),
        variant=base.variant,
        tokenizer=written.tokenizer or base.tokenizer,
        tokenizers={} if written.tokenizer else base.tokenizers,
        base=written.base,
        is_own=True,
    )
    return preset, problems


def _trouble_together(kind: type, parameters: Mapping[str, Any]) -> str:
    """Return why parameters are refused in combination; "" also if this depends on the model, which is unknown here."""
    if traits_of(kind()).parameters_for is None:
        try:
            make_policy(kind, parameters)
        except PolicyError as error:
            return str(error)
    return ""


def _of_policy(document: Entry, policy: str, path: Path) -> Entry:
    """Return the presets of a policy for changing, added to the document. Raise UnreadableError for a wrong type."""
    presets = document.get(policy)
    if presets is not None and not isinstance(presets, dict):
        raise UnreadableError(Problem(str(path), f"$.{policy}", f"expected presets by name, found {kind_of(presets)}"))
    document[policy] = dict(presets or {})
    return document[policy]


def _taken_out(presets: Entry, name: str) -> Any:
    """Remove and return the entry of this name, None if there is none; a name such as 2026 is a number in the file."""
    key = next((key for key in presets if str(key) == name), None)
    return None if key is None else presets.pop(key) or {}


def _plain(value: Any) -> Any:
    """Return a value in the types of YAML."""
    if isinstance(value, Mapping):
        return {str(key): _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list | tuple) else value
