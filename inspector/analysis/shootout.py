"""Shoot-outs for an audience: immediately with the known figures, then with every figure measured."""

from collections.abc import Iterator, Sequence

from inspector.analysis.basis import Basis
from inspector.assembly.answer import complete_answer, planned_answer
from inspector.assembly.shootout import Contender, Shootout, shoot_out


def shootouts(basis: Basis, contenders: Sequence[Contender]) -> Iterator[Shootout]:
    """Yield the planned shoot-out, with estimates for missing counts, then the measured shoot-out.

    Presets may count with tokenizers of their own, and policies may need more texts than the current policy. Raise
    ScenarioError, UnknownTokenizerError, and ValueError for no contenders.
    """
    pipeline, scenario = basis.pipeline, basis.scenario
    yield shoot_out(scenario, contenders, lambda chosen: planned_answer(pipeline, pipeline.case(chosen)))
    yield shoot_out(scenario, contenders, lambda chosen: complete_answer(pipeline, chosen, basis.cache))
