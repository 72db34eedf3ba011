"""prompt-inspector compare: changes between two scenarios or snapshots, or between several policies."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from inspector.analysis.recorded.tables import (
    DIFFERING_FIRST,
    RECORDED,
    SHARES,
    USAGE,
    RecordedAnswer,
    recorded_answer,
    recorded_value,
)
from inspector.analysis.recorded.usage import UsageError
from inspector.assembly.answer import Answer
from inspector.assembly.compare import Comparison
from inspector.assembly.compare_tables import CHANGES, GROUPS, TOTALS, Compared, comparison_value
from inspector.assembly.contenders import contender_named
from inspector.assembly.edits import use_model, use_tokenizer
from inspector.assembly.inspection_file import inspection_part
from inspector.assembly.matrix_tables import DIFFERING, MATRIX, MOST_DISPUTED, OUTCOMES, matrix_value
from inspector.assembly.recorded import RecordedComparison, ShareTotal
from inspector.assembly.side_by_side import Side, SideBySide, answered_sides, side_by_side
from inspector.assembly.side_tables import ITEMS, LINES, SETTINGS, sides_value
from inspector.assembly.side_tables import TOTALS as TOTALS_OF_SIDES
from inspector.assembly.text_diff import MessageDiff, Span, text_diff, written_lines
from inspector.cli import completion
from inspector.cli.answering import Telling, answer, format_option
from inspector.cli.asking import asked_of, open_asked
from inspector.cli.failure import InputError
from inspector.cli.inspections import file_of
from inspector.cli.loading import answer_for, named_failures, open_pipeline
from inspector.cli.options import paths_argument, scenario_options
from inspector.cli.output import print_json, say
from inspector.cli.sections import SectionedCommand
from inspector.cli.usage import check_models, check_policies
from inspector.figures import counted
from inspector.plugins import policies
from inspector.tables import Subject, Table, table_of_part

_ALL = "all"
_ITSELF = "the inspection"
_PAIR = 2


def _agreement(sides: SideBySide) -> list[str]:
    return [sides.sentence if sides.disputed else "They agree about every item."]


def _matrix(differing: bool) -> Telling[SideBySide]:
    value = partial(matrix_value, differing=differing)
    return Telling([OUTCOMES, MOST_DISPUTED], value, _agreement, file=DIFFERING if differing else MATRIX)


def _differing(sides: SideBySide) -> list[str]:
    counts = f"{counted(len(sides.settings), 'setting')} and {counted(len(sides.differing), 'item')} differ"
    return [f"{counts}: {' · '.join(sides.names)}"]


def _no_change(compared: Compared) -> list[str]:
    """Return the reason why no items are listed."""
    return compared.refusals or ([] if len(compared.comparison) else ["No item changes."])


def _made(table: Table[Subject], part: Callable[[Compared], Subject]) -> Table[Compared]:
    """Return a table of two prompts, without rows if either was not made."""
    whole = table_of_part(table, part)
    return replace(whole, rows=lambda compared: () if compared.refusals else whole.rows(compared))


def _comparison(compared: Compared) -> Comparison:
    return compared.comparison


def _sides_of(compared: Compared) -> SideBySide:
    return compared.sides


def _recorded(found: RecordedAnswer) -> RecordedComparison:
    return found.comparison


def _shares(found: RecordedAnswer) -> Sequence[ShareTotal]:
    return found.comparison.shares


def _usage(found: RecordedAnswer) -> Sequence[UsageError]:
    return found.errors


_MATRIX, _DIFFERING = _matrix(False), _matrix(True)
_SIDES = Telling([SETTINGS, TOTALS_OF_SIDES, ITEMS], sides_value, below=_differing, file=LINES)
_PAIR_TELLING = Telling(
    (
        table_of_part(SETTINGS, _sides_of),
        _made(TOTALS, lambda compared: compared.lines),
        _made(GROUPS, lambda compared: compared.comparison.groups),
        _made(CHANGES, _comparison),
    ),
    comparison_value,
    below=_no_change,
    file=table_of_part(LINES, _sides_of),
)
_RECORDED = Telling(
    (table_of_part(DIFFERING_FIRST, _recorded), table_of_part(SHARES, _shares), table_of_part(USAGE, _usage)),
    recorded_value,
    lambda found: [found.comparison.sentence],
    file=table_of_part(RECORDED, _recorded),
)


@click.command(cls=SectionedCommand)
@paths_argument
@click.option("--a", "before_file", metavar="FILE", shell_complete=completion.files, help="Scenario to compare from.")
@click.option("--b", "after_file", metavar="FILE", shell_complete=completion.files, help="Scenario to compare with.")
@click.option("--recorded", is_flag=True, help="Compare with the decisions of the program that wrote the file.")
@click.option(
    "--policies",
    "policy_names",
    metavar="A,B,C",
    shell_complete=completion.policy_lists,
    help="Policies (or POLICY/PRESET) to set side by side; all for all.",
)
@click.option(
    "--models",
    metavar="A,B,C",
    shell_complete=completion.models,
    help="Models to set side by side, with --policies or alone.",
)
@click.option(
    "--tokenizers",
    "tokenizer_names",
    metavar="A,B,C",
    help="Tokenizers to set side by side, with --policies or alone.",
)
@click.option("--differing", is_flag=True, help="Side by side: only items they disagree about, as in the table.")
@click.option("--text", "as_text", is_flag=True, help="Show the differences in the text of the prompts.")
@scenario_options
@format_option
def compare(
    paths: tuple[str, ...],
    before_file: str | None,
    after_file: str | None,
    recorded: bool,
    policy_names: str | None,
    models: str | None,
    tokenizer_names: str | None,
    differing: bool,
    as_text: bool,
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Compare the items of PATHS under two scenarios; the other options apply to both.

    Two snapshots are compared as FILE.inspection.yaml#BEFORE #AFTER; without a name the saved state of the inspection
    is meant. Three or more are shown side by side, as in the window, and so are --policies, --models and --tokenizers,
    each in place of the scenario's own. With --recorded, compare this scenario with the
    recorded decisions of the program that wrote the file.
    """
    paths = _whole_names(paths)
    beside = (policy_names, models, tokenizer_names)
    is_matrix = any(names is not None for names in beside)
    if differing and not is_matrix:
        raise click.UsageError("--differing goes with --policies, --models or --tokenizers")
    if answer_format == "csv" and as_text:
        raise click.UsageError("--format csv goes with items, not with --text")
    if recorded and (before_file or after_file or as_text or is_matrix):
        raise click.UsageError("compare: give either --recorded, --policies, or --a and --b")
    if recorded:
        pipeline, scenario = open_asked(paths, scenario_file, settings, given)
        with named_failures():
            answer(recorded_answer(answer_for(pipeline, scenario)), _RECORDED, answer_format)
        return
    if is_matrix:
        if before_file or after_file or as_text:
            raise click.UsageError("compare: give either --policies, or --a and --b")
        wanted = [] if policy_names is None else _policies_named(policy_names)
        check_models("--models", _names(models))
        pipeline, scenario = open_asked(paths, scenario_file, settings, given)
        contenders = [contender_named(name, scenario) for name in wanted]
        asked = [
            *((contender.name, contender.scenario(scenario)) for contender in contenders),
            *((name, use_model(scenario, name).scenario) for name in _names(models)),
            *((name, use_tokenizer(scenario, name).scenario) for name in _names(tokenizer_names)),
        ]
        with named_failures():
            found = side_by_side(answered_sides(asked, partial(answer_for, pipeline)))
        answer(found, _DIFFERING if differing else _MATRIX, answer_format)
        return
    sides = _sides(paths, before_file, after_file)
    if not sides or scenario_file or (len(sides) > _PAIR and as_text):
        expected = "--a FILE and --b FILE, two snapshots or (without --text) more, --policies A,B,C, or --recorded"
        raise click.UsageError(f"compare: expected {expected}")
    with named_failures():
        open_once = cache(open_pipeline)  # equal files share a pipeline
        begins = [partial(open_once, tuple(map(file_of, opened))) for opened, _ in sides]
        asked_sides = [asked_of(begin, file, settings, given) for begin, (_, file) in zip(begins, sides, strict=True)]
        answered = [
            _side(file, answer_for(pipeline, scenario))
            for (pipeline, scenario), (_, file) in zip(asked_sides, sides, strict=True)
        ]
    found = side_by_side(answered)
    if len(sides) > _PAIR:
        answer(found, _SIDES, answer_format)
    elif as_text:
        _print_texts(Compared(found), answer_format)
    else:
        answer(Compared(found), _PAIR_TELLING, answer_format)


