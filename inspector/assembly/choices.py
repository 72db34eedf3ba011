"""Choices: what a scenario picks from a workspace, from the model table and from the policies, defaults filled in."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.collect import Parts
from inspector.assembly.decisions import Finding
from inspector.assembly.finding_kinds import (
    BELONGS_TO_NONE,
    FIRST_OF_MANY,
    MODEL_BY_PREFIX,
    MODEL_UNKNOWN,
    SETTINGS_FROM_FILE,
)
from inspector.assembly.item_fields import field_value
from inspector.assembly.items import DRAFT
from inspector.assembly.policy import Policy, make_policy
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_MODEL, DEFAULT_POLICY, DEFAULT_PRESET, Scenario
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
from inspector.model.belonging import OWNED, goes_with
from inspector.reading.values import as_whole
from inspector.tokens.chat.format import ChatFormat
from inspector.tokens.chat.formats import chat_format_for
from inspector.tokens.choice import NO_TOKENIZERS, TokenizerChoice, choose_tokenizer
from inspector.tokens.models.row import ModelRow
from inspector.tokens.models.table import ModelMatch, ModelTable
from inspector.tokens.tokenizer import MakeTokenizer

WINDOW_OF_UNKNOWN_MODELS = 8192
SHARE_NAMES = ("memory", "history", "reserve", "document", "context")
_OPENED = {
    "lorebooks": "lorebook",
    "passages": "passage",
    "summaries": "past summary",
    "documents": "document",
    "attachments": "attachment",
    "tools": "tool",
}
"""What is used once its file is opened by name, and what one of it is called."""


class ScenarioError(ValueError):
    """A scenario asks for something that is not there; the message names it and what there is."""


@dataclass(frozen=True, eq=False)
class ChosenParts:
    """The conversation and what goes with it, and what is to be said about the choice."""

    conversation: Conversation | None
    parts: Parts
    findings: tuple[Finding, ...]


@dataclass(frozen=True, eq=False)
class ChosenModel:
    """The model, its window and how its tokens are counted. `row` is None for a model that the table does not know."""

    name: str
    row: ModelRow | None
    window: ContextWindow
    tokenizer: TokenizerChoice
    chat_format: ChatFormat
    named_by: str
    findings: tuple[Finding, ...]


def choose_parts(workspace: Workspace, scenario: Scenario) -> ChosenParts:
    """The conversation of a scenario with everything that goes with it. Raises ScenarioError for an unknown id."""
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


def choose_model(
    scenario: Scenario,
    chosen: ChosenParts,
    preset: Preset,
    models: ModelTable,
    default_window: int | None = None,
    tokenizers: Mapping[str, MakeTokenizer] = NO_TOKENIZERS,
) -> ChosenModel:
    """The model that the scenario names, else the opened file, else gpt-4o; its window, tokenizer and chat format.

    A GGUF file or a folder that the tokenizer is from tells the window too. `preset` may say which tokenizer `auto` is;
    `default_window` stands in for the window of gpt-4o where nobody names a model or a window.
    """
    conversation, character = chosen.conversation, chosen.parts.character
    preferred = character.preferred_llm if character else {}
    name, named_by = _named_model(scenario, chosen)
    match = _model_match(name, scenario.model_row, models)
    findings = []
    if match.row is None:
        findings.append(Finding(MODEL_UNKNOWN, f"The model table does not know {name}."))
    elif match.how == "prefix":
        findings.append(
            Finding(MODEL_BY_PREFIX, f"{name} is not in the model table; {match.row.name} stands in for it.")
        )
    if named_by in ("conversation", "character") and match.row is not None:
        findings.append(Finding(SETTINGS_FROM_FILE, f"The opened {named_by} names the model {name}."))
    requested = preset.tokenizer_for(name) if scenario.tokenizer == "auto" else scenario.tokenizer
    tokenizer = choose_tokenizer(requested, match.row, tokenizers)
    windows = (
        scenario.context_window,
        conversation.context_window if conversation else None,
        as_whole(preferred.get("context_window")),
        _own_window(tokenizer),
        None if named_by else default_window,
        match.row.context_window if match.row else WINDOW_OF_UNKNOWN_MODELS,
    )
    window = next(int(size) for size in windows if size is not None)
    if scenario.context_window is None and windows[1:3] != (None, None):
        findings.append(Finding(SETTINGS_FROM_FILE, f"The opened file names a window of {window:,} tokens."))
    chat_format = chat_format_for(match.row, tokenizer.tokenizer)
    given = windows[:4] != (None, None, None, None)
    window_of_model = ContextWindow(window, name, given)
    return ChosenModel(name, match.row, window_of_model, tokenizer, chat_format, named_by, tuple(findings))


def _model_match(name: str, kept: ModelRow | None, models: ModelTable) -> ModelMatch:
    """The row that a name leads to: the one that the scenario kept, where the name means that."""
    known = models.find(name)
    if kept is None:
        return known
    match = ModelTable((kept,)).find(name)
    is_meant = match.how in ("exact", "alias") or (match.how == "prefix" and known.how in ("prefix", "unknown"))
    return match if is_meant else known


def _own_window(choice: TokenizerChoice) -> int | None:
    """The window that the files of a model tell, a GGUF file or a folder that the tokenizer was asked for from."""
    return getattr(choice.tokenizer, "context_length", None)


def _named_model(scenario: Scenario, chosen: ChosenParts) -> tuple[str, str]:
    """The name of the chosen model, and what names it: "scenario", "conversation", "character" or nothing."""
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
    """The policy with what it takes for the model, the preset's parameters, the file's own shares and the scenario's
    parameters, the last winning.

    Raises PolicyError `invalid_parameter`; ScenarioError for an unknown policy or preset.
    """
    name, preset = scenario.policy or DEFAULT_POLICY, scenario.looked_up
    if trouble := name_trouble(scenario, policies, presets):
        raise ScenarioError(trouble)
    chosen_preset = presets.get((name, preset), Preset())
    kind = chosen_preset.kind(policies[name])
    own = parameters_for(_named_model(scenario, chosen)[0]) if parameters_for else {}
    return make_policy(kind, {**own, **given_parameters(scenario, chosen, chosen_preset, kind)})


def name_trouble(scenario: Scenario, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> str:
    """Why a scenario cannot be decided by its policy and preset, "" where it can."""
    name, preset = scenario.policy or DEFAULT_POLICY, scenario.looked_up
    if name not in policies:
        return f"{name} is not a policy; there are {', '.join(policies)}"
    if (name, preset) in presets or preset == DEFAULT_PRESET:
        return ""
    known = ", ".join(sorted(known for policy, known in presets if policy == name)) or DEFAULT_PRESET
    return f"{preset} is not a preset of {name}; there are {known}"


def given_parameters(scenario: Scenario, chosen: ChosenParts, preset: Preset, kind: type) -> dict[str, Any]:
    """The parameters that somebody gave what decides (`kind`): the preset, the opened file, the scenario.

    What nobody gave is the policy's own, or what it takes for the model.
    """
    return {**preset.parameters, **file_parameters(chosen, kind), **scenario.parameters}


def file_parameters(chosen: ChosenParts, kind: type) -> dict[str, Any]:
    """The parameters of what decides that the opened file itself names; they go before those of a preset."""
    declared = {field.name for field in fields(kind)}
    return {key: value for key, value in named_parameters(chosen).items() if key in declared}


def named_parameters(chosen: ChosenParts) -> dict[str, Any]:
    """The parameters that the opened file itself names, such as Chorus' `budget_ratios`."""
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
    """The scenario's `now` in seconds since 1970 (UTC where it names no zone), None for none. Raises ScenarioError."""
    if scenario.now is None:
        return None
    try:
        time = datetime.fromisoformat(scenario.now)
    except ValueError:
        raise ScenarioError(f"now: {scenario.now!r} is not a time such as 2026-01-31T12:00:00Z") from None
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
    """The named memory sets, else the conversation's own."""
    if scenario.memory_sets is None:
        return own
    return tuple(_named(workspace.memory_sets, name, "memory set") for name in scenario.memory_sets)


