"""Choices: the selection of a scenario from a workspace, the model table and the policies, with defaults filled in."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from inspector.assembly.collect import Parts
from inspector.assembly.decisions import Finding
from inspector.assembly.finding_kinds import BELONGS_TO_NONE, FIRST_OF_MANY
from inspector.assembly.item_fields import field_value, overridden_item
from inspector.assembly.items import DRAFT
from inspector.assembly.policy import Policy, make_policy
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.score_scales import in_similarities
from inspector.figures import counted
from inspector.model import (
    Attachment,
    Character,
    Conversation,
    MemorySet,
    Message,
    MessageTree,
    Workspace,
    changed,
)
from inspector.model.workspace import OWNED, goes_with
from inspector.nearest import instead
from inspector.tokens.models.table import DEFAULT_MODEL

_FIELD_OF = {"memory set": "memory_sets"}
SHARE_NAMES = ("memory", "history", "reserve", "document", "context")
_OPENED = {
    "lorebooks": "lorebook",
    "passages": "passage",
    "summaries": "past summary",
    "documents": "document",
    "attachments": "attachment",
    "tools": "tool",
}
"""The lists whose items are used once their file is opened by name, with the noun for an item."""


class ScenarioError(ValueError):
    """A scenario names something unknown; the message gives the name and the known ones.

    `field` is the field of the scenario with the name, "" if several are involved.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, eq=False)
class ChosenParts:
    """The conversation and its parts, with the findings about the choice."""

    conversation: Conversation | None
    parts: Parts
    findings: tuple[Finding, ...]


def choose_parts(workspace: Workspace, scenario: Scenario) -> ChosenParts:
    """Return the conversation of a scenario and its parts. Raise ScenarioError for an unknown id."""
    conversation, findings = _conversation(workspace, scenario)
    own = goes_with(workspace, conversation)
    found: dict[str, Any] = {name: tuple(filter(own, getattr(workspace, name))) for name in OWNED}
    character = _character(workspace, found["characters"], scenario, conversation)
    messages = _messages(workspace, conversation, scenario) if conversation else ()
    draft = Message(DRAFT, "user", scenario.draft) if scenario.draft else None
    parts = Parts(
        character=character,
        memory_sets=_memory_sets(workspace, found["memory_sets"], scenario),
        lore=tuple(entry for book in found["lorebooks"] for entry in book.entries),
        passages=found["passages"],
        summaries=found["summaries"],
        documents=found["documents"],
        attachments=found["attachments"],
        skipped=found["skipped"],
        messages=messages,
        draft=draft,
        tools=found["tools"],
        conversation=conversation,
    )
    findings = (*findings, *_left_waiting(workspace, parts)) if conversation else findings
    return ChosenParts(conversation, _overridden(parts, scenario.overrides), findings)


def named_model(scenario: Scenario, chosen: ChosenParts) -> tuple[str, str]:
    """Return the name of the chosen model and its source: "scenario", "conversation", "character", or "" by default."""
    conversation, character = chosen.conversation, chosen.parts.character
    named = (
        (scenario.model, "scenario"),
        (conversation.model if conversation else "", "conversation"),
        (character.preferred_llm.get("model") if character else "", "character"),
        (DEFAULT_MODEL, ""),
    )
    return next((str(name), source) for name, source in named if name)


def choose_policy(
    scenario: Scenario,
    chosen: ChosenParts,
    policies: Mapping[str, type],
    presets: Mapping[tuple[str, str], Preset],
    parameters_for: Callable[[str], Mapping[str, Any]] | None = None,
) -> Policy:
    """Return the policy with its parameters.

    These come from the policy (for the model), the preset, the file and the scenario; later ones win. Raise PolicyError
    `invalid_parameter`, and ScenarioError for an unknown policy or preset.
    """
    name, preset = scenario.policy or DEFAULT_POLICY, scenario.looked_up
    check_policy(name, policies)
    check_preset(name, preset, presets)
    chosen_preset = presets.get((name, preset), Preset())
    kind = chosen_preset.kind(policies[name])
    own = parameters_for(named_model(scenario, chosen)[0]) if parameters_for else {}
    return make_policy(kind, {**own, **given_parameters(scenario, chosen, chosen_preset, kind)})


def check_policy(name: str, policies: Iterable[str]) -> None:
    """Raise ScenarioError for an unknown policy."""
    known = list(policies)
    if name not in known:
        raise ScenarioError(f"{name} is not a policy; {instead(name, known, len(known))}", "policy")


