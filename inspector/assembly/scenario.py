"""Scenarios: one complete what-if as a frozen value, the same for a file, the window and the command line."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.retrieval.lore.settings import AS_NATIVE, LoreSettings
from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings
from inspector.tokens.models.row import ModelRow

SCENARIO_FORMAT = "prompt-inspector/scenario@1"
DEFAULT_POLICY = "ratio"
DEFAULT_PRESET = "document"
DEFAULT_MODEL = "gpt-4o"
DEFAULT_SUMMARY_TOKENS = 60
OF_A_POLICY: Mapping[str, Any] = {"policy": None, "preset": None, "base": None, "given": None, "parameters": {}}
"""All that a scenario says of how it is decided, where the usual policy does."""


@dataclass(frozen=True)
class Scenario:
    """Everything that changes a result. None leaves the choice to what is open.

    Without a name the first conversation is taken, with the character and the memory sets that belong to it
    (`inspector.model.belonging`); the model that the opened file names, else gpt-4o, with its own window and
    tokenizer; the content of the last user message as query, and the time of the newest message as `now`. `at` replays:
    only the first so many messages exist; with `as_of` neither does what was made later than the newest of them, nor
    the draft, and `now` is its time. `draft` is the text of a user message that is not sent yet: the newest one, with
    the id `draft`. `assistant` names the speaker who is the assistant, in whichever chats they speak. `policy` is
    `ratio`, `preset` its usual one.

    `pinned`, `excluded` and the keys of `overrides` are item ids; `overrides` gives fields of items as if the file had
    them; `leaf` is the last message of a branch; `parameters` override those of the preset. `similarity` is one of the
    `WAYS` of comparing texts with the query, `embedding` names the model of the vectors, `relevance` weighs the parts
    of a similarity that is fused. `summaries` is the method
    (`extractive`, `endpoint`) that makes summaries of about `summary_tokens` where the file has none. `classify`
    is one of the `CLASSIFIERS` that mark messages of which the file says nothing. `lore` says how lorebooks are
    scanned.

    A scenario that is kept holds values for names whose meaning may change: with a `base`, a shipped preset that its
    parameters stand on, `preset` is a label and is not looked up; `model_row` goes before what the model table says;
    `given` are those of all its parameters that were given over the preset.
    """

    conversation: str | None = None
    character: str | None = None
    memory_sets: tuple[str, ...] | None = None
    model: str | None = None
    tokenizer: str = "auto"
    context_window: int | None = None
    query: str | None = None
    similarity: str = "auto"
    embedding: str = "auto"
    relevance: RelevanceSettings = AS_MEASURED
    classify: str | None = None
    summaries: str | None = None
    summary_tokens: int = DEFAULT_SUMMARY_TOKENS
    now: str | None = None
    at: int | None = None
    as_of: bool = False
    draft: str | None = None
    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    leaf: str | None = None
    assistant: str | None = None
    policy: str | None = None
    preset: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    lore: LoreSettings = AS_NATIVE
    base: str | None = None
    model_row: ModelRow | None = None
    given: tuple[str, ...] | None = None

    @property
    def looked_up(self) -> str:
        """The preset that the parameters stand on."""
        return self.base or self.preset or DEFAULT_PRESET

    @property
    def has_later(self) -> bool:
        """Whether what was made later than its turn, the draft too, does not exist in it."""
        return self.as_of and self.at is not None


def of_conversation(scenario: Scenario, name: str | None) -> Scenario:
    """The scenario asked for a conversation; a leaf is a message of the one that it names, and goes to no other."""
    leaf = scenario.leaf if scenario.conversation in (None, name) else None
    return dataclasses.replace(scenario, conversation=name, leaf=leaf)


def _plain(value: Any) -> Any:
    """A field as files hold it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return list(value) if isinstance(value, tuple) else value


def scenario_value(scenario: Scenario) -> dict[str, Any]:
    """A scenario as its file holds it: the format, and what differs from the defaults."""
    value: dict[str, Any] = {"format": SCENARIO_FORMAT}
    for declared in dataclasses.fields(Scenario):
        held = getattr(scenario, declared.name)
        default = declared.default if declared.default is not dataclasses.MISSING else {}
        if held != default:
            value[declared.name] = _plain(held)
    return value
