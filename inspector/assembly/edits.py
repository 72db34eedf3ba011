"""Edits: every operation on a scenario, for the window, the command line and the analyses alike.

Each returns the scenario afterwards, and its label for undo and history. Naming a choice already in use changes
nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspector.assembly.message_class import MessageClass, class_words, overridden_class
from inspector.assembly.remembered import (
    NO_CHATS,
    NOTHING,
    OF_A_CONVERSATION,
    OF_ITS_MESSAGES,
    Remembered,
    RememberedChats,
    last_preset,
    left_as,
)
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.model import ScoreScale, Workspace
from inspector.retrieval.lore.settings import LoreSettings
from inspector.retrieval.relevance.settings import RelevanceSettings

SCENARIO_KEYS = ("context_window", "policy", "preset", "tokenizer", "model", "at")
"""The fields of a scenario that can be varied by name, besides the parameters of its policy."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A scenario after a change, with the label of the change."""

    label: str
    scenario: Scenario


def use_policy(scenario: Scenario, policy: str, preset: str | None = None, remembered: Remembered = NOTHING) -> Edit:
    """Decide by a policy under a preset; None keeps the preset in use with the same policy, else takes the last used.

    Another policy or preset starts from the parameters remembered for it, else from its own values.
    """
    in_use = policy == (scenario.policy or DEFAULT_POLICY)
    label = f"Use {policy}" if preset is None else f"Use {policy}, {preset}"
    if in_use and (preset is None or preset == (scenario.preset or DEFAULT_PRESET)):
        return Edit(label, scenario)
    preset = preset or last_preset(remembered, policy) or DEFAULT_PRESET
    named = None if preset == DEFAULT_PRESET else preset
    parameters = dict(remembered.get(policy, {}).get(preset, {}))
    policy_named = scenario.policy if in_use else policy
    return Edit(
        label, replace(scenario, policy=policy_named, preset=named, parameters=parameters, base=None, given=None)
    )


def use_saved_preset(scenario: Scenario, preset: str, kept: Mapping[str, Any]) -> Edit:
    """Decide under the preset just saved from the current values, keeping parameters it cannot hold."""
    return Edit(f"Save preset {preset}", replace(scenario, preset=preset, parameters=dict(kept), base=None, given=None))


def leave_preset(scenario: Scenario, base: str, parameters: Mapping[str, Any], tokenizer: str) -> Edit:
    """Decide under the `base` of a removed preset ("" for the usual one), with the same values."""
    named = None if base in ("", DEFAULT_PRESET) else base
    values = {"preset": named, "parameters": dict(parameters), "tokenizer": tokenizer, "base": None, "given": None}
    return Edit(f"Remove preset {scenario.preset}", replace(scenario, **values))


def set_parameters(scenario: Scenario, values: Mapping[str, Any], label: str = "") -> Edit:
    """Set parameters of the policy to these values."""
    label = label or f"Change {', '.join(name.replace('_', ' ') for name in values)}"
    return Edit(label, replace(scenario, parameters={**scenario.parameters, **values}))


def reset_parameters(scenario: Scenario) -> Edit:
    """Reset every parameter to the value of the preset."""
    return Edit("Reset settings", replace(scenario, parameters={}) if scenario.parameters else scenario)


def set_value(scenario: Scenario, key: str, value: Any) -> Edit:
    """Set a parameter of the policy, or one of `SCENARIO_KEYS`."""
    if key == "policy":
        return use_policy(scenario, value)
    if key == "preset":
        return use_policy(scenario, scenario.policy or DEFAULT_POLICY, value)
    if key in SCENARIO_KEYS:
        written = f"{value:,}" if isinstance(value, int) else value
        changes = {key: value, **({"model_row": None} if key == "model" else {})}
        return Edit(f"{key.replace('_', ' ').capitalize()} {written}", replace(scenario, **changes))
    return set_parameters(scenario, {key: value})


def toggle_pins(scenario: Scenario, ids: Sequence[str], called: str = "") -> Edit:
    """Pin these items, or unpin them if all of them are pinned. A single one may be `called` by its number."""
    return _toggled(scenario, ids, "pinned", "excluded", ("Pin", "Unpin"), called)


