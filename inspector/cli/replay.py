"""prompt-inspector replay: a whole conversation turn by turn, under one policy or two."""

from typing import Any

import click

from inspector.analysis.basis import Basis
from inspector.analysis.recall.probes import askable
from inspector.analysis.replay.ask import Replay, replays
from inspector.analysis.replay.drawing import whole_drawings
from inspector.analysis.replay.events import EVENTS, event_sentences
from inspector.analysis.replay.falls import FALLS, Falls, falls_of
from inspector.analysis.replay.moments import Moments, moments_of
from inspector.analysis.replay.tables import FALLEN, TURNS, replay_value
from inspector.analysis.replay.words import fallen, policy_name, summary_sentences
from inspector.assembly.contenders import contender_named
from inspector.cli.answering import Plot, Telling, answer_all
from inspector.cli.asking import open_asked
from inspector.cli.loading import named_failures, open_cache, opened_files, shown_result
from inspector.cli.recall import probes_of_file
from inspector.cli.usage import check_policies
from inspector.drawings.svg import svg
from inspector.figures import counted
from inspector.tables import table_of_part

_SHOWN_FROM_TURNS = 500
_MOST_POLICIES = 2


def _heading(found: Replay) -> list[str]:
    return [f"{policy_name(found)}, window {found.window:,}"]


def _fall_count(found: Replay) -> list[str]:
    return [f"{counted(len(fallen(found)), 'item')} of {len(found.candidates):,} fall out"]


def _below(moments: Moments) -> list[str]:
    return [*summary_sentences(moments.found), *event_sentences(moments)]


def _replay_of(moments: Moments) -> Replay:
    return moments.found


_OF_TURNS = table_of_part(TURNS, _replay_of)
_TURNS = Telling(
    [_OF_TURNS, EVENTS],
    replay_value,
    lambda moments: _heading(moments.found),
    _below,
    most=None,
    file=_OF_TURNS,
)


def _falls_heading(falls: Falls) -> list[str]:
    return _heading(falls.found)


_FALLS = Telling([FALLS], above=_falls_heading, most=None)
_ITEMS = Telling([FALLEN], above=_heading, below=_fall_count, most=None)


def replay(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    policy_names: str | None,
    every: int,
    of_items: bool,
    of_falls: bool,
    probes_file: str | None,
    plot: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector replay` with the values of its options."""
    if (of_items or of_falls) and plot is not None:
        raise click.UsageError("--items and --falls have no plot")
    if of_items and of_falls:
        raise click.UsageError("--items or --falls, not both")
    wanted = _policies(policy_names)
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    probes = pipeline.workspace.probes if probes_file is None else probes_of_file(probes_file)
    contenders = [contender_named(name, scenario) for name in wanted] or [None]
    with named_failures():
        steps = replays(Basis(pipeline, scenario, open_cache()), contenders, every)
        found = shown_result(steps, "Replaying", _SHOWN_FROM_TURNS)
    opened = opened_files(paths, pipeline, scenario, scenario_file)
    opened += [probes_file] if probes_file else []
    picture = None if plot is None else Plot(plot, lambda: svg(whole_drawings(found)), opened)
    if of_falls:
        answer_all([falls_of(each) for each in found], _FALLS, answer_format)
    elif of_items:
        answer_all(found, _ITEMS, answer_format)
    else:
        asked, _ = askable(pipeline.workspace, probes)
        answer_all([moments_of(each, asked) for each in found], _TURNS, answer_format, picture)


def _policies(names: str | None) -> list[str]:
    """Return the named policies, none for the scenario's own. End the command for too many, or for an unknown
    policy.
    """
    if names is None:
        return []
    named = [name for name in names.split(",") if name.strip()]
    if not 1 <= len(named) <= _MOST_POLICIES:
        raise click.UsageError(f"--policies {names}: expected one or two policies, such as ratio,slots")
    check_policies("--policies", named)
    return named
