"""The scenario that the options of a command make."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar

import click

from inspector.analysis.sweep.grid import parse_value
from inspector.assembly import edits, scenario_file
from inspector.assembly.inspection_file import inspection_part
from inspector.assembly.own_policy import OWN
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.cli.defaults import own_defaults
from inspector.cli.failure import InputError
from inspector.cli.found_context import found_context
from inspector.cli.inspections import inspection_among, inspection_scenario
from inspector.cli.output import warn
from inspector.cli.usage import Asked, checked
from inspector.formats import UnreadableError
from inspector.limits import MOST
from inspector.model import SCORE_SCALES, ScoreScale
from inspector.nearest import nearest
from inspector.plugins import kinds_known
from inspector.retrieval.lore.settings import LoreSettings
from inspector.retrieval.relevance.settings import RelevanceSettings

_Settings = TypeVar("_Settings", LoreSettings, RelevanceSettings)


def read_scenario(path: str) -> Scenario:
    """Return the scenario of a file, of an inspection or of a snapshot in it.

    End the command for an unreadable file; report unknown keys.
    """
    if inspection_part(path) is not None:
        return inspection_scenario(path)
    try:
        scenario, problems = scenario_file.read_scenario(path, kinds_known())
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None
    for problem in problems:
        warn(problem)
    return scenario


def scenario_from(
    file: str | None,
    settings: Sequence[str],
    given: Mapping[str, Any],
    paths: Sequence[str] = (),
    *,
    guesses_model: bool = False,
) -> Scenario:
    """Return the scenario of the file, of the opened inspection, or of the user's defaults, as changed by the options.

    End the command for an impossible scenario; with `guesses_model`, a model without a row in the table is accepted.
    """
    file = file or inspection_among(paths)
    scenario = read_scenario(file) if file else _default_scenario()
    changes = {name: value for name, value in given.items() if value not in (None, ())}
    for name in ("pinned", "excluded"):
        if name in changes:
            changes[name] = (*getattr(scenario, name), *changes[name])
    if changes.pop("no_memories", False):
        if "memory_sets" in changes:
            raise click.UsageError("--no-memories: with --memories there are some")
        changes["memory_sets"] = ()
    policy = changes.pop("policy", scenario.policy or DEFAULT_POLICY)
    if policy == OWN:
        which = "is about files that are opened together, since parameters are those of one policy"
        raise click.UsageError(f"--policy {OWN} {which}: name a policy here (report takes each file by itself)")
    scenario = edits.use_policy(scenario, policy, changes.pop("preset", None)).scenario
    scenario = edits.override(scenario, map(_override, changes.pop("overrides", ()))).scenario
    if "score_scales" in changes:
        changes["score_scales"] = {**scenario.score_scales, **dict(map(_scale, changes["score_scales"]))}
    for name in ("lore", "relevance"):
        if name in changes:
            changes[name] = _changed_settings(name, getattr(scenario, name), changes[name])
    if isinstance(place := changes.get("server_context"), str):
        server, model = (changes.get(name, getattr(scenario, name)) for name in ("server", "model"))
        changes["server_context"] = found_context(server, model, place)
    told = dict(map(parse_setting, settings))
    if "context_window" in told:
        changes["context_window"] = _whole(told.pop("context_window"))
    scenario = replace(scenario, **changes, parameters={**scenario.parameters, **told})
    return checked(scenario, Asked(file or "", given, told), guesses_model=guesses_model)


def _default_scenario() -> Scenario:
    """Return the scenario without any option: with the user's defaults. A scenario file says everything itself."""
    defaults = own_defaults()
    return Scenario(model=defaults.model, policy=defaults.policy, context_window=defaults.window)


def _whole(window: object) -> int:
    """Return a window given by --set. End the command if it is not a whole number in range."""
    if isinstance(window, bool) or not isinstance(window, int) or not 1 <= window <= MOST:
        raise click.UsageError(f"--set context_window: expected a whole number from 1 to {MOST:,}, not {window!r}")
    return window


def _scale(text: str) -> tuple[str, ScoreScale]:
    """Split SET=SCALE. End the command if this is not possible."""
    name, _, word = text.rpartition("=")
    scales: dict[str, ScoreScale] = {scale: scale for scale in SCORE_SCALES}
    scale = scales.get(word)
    if not name or scale is None:
        raise click.UsageError(f"--scores {text}: expected SET=SCALE with one of {', '.join(SCORE_SCALES)}")
    return name, scale


def _override(text: str) -> tuple[str, str, Any]:
    """Split ITEM:FIELD=VALUE into its three parts. End the command if this is not possible."""
    place, equals, value = text.partition("=")
    item, _, name = place.rpartition(":")
    if not equals or not item or not name:
        raise click.UsageError(f"--override {text}: expected ITEM:FIELD=VALUE")
    return item, name, _json_or_word(value)


def _changed_settings(option: str, known: _Settings, told: Sequence[str]) -> _Settings:
    """Return settings as changed by an option. End the command for an invalid change."""
    import msgspec

    names = [field.name for field in fields(known)]
    values = {name: _json_or_word(value) for name, value in (_split_known(option, text, names) for text in told)}
    try:
        return msgspec.convert({**asdict(known), **values}, type(known))
    except msgspec.ValidationError as problem:
        raise click.UsageError(f"--{option}: {problem}") from None


def _split_known(option: str, text: str, known: Sequence[str]) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name not in known:
        near = nearest(name, known, 1) if equals else []
        meant = f"; did you mean {near[0]}?" if near else ""
        raise click.UsageError(f"--{option} {text}: expected KEY=VALUE with one of {', '.join(known)}{meant}")
    return name, value


def _json_or_word(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def parse_setting(text: str) -> tuple[str, Any]:
    """Split KEY=VALUE, with the value as a number, true, false or a word."""
    name, value = split_setting(text)
    return name, parse_value(value)


def split_setting(text: str) -> tuple[str, str]:
    """Split KEY=VALUE into two texts. End the command if this is not possible."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"--set {text}: expected KEY=VALUE")
    return name.strip().replace("-", "_"), value.strip()
