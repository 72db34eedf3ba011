"""The input of a command: files, and a scenario whose names have been checked."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from inspector.assembly.choices import ScenarioError
from inspector.assembly.own_policy import OWN, named_own, shown_conversation, use_own
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.servers import NO_SERVER
from inspector.cli.failure import InputError
from inspector.cli.inspections import inspection_among
from inspector.cli.loading import named_failures, open_pipeline, opened_files, report_problems
from inspector.cli.output import warn
from inspector.cli.saved_scenario import save_scenario
from inspector.cli.scenarios import parse_setting, scenario_from
from inspector.cli.usage import Asked, located
from inspector.model import Conversation, Problem, Workspace


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
    file = scenario_file or inspection_among(paths)
    begin = partial(open_pipeline, paths, piped, lists=not everywhere)
    pipeline, found = asked_of(begin, file, settings, given, everywhere=everywhere, guesses_model=guesses_model)
    save_scenario(found, lambda: opened_files(paths, pipeline, found, file))
    if not everywhere:
        report_problems(_problems_on_demand(pipeline.workspace, found))
    return pipeline, found


def asked_of(
    begin: Callable[[], Pipeline],
    file: str | None,
    settings: Sequence[str],
    given: Mapping[str, Any],
    *,
    everywhere: bool = False,
    guesses_model: bool = False,
) -> tuple[Pipeline, Scenario]:
    """Return the pipeline that `begin` opens, and the scenario of the options, as in `open_asked`.

    Options are checked before anything is opened, unless the opened file is to name the policy.
    """
    if given.get("policy") == OWN:
        pipeline = begin()
        given = _with_own(pipeline, file, given, everywhere=everywhere, guesses_model=guesses_model)
        scenario = scenario_from(file, settings, given, guesses_model=guesses_model)
    else:
        scenario = scenario_from(file, settings, given, guesses_model=guesses_model)
        pipeline = begin()
    return pipeline, found_in(pipeline, scenario, file, settings, given, everywhere=everywhere)


def _with_own(
    pipeline: Pipeline, file: str | None, given: Mapping[str, Any], *, everywhere: bool, guesses_model: bool
) -> dict[str, Any]:
    """Return the options with the own policy of the opened file, its server and context, unless these were given.

    End the command if the rules of its program are not known.
    """
    asked = {**given, "policy": None, "preset": None, "server_context": None}
    plain = scenario_from(file, (), asked, guesses_model=guesses_model)
    named = found_in(pipeline, plain, file, (), asked, everywhere=everywhere)
    chat = shown_conversation(pipeline.workspace, named)
    try:
        own = named_own(pipeline.workspace, _asked_chats(pipeline.workspace, named, everywhere))
    except ScenarioError as problem:
        raise InputError(f"--policy {problem}") from None
    if own.is_approximate:
        warn(f"{own.words}: {own.program} does not publish its rules; {own.policy} is the nearest published policy")
    used = use_own(named, own, chat).scenario
    beside = {"server": used.server, "server_context": used.server_context} if own.server != NO_SERVER else {}
    told = {name: value for name, value in beside.items() if value is not None and given.get(name) is None}
    if given.get("server") not in (None, own.server):
        told.pop("server_context", None)
    return {**given, "policy": own.policy, **told}


def _asked_chats(workspace: Workspace, scenario: Scenario, everywhere: bool) -> tuple[Conversation, ...]:
    """Return the conversations that a command is about: all of them, or that of its scenario."""
    chat = shown_conversation(workspace, scenario)
    if everywhere and scenario.conversation is None:
        return workspace.conversations
    return () if chat is None else (chat,)


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