def _left_waiting(workspace: Workspace, parts: Parts) -> Iterator[Finding]:
    """What goes with no conversation, and so is used in none until it is chosen."""
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


def _named(things: Iterable[_Named], name: str, noun: str) -> _Named:
    known = {thing.id: thing for thing in things}
    if name not in known:
        some = ", ".join(list(known)[:8]) or "none"
        raise ScenarioError(f"{noun} {name!r} is not there; there are: {some}")
    return known[name]


def _messages(workspace: Workspace, conversation: Conversation, scenario: Scenario) -> tuple[Message, ...]:
    messages = conversation.messages
    if scenario.leaf is not None:
        messages = path_to(conversation.tree or _only_branch(messages), scenario.leaf)
    if scenario.assistant is None or not _speaks(workspace, conversation, scenario.assistant):
        return messages
    return tuple(_as_spoken_to(message, scenario.assistant) for message in messages)


def _speaks(workspace: Workspace, conversation: Conversation, name: str) -> bool:
    """Whether somebody of this name speaks in a conversation. Raises ScenarioError where they do so in none at all."""
    if any(message.name == name for message in conversation.messages):
        return True
    if any(message.name == name for other in workspace.conversations for message in other.messages):
        return False
    speakers = list(dict.fromkeys(message.name for message in conversation.messages if message.name))
    some = ", ".join(speakers[:8]) or "nobody by name"
    raise ScenarioError(f"nobody called {name!r} speaks; in this conversation speak: {some}")


def _as_spoken_to(message: Message, assistant: str) -> Message:
    if message.role not in ("user", "assistant"):
        return message
    role = "assistant" if message.name == assistant else "user"
    return message if role == message.role else changed(message, role=role)


def _only_branch(messages: Sequence[Message]) -> MessageTree:
    """The tree of a conversation that has no branches."""
    names = [message.id for message in messages]
    return MessageTree(tuple(messages), tuple(["", *names][: len(names)]), names[-1] if names else "")


def path_to(tree: MessageTree, leaf: str) -> tuple[Message, ...]:
    """The messages from the root to a leaf. Raises ScenarioError for an unknown leaf; a cycle ends the path."""
    messages = {message.id: message for message in tree.messages}
    parents = dict(zip(messages, tree.parents, strict=True))
    if leaf not in messages:
        inner = set(tree.parents)
        ends = [name for name in messages if name not in inner]
        some = ", ".join(ends[:8]) or "nothing"
        more = f" and {len(ends) - 8:,} more" if len(ends) > 8 else ""
        raise ScenarioError(f"leaf {leaf!r} is not a message of this conversation; its branches end with: {some}{more}")
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
        return changed(thing, **_as_declared(name, thing, values)) if values else thing

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
    """The values as the fields of a thing hold them. Raises ScenarioError."""
    found = {}
    for name, value in values.items():
        try:
            found[name] = field_value(type(thing), name, value)
        except ValueError as problem:
            raise ScenarioError(f"overrides: {item}.{name}: {problem}") from None
    return found
