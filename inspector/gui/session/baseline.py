"""The baseline: the pinned answer of a window, for comparison with its current one."""

from inspector.assembly.answer import Answer, planned_answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import record_of
from inspector.gui.files.opening import Loaded, answer_or_trouble


class Baseline:
    """The pinned answer, or its scenario alone if the pipeline refuses it. Empty at first.

    Its answers come from a pipeline of its own, because each pipeline holds the stages of a single scenario. Known
    values are shared.
    """

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self.scenario: Scenario | None = None
        """The pinned scenario, even if the pipeline refuses it."""
        self._pipeline: Pipeline | None = None

    def expect(self, scenario: Scenario | None) -> None:
        """Set the pinned scenario, in case the loaded state has no answer to it."""
        self.scenario = scenario

    def leave(self, loaded: Loaded) -> None:
        """Drop the answer before another workspace is shown."""
        self.answer, self._pipeline = None, loaded.baseline_pipeline

    def pin(self, answer: Answer | None) -> None:
        """Pin an answer, or nothing."""
        self.answer, self._pipeline = answer, None
        self.scenario = record_of(answer.case) if answer else None

    def pin_scenario(self, pipeline: Pipeline, scenario: Scenario) -> None:
        """Pin the answer to this scenario. If it is refused, pin the scenario alone."""
        apart = pipeline.fork()
        answer, trouble = answer_or_trouble(apart, scenario)
        self.pin(answer)
        self.scenario = scenario if trouble else self.scenario
        self._pipeline = apart

    def renew(self, pipeline: Pipeline) -> bool:
        """Recompute the answer from newly known values. Returns whether there is one."""
        if self.answer is None or self.scenario is None:
            return False
        apart = self.pipeline_beside(pipeline)
        self.answer = planned_answer(apart, apart.case(self.scenario))
        return True

    def pipeline_beside(self, pipeline: Pipeline) -> Pipeline:
        """Return the baseline's pipeline, forked from the current one if necessary."""
        if self._pipeline is None:
            self._pipeline = pipeline.fork()
        return self._pipeline
