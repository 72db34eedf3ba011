"""Shoot-outs for whoever watches: at once with what is known, then with every figure measured."""

from collections.abc import Iterator, Sequence

from inspector.analysis.basis import Basis
from inspector.assembly.answer import complete_answer, planned_answer
from inspector.assembly.shootout import Contender, Shootout, shoot_out


def shootouts(basis: Basis, contenders: Sequence[Contender]) -> Iterator[Shootout]:
    """The shoot-out as it is planned, with estimates for what is not counted yet; then with everything measured.

    Presets may count with tokenizers of their own, and policies may need more texts than the one in use. Raises
    ScenarioError, UnknownTokenizerError, and ValueError for no contenders.
    """
    pipeline, scenario = basis.pipeline, basis.scenario
    yield shoot_out(scenario, contenders, lambda chosen: planned_answer(pipeline, pipeline.case(chosen)))
    yield shoot_out(scenario, contenders, lambda chosen: complete_answer(pipeline, chosen, basis.cache))
