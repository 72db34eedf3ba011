"""Scenarios: a complete what-if as a frozen value, the same for a file, the window and the command line."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.assembly.policy import as_in_files
from inspector.model import ScoreScale
from inspector.retrieval.lore.settings import AS_NATIVE, LoreSettings
from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings
from inspector.tokens.models.table import ModelRow

SCENARIO_FORMAT = "prompt-inspector/scenario@1"
DEFAULT_POLICY = "ratio"
DEFAULT_PRESET = "document"
DEFAULT_SUMMARY_TOKENS = 60
OF_A_POLICY: Mapping[str, Any] = {"policy": None, "preset": None, "base": None, "given": None, "parameters": {}}
"""All fields of a scenario about the decision, with their defaults."""


@dataclass(frozen=True)
class Scenario:
    """Everything that changes a result. None leaves the choice to the opened files.

    By default the first conversation is taken, with its character and its memory sets (`inspector.model.workspace`);
    the model named in the opened file, else gpt-4o, with its own window and tokenizer; the content of the last user
    message as query, and the time of the newest message as `now`. `at` replays: only the first `at` messages exist;
    with `as_of` items made later than the newest of them do not exist either, nor does the draft, and `now` is its
    time. `draft` is the text of an unsent user message: the newest one, with the id `draft`. `assistant` names the
    speaker taken for the assistant, in every chat with this speaker. `policy` is `ratio`, `preset` its usual one.

    `pinned`, `excluded` and the keys of `overrides` are item ids; `overrides` sets fields of items as if the file had
    them; `leaf` is the last message of a branch; `parameters` override those of the preset. `similarity` is any of the
    `WAYS` of comparing texts with the query, `embedding` names the model of the vectors, `relevance` weighs the parts
    of a fused similarity. `score_scales` says for memory sets, by id, how recorded scores are read: `similarity`,
    `distance` or `raw`. `summaries` is the method (`extractive`, `endpoint`) that makes summaries of about
    `summary_tokens` for messages without any in the file. `classify` is any of the `CLASSIFIERS` for messages without
    marks in the file. `lore` controls how lorebooks are scanned. `thoughts` says which thoughts of the model are sent
    back to it (`THOUGHTS`); `thinking` is the switch of its chat template, None for the template's own default.
    `server` (one of the `SERVERS`) gets the prompt, `server_context` is its context in tokens, None for its usual one.

    A saved scenario holds values for names whose meaning may change: with a `base`, the shipped preset under its
    parameters, `preset` is a label and is not looked up; `model_row` takes precedence over the model table; `given` are
    those of its parameters given over the preset.
    """

    conversation: str | None = None
    character: str | None = None
    memory_sets: tuple[str, ...] | None = None
    score_scales: Mapping[str, ScoreScale] = field(default_factory=dict)
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
    thoughts: str = "auto"
    thinking: bool | None = None
    server: str = "none"
    server_context: int | None = None
    base: str | None = None
    model_row: ModelRow | None = None
    given: tuple[str, ...] | None = None

    @property
    def looked_up(self) -> str:
        """The preset under the parameters."""
        return self.base or self.preset or DEFAULT_PRESET

    @property
    def has_later(self) -> bool:
        """Whether items made later than its turn, including the draft, do not exist in it."""
        return self.as_of and self.at is not None


def of_conversation(scenario: Scenario, name: str | None) -> Scenario:
    """Return the scenario for a conversation; its leaf is kept only for the conversation that it names."""
    leaf = scenario.leaf if scenario.conversation in (None, name) else None
    return dataclasses.replace(scenario, conversation=name, leaf=leaf)


def _plain(value: Any) -> Any:
    """Return a field in the types of files."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return list(value) if isinstance(value, tuple) else value


def scenario_value(scenario: Scenario, kind: type | None) -> dict[str, Any]:
    """Return a scenario as stored in its file: the format, and the differences from the defaults.

    `kind` is the class whose parameters it names; without it they stay under their own names.
    """
    value: dict[str, Any] = {"format": SCENARIO_FORMAT}
    for declared in dataclasses.fields(Scenario):
        held = getattr(scenario, declared.name)
        default = declared.default if declared.default is not dataclasses.MISSING else {}
        if held != default:
            value[declared.name] = _plain(held)
    if scenario.parameters:
        value["parameters"] = as_in_files(kind, scenario.parameters)
    return value
