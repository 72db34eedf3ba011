"""prompt-inspector tokens: the tokens of an item as it is in the prompt, or of plain text, in order."""

from functools import partial
from typing import Any

import click

from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.explain import row_of
from inspector.cli.failure import InputError
from inspector.cli.loading import answer_for, named_failures
from inspector.cli.piped import STANDARD_INPUT, is_piped_text, piped_bytes, text_of
from inspector.cli.text_tokenizer import tokenizer_of_text
from inspector.tokens.shown.tokens import ESTIMATE, TOKENS, ShownTokens, Stretch, shown_tokens, summary
from inspector.tokens.tokenizer import Tokenizer

TOKENS_FORMAT = "prompt-inspector/tokens@1"


def tokens(
    paths: tuple[str, ...],
    item: str | None,
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector tokens` with the values of its options."""
    piped = piped_bytes() if paths == (STANDARD_INPUT,) else None
    with named_failures():
        if item is not None:
            text, tokenizer = _item_text(*open_asked(paths, scenario_file, settings, given, piped=piped), item)
        elif piped is not None and is_piped_text(piped):
            text, tokenizer = text_of(piped), tokenizer_of_text(scenario_file, settings, given).tokenizer
        else:
            raise click.UsageError("name the --item whose tokens are listed")
        shown = shown_tokens((Stretch(text),), tokenizer)
    if len(shown.text) and not len(shown):
        raise InputError(ESTIMATE.format(tokenizer.name))
    value = partial(tokens_value, item=item, tokenizer=tokenizer)
    answer(shown, Telling([TOKENS], value, below=lambda shown: [summary(shown)], most=None), answer_format)


def _item_text(pipeline: Pipeline, scenario: Scenario, item: str) -> tuple[str, Tokenizer]:
    """Return the readable text of an item and its tokenizer. End the command if there is no such item."""
    assembly = answer_for(pipeline, scenario).assembly
    row = row_of(assembly.candidates, item)
    return assembly.text_to_read(row), assembly.candidates.counts.tokenizer


def tokens_value(shown: ShownTokens, item: str | None, tokenizer: Tokenizer) -> dict[str, Any]:
    """Return the tokens as a JSON value; `item` is null for plain text, `left_out` counts the omitted characters."""
    return {
        "format": TOKENS_FORMAT,
        "item": item,
        "tokenizer": tokenizer.name,
        "characters": len(shown.text),
        "left_out": shown.left_out,
        "tokens": list(TOKENS.records(shown)),
    }