def toggle_exclusions(scenario: Scenario, ids: Sequence[str], by_file: Collection[str] = (), called: str = "") -> Edit:
    """Exclude these items, or include them if all are excluded, by the scenario or, those `by_file`, by their file.

    A single one may be `called` by its number.
    """
    edit = _toggled(scenario, ids, "excluded", "pinned", ("Leave out", "Take in"), called)
    own, of_file = {*scenario.excluded}, {*by_file}
    if not of_file.intersection(ids) or not all(name in own or name in of_file for name in ids):
        return edit
    included = replace(scenario, excluded=tuple(name for name in scenario.excluded if name not in ids))
    taken_in = override(included, ((name, "excluded", False) for name in ids if name in of_file))
    return Edit(f"Take in {_items(ids, called)}", taken_in.scenario)


def clear_marks(scenario: Scenario) -> Edit:
    """Pin and exclude nothing."""
    return Edit("Clear pins and items left out", replace(scenario, pinned=(), excluded=()))


def set_class(scenario: Scenario, ids: Sequence[str], chosen: MessageClass | None) -> Edit:
    """Assign a class to these messages; None returns them to the class given by the file or the rules."""
    label = "Class by file and rules" if chosen is None else f"Class {class_words(chosen)}"
    return Edit(label, replace(scenario, overrides=overridden_class(scenario.overrides, ids, chosen)))


def override(scenario: Scenario, values: Iterable[tuple[str, str, Any]]) -> Edit:
    """Override fields of items as if their file had these values: (item, field, value)."""
    values = tuple(values)
    if not values:
        return Edit("Change items", scenario)
    overrides = {item: dict(fields) for item, fields in scenario.overrides.items()}
    for item, name, value in values:
        overrides.setdefault(item, {})[name] = value
    return Edit("Change items", replace(scenario, overrides=overrides))


def go_to_turn(scenario: Scenario, at: int | None) -> Edit:
    """Replay the turn after the first `at` messages, with the items of that time; None is now, with all items."""
    return Edit("Last turn" if at is None else f"Turn {at:,}", replace(scenario, at=at, as_of=at is not None))


def first_conversation(workspace: Workspace) -> str | None:
    """Return the id of the conversation shown by default, None if there is none."""
    return workspace.conversations[0].id if workspace.conversations else None


def choose_conversation(
    scenario: Scenario, workspace: Workspace, name: str, remembered: RememberedChats = NO_CHATS
) -> Edit:
    """Show another conversation, as last left if that is remembered, else with the parts of its own file."""
    if name == (scenario.conversation or first_conversation(workspace)):
        return Edit("Choose conversation", scenario)
    return Edit("Choose conversation", replace(scenario, **left_as(remembered, name)))


def choose_request(
    scenario: Scenario, workspace: Workspace, name: str, at: int | None, remembered: RememberedChats = NO_CHATS
) -> Edit:
    """Show a recorded request: its conversation, before the answer, which begins after `at` messages (None: none)."""
    shown = choose_conversation(scenario, workspace, name, remembered).scenario
    return Edit("Choose request", replace(shown, conversation=name, at=at, as_of=at is not None))


def choose_leaf(
    scenario: Scenario, workspace: Workspace, of: str, leaf: str, remembered: RememberedChats = NO_CHATS
) -> Edit:
    """Show another branch `of` a conversation, otherwise unchanged or as last left; at its last turn.

    Branches share messages, so marks and changes of messages stay, also those of messages on other branches.
    """
    shown = choose_conversation(scenario, workspace, of, remembered).scenario
    if leaf == (shown.leaf or _usual_leaf(workspace, of)):
        return Edit("Choose branch", shown)
    return Edit("Choose branch", replace(shown, conversation=of, leaf=leaf, at=None, as_of=False))


def _usual_leaf(workspace: Workspace, name: str) -> str | None:
    """Return the last message of the default branch of a conversation."""
    messages = next((chat.messages for chat in workspace.conversations if chat.id == name), ())
    return messages[-1].id if messages else None


def choose_assistant(
    scenario: Scenario, workspace: Workspace, of: str, name: str | None, remembered: RememberedChats = NO_CHATS
) -> Edit:
    """Take a speaker `of` a conversation for the assistant; None leaves it to the file."""
    shown = choose_conversation(scenario, workspace, of, remembered).scenario
    return Edit("Choose assistant", replace(shown, assistant=name))


