"""The input of a command: files, and a scenario whose names have been checked."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.inspections import inspection_among
from inspector.cli.loading import named_failures, open_pipeline, report_problems
from inspector.cli.options import parse_setting, scenario_from
from inspector.cli.usage import Asked, located
from inspector.model import Problem, Workspace


def open_asked(
    paths: Sequence[str],
    scenario_file: str | None,
    settings: Sequence[str],
    given: Mapping[str, Any],
    *,
    piped: bytes | None = None,
    everywhere: bool = False,
    guesses_model: bool = False,
) -> tuple[Pipeline, Scenario]:
    """Return a pipeline for these files and the scenario of the options. Unknown names end the command.

    With `everywhere`, the command covers all conversations and may name items of any of them; with `guesses_model`, the
    model need not match a row of the table.
    """
    scenario = scenario_from(scenario_file, settings, given, paths, guesses_model=guesses_model)
    pipeline = open_pipeline(paths, piped, lists=not everywhere)
    file = scenario_file or inspection_among(paths)
    found = found_in(pipeline, scenario, file, settings, given, everywhere=everywhere)
    if not everywhere:
        report_problems(_problems_on_demand(pipeline.workspace, found))
    return pipeline, found


def _problems_on_demand(workspace: Workspace, scenario: Scenario) -> tuple[Problem, ...]:
    """Return the problems of the conversation of a scenario, if it is read on demand."""
    chats = workspace.conversations
    chosen = [chat for chat in chats if chat.id == scenario.conversation] if scenario.conversation else chats
    return chosen[0].problems_on_demand if chosen else ()


def found_in(
    pipeline: Pipeline,
    scenario: Scenario,
    file: str | None,
    settings: Sequence[str],
    given: Mapping[str, Any],
    *,
    everywhere: bool = False,
) -> Scenario:
    """Return a scenario with the ids of the things named by its options. End the command for unknown names."""
    asked = Asked(file or "", given, dict(map(parse_setting, settings)))
    with named_failures():
        return located(pipeline, scenario, asked, everywhere=everywhere)