def check_preset(policy: str, preset: str, presets: Iterable[tuple[str, str]]) -> None:
    """Raise ScenarioError for a preset unknown to the policy."""
    known = sorted(name for owner, name in presets if owner == policy) or [DEFAULT_PRESET]
    if preset not in (*known, DEFAULT_PRESET):
        raise ScenarioError(f"{preset} is not a preset of {policy}; {instead(preset, known)}", "preset")


def name_trouble(scenario: Scenario, policies: Iterable[str], presets: Iterable[tuple[str, str]]) -> str:
    """Return why the policy and preset of a scenario cannot be used, "" if they can."""
    name = scenario.policy or DEFAULT_POLICY
    try:
        check_policy(name, policies)
        check_preset(name, scenario.looked_up, presets)
    except ScenarioError as problem:
        return str(problem)
    return ""


def given_parameters(scenario: Scenario, chosen: ChosenParts, preset: Preset, kind: type) -> dict[str, Any]:
    """Return the parameters given to `kind` by the preset, the opened file and the scenario.

    All others keep the defaults of the policy, or its values for the model.
    """
    return {**preset.parameters, **file_parameters(chosen, kind), **scenario.parameters}


def file_parameters(chosen: ChosenParts, kind: type) -> dict[str, Any]:
    """Return the parameters in the opened file that `kind` declares; they take precedence over those of a preset."""
    declared = {field.name for field in fields(kind)}
    return {key: value for key, value in named_parameters(chosen).items() if key in declared}


def named_parameters(chosen: ChosenParts) -> dict[str, Any]:
    """Return the parameters named in the opened file itself, such as Chorus' `budget_ratios`."""
    character, conversation = chosen.parts.character, chosen.conversation
    ratios = character.preferred_llm.get("budget_ratios") if character else None
    named: dict[str, Any] = {}
    if isinstance(ratios, Mapping):
        for share in SHARE_NAMES:
            value = ratios.get(share, ratios.get(f"{share}_share"))
            if isinstance(value, int | float) and not isinstance(value, bool):
                named[f"{share}_share"] = float(value)
    return {**named, **(conversation.parameters if conversation else {})}


def clock(scenario: Scenario) -> float | None:
    """Return the scenario's `now` in seconds since 1970 (UTC unless it names a zone), or None. Raise ScenarioError."""
    if scenario.now is None:
        return None
    try:
        time = datetime.fromisoformat(scenario.now)
    except ValueError:
        expected = "a time such as 2026-01-31T12:00:00Z"
        raise ScenarioError(f"now: {scenario.now!r} is not {expected}", "now") from None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def _conversation(workspace: Workspace, scenario: Scenario) -> tuple[Conversation | None, tuple[Finding, ...]]:
    if scenario.conversation is not None:
        return _named(workspace.conversations, scenario.conversation, "conversation"), ()
    if not workspace.conversations:
        return None, ()
    first = workspace.conversations[0]
    if len(workspace.conversations) == 1:
        return first, ()
    message = f"{len(workspace.conversations):,} conversations are open; {first.title or first.id} is shown."
    return first, (Finding(FIRST_OF_MANY, message),)


def _character(
    workspace: Workspace, found: Sequence[Character], scenario: Scenario, conversation: Conversation | None
) -> Character | None:
    if scenario.character is not None:
        return _named(workspace.characters, scenario.character, "character")
    home = conversation.origin if conversation else None
    own = [character for character in found if character.origin == home] or found
    return own[0] if len(own) == 1 else None


def _memory_sets(workspace: Workspace, own: tuple[MemorySet, ...], scenario: Scenario) -> tuple[MemorySet, ...]:
    """Return the named memory sets, each once, else the conversation's own."""
    for name in scenario.score_scales:
        _named(workspace.memory_sets, name, "memory set", "score_scales")
    if scenario.memory_sets is not None:
        own = tuple(_named(workspace.memory_sets, name, "memory set") for name in dict.fromkeys(scenario.memory_sets))
    return tuple(in_similarities(one, scenario.score_scales) for one in own)


def _left_waiting(workspace: Workspace, parts: Parts) -> Iterator[Finding]:
    """Yield findings for parts that belong to no conversation, and so are not used until they are chosen."""
    used = {memories.id for memories in parts.memory_sets}
    sets = [one for one in workspace.memory_sets if one.conversations == () and one.id not in used]
    if sets:
        yield _not_used([counted(len(sets), "memory set")], len(sets), "tick")
    waiting = {noun: sum(one.conversations == () for one in getattr(workspace, name)) for name, noun in _OPENED.items()}
    if any(waiting.values()):
        listed = [counted(number, noun) for noun, number in waiting.items() if number]
        yield _not_used(listed, sum(waiting.values()), "open by name")


