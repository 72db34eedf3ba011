"""The tokenizer of plain text from standard input, by the options of a command.

Without any option it is that of the user's default model, else the usual one, and nothing of the pipeline is imported.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.cli.defaults import own_defaults
from inspector.cli.options import scenario_to_save
from inspector.plugins import tokenizers
from inspector.settings import own_models_file
from inspector.tokens.choice import AUTO, TokenizerChoice, choose_tokenizer
from inspector.tokens.models.lines import line_of
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import DEFAULT_MODEL


def tokenizer_of_text(scenario_file: str | None, settings: Sequence[str], given: Mapping[str, Any]) -> TokenizerChoice:
    """Return the tokenizer of plain text for these options. End the command for an impossible scenario."""
    is_asked = any(value not in (None, ()) for value in (scenario_file, settings, scenario_to_save(), *given.values()))
    requested, model = _asked(scenario_file, settings, given) if is_asked else (AUTO, own_defaults().model)
    name = model or DEFAULT_MODEL
    row = load_models(own_models_file()).find(name).row
    return choose_tokenizer(requested, row, tokenizers()[0], line_of(name))


def _asked(scenario_file: str | None, settings: Sequence[str], given: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the tokenizer and the model of the scenario of these options, after saving it if they say so."""
    from inspector.cli.saved_scenario import read_without_chats, save_scenario
    from inspector.cli.scenarios import scenario_from

    scenario = scenario_from(scenario_file, settings, given)
    save_scenario(scenario, lambda: read_without_chats(scenario, scenario_file))
    return scenario.tokenizer, scenario.model
