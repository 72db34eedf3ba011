"""prompt-inspector fidelity: what each summary saves and loses, and how far recorded counts are from those here."""

from typing import Any

import click

from inspector.analysis.fidelity import SummaryTable, SummaryTotal, count_summaries, summary_tables
from inspector.analysis.recorded_tables import USAGE
from inspector.analysis.recorded_usage import usage_errors
from inspector.assembly.case import Case
from inspector.assembly.columns import word
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.replacements import COMPUTED, SummarySource
from inspector.cli.asking import open_asked
from inspector.cli.loading import make_lacking, named_failures, open_cache, progress_bar
from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.output import print_json, say, warn
from inspector.cli.recorded import print_usage
from inspector.cli.sections import SectionedCommand
from inspector.retrieval.facts.fidelity import Fidelity

FIDELITY_FORMAT = "prompt-inspector/fidelity@1"
SHOWN_FROM_TEXTS = 1_000
_NAMED = 4


@click.command(cls=SectionedCommand, short_help="Say what summaries save, and which facts they lose.")
@paths_argument
@scenario_options
@format_option
def fidelity(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """List the messages of PATHS that are summarized, or have a summary, with tokens saved and facts lost.

    With --summaries, summaries are computed for the messages that have none; they are marked as computed. Where the
    file records what its program counted, the error of the counts here is said for each model.
    """
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    with named_failures():
        case = make_lacking(pipeline, scenario)
        table = _table(pipeline, case)
        trouble = pipeline.known.summarizing.trouble(scenario, case.summarizer)
    if trouble:
        warn(trouble)
    if answer_format == "json":
        print_json(fidelity_value(table))
    else:
        _print(table)


def _table(pipeline: Pipeline, case: Case) -> SummaryTable:
    count_summaries(pipeline, case, open_cache())
    assembly, made = pipeline.assemble(case), []
    with progress_bar("Looking for facts", SHOWN_FROM_TEXTS) as advance:
        for step in summary_tables(assembly):
            if isinstance(step, SummaryTable):
                made.append(step)
            else:
                advance(round(step * len(assembly.candidates)), len(assembly.candidates))
    return made[0]


def fidelity_value(table: SummaryTable) -> dict[str, Any]:
    """The table as one JSON value: an item for each message, a total of all, and one of those in this prompt."""
    candidates = table.assembly.candidates
    return {
        "format": FIDELITY_FORMAT,
        "tokenizer": candidates.counts.tokenizer.name,
        "exact": candidates.counts.tokenizer.exact and bool(table.exact.all()),
        "items": [_item_value(table, place) for place in range(len(table))],
        "total": _total_value(table.total()),
        "in_prompt": _total_value(table.total(table.summarized)),
        "usage": list(USAGE.records(usage_errors(candidates))),
    }


def _item_value(table: SummaryTable, place: int) -> dict[str, Any]:
    one, source = table.fidelities[place], SummarySource(table.sources[place])
    return {
        "id": table.assembly.candidates.ids[int(table.rows[place])],
        "source": word(source),
        "computed": source in COMPUTED,
        "summarized": bool(table.summarized[place]),
        "tokens": int(table.tokens[place]),
        "summary_tokens": int(table.summary_tokens[place]),
        "saved": int(table.saved[place]),
        "facts": one.fact_count,
        "kept": one.kept_count,
        "fidelity": one.share,
        "kinds": {kind.value: {"kept": kept, "facts": facts} for kind, (kept, facts) in one.by_kind.items()},
        "lost": [{"kind": kind, "text": text} for kind, text in lost_texts(one, table.original(place))],
        "summary": table.summary(place),
    }


def lost_texts(one: Fidelity, original: str) -> list[tuple[str, str]]:
    """Kind and text of each fact that was lost, once, as it first stands in the original."""
    found: dict[tuple[str, str], str] = {}
    for fact in one.lost:
        found.setdefault((fact.kind.value, fact.value), original[fact.start : fact.end])
    return [(kind, text) for (kind, _), text in found.items()]


def _total_value(total: SummaryTotal) -> dict[str, Any]:
    return {
        "messages": total.messages,
        "tokens": total.tokens,
        "summary_tokens": total.summary_tokens,
        "saved": total.saved,
        "facts": total.facts,
        "kept": total.kept,
        "fidelity": total.share,
    }


def _print(table: SummaryTable) -> None:
    _print_summaries(table)
    print_usage(usage_errors(table.assembly.candidates))


def _print_summaries(table: SummaryTable) -> None:
    from inspector.cli.tables import MOST_ROWS, print_rows

    if not len(table):
        say("No message is summarized, and none has a summary; --summaries extractive computes some.")
        return
    rows = [_row(table, place) for place in range(min(len(table), MOST_ROWS))]
    print_rows(rows, list(rows[0]))
    if len(table) > MOST_ROWS:
        say(f"… and {len(table) - MOST_ROWS:,} more (--format json lists all)")
    total = table.total()
    say(f"{total.messages:,} {'summary' if total.messages == 1 else 'summaries'}: {total.sentence}")


def _row(table: SummaryTable, place: int) -> dict[str, Any]:
    one = table.fidelities[place]
    lost = [" ".join(text.split())[:30] for _, text in lost_texts(one, table.original(place))]
    more = f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
    return {
        "item": table.assembly.candidates.ids[int(table.rows[place])],
        "source": word(SummarySource(table.sources[place])),
        "in prompt": "yes" if table.summarized[place] else "",
        "tokens": int(table.tokens[place]),
        "summary": int(table.summary_tokens[place]),
        "saved": int(table.saved[place]),
        "facts kept": f"{one.kept_count} of {one.fact_count}" if one.fact_count else "none to keep",
        "lost": ", ".join(lost[:_NAMED]) + more,
    }
