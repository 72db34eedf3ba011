"""prompt-inspector count: tokens of each item, or of plain text from standard input."""

from typing import Any

from inspector.assembly.counts import COUNTS, Counts, counts_value, item_counts
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import DEFAULT_MODEL, Scenario
from inspector.cli.answering import Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.loading import (
    STANDARD_INPUT,
    is_piped_text,
    make_lacking,
    named_failures,
    piped_bytes,
    text_of,
)
from inspector.cli.output import warn
from inspector.cli.saved_scenario import read_without_chats, save_scenario
from inspector.cli.scenarios import scenario_from
from inspector.plugins import tokenizers
from inspector.settings import own_models_file
from inspector.tokens.certainty import Certainty
from inspector.tokens.choice import TokenizerChoice, choose_tokenizer
from inspector.tokens.models.lines import line_of
from inspector.tokens.models.loading import load_models
from inspector.tokens.spread import bounds_of, error_words

_TELLING = Telling([COUNTS], counts_value, below=lambda counts: [counts.sentence])


def count(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector count` with the values of its options."""
    piped = piped_bytes() if paths == (STANDARD_INPUT,) else None
    with named_failures():
        if piped is not None and is_piped_text(piped):
            scenario = scenario_from(scenario_file, settings, given)
            save_scenario(scenario, lambda: read_without_chats(scenario, scenario_file))
            counts = _text_counts(text_of(piped), scenario)
        else:
            counts = _item_counts(*open_asked(paths, scenario_file, settings, given, piped=piped))
    answer(counts, _TELLING, answer_format)


def _item_counts(pipeline: Pipeline, scenario: Scenario) -> Counts:
    """Return the counts of all items that could enter the prompt of a scenario."""
    case = make_lacking(pipeline, scenario)
    for finding in case.chosen.findings:
        warn(f"{finding.message} {finding.advice}")
    return item_counts(pipeline.candidates(case))


def _text_counts(text: str, scenario: Scenario) -> Counts:
    """Return the count of a plain text, without any overhead."""
    choice = tokenizer_of_text(scenario)
    tokenizer, names = choice.tokenizer, [STANDARD_INPUT]
    tokens = tokenizer.count([text])
    bounds = bounds_of(tokenizer, [text], tokens)
    certainty = Certainty.EXACT if choice.exact else Certainty.ESTIMATE
    return Counts(tokenizer.name, certainty, names, names, ["text"], tokens.tolist(), bounds, error_words(tokenizer))


def tokenizer_of_text(scenario: Scenario) -> TokenizerChoice:
    """Return the tokenizer of plain text under a scenario. Raise UnknownTokenizerError."""
    name = scenario.model or DEFAULT_MODEL
    row = load_models(own_models_file()).find(name).row
    return choose_tokenizer(scenario.tokenizer, row, tokenizers()[0], line_of(name))
