"""prompt-inspector count: tokens of each item, or of plain text from standard input."""

from typing import Any

import click

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import HOME_SECTION, Kind, word
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import DEFAULT_MODEL, Scenario
from inspector.cli.asking import open_asked
from inspector.cli.loading import (
    STANDARD_INPUT,
    is_piped_text,
    make_lacking,
    named_failures,
    piped_bytes,
    text_of,
)
from inspector.cli.options import format_option, paths_argument, scenario_from, scenario_options
from inspector.cli.output import print_json, warn
from inspector.cli.sections import SectionedCommand
from inspector.plugins import tokenizers
from inspector.settings import own_models_file
from inspector.tokens.choice import TokenizerChoice, choose_tokenizer
from inspector.tokens.models.loading import load_models

COUNT_FORMAT = "prompt-inspector/count@1"


@click.command(cls=SectionedCommand, short_help="Count tokens per item and in total.")
@paths_argument
@scenario_options
@format_option
def count(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Count the tokens of every item of PATHS, where - is standard input; plain text of that is counted as it is."""
    piped = piped_bytes() if paths == (STANDARD_INPUT,) else None
    with named_failures():
        if piped is not None and is_piped_text(piped):
            value = text_value(text_of(piped), scenario_from(scenario_file, settings, given))
        else:
            value = items_value(*open_asked(paths, scenario_file, settings, given, piped=piped))
    if answer_format == "json":
        print_json(value)
    else:
        from inspector.cli.tables import print_counts

        print_counts(value)


def items_value(pipeline: Pipeline, scenario: Scenario) -> dict[str, Any]:
    """The counts of everything that could enter the prompt of a scenario, with the total."""
    case = make_lacking(pipeline, scenario)
    candidates, chosen = pipeline.candidates(case), case.model
    for finding in case.chosen.findings:
        warn(f"{finding.message} {finding.advice}")
    exact = chosen.tokenizer.exact and bool(candidates.exact.all()) and not _doubtful(candidates)
    items = [
        {"id": name, "section": word(HOME_SECTION[Kind(kind)]), "tokens": tokens}
        for name, kind, tokens in zip(candidates.ids, candidates.kind.tolist(), candidates.tokens.tolist(), strict=True)
    ]
    return _value(chosen.tokenizer.tokenizer.name, exact, items)


def _doubtful(candidates: Candidates) -> bool:
    """Whether some count is recorded, or leaves out pictures."""
    return bool((candidates.recorded | (candidates.images > 0)).any())


def text_value(text: str, scenario: Scenario) -> dict[str, Any]:
    """The count of one plain text, without any overhead."""
    choice = tokenizer_of_text(scenario)
    tokens = int(choice.tokenizer.count([text])[0])
    return _value(choice.tokenizer.name, choice.exact, [{"id": STANDARD_INPUT, "section": "text", "tokens": tokens}])


def tokenizer_of_text(scenario: Scenario) -> TokenizerChoice:
    """What counts a plain text for a scenario. Raises UnknownTokenizerError."""
    row = load_models(own_models_file()).find(scenario.model or DEFAULT_MODEL).row
    return choose_tokenizer(scenario.tokenizer, row, tokenizers()[0])


def _value(tokenizer: str, exact: bool, items: list[dict[str, Any]]) -> dict[str, Any]:
    total = sum(item["tokens"] for item in items)
    return {"format": COUNT_FORMAT, "tokenizer": tokenizer, "exact": exact, "items": items, "total": total}
