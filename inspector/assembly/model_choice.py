"""The model for a prompt: its window, its tokenizer and its chat format, and the findings about the choice."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

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
from inspector.tokens.media.media import Media, media_of
from inspector.tokens.models.lines import line_of
from inspector.tokens.models.table import ModelMatch, ModelRow, ModelTable
from inspector.tokens.tokenizer import MakeTokenizer

WINDOW_OF_UNKNOWN_MODELS = 8192
_NEARLY = {
    "prefix": "is not in the model table; without the date, tag or quantisation behind it, it is {}.",
    "fine-tune": "is a fine-tune of {}: its price differs, and is not known.",
}
"""What is said of a name that is nearly that of a row, by the way it was found."""
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
    media: Media
    named_by: str
    findings: tuple[Finding, ...]
    assumed_window: str = ""
    """For a model without a row and a window that nothing gives: the assumed window, in words."""


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
    line = line_of(name) if match.row is None else None
    findings = []
    if match.row is not None and match.how in _NEARLY:
        findings.append(Finding(MODEL_BY_PREFIX, f"{name} {_NEARLY[match.how].format(match.row.name)}"))
    if named_by in ("conversation", "character") and match.row is not None:
        findings.append(Finding(SETTINGS_FROM_FILE, f"The opened {named_by} names the model {name}."))
    requested = preset.tokenizer_for(name) if scenario.tokenizer == "auto" else scenario.tokenizer
    tokenizer = choose_tokenizer(requested, match.row, tokenizers, line)
    windows = (
        scenario.context_window,
        conversation.context_window if conversation else None,
        as_whole(preferred.get("context_window")),
        _own_window(tokenizer),
        None if named_by else traits.default_window,
        _window_of(match.row) or _window_of(relative) or traits.unknown_window or WINDOW_OF_UNKNOWN_MODELS,
    )
    window = next(int(size) for size in windows if size is not None)
    if scenario.context_window is None and windows[1:3] != (None, None):
        findings.append(Finding(SETTINGS_FROM_FILE, f"The opened file names a window of {window:,} tokens."))
    asked = (conversation.tool_choice, conversation.tool_form) if conversation else ()
    switches = Switches(_THOUGHTS[scenario.thoughts], scenario.thinking, *asked)
    format_row = match.row or _as_of_no_family(relative)
    chat_format = chat_format_for(format_row, tokenizer.tokenizer).switched(switches)
    given = windows[:4] != (None, None, None, None)
    assumed = "" if given or match.row is not None else _assumed_window(window, relative)
    if match.row is None:
        said = f"The model table does not know {name}"
        findings.append(Finding(MODEL_UNKNOWN, f"{said}: {assumed}." if assumed else f"{said}."))
    window_of_model = ContextWindow(window, name, given)
    media = _media(name, match.row, tokenizer)
    said = tuple(findings)
    return ChosenModel(name, match.row, window_of_model, tokenizer, chat_format, media, named_by, said, assumed)


def _media(name: str, row: ModelRow | None, tokenizer: TokenizerChoice) -> Media:
    """Return the rules for media of a model: those of its own folder first."""
    from inspector.tokens.media.folder import folder_pictures

    kind, _, place = tokenizer.tokenizer.name.partition(":")
    folder = folder_pictures(Path(place)) if kind == "hf" and os.path.isdir(place) else None
    return media_of(name, "", folder) if row is None else media_of(row.name, row.maker, folder)


def _as_of_no_family(relative: ModelRow | None) -> ModelRow | None:
    """Return a relative whose chat format is not taken for the published one of an unknown model."""
    return None if relative is None else replace(relative, family="")


def _match(name: str, kept: ModelRow | None, models: ModelTable) -> ModelMatch:
    """Return the row for a name, preferring the row kept in the scenario if the name matches it."""
    known = models.find(name)
    if kept is None:
        return known
    match = ModelTable((kept,)).find(name)
    is_meant = match.how in ("exact", "alias") or (match.row is not None and known.how in (*_NEARLY, "unknown"))
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


def _assumed_window(assumed: int, relative: ModelRow | None) -> str:
    """Return the assumed window of a model without a row, with its source."""
    is_of_relative = relative is not None and assumed == relative.context_window
    whose = f", that of its nearest known relative, {relative.name}" if relative and is_of_relative else ""
    return f"a window of {assumed:,} tokens is assumed{whose}"


def _own_window(choice: TokenizerChoice) -> int | None:
    """Return the window given by the tokenizer's own model files, a GGUF file or a folder."""
    return getattr(choice.tokenizer, "context_length", None)