def choose_character(scenario: Scenario, name: str | None) -> Edit:
    """Assemble with another character."""
    return Edit("Choose character", replace(scenario, character=name))


def choose_memory_sets(scenario: Scenario, names: Sequence[str]) -> Edit:
    """Assemble with these memory sets."""
    return Edit("Choose memory sets", replace(scenario, memory_sets=tuple(names)))


def choose_score_scale(scenario: Scenario, memory_set: str, scale: ScoreScale | None) -> Edit:
    """Read the recorded scores of a memory set on this scale; None for that of the set itself."""
    others = {name: other for name, other in scenario.score_scales.items() if name != memory_set}
    scales = others if scale is None else {**others, memory_set: scale}
    return Edit("Choose a scale of scores", replace(scenario, score_scales=scales))


def use_added(scenario: Scenario, before: Workspace, after: Workspace) -> Edit:
    """Show the first conversation added to a workspace; if there is none, use the added memories and character."""
    chats, sets, people = (
        _added(getattr(before, name), getattr(after, name)) for name in ("conversations", "memory_sets", "characters")
    )
    label = "Use the added files"
    if chats:
        return Edit(label, choose_conversation(scenario, after, chats[0]).scenario)
    changes: dict[str, Any] = {"character": people[0]} if people else {}
    if sets and scenario.memory_sets is not None:
        changes["memory_sets"] = (*scenario.memory_sets, *sets)
    return Edit(label, replace(scenario, **changes))


def leave_out(scenario: Scenario, shown: str, workspace: Workspace, label: str) -> Edit:
    """Remove references to missing parts of the workspace; `shown` was the conversation shown, possibly gone.

    The result is a new object even if it is equal.
    """
    there = {name: {thing.id for thing in getattr(workspace, name)} for name in ("characters", "memory_sets")}
    changes: dict[str, Any] = {}
    if scenario.character not in there["characters"]:
        changes["character"] = None
    if scenario.memory_sets is not None:
        changes["memory_sets"] = tuple(name for name in scenario.memory_sets if name in there["memory_sets"])
    if scenario.score_scales:
        of_sets = scenario.score_scales.items()
        changes["score_scales"] = {name: scale for name, scale in of_sets if name in there["memory_sets"]}
    if shown not in {chat.id for chat in workspace.conversations}:
        changes |= {"conversation": None, "memory_sets": None, "draft": None, **OF_ITS_MESSAGES}
    return Edit(label, replace(scenario, **changes))


def _added(before: Iterable[Any], after: Iterable[Any]) -> list[str]:
    known = {thing.id for thing in before}
    return [thing.id for thing in after if thing.id not in known and not _waits(thing)]


def _waits(thing: Any) -> bool:
    """Return whether a thing belongs to no conversation until it is chosen."""
    return getattr(thing, "conversations", None) == ()


def use_model(scenario: Scenario, name: str | None) -> Edit:
    """Plan for a model, or for the model named in the file. A given window stays."""
    label = f"Use {name}" if name else "Use the file's model"
    return Edit(label, replace(scenario, model=name, model_row=None))


def use_window(scenario: Scenario, tokens: int | None) -> Edit:
    """Plan with a context window of this many tokens; None is the window of the model."""
    label = "Window of the model" if tokens is None else f"Context window {tokens:,}"
    return Edit(label, replace(scenario, context_window=tokens))


def use_served_model(scenario: Scenario, served: str, known: str | None, tokens: int) -> Edit:
    """Plan with the window of a server's model, and with the model itself if the model table has it."""
    return Edit(f"Window of {served}", _served(scenario, known, tokens))


def _served(scenario: Scenario, known: str | None, tokens: int) -> Scenario:
    served = replace(scenario, context_window=tokens)
    return replace(served, model=known, model_row=None) if known else served


def use_tokenizer(scenario: Scenario, name: str) -> Edit:
    """Count with a tokenizer."""
    return Edit(f"Count with {name}", replace(scenario, tokenizer=name))


def set_draft(scenario: Scenario, text: str) -> Edit:
    """Write the next message."""
    return Edit("Write the next message", replace(scenario, draft=text or None))


