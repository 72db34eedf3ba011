"""prompt-inspector compare: changes between two scenarios or snapshots, or between several policies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
from inspector.cli.answering import Telling, answer
from inspector.cli.asking import asked_of, open_asked
from inspector.cli.failure import InputError
from inspector.cli.inspections import file_of
from inspector.cli.loading import answer_for, named_failures, open_pipeline
from inspector.cli.options import scenario_to_save
from inspector.cli.output import print_json, say
from inspector.cli.usage import check_models, check_policies
from inspector.figures import counted
from inspector.plugins import policies
from inspector.tables import Subject, Table, table_of_part

_ALL = "all"
_ITSELF = "the inspection"
_PAIR = 2
_Place = tuple[tuple[str, ...], str]
"""The opened paths, and the place of the scenario."""


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
    lambda found: found.sentences,
    file=table_of_part(RECORDED, _recorded),
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The paths, and the options of a scenario as given."""

    paths: tuple[str, ...]
    scenario_file: str | None
    settings: tuple[str, ...]
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Beside:
    """The names separated by commas to set side by side; None for an option that is not given."""

    policies: str | None
    models: str | None
    tokenizers: str | None

    @property
    def is_given(self) -> bool:
        """Whether any of the options is given."""
        return any(names is not None for names in (self.policies, self.models, self.tokenizers))


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
    """Run `prompt-inspector compare` with the values of its options."""
    beside = _Beside(policy_names, models, tokenizer_names)
    is_pair = bool(before_file or after_file or as_text)
    if differing and not beside.is_given:
        raise click.UsageError("--differing goes with --policies, --models or --tokenizers")
    if answer_format == "csv" and as_text:
        raise click.UsageError("--format csv goes with items, not with --text")
    _check_kind(beside, recorded=recorded, is_pair=is_pair)
    asked = _Asked(_whole_names(paths), scenario_file, settings, given)
    if recorded:
        _compare_recorded(asked, answer_format)
    elif beside.is_given:
        _compare_beside(asked, beside, _DIFFERING if differing else _MATRIX, answer_format)
    else:
        _compare_sides(asked, _sides(asked.paths, before_file, after_file), as_text, answer_format)


def _check_kind(beside: _Beside, *, recorded: bool, is_pair: bool) -> None:
    """End the command if options of two kinds of comparison are given."""
    if recorded and (is_pair or beside.is_given):
        raise click.UsageError("compare: give either --recorded, --policies, or --a and --b")
    if beside.is_given and is_pair:
        raise click.UsageError("compare: give either --policies, or --a and --b")


def _compare_recorded(asked: _Asked, answer_format: str) -> None:
    pipeline, scenario = open_asked(asked.paths, asked.scenario_file, asked.settings, asked.given)
    with named_failures():
        answer(recorded_answer(answer_for(pipeline, scenario)), _RECORDED, answer_format)


def _compare_beside(asked: _Asked, beside: _Beside, telling: Telling[SideBySide], answer_format: str) -> None:
    """Print the answers of several policies, models and tokenizers side by side."""
    wanted = [] if beside.policies is None else _policies_named(beside.policies)
    models = _names(beside.models)
    check_models("--models", models)
    pipeline, scenario = open_asked(asked.paths, asked.scenario_file, asked.settings, asked.given)
    contenders = [contender_named(name, scenario) for name in wanted]
    scenarios = [
        *((contender.name, contender.scenario(scenario)) for contender in contenders),
        *((name, use_model(scenario, name).scenario) for name in models),
        *((name, use_tokenizer(scenario, name).scenario) for name in _names(beside.tokenizers)),
    ]
    with named_failures():
        found = side_by_side(answered_sides(scenarios, partial(answer_for, pipeline)))
    answer(found, telling, answer_format)


def _compare_sides(asked: _Asked, sides: Sequence[_Place], as_text: bool, answer_format: str) -> None:
    """Print the changes between two scenarios or snapshots, or more of them side by side."""
    if not sides or asked.scenario_file or (len(sides) > _PAIR and as_text):
        expected = "--a FILE and --b FILE, two snapshots or (without --text) more, --policies A,B,C, or --recorded"
        raise click.UsageError(f"compare: expected {expected}")
    if scenario_to_save() is not None:
        raise click.UsageError("--save-scenario: here are several scenarios, which have files of their own")
    found = side_by_side(_answered(asked, sides))
    if len(sides) > _PAIR:
        answer(found, _SIDES, answer_format)
    elif as_text:
        _print_texts(Compared(found), answer_format)
    else:
        answer(Compared(found), _PAIR_TELLING, answer_format)


def _answered(asked: _Asked, sides: Sequence[_Place]) -> list[Side]:
    """Return each side with its answer."""
    open_once = cache(open_pipeline)  # equal files share a pipeline
    begins = [partial(open_once, tuple(map(file_of, opened))) for opened, _ in sides]
    files = [file for _, file in sides]
    with named_failures():
        opened = [asked_of(begin, file, asked.settings, asked.given) for begin, file in zip(begins, files, strict=True)]
        return [
            _side(file, answer_for(pipeline, scenario))
            for (pipeline, scenario), file in zip(opened, files, strict=True)
        ]


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


def _names(names: str | None) -> list[str]:
    """Return the names separated by commas."""
    return [] if names is None else [name.strip() for name in names.split(",")]


def _policies_named(names: str) -> list[str]:
    """Return the policies separated by commas, or `all` of them. End the command for an unknown policy."""
    wanted = list(policies()[0]) if names.strip() == _ALL else names.split(",")
    check_policies("--policies", wanted)
    return wanted


def _sides(paths: tuple[str, ...], before: str | None, after: str | None) -> tuple[_Place, ...]:
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
