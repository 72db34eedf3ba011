"""recall --knob: recall along a knob under every policy with it, or by every pair of values of two knobs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import click

from inspector.analysis.basis import Basis
from inspector.analysis.recommend.drawings import along_drawing, crossed_drawing
from inspector.analysis.recommend.settings import asked_scenario
from inspector.analysis.recommend.tried import TRIED, Bench, Tried, along, bench_of, crossed, tried_value, try_out
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import PolicyError
from inspector.assembly.remembered import NOTHING
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import Plot, Telling, answer
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, open_cache, shown_result
from inspector.cli.usage import check_policies
from inspector.drawings.svg import svg
from inspector.model import Probe
from inspector.nearest import instead

_MOST_KNOBS = 2
_SHOWN_FROM_PROBES = 20


def answer_along(
    pipeline: Pipeline,
    scenario: Scenario,
    probes: Sequence[Probe],
    names: Sequence[str],
    policies: Sequence[str] | None,
    answer_format: str,
    plot: str | None,
    opened: Sequence[str],
) -> None:
    """Try the values of one or two knobs, and answer with the recall at each, or with a plot of it."""
    bench, tried = tried_by(pipeline, scenario, probes, names, policies)
    draw = along_drawing if len(names) == 1 else crossed_drawing
    picture = None if plot is None else Plot(plot, lambda: svg([draw(tried, bench)]), opened)
    telling = Telling([TRIED], partial(tried_value, bench=bench), below=partial(_closing_lines, bench), most=None)
    answer(tried, telling, answer_format, picture)


def tried_by(
    pipeline: Pipeline,
    scenario: Scenario,
    probes: Sequence[Probe],
    names: Sequence[str],
    policies: Sequence[str] | None,
) -> tuple[Bench, Tried]:
    """Return the recall of the settings around a scenario. End the command if they cannot be tried."""
    names = [name.replace("-", "_") for name in dict.fromkeys(names)]
    if len(names) > _MOST_KNOBS:
        raise click.UsageError("--knob: give one setting, or two for every pair of their values")
    with named_failures():
        bench = _bench(pipeline, scenario, probes, policies)
        known = [knob.name for knob in bench.knobs]
        for name in names:
            if name not in known:
                named = instead(name, known, len(known))
                raise click.UsageError(f"--knob {name}: {bench.policy} has no such setting; {named}")
        tried = along(bench, names[0]) if len(names) == 1 else crossed(bench, names[0], names[1])
        steps = try_out(Basis(pipeline, scenario, open_cache()), tried, probes)
        try:
            return bench, shown_result(steps, "Asking", _SHOWN_FROM_PROBES)
        except ValueError as problem:
            raise InputError(f"none of the {len(probes)} questions can be asked: {problem}") from None


def _bench(pipeline: Pipeline, scenario: Scenario, probes: Sequence[Probe], policies: Sequence[str] | None) -> Bench:
    """Return the variations of a scenario: under its conversation if it names any, else under all conversations."""
    asked = scenario if scenario.conversation else asked_scenario(scenario, pipeline.workspace)
    one = next((probe.conversation for probe in probes if probe.conversation), None)
    window = pipeline.case(replace(asked, conversation=asked.conversation or one)).model.window.tokens
    known = tuple(pipeline.choices.policies)
    check_policies("--policies", policies or ())
    try:
        return bench_of(pipeline, asked, window, known if policies is None else policies, NOTHING)
    except PolicyError as refusal:
        raise InputError(str(refusal)) from None


def _closing_lines(bench: Bench, tried: Tried) -> Iterator[str]:
    for knob in tried.knobs:
        yield f"{knob.title}: {knob.written(bench.today.get(knob.name))} now"
    if len(tried.knobs) > 1 and (best := tried.best_sentence(bench)):
        yield best
    yield f"Recall with memories, {tried.standing}; whether prompts fit the window is not asked here."
