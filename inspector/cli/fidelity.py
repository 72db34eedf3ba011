"""prompt-inspector fidelity: savings and losses of each summary, and the error of the counts against recorded usage."""

from collections.abc import Iterator, Sequence
from typing import Any

from inspector.analysis.basis import Basis
from inspector.analysis.fidelity.ask import SummaryTable, count_summaries, summary_tables
from inspector.analysis.fidelity.tables import SUMMARIES, fidelity_value
from inspector.analysis.recorded.tables import USAGE
from inspector.analysis.recorded.usage import UsageError, usage_errors
from inspector.cli.answering import Telling, answer, print_table
from inspector.cli.asking import open_asked
from inspector.cli.loading import make_lacking, named_failures, open_cache, shown_result
from inspector.cli.output import say, warn

SHOWN_FROM_TEXTS = 1_000


def fidelity(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector fidelity` with the values of its options."""
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    with named_failures():
        case = make_lacking(pipeline, scenario)
        count_summaries(pipeline, case, open_cache())
        steps = summary_tables(Basis(pipeline, scenario, open_cache()))
        table = shown_result(steps, "Looking for facts", SHOWN_FROM_TEXTS)
        trouble = pipeline.known.summarizing.trouble(scenario, case.summarizer)
    if trouble:
        warn(trouble)
    answer(table, _TELLING, answer_format)
    if answer_format == "table":
        _print_usage(usage_errors(table.assembly, table.prompt))


def _print_usage(errors: Sequence[UsageError]) -> None:
    """Write the measured error of each model; nothing if the file records no usage."""
    if errors:
        say("Tokens as recorded in the file, and as counted here:")
        print_table(USAGE, errors)


def _totals(table: SummaryTable) -> Iterator[str]:
    if not len(table):
        yield "No message is summarized, and none has a summary; --summaries extractive computes some."
        return
    total = table.total()
    yield f"{total.messages:,} {'summary' if total.messages == 1 else 'summaries'}: {total.sentence}"


_TELLING: Telling[SummaryTable] = Telling([SUMMARIES], fidelity_value, below=_totals)
