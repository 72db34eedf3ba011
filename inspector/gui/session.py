"""The session: the one mutable holder of the window's current values. Everything below it is a pure function.

What is loaded, the scenario, its answer, the pinned baseline. An edit replaces one value; what is downstream is made
again: the assembly at most once a frame and on this thread, counting and measuring on workers.
"""

import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from inspector.analysis.shootout import shootouts
from inspector.analysis.solver import SmallestChange, smallest_changes
from inspector.assembly.answer import Answer, planned_answer, with_ledger
from inspector.assembly.choices import ScenarioError
from inspector.assembly.decisions import Assembly
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Policy
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.shootout import Contender
from inspector.assembly.token_ledger import TokenLedger
from inspector.formats import UnreadableError, load_workspace
from inspector.gui.frame import FrameTimer
from inspector.gui.preparation import WORK as PREPARATION_WORK
from inspector.gui.preparation import Preparation
from inspector.gui.progress import Progress
from inspector.gui.tasks import Tasks
from inspector.gui.undo import ChangeScenario
from inspector.model import Problem, Workspace
from inspector.plugins import formats, policies, tokenizers
from inspector.retrieval.summaries.settings import EndpointSettings, read_endpoint
from inspector.settings import cache_file, own_models_file, settings_file
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import UnknownTokenizerError
from inspector.tokens.models.loading import load_models

_WORK = ("load", *PREPARATION_WORK, "shootout", "tokenizers", "summaries")
"""Requests that the window waits for before it says that it is ready."""


