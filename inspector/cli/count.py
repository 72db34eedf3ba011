"""prompt-inspector count: tokens of each item, or of plain text from standard input.

Plain text is counted without importing what opens files and assembles prompts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.assembly.counts import COUNTS, Counts, counts_value
from inspector.cli.answering import Telling, answer
from inspector.cli.failure import InputError
from inspector.cli.piped import STANDARD_INPUT, is_piped_text, piped_bytes, text_of
from inspector.cli.text_tokenizer import tokenizer_of_text
from inspector.tokens.certainty import Certainty
from inspector.tokens.choice import TokenizerChoice, UnknownTokenizerError
from inspector.tokens.spread import bounds_of, error_words
from inspector.tokens.tokenizer import TokenizerUnavailableError

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
    try:
        if piped is not None and is_piped_text(piped):
            counts = _text_counts(text_of(piped), tokenizer_of_text(scenario_file, settings, given))
        else:
            counts = _item_counts(paths, scenario_file, settings, given, piped)
    except (UnknownTokenizerError, TokenizerUnavailableError) as problem:
        raise InputError(str(problem)) from None
    answer(counts, _TELLING, answer_format)


def _item_counts(
    paths: Sequence[str],
    scenario_file: str | None,
    settings: Sequence[str],
    given: Mapping[str, Any],
    piped: bytes | None,
) -> Counts:
    """Return the counts of all items of files that could enter the prompt of a scenario."""
    from inspector.assembly.item_counts import item_counts
    from inspector.cli.asking import open_asked
    from inspector.cli.loading import make_lacking, named_failures
    from inspector.cli.output import warn

    with named_failures():
        pipeline, scenario = open_asked(paths, scenario_file, settings, given, piped=piped)
        case = make_lacking(pipeline, scenario)
        for finding in case.chosen.findings:
            warn(f"{finding.message} {finding.advice}")
        return item_counts(pipeline.candidates(case))


def _text_counts(text: str, choice: TokenizerChoice) -> Counts:
    """Return the count of a plain text, without any overhead."""
    tokenizer, names = choice.tokenizer, [STANDARD_INPUT]
    tokens = tokenizer.count([text])
    bounds = bounds_of(tokenizer, [text], tokens)
    certainty = Certainty.EXACT if choice.exact else Certainty.ESTIMATE
    return Counts(tokenizer.name, certainty, names, names, ["text"], tokens.tolist(), bounds, error_words(tokenizer))
