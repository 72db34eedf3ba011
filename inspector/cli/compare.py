"""prompt-inspector compare: what changes between two scenarios or snapshots, or between several policies."""

from collections.abc import Sequence
from typing import Any

import click

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Fate, Section, word
from inspector.assembly.compare import Change, Comparison
from inspector.assembly.compare import compare as compare_assemblies
from inspector.assembly.diff_text import written_lines
from inspector.assembly.inspection_file import inspection_part
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.side_by_side import settings_that_differ
from inspector.assembly.text_diff import MessageDiff, Span, text_diff
from inspector.cli import completion
from inspector.cli.asking import found_in, open_asked
from inspector.cli.failure import InputError
from inspector.cli.inspections import file_of
from inspector.cli.loading import answer_for, named_failures, open_pipeline
from inspector.cli.options import paths_argument, rows_format_option, scenario_from, scenario_options
from inspector.cli.output import print_json, say
from inspector.cli.sections import SectionedCommand
from inspector.cli.shootout import compare_policies, policies_named, totals_of
from inspector.cli.snapshots import compare_snapshots


@click.command(cls=SectionedCommand, short_help="Say what changes between two scenarios.")
@paths_argument
@click.option("--a", "before_file", metavar="FILE", shell_complete=completion.files, help="Scenario to compare from.")
@click.option("--b", "after_file", metavar="FILE", shell_complete=completion.files, help="Scenario to compare with.")
@click.option("--recorded", is_flag=True, help="Compare with what the program that wrote the file did.")
@click.option(
    "--policies",
    "policy_names",
    metavar="A,B,C",
    shell_complete=completion.policy_lists,
    help="Policies (or POLICY/PRESET) to set side by side; all for all.",
)
@click.option("--differing", is_flag=True, help="With --policies: only items they disagree about, as in the table.")
@click.option("--text", "as_text", is_flag=True, help="Show what differs in the text of the prompts.")
@scenario_options
@rows_format_option
def compare(
    paths: tuple[str, ...],
    before_file: str | None,
    after_file: str | None,
    recorded: bool,
    policy_names: str | None,
    differing: bool,
    as_text: bool,
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Say what changes for the items of PATHS between two scenarios; the other options apply to both.

    Two snapshots are compared as FILE.inspection.yaml#ONE #TWO; without a name it is the inspection as it was saved.
    Three or more stand side by side, as in the window.
    With --recorded: what the program that wrote the file did with each message, beside what this scenario does.
    """
    paths = _whole_names(paths)
    if policy_names is None and differing:
        raise click.UsageError("--differing goes with --policies")
    if answer_format == "csv" and (recorded or as_text):
        raise click.UsageError("--format csv goes with --policies and with items that differ")
    if recorded and (before_file or after_file or as_text or policy_names is not None):
        raise click.UsageError("compare: give either --recorded, --policies, or --a and --b")
    if recorded:
        from inspector.cli.recorded import print_recorded

        print_recorded(_answered(*open_asked(paths, scenario_file, settings, given)), answer_format)
        return
    if policy_names is not None:
        if before_file or after_file or as_text:
            raise click.UsageError("compare: give either --policies, or --a and --b")
        wanted = policies_named(policy_names)
        pipeline, scenario = open_asked(paths, scenario_file, settings, given)
        compare_policies(pipeline, scenario, wanted, differing, answer_format)
        return
    sides = _sides(paths, before_file, after_file)
    if not sides or scenario_file or (len(sides) > _PAIR and as_text):
        expected = "--a FILE and --b FILE, two snapshots or (without --text) more, --policies A,B,C, or --recorded"
        raise click.UsageError(f"compare: expected {expected}")
    with named_failures():
        scenarios = [scenario_from(file, settings, given) for _, file in sides]
        answers = [
            answer_for(pipeline, found_in(pipeline, scenario, file, settings, given))
            for pipeline, scenario, (_, file) in zip(
                _pipelines([opened for opened, _ in sides]), scenarios, sides, strict=True
            )
        ]
    if len(sides) > _PAIR or answer_format == "csv":
        compare_snapshots([file for _, file in sides], answers, answer_format)
        return
    before, after = answers
    (_print_texts if as_text else _print_items)(before, after, answer_format)


def _print_items(before: Answer, after: Answer, answer_format: str) -> None:
    comparison = compare_assemblies(before.assembly, after.assembly)
    if answer_format == "json":
        print_json(comparison_value(comparison, before, after))
    else:
        from inspector.cli.tables import print_comparison

        print_comparison(comparison, before, after)


def _print_texts(before: Answer, after: Answer, answer_format: str) -> None:
    from inspector.cli.tables import refusals

    if refused := refusals(before, after):
        raise InputError("; ".join(refused))
    _print_text(text_diff(before.assembly, after.assembly), answer_format)


def _whole_names(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The paths, where `#NAME` after the first is a snapshot of the same inspection."""
    if not paths or inspection_part(paths[0]) is None:
        return paths
    file = file_of(paths[0])
    return (paths[0], *(f"{file}{path}" if path.startswith("#") else path for path in paths[1:]))


_PAIR = 2
_Side = tuple[tuple[str, ...], str]


def _sides(paths: tuple[str, ...], before: str | None, after: str | None) -> tuple[_Side, ...]:
    """What is opened for each side, and where its scenario stands; nothing where nobody says so."""
    if before and after:
        return (paths, before), (paths, after)
    if before or after or len(paths) < _PAIR or any(inspection_part(path) is None for path in paths):
        return ()
    return tuple(((path,), path) for path in paths)


def _pipelines(opened: Sequence[tuple[str, ...]]) -> list[Pipeline]:
    """A pipeline for each of these; of the same file the same one."""
    made: dict[tuple[str, ...], Pipeline] = {}
    for paths in opened:
        files = tuple(map(file_of, paths))
        if files not in made:
            made[files] = open_pipeline(files)
    return [made[tuple(map(file_of, paths))] for paths in opened]


def _print_text(messages: Sequence[MessageDiff], answer_format: str) -> None:
    """The text diff, as text or as JSON."""
    if answer_format == "json":
        print_json({"messages": [text_value(message) for message in messages]})
        return
    for line in written_lines(messages):
        say(line.text)


def text_value(message: MessageDiff) -> dict[str, Any]:
    """A message of a text diff as JSON has it; each side of a line as pieces [text, whether it is marked]."""
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


def _answered(pipeline: Pipeline, scenario: Scenario) -> Answer:
    with named_failures():
        return answer_for(pipeline, scenario)


def comparison_value(comparison: Comparison, before: Answer, after: Answer) -> dict[str, Any]:
    """The comparison as JSON has it: every item that differs, with null on the side that does not have an item."""
    return {
        "transitions": [_change_value(change) for change in comparison.changes()],
        "totals": {
            "changed": len(comparison),
            "before": totals_of(before),
            "after": totals_of(after),
            "groups": [
                {
                    "before": _word(group.before),
                    "after": _word(group.after),
                    "items": len(group),
                    "spent_before": group.spent_before,
                    "spent_after": group.spent_after,
                }
                for group in comparison.groups
            ],
        },
        "settings": [
            {"name": setting.name, "before": setting.values[0], "after": setting.values[1]}
            for setting in settings_that_differ((before, after))
        ],
    }


def _change_value(change: Change) -> dict[str, Any]:
    return {
        "id": change.id,
        "section": word(Section(change.section)),
        "before": _action_word(change.before),
        "after": _action_word(change.after),
        "spent_before": change.spent_before,
        "spent_after": change.spent_after,
        "reason_before": change.reason_before.code if change.reason_before else None,
        "reason_after": change.reason_after.code if change.reason_after else None,
    }


def _word(fate: Fate | None) -> str | None:
    return None if fate is None else word(fate)


def _action_word(fate: Fate | None) -> str | None:
    """The action behind a fate: what is not yet is dropped, and its reason says why."""
    return _word(Fate.DROPPED if fate is Fate.NOT_YET else fate)