def _not_used(words: Sequence[str], number: int, how: str) -> Finding:
    listed = " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    belongs, are, them = ("belongs", "is", "it") if number == 1 else ("belong", "are", "them")
    verb, _, rest = how.partition(" ")
    said = f"{listed} {belongs} to no open conversation and {are} not used: {f'{verb} {them} {rest}'.strip()}."
    return Finding(BELONGS_TO_NONE, said)


_Named = TypeVar("_Named", Conversation, Character, MemorySet)


def _named(things: Iterable[_Named], name: str, noun: str, field: str = "") -> _Named:
    known = list(things)
    found = next((thing for thing in known if thing.id == name), None)
    if found is None:
        names = [thing.id for thing in known]
        raise ScenarioError(f"{noun} {name!r} is not there; {instead(name, names)}", field or _FIELD_OF.get(noun, noun))
    return found


def _messages(workspace: Workspace, conversation: Conversation, scenario: Scenario) -> tuple[Message, ...]:
    messages = conversation.messages
    if scenario.leaf is not None:
        messages = path_to(conversation.tree or _only_branch(messages), scenario.leaf)
    if scenario.assistant is None or not _speaks(workspace, conversation, scenario.assistant):
        return messages
    return tuple(_as_spoken_to(message, scenario.assistant) for message in messages)


def _speaks(workspace: Workspace, conversation: Conversation, name: str) -> bool:
    """Return whether a conversation has a speaker of this name. Raise ScenarioError if no open conversation has."""
    if any(message.name == name for message in conversation.messages):
        return True
    if any(message.name == name for other in workspace.conversations for message in other.messages):
        return False
    speakers = list(dict.fromkeys(message.name for message in conversation.messages if message.name))
    there = instead(name, speakers, lead="in this conversation speak:")
    raise ScenarioError(f"nobody called {name!r} speaks; {there}", "assistant")


def _as_spoken_to(message: Message, assistant: str) -> Message:
    if message.role not in ("user", "assistant"):
        return message
    role = "assistant" if message.name == assistant else "user"
    return message if role == message.role else changed(message, role=role)


def _only_branch(messages: Sequence[Message]) -> MessageTree:
    """Return the tree of a conversation without branches."""
    names = [message.id for message in messages]
    return MessageTree(tuple(messages), tuple(["", *names][: len(names)]), names[-1] if names else "")


def path_to(tree: MessageTree, leaf: str) -> tuple[Message, ...]:
    """Return the messages from the root to a leaf. Raise ScenarioError for an unknown leaf; a cycle ends the path."""
    messages = {message.id: message for message in tree.messages}
    parents = dict(zip(messages, tree.parents, strict=True))
    if leaf not in messages:
        inner = set(tree.parents)
        ends = [name for name in messages if name not in inner]
        there = instead(leaf, ends, lead="its branches end with:")
        raise ScenarioError(f"leaf {leaf!r} is not a message of this conversation; {there}", "leaf")
    path: dict[str, Message] = {}
    while leaf in messages and leaf not in path:
        path[leaf] = messages[leaf]
        leaf = parents[leaf]
    return tuple(path.values())[::-1]


def _overridden(parts: Parts, overrides: Mapping[str, Mapping[str, Any]]) -> Parts:
    if not overrides:
        return parts

    def overridden(thing: Any, where: str) -> Any:
        name = thing.path if isinstance(thing, Attachment) else thing.id
        values = {**overrides.get(name, {}), **overrides.get(f"{where}/{name}", {})}
        return overridden_item(thing, _as_declared(name, thing, values)) if values else thing

    character = parts.character and overridden(parts.character, "characters")
    if character:
        components = tuple(overridden(component, "components") for component in character.components)
        character = changed(character, components=components)
    return replace(
        parts,
        character=character,
        messages=tuple(overridden(message, "messages") for message in parts.messages),
        memory_sets=tuple(
            changed(memories, memories=tuple(overridden(memory, "memories") for memory in memories.memories))
            for memories in parts.memory_sets
        ),
        lore=tuple(overridden(entry, "lorebooks") for entry in parts.lore),
        passages=tuple(overridden(passage, "passages") for passage in parts.passages),
        summaries=tuple(overridden(summary, "summaries") for summary in parts.summaries),
        documents=tuple(overridden(document, "documents") for document in parts.documents),
        attachments=tuple(overridden(attachment, "attachments") for attachment in parts.attachments),
    )


def _as_declared(item: str, thing: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the values to the types of the fields of a thing. Raise ScenarioError."""
    found = {}
    for name, value in values.items():
        try:
            found[name] = field_value(type(thing), name, value)
        except ValueError as problem:
            raise ScenarioError(f"{item}.{name}: {problem}", "overrides") from None
    return found