def set_query(scenario: Scenario, text: str | None) -> Edit:
    """Rank for this text; None is the newest user message."""
    return Edit(f"Query “{text[:40]}”" if text else "Query of the newest message", replace(scenario, query=text))


def compare_by(scenario: Scenario, way: str) -> Edit:
    """Compare texts with the query in another way."""
    return Edit(f"Compare by {way}", replace(scenario, similarity=way))


def use_embedding(scenario: Scenario, name: str) -> Edit:
    """Make vectors with a model."""
    return Edit(f"Embed with {name}", replace(scenario, embedding=name))


def weigh_relevance(scenario: Scenario, settings: RelevanceSettings, label: str = "Weigh similarity") -> Edit:
    """Fuse similarities of other parts."""
    return Edit(label, replace(scenario, relevance=settings))


def classify_by(scenario: Scenario, rules: str | None) -> Edit:
    """Classify messages without marks in the file by rules; None classifies no others."""
    label = "Messages as the file marks them" if rules is None else f"Classify messages by {rules}"
    return Edit(label, replace(scenario, classify=rules))


def use_summaries(scenario: Scenario, method: str | None) -> Edit:
    """Summarize by this method messages without a summary in the file; None computes none."""
    return Edit("Choose how to summarize", replace(scenario, summaries=method))


def set_summary_tokens(scenario: Scenario, tokens: int) -> Edit:
    """Set the approximate length of computed summaries."""
    return Edit("Change the length of summaries", replace(scenario, summary_tokens=tokens))


def send_thoughts(scenario: Scenario, which: str) -> Edit:
    """Send these thoughts of the model back to it: auto, loop, all or none."""
    return Edit("Choose the thoughts sent back", replace(scenario, thoughts=which))


def switch_thinking(scenario: Scenario, thinking: bool | None) -> Edit:
    """Switch thinking of the chat template on or off; None leaves it to the template."""
    return Edit("Switch thinking", replace(scenario, thinking=thinking))


def choose_server(scenario: Scenario, server: str) -> Edit:
    """Send the prompt to this server, or to none; its context is its usual one."""
    return Edit("Choose the server", replace(scenario, server=server, server_context=None))


def set_server_context(scenario: Scenario, tokens: int | None) -> Edit:
    """Run the server with a context of so many tokens; None for its usual one."""
    return Edit("Change the context of the server", replace(scenario, server_context=tokens))


def scan_lore(scenario: Scenario, settings: LoreSettings) -> Edit:
    """Scan the lorebooks in another way."""
    return Edit("Change how lore is scanned", replace(scenario, lore=settings))


def use_setting(scenario: Scenario, setting: Scenario) -> Edit:
    """Decide by the policy, parameters, comparison and window of another scenario, about the same things."""
    fields = ("policy", "preset", "base", "given", "parameters", "similarity", "relevance", "context_window")
    window = "" if setting.context_window is None else f" for {setting.context_window:,} tokens"
    changes = {name: getattr(setting, name) for name in fields}
    return Edit(f"Use {setting.policy or DEFAULT_POLICY}{window}", replace(scenario, **changes))


def without_conversation(scenario: Scenario) -> Scenario:
    """Return the scenario as a setting for any conversation, without the chosen one and its own choices."""
    return replace(scenario, **OF_A_CONVERSATION)


def take_over(scenario: Scenario, other: Scenario, label: str) -> Edit:
    """Replace this scenario by another."""
    return Edit(label, other if other != scenario else scenario)


def _toggled(
    scenario: Scenario, ids: Sequence[str], field: str, other: str, words: tuple[str, str], called: str
) -> Edit:
    marked, unmarked = getattr(scenario, field), getattr(scenario, other)
    all_marked = all(name in marked for name in ids)
    kept = tuple(name for name in marked if name not in ids)
    changes = {
        field: kept if all_marked else (*kept, *ids),
        other: tuple(name for name in unmarked if name not in ids),
    }
    return Edit(f"{words[all_marked]} {_items(ids, called)}", replace(scenario, **changes) if ids else scenario)


def _items(ids: Sequence[str], called: str) -> str:
    return (called or ids[0]) if len(ids) == 1 else f"{len(ids):,} items"