class Session(QObject):
    """The current values of a window, and the signals that say which of them changed."""

    workspace_changed = Signal()
    assembly_changed = Signal(object, object)
    progress_changed = Signal(object)
    problem_reported = Signal(object)
    ready_changed = Signal(bool)
    changes_found = Signal(int, object)
    shootout_made = Signal(object)
    tokenizers_compared = Signal(object)
    summaries_compared = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workspace = Workspace()
        self.scenario = Scenario()
        self.answer: Answer | None = None
        self.baseline_answer: Answer | None = None
        self.trouble = ""
        self.paths: tuple[str, ...] = ()
        self.undo_stack = QUndoStack(self)
        self._models = load_models(own_models_file())
        self._endpoint, self._settings_problem = _endpoint()
        self.pipeline = self._pipeline_of(self.workspace)
        self.tasks = Tasks(self)
        self.tasks.changed.connect(self.tell_ready)
        self._cache = CountCache(cache_file())
        self._frame = FrameTimer(self._assemble, self)
        self._preparation = Preparation(self, self._cache)
        self._drawn = True
        self._told_ready = True

    @property
    def assembly(self) -> Assembly | None:
        """The current assembly; the last good one while a scenario is refused."""
        return self.answer.assembly if self.answer else None

    @property
    def baseline(self) -> Assembly | None:
        """The assembly that was pinned to compare with."""
        return self.baseline_answer.assembly if self.baseline_answer else None

    @property
    def is_ready(self) -> bool:
        """Whether nothing is being loaded, counted, measured or drawn."""
        working = any(map(self.tasks.is_running, _WORK))
        return self._drawn and not (working or self._frame.is_waiting or self._preparation.is_waiting)

    @property
    def policy(self) -> Policy | None:
        """The current policy with its parameters, None where the scenario's are refused."""
        try:
            return self.pipeline.case(self.scenario).policy
        except (ScenarioError, UnknownTokenizerError):
            return None

    def open(self, paths: Sequence[str], scenario: Scenario | None = None, baseline: Scenario | None = None) -> None:
        """Load files and folders on a worker, in place of what is open, and show `scenario` or the default one.

        With a `baseline`, what that scenario gives is pinned to compare with.
        """
        self.paths = tuple(paths)
        start = scenario or Scenario()

        def request() -> Iterator[Any]:
            workspace = load_workspace(paths, formats=formats()[0])
            pipeline = self._pipeline_of(workspace)
            yield Progress("Preparing the conversation", 1.0)
            first = _assembled(pipeline, start)
            yield pipeline, first

        gc.unfreeze()
        gc.disable()  # loading only makes objects; collections in between would walk through all of them
        self._set_progress(Progress("Loading"))
        for name in _WORK:
            self.tasks.cancel(name)
        self.tasks.run(
            "load",
            request,
            lambda chunk: self._take_loaded(chunk, start, baseline),
            self.end_work,
            self.fail_work,
        )
        self.tell_ready()

    def show_workspace(self, workspace: Workspace, scenario: Scenario | None = None) -> None:
        """Show a workspace that is already in memory, in place of what is open."""
        self.paths = ()
        self._show_pipeline(self._pipeline_of(workspace), "", scenario or Scenario(), None)

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

    def end_work(self) -> None:
        """Some long work has ended: no progress is shown if it was the last."""
        if not any(map(self.tasks.is_running, _WORK)):
            self._set_progress(Progress())

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

    def edit(self, label: str, changes: Mapping[str, Any], gesture: str = "") -> None:
        """Change fields of the scenario as one undoable step; changes of the same gesture are one step together."""
        after = replace(self.scenario, **changes)
        if after != self.scenario:
            self.undo_stack.push(ChangeScenario(self.scenario, after, label, gesture, self._apply))

    def show_scenario(self, scenario: Scenario, label: str) -> None:
        """Replace the whole scenario as one undoable step."""
        if scenario != self.scenario:
            self.undo_stack.push(ChangeScenario(self.scenario, scenario, label, "", self._apply))

    def pin_baseline(self) -> None:
        """Remember the current answer to compare with."""
        self.baseline_answer = self.answer
        self.assembly_changed.emit(self.answer, self.answer)

    def clear_baseline(self) -> None:
        """Forget what was pinned."""
        self.baseline_answer = None
        self.assembly_changed.emit(self.answer, self.answer)

    def find_changes(self, row: int) -> None:
        """Look on a worker for the smallest changes that would change the fate of a row; the latest request wins."""
        pipeline, scenario = self.pipeline.fork(), self.scenario
        found: list[SmallestChange] = []

        def finish() -> None:
            self.changes_found.emit(row, tuple(found))

        self.tasks.run(
            "changes", lambda: smallest_changes(pipeline, scenario, row), found.append, finish, self.fail_work
        )

    def shoot_out(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Set policies under presets side by side on a worker: at once with what is counted, then with all counted."""
        if self.answer is None or self.trouble:
            self.shootout_made.emit(None)
            return
        pipeline, scenario, cache = self.pipeline.fork(), self.scenario, self._cache
        contenders = [Contender(*pair) for pair in pairs]
        self.tasks.run(
            "shootout",
            lambda: shootouts(pipeline, scenario, contenders, cache),
            self.shootout_made.emit,
            self.end_work,
            self.fail_work,
        )

    def compare_tokenizers(self, names: Sequence[str] | None) -> None:
        """Set tokenizers side by side on a worker, one column after the other; without names the usual ones."""
        if self.answer is None or self.trouble:
            self.tokenizers_compared.emit(None)
            return
        from inspector.analysis.tokenizers import CountingStep, tokenizer_comparisons  # not before somebody compares

        pipeline, scenario, cache = self.pipeline.fork(), self.scenario, self._cache

        def take(step: Any) -> None:
            if isinstance(step, CountingStep):
                self._set_progress(Progress(f"Counting with {step.name}", step.share))
            else:
                self.tokenizers_compared.emit(step)

        self.tasks.run(
            "tokenizers",
            lambda: tokenizer_comparisons(pipeline, scenario, names, cache),
            take,
            self.end_work,
            self.fail_work,
        )

    def compare_summaries(self) -> None:
        """Set the summaries of the current answer beside their originals, on a worker."""
        if self.answer is None or self.trouble:
            self.summaries_compared.emit(None)
            return
        from inspector.analysis.fidelity import SummaryTable, summary_tables  # not before somebody compares

        assembly = self.answer.assembly

        def take(step: Any) -> None:
            if isinstance(step, SummaryTable):
                self.summaries_compared.emit(step)
            else:
                self._set_progress(Progress("Looking for facts", step))

        self.tasks.run("summaries", lambda: summary_tables(assembly), take, self.end_work, self.fail_work)

    def set_drawn(self, drawn: bool) -> None:
        """Told by the window: whether everything that can be seen shows the current answer."""
        self._drawn = drawn
        self.tell_ready()

    def cancel_work(self) -> None:
        """Stop loading, counting and measuring; what is known stays, and stays marked as an estimate."""
        self._preparation.stop()
        gc.enable()
        for name in (*_WORK, "changes"):
            self.tasks.cancel(name)
        self._set_progress(Progress())
        self.tell_ready()

    def close(self) -> None:
        """Stop all work; the session is not used after this."""
        gc.enable()
        self._preparation.stop()
        self.tasks.stop()
        self.undo_stack.blockSignals(True)  # Qt empties the stack while the window is being destroyed

    def _pipeline_of(self, workspace: Workspace) -> Pipeline:
        pipeline = Pipeline(workspace, policies()[0], load_presets(), self._models, tokenizers()[0])
        pipeline.known.summarizing.endpoint = self._endpoint
        return pipeline

    def _take_loaded(self, chunk: Any, scenario: Scenario, baseline: Scenario | None) -> None:
        if isinstance(chunk, Progress):
            self._set_progress(chunk)
        else:
            pipeline, trouble = chunk
            self._show_pipeline(pipeline, trouble, scenario, baseline)

    def _show_pipeline(self, pipeline: Pipeline, trouble: str, scenario: Scenario, baseline: Scenario | None) -> None:
        self.workspace, self.pipeline, self.trouble = pipeline.workspace, pipeline, trouble
        self.scenario = scenario
        self.baseline_answer = self.answer = None
        self.undo_stack.clear()
        gc.freeze()  # what was loaded stays; without this every collection during a drag would walk through it
        gc.enable()
        self.workspace_changed.emit()
        if baseline is not None:
            self._set_baseline(baseline)
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
        self.tasks.cancel("changes")
        self.assembly_changed.emit(before, self.answer)
        self.tell_ready()

    def _set_progress(self, progress: Progress) -> None:
        self.progress_changed.emit(progress)


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
