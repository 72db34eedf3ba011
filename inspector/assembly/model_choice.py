"""The model for a prompt: its window, its tokenizer and its chat format, and the findings about the choice."""

from collections.abc import Mapping
from dataclasses import dataclass

from inspector.assembly.budget import ContextWindow
from inspector.assembly.choices import ChosenParts, ScenarioError, named_model
from inspector.assembly.decisions import Finding
from inspector.assembly.finding_kinds import MODEL_BY_PREFIX, MODEL_UNKNOWN, SETTINGS_FROM_FILE
from inspector.assembly.policy import PLAIN, Traits
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import Scenario
from inspector.nearest import instead
from inspector.reading.values import as_whole
from inspector.tokens.chat.format import ChatFormat, chat_format_for
from inspector.tokens.chat.messages import THOUGHTS, Switches, Thoughts
from inspector.tokens.choice import AUTO, NO_TOKENIZERS, TokenizerChoice, choose_tokenizer
from inspector.tokens.models.table import ModelMatch, ModelRow, ModelTable
from inspector.tokens.tokenizer import MakeTokenizer

WINDOW_OF_UNKNOWN_MODELS = 8192
_THOUGHTS: Mapping[str, Thoughts] = {sent: sent for sent in THOUGHTS}


class UnknownModelError(ScenarioError):
    """A scenario names a model without a row in the table, and gives no window to plan with."""


@dataclass(frozen=True, eq=False)
class ChosenModel:
    """The model, its window and its way of counting tokens. `row` is None for a model missing from the table."""

    name: str
    row: ModelRow | None
    window: ContextWindow
    tokenizer: TokenizerChoice
    chat_format: ChatFormat
    named_by: str
    findings: tuple[Finding, ...]


def choose_model(
    scenario: Scenario,
    chosen: ChosenParts,
    preset: Preset,
    models: ModelTable,
    traits: Traits = PLAIN,
    tokenizers: Mapping[str, MakeTokenizer] = NO_TOKENIZERS,
) -> ChosenModel:
    """Return the model named by the scenario, else by the file, else gpt-4o; with window, tokenizer and chat format.

    A tokenizer from a GGUF file or a folder also gives the window. `preset` may choose the tokenizer for `auto`;
    `traits`, those of the policy, may have windows for the case without a named model, and for an unknown model.
    """
    conversation, character = chosen.conversation, chosen.parts.character
    preferred = character.preferred_llm if character else {}
    name, named_by = named_model(scenario, chosen)
    match = _match(name, scenario.model_row, models)
    relative = models.relative(name) if match.row is None else None
    findings = []
    if match.how == "prefix" and match.row is not None:
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
        None if named_by else traits.default_window,
        _window_of(match.row) or traits.unknown_window or _window_of(relative) or WINDOW_OF_UNKNOWN_MODELS,
    )
    window = next(int(size) for size in windows if size is not None)
    if scenario.context_window is None and windows[1:3] != (None, None):
        findings.append(Finding(SETTINGS_FROM_FILE, f"The opened file names a window of {window:,} tokens."))
    asked = (conversation.tool_choice, conversation.tool_form) if conversation else ()
    switches = Switches(_THOUGHTS[scenario.thoughts], scenario.thinking, *asked)
    chat_format = chat_format_for(match.row, tokenizer.tokenizer).switched(switches)
    given = windows[:4] != (None, None, None, None)
    if match.row is None:
        findings.append(Finding(MODEL_UNKNOWN, _unknown_model(name, None if given else window, relative)))
    window_of_model = ContextWindow(window, name, given)
    return ChosenModel(name, match.row, window_of_model, tokenizer, chat_format, named_by, tuple(findings))


def _match(name: str, kept: ModelRow | None, models: ModelTable) -> ModelMatch:
    """Return the row for a name, preferring the row kept in the scenario if the name matches it."""
    known = models.find(name)
    if kept is None:
        return known
    match = ModelTable((kept,)).find(name)
    is_meant = match.how in ("exact", "alias") or (match.how == "prefix" and known.how in ("prefix", "unknown"))
    return match if is_meant else known


def check_model(scenario: Scenario, models: ModelTable, tokenizers: Mapping[str, MakeTokenizer]) -> None:
    """Raise UnknownModelError for a model without a row, unless a window or the files of a model are given."""
    name = scenario.model
    if not name or scenario.context_window is not None or _match(name, scenario.model_row, models).row is not None:
        return
    if scenario.tokenizer != AUTO and _own_window(choose_tokenizer(scenario.tokenizer, None, tokenizers)) is not None:
        return
    near = models.nearest(name)
    named = instead(name, near) if near else "`prompt-inspector models` lists the known ones"
    otherwise = "To plan for it anyway, give a context window (--window)."
    raise UnknownModelError(f"{name} is not in the model table; {named} {otherwise}", "model")


def _window_of(row: ModelRow | None) -> int | None:
    return None if row is None else row.context_window


def _unknown_model(name: str, assumed: int | None, relative: ModelRow | None) -> str:
    """Return the message about a model without a row, with the source of an assumed window."""
    said = f"The model table does not know {name}"
    if assumed is None:
        return f"{said}."
    is_of_relative = relative is not None and assumed == relative.context_window
    whose = f", that of its nearest known relative, {relative.name}" if relative and is_of_relative else ""
    return f"{said}: a window of {assumed:,} tokens is assumed{whose}."


def _own_window(choice: TokenizerChoice) -> int | None:
    """Return the window given by the tokenizer's own model files, a GGUF file or a folder."""
    return getattr(choice.tokenizer, "context_length", None)
