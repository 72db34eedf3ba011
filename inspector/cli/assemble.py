"""prompt-inspector assemble: a single assembly, or an assembly for each line of standard input."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import click

from inspector.assembly.answer import ASSEMBLY_FORMAT, Answer, answer_value, resolved_scenario, written_answer
from inspector.assembly.budget_table import BUDGET, budget_lines
from inspector.assembly.choices import ScenarioError
from inspector.assembly.cost import price_source, prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.doubts import prompt_counted_with
from inspector.assembly.item_tables import ITEM_ROWS, ITEMS
from inspector.assembly.model_choice import UnknownModelError, check_model
from inspector.assembly.policy import policy_title
from inspector.assembly.scenario_file import scenario_of
from inspector.assembly.scenario_values import no_kind
from inspector.assembly.summary_items import rows_with_summaries
from inspector.cli.answering import Line, Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.findings import finding_lines
from inspector.cli.loading import answer_for, named_failures, pipeline_of, report_problems
from inspector.cli.options import scenario_to_save
from inspector.cli.output import print_json_line
from inspector.figures import counted, dollars
from inspector.formats import UnreadableError
from inspector.formats.native.workspace import workspace_from
from inspector.model import Problem
from inspector.reading.files import MAX_FILE_BYTES, open_file
from inspector.reading.lines import read_line
from inspector.reading.values import as_text
from inspector.tables import table_of_part
from inspector.tokens.choice import UnknownTokenizerError


def _above(found: Answer) -> Iterator[Line]:
    """Yield the scenario, the cost or the reason why there is no prompt, and the findings."""
    scenario, ledger, error = resolved_scenario(found), found.ledger, found.assembly.error
    yield (
        f"{policy_title(scenario['policy'], type(found.case.policy))} ({scenario['policy']}, {scenario['preset']}) · "
        f"{scenario['model']} · {prompt_counted_with(found.assembly, ledger)} · "
        f"{counted(len(found.assembly.order), 'item')}"
    )
    if error:
        from inspector.cli.console import styled

        yield styled(f"error {error.code}: {error.message}", "red")
    elif (cost := prompt_cost(found.model.row, ledger.total)) is not None:
        yield f"cost {dollars(cost, ledger.estimated)} ({price_source(found.model.row)})"
    yield from finding_lines(found.findings)


def _assembly(found: Answer) -> Assembly:
    return found.assembly


def _made(found: Answer) -> Sequence[int]:
    """Return the items of a prompt, none if no prompt was made."""
    return rows_with_summaries(found.assembly) if found.assembly.error is None else ()


ASSEMBLY: Telling[Answer] = Telling(
    (table_of_part(BUDGET, budget_lines), replace(table_of_part(ITEMS, _assembly), rows=_made)),
    written_answer,
    _above,
    file=table_of_part(ITEM_ROWS, _assembly),
)
"""How an assembly is written."""


def assemble(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    strict: bool,
    lines: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector assemble` with the values of its options."""
    if lines is not None:
        if scenario_to_save() is not None:
            raise click.UsageError("--save-scenario: with --jsonl every line has a scenario of its own")
        sys.exit(_assemble_lines(lines, strict))
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    with named_failures():
        found = answer_for(pipeline, scenario)
        answer(found, ASSEMBLY, answer_format)
    failed = found.status != "ok" or any(finding.severity == "error" for finding in found.findings)
    sys.exit(1 if strict and failed else 0)


def _assemble_lines(file: str, strict: bool) -> int:
    """Answer line by line; a failing line yields a line with `error`, and the rest go on."""
    failed = False
    name = "standard input" if file == "-" else file
    for number, line in enumerate(_lines(file, name), 1):
        if line.strip():
            value = answer_line(line, name, number)
            failed |= value["status"] != "ok"
            print_json_line(value)
    return 1 if strict and failed else 0


def _lines(file: str, name: str) -> Iterator[bytes]:
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else open_file(file) as source:
            yield from iter(lambda: source.readline(MAX_FILE_BYTES), b"")
    except UnreadableError as error:
        raise InputError(str(error)) from None
    except OSError as problem:
        raise InputError(f"{name}: {problem.strerror}") from None


def answer_line(line: bytes, file: str, number: int = 1) -> dict[str, Any]:
    """Return the answer to a line of a file, or the error in it."""
    name, place = "", f"{file}:{number}"
    problems: list[Problem] = []
    try:
        records = read_line(number, line, file, problems)
        if problems:
            return _failure(name, "unreadable_input", str(problems[0]))
        case = records[0].value
        if len(records) > 1 or not isinstance(case, dict):
            return _failure(name, "unreadable_input", f"{place}: expected an object")
        name = as_text(case.get("name", ""))
        workspace = workspace_from(case.get("workspace") or {}, place)
        scenario, unknown = scenario_of(case.get("scenario") or {}, place, "$.scenario", no_kind)
        report_problems(unknown)
        pipeline = pipeline_of(workspace)
        choices = pipeline.choices
        if choices.traits(scenario).unknown_window is None:  # else the policy has a rule of its own
            check_model(scenario, choices.models, choices.tokenizers)
        return answer_value(answer_for(pipeline, scenario, cached=False), name)
    except UnreadableError as problem:
        return _failure(name, "unreadable_input", str(problem.problem))
    except UnknownModelError as problem:
        return _failure(name, "unknown_model", f"{place}: {problem}")
    except (ScenarioError, UnknownTokenizerError) as problem:
        return _failure(name, "invalid_scenario", f"{place}: {problem}")


def _failure(name: str, code: str, message: str) -> dict[str, Any]:
    nothing: dict[str, Iterable[Any]] = {"items": [], "messages": [], "findings": []}
    error = {"code": code, "message": message}
    return {"format": ASSEMBLY_FORMAT, "name": name, "status": "error", "error": error, **nothing}
