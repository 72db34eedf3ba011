"""prompt-inspector tokenizers: the same items under several tokenizers, the error of each, and changed decisions."""

from collections.abc import Iterator, Sequence
from typing import Any

from inspector.analysis.basis import Basis
from inspector.analysis.sweep.row_files import write_csv
from inspector.analysis.tokenizers.ask import TokenizerComparison, tokenizer_comparisons
from inspector.analysis.tokenizers.errors import ERRORS, FLIPS, ErrorTable, Flips
from inspector.analysis.tokenizers.tables import ITEMS, comparison_value
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.listing import list_tokenizers
from inspector.cli.loading import (
    PROGRESS_FROM_TEXTS,
    named_failures,
    open_cache,
    opened_files,
    shown_result,
)
from inspector.cli.output import say_written
from inspector.tables import table_of_part
from inspector.tokens.tokenizer import TokenizerUnavailableError
from inspector.writing import new_file


def tokenizers(
    paths: tuple[str, ...],
    names: str | None,
    scenario_file: str | None,
    settings: tuple[str, ...],
    listed: bool,
    out: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector tokenizers` with the values of its options."""
    if listed:
        list_tokenizers(answer_format)
        return
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    wanted = None if names is None else [name.strip() for name in names.split(",")]
    comparison = _compared(pipeline, scenario, wanted)
    if out is not None:
        _write_items(comparison, out, opened_files(paths, pipeline, scenario, scenario_file, *(wanted or ())))
    answer(comparison, _TELLING, answer_format)


def _compared(pipeline: Pipeline, scenario: Scenario, names: Sequence[str] | None) -> TokenizerComparison:
    """Return the comparison with everything counted. End the command for an unknown or missing tokenizer."""
    steps = tokenizer_comparisons(Basis(pipeline, scenario, open_cache()), names)
    with named_failures():
        try:
            return shown_result(steps, "Counting tokens", PROGRESS_FROM_TEXTS)
        except TokenizerUnavailableError as problem:
            raise InputError(f"--with: {problem}") from None


def _write_items(comparison: TokenizerComparison, out: str, opened: Sequence[str]) -> None:
    """Write a row for each item: id, kind, the number of tokenizers that change its decision, and the tokens by
    each.
    """
    try:
        with new_file(out, opened) as file:
            write_csv(ITEMS.records(comparison), file)
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise InputError(f"{out}: cannot be written: {problem.strerror or problem}") from None
    say_written("the items", out)


def _compared_with(comparison: TokenizerComparison) -> Iterator[str]:
    base = comparison.columns[comparison.base]
    if comparison.reference is None:
        yield f"None of these is exact: they are compared with {base.name}, and no difference is an error."
    else:
        yield f"Compared with {base.name}, which is exact."


def _without_flips(comparison: TokenizerComparison) -> Iterator[str]:
    if not comparison.disputed:
        yield "No decision flips."


_TELLING: Telling[TokenizerComparison] = Telling(
    [table_of_part(ERRORS, ErrorTable), table_of_part(FLIPS, Flips)], comparison_value, _compared_with, _without_flips
)
