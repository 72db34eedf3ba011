"""What a command is asked for: files, and a scenario that names nothing which is not there."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.inspections import inspection_among
from inspector.cli.loading import named_failures, open_pipeline
from inspector.cli.options import parse_setting, scenario_from
from inspector.cli.usage import Asked, located


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
    """A pipeline for these files, and the scenario of the options; names that mean nothing end the command.

    With `everywhere`, the command is about all conversations, and its items may be of any of them; with
    `guesses_model`, the model may be one that no row means.
    """
    scenario = scenario_from(scenario_file, settings, given, paths, guesses_model=guesses_model)
    pipeline = open_pipeline(paths, piped)
    file = scenario_file or inspection_among(paths)
    return pipeline, found_in(pipeline, scenario, file, settings, given, everywhere=everywhere)


def found_in(
    pipeline: Pipeline,
    scenario: Scenario,
    file: str | None,
    settings: Sequence[str],
    given: Mapping[str, Any],
    *,
    everywhere: bool = False,
) -> Scenario:
    """A scenario with the ids of what its options name. Ends the command for what is not there."""
    asked = Asked(file or "", given, dict(map(parse_setting, settings)))
    with named_failures():
        return located(pipeline, scenario, asked, everywhere=everywhere)
