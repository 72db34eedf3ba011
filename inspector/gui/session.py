"""The session: the one mutable holder of the window's current values. Everything below it is a pure function.

What is loaded, the scenario, its answer, the pinned baseline. An edit replaces one value; what is downstream is made
again: the assembly at most once a frame and on this thread, counting and measuring on workers.
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Concatenate, ParamSpec

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from inspector.assembly.answer import Answer, planned_answer, with_ledger
from inspector.assembly.choices import ScenarioError
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import Edit
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Policy
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.token_ledger import TokenLedger
from inspector.formats import UnreadableError, load_workspace
from inspector.gui.frame import FrameTimer
from inspector.gui.inspection import SavedInspection
from inspector.gui.preparation import Preparation
from inspector.gui.progress import Progress
from inspector.gui.tasks import Request, Tasks
from inspector.gui.undo import ChangeScenario
from inspector.model import Problem, Workspace
from inspector.plugins import formats, policies, tokenizers
from inspector.retrieval.summaries.settings import EndpointSettings, read_endpoint
from inspector.settings import cache_file, own_models_file, settings_file
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import UnknownTokenizerError
from inspector.tokens.models.loading import load_models

_Terms = ParamSpec("_Terms")


@dataclass(frozen=True)
class _Opened:
    """What is opened together: paths, what they are shown with, and the inspection file that all this comes from.

    `modified` says that the scenario or the baseline is not what that file holds.
    """

    paths: tuple[str, ...] = ()
    scenario: Scenario = field(default_factory=Scenario)
    baseline: Scenario | None = None
    saved: SavedInspection | None = None
    modified: bool = False


class Session(QObject):
    """The current values of a window, and the signals that say which of them changed."""

    workspace_changed = Signal()
    assembly_changed = Signal(object, object)
    progress_changed = Signal(object)
    problem_reported = Signal(object)
    ready_changed = Signal(bool)
    saved_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workspace = Workspace()
        self.scenario = Scenario()
        self.answer: Answer | None = None
        self.baseline_answer: Answer | None = None
        self.trouble = ""
        self._opened = _Opened()
        self._refused_baseline: Scenario | None = None
        self._saved_baseline: Scenario | None = None
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self.saved_changed)
        self._models = load_models(own_models_file())
        self._endpoint, self._settings_problem = _endpoint()
        self.pipeline = self._pipeline_of(self.workspace)
        self.tasks = Tasks(self)
        self.tasks.changed.connect(self.tell_ready)
        self.cache = CountCache(cache_file())
        self._frame = FrameTimer(self._assemble, self)
        self._preparation = Preparation(self, self.cache, self)
        self._drawn = True
        self._told_ready = True
        self._told_cache = ""

    @property
    def assembly(self) -> Assembly | None:
        """The current assembly; the last good one while a scenario is refused."""
        return self.answer.assembly if self.answer else None

    @property
    def baseline(self) -> Assembly | None:
        """The assembly that was pinned to compare with."""
        return self.baseline_answer.assembly if self.baseline_answer else None

    @property
    def baseline_scenario(self) -> Scenario | None:
        """The scenario of the baseline, also of one that the pipeline refuses."""
        return self.baseline_answer.scenario if self.baseline_answer else self._refused_baseline

    @property
    def paths(self) -> tuple[str, ...]:
        """The files and folders that are open."""
        return self._opened.paths

    @property
    def saved(self) -> SavedInspection | None:
        """The inspection file that was opened or saved last, if what is open has one."""
        return self._opened.saved

    @property
    def is_modified(self) -> bool:
        """Whether scenario or baseline are others than when this was opened or saved."""
        return not self.undo_stack.isClean() or self.baseline_scenario != self._saved_baseline

    @property
    def is_ready(self) -> bool:
        """Whether nothing is being loaded, counted, measured or drawn."""
        return self._drawn and not (self.tasks.is_awaited or self._frame.is_waiting or self._preparation.is_waiting)

    @property
    def policy(self) -> Policy | None:
        """The current policy with its parameters, None where the scenario's are refused."""
        try:
            return self.pipeline.case(self.scenario).policy
        except (ScenarioError, UnknownTokenizerError):
            return None

    def open(
        self,
        paths: Sequence[str],
        scenario: Scenario | None = None,
        baseline: Scenario | None = None,
        saved: SavedInspection | None = None,
    ) -> None:
        """Load files and folders on a worker, in place of what is open, and show `scenario` or the default one.

        With a `baseline`, what that scenario gives is pinned to compare with. `saved` is the inspection that all this
        comes from. Until it is loaded, what was open stays open.
        """
        self._load(_Opened(tuple(paths), scenario or Scenario(), baseline, saved))

    def reload(self) -> None:
        """Read what is open again, with scenario and baseline as they are."""
        self._load(
            replace(self._opened, scenario=self.scenario, baseline=self.baseline_scenario, modified=self.is_modified)
        )

    def take_saved(self, saved: SavedInspection) -> None:
        """What is open was saved as this."""
        self._opened = replace(self._opened, saved=saved)
        self._saved_baseline = self.baseline_scenario
        self.undo_stack.setClean()
        self.saved_changed.emit()

    def _load(self, opening: "_Opened") -> None:
        def request() -> Iterator[Any]:
            pipeline = self._pipeline_of(load_workspace(opening.paths, formats=formats()[0]))
            yield Progress("Preparing the conversation", 1.0)
            yield pipeline, _assembled(pipeline, opening.scenario)

        gc.unfreeze()
        gc.disable()  # loading only makes objects; collections in between would walk through all of them
        self.show_progress(Progress("Loading"))
        self.tasks.cancel_awaited()
        self.work("load", request, lambda chunk: self._take_loaded(chunk, opening))
        self.tell_ready()

    def show_workspace(self, workspace: Workspace, scenario: Scenario | None = None) -> None:
        """Show a workspace that is already in memory, in place of what is open."""
        self._show_pipeline(self._pipeline_of(workspace), "", _Opened(scenario=scenario or Scenario()))

    def flush(self) -> None:
        """Make an assembly that waits for the end of a frame now."""
        self._frame.flush()

    def request_assembly(self) -> None:
        """Make the assembly anew, at most once a frame: something that it is made from has changed."""
        self._frame.request()

    def take_measured(self, answer: Answer, ledger: TokenLedger) -> None:
        """Take the measured ledger of an answer, if it is still the current one."""
        if self.answer is answer:
            self.answer = with_ledger(self.pipeline, answer, ledger)
            self.assembly_changed.emit(answer, self.answer)

    def work(
        self,
        name: str,
        request: Request,
        on_chunk: Callable[[Any], None],
        on_done: Callable[[], None] | None = None,
    ) -> None:
        """Do on a worker what belongs to the picture of now: the session is not ready before it has ended."""
        self.tasks.run(name, request, on_chunk, on_done or self.end_work, self.fail_work, awaited=True)

    def show_progress(self, progress: Progress) -> None:
        """Say how far some long work is."""
        self.progress_changed.emit(progress)

    def end_work(self) -> None:
        """Some long work has ended: no progress is shown if it was the last."""
        if not self.tasks.is_awaited:
            self.show_progress(Progress())

    def fail_work(self, error: Exception) -> None:
        """Some long work has failed: say so."""
        gc.enable()
        self.end_work()
        self.problem_reported.emit(Problem("", "", f"{type(error).__name__}: {error}"))

    def tell_ready(self) -> None:
        """Say so if the session has become ready, or is no longer."""
        ready = self.is_ready
        if ready != self._told_ready:
            self._told_ready = ready
            self.ready_changed.emit(ready)
            self._tell_of_cache()

    def _tell_of_cache(self) -> None:
        """Say once what is wrong with the cache, and only when no answer comes that would wipe it away."""
        if self.is_ready and self.cache.trouble not in ("", self._told_cache):
            self._told_cache = self.cache.trouble
            self.problem_reported.emit(Problem("", "", self.cache.trouble))

    def edit(
        self, verb: Callable[Concatenate[Scenario, _Terms], Edit], *terms: _Terms.args, **_: _Terms.kwargs
    ) -> None:
        """Do one of the verbs of `assembly.edits`, with these terms, as one undoable step."""
        self.drag("", verb, *terms)

    def drag(self, gesture: str, verb: Callable[..., Edit], *terms: Any) -> None:
        """Do a verb as a part of a gesture, whose changes are one step together; "" is a step of its own.

        What changes nothing is no step.
        """
        edit = verb(self.scenario, *terms)
        if _by_name(edit.scenario) != _by_name(self.scenario):
            self.undo_stack.push(ChangeScenario(self.scenario, edit.scenario, edit.label, gesture, self._apply))

    def pin_baseline(self) -> None:
        """Remember the current answer to compare with."""
        self._pin(self.answer)

    def clear_baseline(self) -> None:
        """Forget what was pinned."""
        self._pin(None)

    def _pin(self, answer: Answer | None) -> None:
        self.baseline_answer, self._refused_baseline = answer, None
        self.assembly_changed.emit(self.answer, self.answer)
        self.saved_changed.emit()

    def set_drawn(self, drawn: bool) -> None:
        """Told by the window: whether everything that can be seen shows the current answer."""
        self._drawn = drawn
        self.tell_ready()

    def cancel_work(self) -> None:
        """Stop loading, counting and measuring; what is known stays, and stays marked as an estimate."""
        self._preparation.stop()
        gc.enable()
        self.tasks.cancel_awaited()
        self.show_progress(Progress())
        self.tell_ready()

    def close(self) -> None:
        """Stop all work; the session is not used after this."""
        gc.enable()
        self._frame.stop()
        self._preparation.stop()
        self.tasks.stop()
        self.undo_stack.blockSignals(True)  # Qt empties the stack while the window is being destroyed

    def _pipeline_of(self, workspace: Workspace) -> Pipeline:
        pipeline = Pipeline(workspace, policies()[0], load_presets(), self._models, tokenizers()[0])
        pipeline.known.summarizing.endpoint = self._endpoint
        return pipeline

    def _take_loaded(self, chunk: Any, opening: "_Opened") -> None:
        if isinstance(chunk, Progress):
            self.show_progress(chunk)
        else:
            pipeline, trouble = chunk
            self._show_pipeline(pipeline, trouble, opening)

    def _show_pipeline(self, pipeline: Pipeline, trouble: str, opening: "_Opened") -> None:
        self.workspace, self.pipeline, self.trouble = pipeline.workspace, pipeline, trouble
        self._opened, self.scenario = opening, opening.scenario
        self.baseline_answer = self.answer = None
        self._refused_baseline = self._saved_baseline = opening.baseline
        self.undo_stack.clear()
        if opening.modified:
            self.undo_stack.resetClean()
        gc.freeze()  # what was loaded stays; without this every collection during a drag would walk through it
        gc.enable()
        self.workspace_changed.emit()
        if opening.baseline is not None:
            self._set_baseline(opening.baseline)
        self._preparation.hurry(True)  # nobody is dragging
        self._frame.request()

    def _set_baseline(self, scenario: Scenario) -> None:
        try:
            self.baseline_answer = planned_answer(self.pipeline, self.pipeline.case(scenario))
        except (ScenarioError, UnknownTokenizerError) as problem:
            self.problem_reported.emit(Problem("baseline", "", str(problem)))

    def _apply(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self._preparation.hurry(False)
        self._frame.request()

    def _assemble(self) -> None:
        """Make the assembly of the current scenario; one that is refused leaves the last good one, with the reason."""
        before = self.answer
        try:
            self.answer = planned_answer(self.pipeline, self.pipeline.case(self.scenario))
            self.trouble = ""
        except (ScenarioError, UnknownTokenizerError) as problem:
            self.trouble = str(problem)
        if self._settings_problem and self.scenario.summaries == "endpoint":
            self.problem_reported.emit(self._settings_problem)
        self._preparation.begin()
        self.assembly_changed.emit(before, self.answer)
        self.tell_ready()


def _by_name(scenario: Scenario) -> Scenario:
    """The scenario with policy and preset by their names, where it leaves them to the default."""
    return replace(scenario, policy=scenario.policy or DEFAULT_POLICY, preset=scenario.preset or DEFAULT_PRESET)


def _endpoint() -> tuple[EndpointSettings | None, Problem | None]:
    """The endpoint for summaries that the person configured, and why the settings file cannot be read."""
    try:
        return read_endpoint(settings_file()), None
    except UnreadableError as error:
        return None, error.problem


def _assembled(pipeline: Pipeline, scenario: Scenario) -> str:
    """Warm the stages of a pipeline for a scenario; says why it is refused, if it is."""
    try:
        pipeline.assemble(pipeline.case(scenario))
    except (ScenarioError, UnknownTokenizerError) as problem:
        return str(problem)
    return ""
