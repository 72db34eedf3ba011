"""prompt-inspector tokenizers: the same items under several tokenizers, how far off each is, and what flips."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from inspector.analysis.basis import Basis
from inspector.analysis.content_kinds import ContentKind
from inspector.analysis.row_files import write_csv
from inspector.analysis.tokenizers import (
    KindErrors,
    TokenizerComparison,
    tokenizer_comparisons,
)
from inspector.assembly.columns import Action, word
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli import completion
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
from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.output import print_json, say, say_written
from inspector.cli.sections import SectionedCommand
from inspector.tokens.tokenizer import TokenizerUnavailableError
from inspector.writing import new_file

ALL_KINDS = "all"


@click.command(cls=SectionedCommand, short_help="Count the same items with several tokenizers.")
@paths_argument
@click.option("--with", "names", metavar="A,B,C", help="Tokenizers to compare, such as embedded:qwen3,estimate:chorus.")
@scenario_options
@click.option("--list", "listed", is_flag=True, help="List the tokenizers that there are, and count nothing.")
@click.option(
    "--out",
    metavar="FILE.csv",
    shell_complete=completion.files,
    help="Write the tokens of each item to this file, too.",
)
@format_option
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
    """Count the items of PATHS with several tokenizers, the scenario's own first, and name the decisions that flip."""
    if listed:
        list_tokenizers(answer_format)
        return
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    wanted = None if names is None else [name.strip() for name in names.split(",")]
    comparison = _compared(pipeline, scenario, wanted)
    if out is not None:
        _write_items(comparison, out, opened_files(paths, pipeline, scenario, scenario_file, *(wanted or ())))
    if answer_format == "json":
        print_json(comparison_value(comparison))
    else:
        _print_comparison(comparison)


def _compared(pipeline: Pipeline, scenario: Scenario, names: Sequence[str] | None) -> TokenizerComparison:
    """The comparison with everything counted. Ends the command where a tokenizer is not known or not here."""
    steps = tokenizer_comparisons(Basis(pipeline, scenario, open_cache()), names)
    with named_failures():
        try:
            return shown_result(steps, "Counting tokens", PROGRESS_FROM_TEXTS)
        except TokenizerUnavailableError as problem:
            raise InputError(f"--with: {problem}") from None


def comparison_value(comparison: TokenizerComparison) -> dict[str, Any]:
    """The comparison as one JSON value.

    `compared_with` is the reference, or the scenario's own tokenizer where no exact one is among them and `reference`
    is null. `bias` is a share of the true total; flips are null where the policy makes no prompt.
    """
    reference = comparison.reference
    return {
        "reference": reference.name if reference else None,
        "compared_with": comparison.columns[comparison.base].name,
        "tokenizers": [_tokenizer_value(comparison, place) for place in range(len(comparison.columns))],
        "items": [
            {"id": row["id"], "kind": row["kind"], "tokens": tokens}
            for row, tokens in zip(_items(comparison), _tokens(comparison), strict=True)
        ],
    }


def _tokenizer_value(comparison: TokenizerComparison, place: int) -> dict[str, Any]:
    column, overall = comparison.columns[place], _errors_value(comparison, place, None)
    flips = comparison.flips(place)
    return {
        "name": column.name,
        "exact": column.exact,
        **overall,
        "by_kind": {word(kind): _errors_value(comparison, place, kind) for kind in comparison.kinds_present},
        "flips": None if flips is None else [_flip_value(comparison, place, row) for row in flips.tolist()],
    }


def _errors_value(comparison: TokenizerComparison, place: int, kind: ContentKind | None) -> dict[str, Any]:
    errors = _errors(comparison, place, kind)
    return {
        "items": errors.items,
        "total": errors.total,
        "mean_absolute_error": errors.mean_absolute_error,
        "bias": errors.bias,
        "worst": None if errors.worst is None else comparison.ids[errors.worst],
    }


def _errors(comparison: TokenizerComparison, place: int, kind: ContentKind | None) -> KindErrors:
    errors = comparison.errors(place, kind)
    assert errors is not None, "the comparison is finished"
    return errors