def _print_texts(compared: Compared, answer_format: str) -> None:
    if refused := compared.refusals:
        raise InputError("; ".join(refused))
    before, after = compared.answers
    _print_text(text_diff(before.assembly, after.assembly), answer_format)


def _side(file: str, found: Answer) -> Side:
    return Side(file, _name(file), "", found.scenario, found)


def _name(path: str) -> str:
    """Return the name of a snapshot, or of the file of a scenario."""
    part = inspection_part(path)
    return Path(path).name if part is None else part[1] or _ITSELF


def _whole_names(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths, where `#NAME` after the first is a snapshot of the same inspection."""
    if not paths or inspection_part(paths[0]) is None:
        return paths
    file = file_of(paths[0])
    return (paths[0], *(f"{file}{path}" if path.startswith("#") else path for path in paths[1:]))


_Side = tuple[tuple[str, ...], str]


def _names(names: str | None) -> list[str]:
    """Return the names separated by commas."""
    return [] if names is None else [name.strip() for name in names.split(",")]


def _policies_named(names: str) -> list[str]:
    """Return the policies separated by commas, or `all` of them. End the command for an unknown policy."""
    wanted = list(policies()[0]) if names.strip() == _ALL else names.split(",")
    check_policies("--policies", wanted)
    return wanted


def _sides(paths: tuple[str, ...], before: str | None, after: str | None) -> tuple[_Side, ...]:
    """Return the opened paths and the place of the scenario for each side; nothing if neither is given."""
    if before and after:
        return (paths, before), (paths, after)
    if before or after or len(paths) < _PAIR or any(inspection_part(path) is None for path in paths):
        return ()
    return tuple(((path,), path) for path in paths)


def _print_text(messages: Sequence[MessageDiff], answer_format: str) -> None:
    """Print the text diff, as text or as JSON."""
    if answer_format == "json":
        print_json({"messages": [text_value(message) for message in messages]})
        return
    for line in written_lines(messages):
        say(line.text)


def text_value(message: MessageDiff) -> dict[str, Any]:
    """Return a message of a text diff as JSON; each side of a line as pieces [text, whether it is marked]."""
    return {
        "kind": message.kind,
        "moved": message.is_moved,
        "role": message.role,
        "items": list(message.ids),
        "before": message.before,
        "after": message.after,
        "lines": [
            {"kind": line.kind, "before": _pieces(line.before), "after": _pieces(line.after)} for line in message.lines
        ],
    }


def _pieces(spans: Sequence[Span]) -> list[list[Any]] | None:
    return [[span.text, span.is_marked] for span in spans] or None
