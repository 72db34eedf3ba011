"""The settings tried for a window: a fixed sample, so that every conversation is asked under the same settings.

A policy declares the possible divisions of a window (`Traits.divisions`), or only the limit of a prompt. Four further
choices are varied for every policy alike: the part of the room that a prompt may plan with, the comparison of texts,
the number considered, and the weights.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from math import prod
from typing import Any

import numpy as np

from inspector.assembly.edits import set_parameters, use_policy, without_conversation
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Parameter, PolicyError, make_policy, parameter_values, parameters_of, traits_of
from inspector.assembly.relevance import sides_of
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.shares import SHARES, moved_shares, share_for_tokens
from inspector.model import Conversation, Workspace
from inspector.retrieval.similarity import WAYS

Values = Mapping[str, Any]

PARTS = (0.98, 0.94, 0.9, 0.84, 0.78)
"""The parts of the room that a prompt plans with: policies do not plan for the additions of a chat template."""
CAP_FACTORS = (1, 2, 4)
NO_CAP = 10_000
"""More candidates than any chat has: stands for no cap."""
NEWEST_TOKENS = 200
"""The least room for the newest messages that is tried where a policy limits them in tokens: about an exchange."""
SAMPLE = 96
"""The maximum of settings tried for a policy and window, with a third of that under each further preset."""
_CAPPED = ("memories", "chunks")
_RANKING, _SIMILARITY = "ranking", "similarity_weight"
TRIED_WAYS = tuple(way for way in WAYS if way != "recorded")


def settings_to_try(
    pipeline: Pipeline,
    current: Scenario,
    reply: int,
    policies: Sequence[str] | None = None,
    ways: Sequence[str] = TRIED_WAYS,
) -> list[Scenario]:
    """Return the current setting, which names a window, and others for it, without duplicates and refused settings."""
    window = current.context_window or 0
    found = {_key(current): current}
    for name, kind in pipeline.choices.policies.items():
        if policies is None or name in policies:
            usual = _field(current, "preset") if name == _field(current, "policy") else DEFAULT_PRESET
            for preset in dict.fromkeys((usual, *_presets(pipeline, name))):
                base = replace(use_policy(current, name, preset).scenario, context_window=window)
                most = SAMPLE if preset == usual else SAMPLE // 3
                for setting in (
                    base,
                    *_sampled(pipeline, base, kind, max(0, window - reply), most, ways),
                ):
                    if is_taken(pipeline, setting):
                        found.setdefault(_key(setting), setting)
    return list(found.values())


def asked_scenario(scenario: Scenario, workspace: Workspace) -> Scenario:
    """Return the scenario as the setting of all questions: with the marks of a chat only if it is the only chat."""
    if len(workspace.conversations) > 1:
        return without_conversation(scenario)
    return replace(scenario, conversation=None, query=None)


def in_window(asked: Scenario, window: int) -> Scenario:
    """Return the setting of all questions, with its policy by name and planning with a window of this size."""
    return replace(asked, policy=asked.policy or DEFAULT_POLICY, context_window=window)


def as_setting(scenario: Scenario) -> Scenario:
    """Return a scenario without its window, with policy and preset by their names: equal where two decide alike."""
    policy, preset = scenario.policy or DEFAULT_POLICY, scenario.preset or DEFAULT_PRESET
    return replace(scenario, policy=policy, preset=preset, conversation=None, query=None, context_window=None)


def all_values(pipeline: Pipeline, setting: Scenario) -> dict[str, Any]:
    """Return every parameter of a setting with its value. Raise PolicyError for a refused setting."""
    preset = pipeline.choices.preset(setting)
    kind = preset.kind(pipeline.choices.policies[setting.policy or DEFAULT_POLICY])
    return parameter_values(make_policy(kind, {**preset.parameters, **setting.parameters}))


def distance(pipeline: Pipeline, current: Scenario, setting: Scenario) -> tuple[int, int]:
    """Return the distance of a setting from the current: by policy, preset and comparison, then by parameters."""
    fields = ("policy", "preset", "similarity")
    others = [name for name in fields if _field(setting, name) != _field(current, name)]
    weight = {"policy": 4, "preset": 2, "similarity": 1}
    return sum(weight[name] for name in others), len(changed_parameters(pipeline, current, setting))


def changed_parameters(pipeline: Pipeline, current: Scenario, setting: Scenario) -> list[str]:
    """Return the parameters of a setting whose values differ from the current values.

    For another policy than the current, return those that differ from its shipped values.
    """
    before, after = all_values(pipeline, put_back(current, setting)), all_values(pipeline, setting)
    return [name for name, value in after.items() if name not in before or before[name] != value]


@dataclass(frozen=True, slots=True)
class Difference:
    """A field of a scenario or a parameter, with its current value (None if absent) and that of a setting."""

    name: str
    before: Any
    after: Any


def differences(pipeline: Pipeline, current: Scenario, setting: Scenario) -> tuple[Difference, ...]:
    """Return the differences from the current setting: policy, preset, comparison, then `changed_parameters`.

    The parameters of another policy are compared with its shipped values.
    """
    found = [Difference(name, _field(current, name), _field(setting, name)) for name in ("policy", "preset")]
    found.append(Difference("similarity", current.similarity, setting.similarity))
    names = changed_parameters(pipeline, current, setting)
    before, after = all_values(pipeline, put_back(current, setting)), all_values(pipeline, setting)
    parameters = (Difference(name, before.get(name), after[name]) for name in names)
    return (*(each for each in found if each.before != each.after), *parameters)


def setting_options(pipeline: Pipeline, current: Scenario, setting: Scenario) -> str:
    """Return the options that turn the current setting into this setting; `keep the current setting` if there are
    none.

    Another policy or preset begins with its own values, so that all others have to be named, those of now, too.
    """
    setting = replace(setting, context_window=current.context_window)
    if setting == current:
        return "keep the current setting"
    policy, preset = _field(setting, "policy"), _field(setting, "preset")
    is_named = setting.preset or _field(use_policy(current, policy).scenario, "preset") != preset
    words = [f"--policy {policy}", *([f"--preset {preset}"] if is_named else [])]
    words += [f"--similarity {setting.similarity}"] if setting.similarity != current.similarity else []
    before = all_values(pipeline, use_policy(current, policy, preset).scenario)
    after = all_values(pipeline, setting)
    names = [name for name in dict.fromkeys((*setting.parameters, *after)) if before[name] != after[name]]
    return " ".join([*words, *(f"--set {name}={_option(after[name])}" for name in names)])


def _option(value: Any) -> str:
    """Return a value as a command reads it, without a rounding of numbers."""
    if isinstance(value, float):
        return short if float(short := f"{value:g}") == value else repr(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def with_reply(pipeline: Pipeline, setting: Scenario, reply: int, divided: int | None = None) -> Scenario:
    """Return a setting, which names a window, that keeps this many tokens free for the reply, if its policy declares
    how. Shares that sum to 1 keep their proportions; they divide this many tokens, or the window.
    """
    kind = pipeline.choices.preset(setting).kind(pipeline.choices.policies[setting.policy or DEFAULT_POLICY])
    declared, values = parameters_of(kind), all_values(pipeline, setting)
    shares = {each.name: values[each.name] for each in declared if each.group == SHARES}
    window = max(setting.context_window or 0, reply + 1)
    found: dict[str, Any] = {}
    for each in declared:
        if each.sizes == "reply" and each.unit == "tokens":
            found[each.name] = reply
        elif each.sizes == "reply" and each.name in shares:
            share = share_for_tokens(reply, max(divided or window, reply + 1))
            found |= moved_shares(shares, each.name, share, ()).values
        elif each.sizes == "reply" and each.unit == "share":
            found[each.name] = share_for_tokens(reply, window)
    kept = set_parameters(setting, found).scenario
    return kept if is_taken(pipeline, kept) else setting


def put_back(current: Scenario, setting: Scenario) -> Scenario:
    """Return the setting with the current parameters if it has the current policy, else without parameters."""
    is_same = _field(setting, "policy") == _field(current, "policy")
    if is_same:
        return replace(setting, preset=current.preset, base=current.base, parameters=current.parameters)
    return replace(setting, parameters={})


def _key(setting: Scenario) -> str:
    parameters = sorted(setting.parameters.items())
    return repr((setting.similarity, _field(setting, "policy"), _field(setting, "preset"), parameters))


def _field(setting: Scenario, name: str) -> str:
    """Return the value of a setting under a name, or its default."""
    return getattr(setting, name) or {"policy": DEFAULT_POLICY, "preset": DEFAULT_PRESET}[name]


def _presets(pipeline: Pipeline, policy: str) -> list[str]:
    """Return the presets of a policy that are sets of parameters, not code of another program."""
    named = [preset for (of, preset), held in pipeline.choices.presets.items() if of == policy and not held.variant]
    return list(dict.fromkeys((DEFAULT_PRESET, *named)))


def is_taken(pipeline: Pipeline, setting: Scenario) -> bool:
    """Return whether a policy takes the parameters of a setting."""
    try:
        all_values(pipeline, setting)
    except PolicyError:
        return False
    return True


def _sampled(
    pipeline: Pipeline, base: Scenario, kind: type, room: int, most: int, tried: Sequence[str]
) -> Iterator[Scenario]:
    """Return an even sample of the variations of a policy under a preset, the same in every run."""
    divided = _divided(kind, base.context_window or 0, room)
    axes: list[Sequence[Values]] = [divided] if divided else []
    before = all_values(pipeline, base)
    axes += _caps(parameters_of(kind), before)
    axes += _weights(parameters_of(kind), before)
    ways = [replace(base, similarity=way) for way in tried]
    if not axes:
        yield from ways if _ranks(kind) else ()
        return
    shape = (len(ways), *map(len, axes))
    for place in _spread(shape, most):
        values = [axis[step] for axis, step in zip(axes, place[1:], strict=True)]
        setting = ways[place[0]]
        yield replace(setting, parameters=reduce(lambda all_, some: {**all_, **some}, values, dict(base.parameters)))


def auto_is_own_way(workspace: Workspace, conversations: Container[str]) -> bool:
    """Return whether `auto` may compare otherwise than `fused` in these conversations of a workspace.

    It does where a file recorded similarities, or a chat has an assistant with long replies.
    """
    asked = (chat for chat in workspace.conversations if chat.id in conversations)
    return _has_recorded(workspace) or any(map(_has_assistant, asked))


def _has_recorded(workspace: Workspace) -> bool:
    """Return whether a file recorded the similarity of anything."""
    memories = (memory.similarity for stored in workspace.memory_sets for memory in stored.memories)
    entries = (entry.score for book in workspace.lorebooks for entry in book.entries)
    others = (*(each.similarity for each in workspace.summaries), *(each.score for each in workspace.passages))
    return any(value is not None for value in (*memories, *entries, *others))


def _has_assistant(conversation: Conversation) -> bool:
    texts = [message.content for message in conversation.messages]
    return sides_of(conversation.messages, texts).assistance > 0


def _ranks(kind: type) -> bool:
    """Return whether a policy without anything to divide compares messages, or says by which signals it ranks."""
    traits = traits_of(kind())
    return traits.compares_messages or traits.signals is not None


@dataclass(frozen=True, slots=True)
class PlannedPart:
    """The part of the room that a setting plans with, and its place among the divisions of that part."""

    part: float
    place: int


def planned_part(pipeline: Pipeline, setting: Scenario, reply: int) -> PlannedPart | None:
    """Return the part of the room that a tried setting plans with; None for one with other limits than those tried."""
    kind, window = pipeline.choices.policies[_field(setting, "policy")], setting.context_window or 0
    for part in PARTS:
        for place, values in enumerate(_divisions_of(kind, window, max(0, window - reply), part)):
            if values and values.items() <= setting.parameters.items():
                return PlannedPart(part, place)
    return None


def with_part(pipeline: Pipeline, setting: Scenario, reply: int, part: float) -> Scenario | None:
    """Return a tried setting that plans with another part of the room; None if its policy refuses it."""
    planned = planned_part(pipeline, setting, reply)
    kind, window = pipeline.choices.policies[_field(setting, "policy")], setting.context_window or 0
    found = _divisions_of(kind, window, max(0, window - reply), part)
    if planned is None or planned.place >= len(found):
        return None
    moved = replace(setting, parameters={**setting.parameters, **found[planned.place]})
    return moved if is_taken(pipeline, moved) else None


def family_name(pipeline: Pipeline, setting: Scenario, reply: int) -> str:
    """Return a name shared by the tried settings that differ only in the part of the room that they plan with."""
    return repr(with_part(pipeline, setting, reply, PARTS[0]) or setting)


def neighbours(pipeline: Pipeline, setting: Scenario, reply: int, ways: Sequence[str]) -> Iterator[Scenario]:
    """Yield the settings that differ from a tried one in one choice: way of comparing, cap, weights, or division."""
    kind, window = pipeline.choices.policies[_field(setting, "policy")], setting.context_window or 0
    planned = planned_part(pipeline, setting, reply)
    if planned is None:
        return
    yield from (replace(setting, similarity=way) for way in ways if way != setting.similarity)
    declared, shipped = parameters_of(kind), all_values(pipeline, replace(setting, parameters={}))
    changes = [values for axis in (*_caps(declared, shipped), *_weights(declared, shipped)) for values in axis]
    room = max(0, window - reply)
    to_try = _divided(kind, window, room)
    changes += [values for values in _divisions_of(kind, window, room, planned.part) if values in to_try]
    for values in changes:
        moved = replace(setting, parameters={**setting.parameters, **values})
        if moved != setting and is_taken(pipeline, moved):
            yield moved


def _divided(kind: type, window: int, room: int) -> list[Values]:
    """Return the divisions to try: those with room for an exchange, unless none has it."""
    limits = [each.name for each in parameters_of(kind) if each.sizes == "history" and each.unit == "tokens"]
    found = [values for part in PARTS for values in _divisions_of(kind, window, room, part)]
    kept = [values for values in found if all(values.get(name, NEWEST_TOKENS) >= NEWEST_TOKENS for name in limits)]
    return kept or found


def _divisions_of(kind: type, window: int, room: int, part: float) -> list[Values]:
    """Return the divisions of a window for prompts that plan with a part of the room."""
    divisions = traits_of(kind()).divisions
    if divisions is None:
        by_size = {each.name: each.sizes for each in parameters_of(kind) if each.unit == "tokens"}
        limits = [name for name, size in by_size.items() if size == "prompt"]
        kept = dict.fromkeys((name for name, size in by_size.items() if size == "reply"), window - room)
        return [{**dict.fromkeys(limits, max(1, int(room * part))), **kept}] if limits else []
    return list(divisions(window, int(room * part)))


def _caps(parameters: Iterable[Parameter], before: Values) -> list[Sequence[Values]]:
    """Return for each cap on considered candidates its value, multiples of it, and no cap."""
    caps = [each.name for each in parameters if each.unit in _CAPPED and isinstance(each.default, int)]
    return [[{name: before[name] * factor} for factor in CAP_FACTORS] + [{name: NO_CAP}] for name in caps]


def _weights(parameters: Iterable[Parameter], before: Values) -> list[Sequence[Values]]:
    """Return the weights of a ranking as they are, and similarity alone."""
    weights = [each.name for each in parameters if each.group == _RANKING]
    if _SIMILARITY not in weights:
        return []
    alone = {name: float(name == _SIMILARITY) for name in weights}
    return [[{name: before[name] for name in weights}, alone]]


def _spread(shape: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield places in a grid, evenly: all of them, or the first `most` of an additive recurrence (Roberts' R
    sequence).
    """
    if prod(shape) <= most:
        yield from product(*map(range, shape))
        return
    root = 2.0
    for _ in range(64):  # the one positive solution of x^(d + 1) = x + 1, by iteration
        root = (1 + root) ** (1 / (len(shape) + 1))
    steps = root ** -np.arange(1, len(shape) + 1)
    points = (0.5 + np.arange(1, most + 1)[:, None] * steps) % 1
    yield from dict.fromkeys(tuple(place) for place in (points * shape).astype(int).tolist())