def _flip_value(comparison: TokenizerComparison, place: int, row: int) -> dict[str, Any]:
    actions = (comparison.columns[column].actions for column in (comparison.base, place))
    usual, other = (word(Action(int(found[row]))) for found in actions if found is not None)
    return {"id": comparison.ids[row], "reference": usual, "action": other}


def _items(comparison: TokenizerComparison) -> Iterator[dict[str, Any]]:
    for name, kind in zip(comparison.ids, comparison.kinds.tolist(), strict=True):
        yield {"id": name, "kind": word(ContentKind(kind))}


def _tokens(comparison: TokenizerComparison) -> list[tuple[int, ...]]:
    counted = [column.tokens.tolist() for column in comparison.columns if column.tokens is not None]
    return list(zip(*counted, strict=True))


def _write_items(comparison: TokenizerComparison, out: str, opened: Sequence[str]) -> None:
    """One row an item: its id and kind, under how many tokenizers its decision flips, and the tokens by each."""
    names = [column.name for column in comparison.columns]
    rows: Iterator[Mapping[str, Any]] = (
        {**item, "flips": flips, **dict(zip(names, tokens, strict=True))}
        for item, flips, tokens in zip(
            _items(comparison), comparison.dissent.tolist(), _tokens(comparison), strict=True
        )
    )
    try:
        with new_file(out, opened) as file:
            write_csv(rows, file)
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise InputError(f"{out}: cannot be written: {problem.strerror or problem}") from None
    say_written("the items", out)


def _print_comparison(comparison: TokenizerComparison) -> None:
    """What each tokenizer makes of each kind of content, then the items whose decisions flip."""
    from inspector.cli.tables import MOST_ROWS, print_rows

    base = comparison.columns[comparison.base]
    if comparison.reference is None:
        say(f"None of these is exact: they are compared with {base.name}, and no difference is an error.")
    else:
        say(f"Compared with {base.name}, which is exact.")
    kinds: list[ContentKind | None] = [*comparison.kinds_present, None]
    places = range(len(comparison.columns))
    summary = [_summary_row(comparison, place, kind) for kind in kinds for place in places]
    print_rows(summary, list(summary[0]))
    flips = list(_flip_rows(comparison))
    if not flips:
        say("No decision flips.")
        return
    print_rows(flips[:MOST_ROWS], list(flips[0]))
    if len(flips) > MOST_ROWS:
        say(f"… and {len(flips) - MOST_ROWS:,} more (--format json lists all)")


def _summary_row(comparison: TokenizerComparison, place: int, kind: ContentKind | None) -> dict[str, Any]:
    errors, flipped = _errors(comparison, place, kind), comparison.flipped(place)
    of_kind = slice(None) if kind is None else comparison.kinds == kind
    return {
        "content": ALL_KINDS if kind is None else word(kind),
        "tokenizer": comparison.columns[place].name,
        "items": errors.items,
        "tokens": errors.total,
        "bias %": None if errors.bias is None else round(100 * errors.bias, 1),
        "mean error": round(errors.mean_absolute_error, 1),
        "worst item": None if errors.worst is None else comparison.ids[errors.worst],
        "flips": None if flipped is None else int(flipped[of_kind].sum()),
    }


def _flip_rows(comparison: TokenizerComparison) -> Iterator[dict[str, Any]]:
    """The flips, those items first that most tokenizers flip."""
    base = comparison.columns[comparison.base]
    found = [(row, place) for place in range(len(comparison.columns)) for row in _rows_or_none(comparison, place)]
    for row, place in sorted(found, key=lambda pair: (-comparison.dissent[pair[0]], *pair)):
        column, flip = comparison.columns[place], _flip_value(comparison, place, row)
        yield {
            "item": flip["id"],
            "tokenizer": column.name,
            "tokens": int(column.tokens[row]) if column.tokens is not None else None,
            "exact" if base.exact else base.name: int(base.tokens[row]) if base.tokens is not None else None,
            "decision": f"{flip['reference']} → {flip['action']}",
        }


def _rows_or_none(comparison: TokenizerComparison, place: int) -> list[int]:
    flips = comparison.flips(place)
    return [] if flips is None else flips.tolist()
