"""The baseline: what was pinned to compare with, by its values."""

from inspector.assembly.answer import Answer, planned_answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import record_of
from inspector.gui.opening import Loaded, answer_or_trouble


class Baseline:
    """The answer that is pinned, or the scenario of one that the pipeline refuses; nothing at first.

    Its answers are made by a pipeline of its own, because each holds the stages of one scenario; what is known is
    shared.
    """

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self.scenario: Scenario | None = None
        """What is pinned, also where the pipeline refuses it."""
        self._pipeline: Pipeline | None = None

    def expect(self, scenario: Scenario | None) -> None:
        """This is what is pinned, should what is loaded have no answer to it."""
        self.scenario = scenario

    def leave(self, loaded: Loaded) -> None:
        """Another workspace is about to be shown, without an answer so far."""
        self.answer, self._pipeline = None, loaded.baseline_pipeline

    def pin(self, answer: Answer | None) -> None:
        """Pin an answer, or nothing."""
        self.answer, self._pipeline = answer, None
        self.scenario = record_of(answer.case) if answer else None

    def pin_scenario(self, pipeline: Pipeline, scenario: Scenario) -> None:
        """Pin what this scenario gives; one that is refused pins nothing but itself."""
        apart = pipeline.fork()
        answer, trouble = answer_or_trouble(apart, scenario)
        self.pin(answer)
        self.scenario = scenario if trouble else self.scenario
        self._pipeline = apart

    def renew(self, pipeline: Pipeline) -> bool:
        """Make the answer anew: something that it is made from has become known. Returns whether there is one."""
        if self.answer is None or self.scenario is None:
            return False
        apart = self.pipeline_beside(pipeline)
        self.answer = planned_answer(apart, apart.case(self.scenario))
        return True

    def pipeline_beside(self, pipeline: Pipeline) -> Pipeline:
        """The pipeline of the baseline beside that of what is now."""
        if self._pipeline is None:
            self._pipeline = pipeline.fork()
        return self._pipeline
