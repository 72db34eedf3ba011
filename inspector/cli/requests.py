"""prompt-inspector requests: recorded requests, and what other settings would have saved."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inspector.analysis.basis import Basis
from inspector.analysis.requests.measured import AS_SENT
from inspector.analysis.requests.recording import Recording, recordings, setting_in_question
from inspector.analysis.requests.tables import REQUESTS, recording_value
from inspector.analysis.requests.words import NO_REQUESTS, recording_sentences, saving_sentence
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, open_cache, shown_result

_SHOWN_FROM_REQUESTS = 20


def _below(found: Recording) -> list[str]:
    return [*recording_sentences(found), *filter(None, [saving_sentence(found)])]


_TELLING = Telling([REQUESTS], recording_value, below=_below)


def requests(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector requests` with the values of its options."""
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    setting = _setting(scenario, scenario_file, settings, given)
    with named_failures():
        steps = recordings(Basis(pipeline, Scenario(), open_cache()), setting)
        found = shown_result(steps, "Counting recorded requests", _SHOWN_FROM_REQUESTS)
    if not len(found):
        raise InputError(NO_REQUESTS)
    answer(found, _TELLING, answer_format)


def _setting(
    scenario: Scenario, file: str | None, settings: tuple[str, ...], given: Mapping[str, Any]
) -> Scenario | None:
    """Return the setting in question, None if none was given; without a policy all is sent, as by the application."""
    asked = [name for name, value in given.items() if value not in (None, ()) and name != "conversation"]
    if not (file or settings or asked):
        return None
    keeps_all = not file and given.get("policy") is None
    return setting_in_question(replace(scenario, policy=AS_SENT) if keeps_all else scenario)
