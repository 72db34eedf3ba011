"""prompt-inspector snippet: the settings of a scenario in the form of another system."""

from typing import Any

from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, pipeline_of
from inspector.cli.output import say, warn
from inspector.cli.saved_scenario import read_without_chats, save_scenario
from inspector.cli.scenarios import scenario_from
from inspector.model import Workspace
from inspector.pages.snippets import SnippetError, settings_of
from inspector.pages.snippets import snippet as snippet_for


def snippet(
    paths: tuple[str, ...], scenario_file: str | None, settings: tuple[str, ...], system: str, **given: Any
) -> None:
    """Run `prompt-inspector snippet` with the values of its options."""
    if paths:
        pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    else:
        pipeline, scenario = pipeline_of(Workspace()), scenario_from(scenario_file, settings, given)
        save_scenario(scenario, lambda: read_without_chats(scenario, scenario_file))
    with named_failures():
        case = pipeline.case(scenario)
    try:
        made = snippet_for(system, settings_of(case))
    except SnippetError as problem:
        raise InputError(str(problem)) from None
    for line in made.text.splitlines():
        say(line)
    if made.unsaid:
        warn(made.unsaid)
