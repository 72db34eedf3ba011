"""The session: the only mutable holder of the window's current values. Everything below it is a pure function.

It holds the loaded files, the scenario, its answer and the pinned baseline. An edit replaces a single value; everything
downstream is recomputed: the assembly at most once a frame and on this thread; very large assemblies, counting and
measuring on workers.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from inspector.analysis.basis import Basis, Share
from inspector.assembly.answer import Answer, with_ledger
from inspector.assembly.choices import ScenarioError
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import Edit, choose_conversation, first_conversation, leave_out, take_over, use_setting
from inspector.assembly.marks import Marks, grown
from inspector.assembly.own_policy import OwnPolicy, choose_followed, shown_conversation, use_own
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Policy
from inspector.assembly.preset import Presets
from inspector.assembly.remembered import remember, remember_chat
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import files_named
from inspector.assembly.scenario_records import followed, record
from inspector.assembly.side_choice import BASELINE, Beside
from inspector.assembly.tidying import Tidying
from inspector.assembly.token_ledger import TokenLedger
from inspector.derived import cached_property
from inspector.formats import Part, UnreadableError
from inspector.gui.files.opening import Loaded, Opening, Tell, load, load_whole, opened_workspace, prepared
from inspector.gui.session.assembling import Assembling
from inspector.gui.session.compared import ComparedSides
from inspector.gui.session.preparation import Pipelines, Preparation, Shown, offered_presets
from inspector.gui.session.values import Kept, Values
from inspector.gui.tasks import tell
from inspector.model import Problem, Workspace
from inspector.settings import own_files
from inspector.sources import files_of
from inspector.tokens.choice import UnknownTokenizerError

if TYPE_CHECKING:
    from inspector.analysis.recommend.questions import Questions
    from inspector.gui.session.asked_questions import AskedQuestions

LOADING = "load"
"""The name of the task that reads files."""
_READING = "read all conversations"


class Session(Values):
    """The current values of a window, and the signals for their changes."""

    workspace_changed = Signal()
    leaving = Signal(object)
    opened = Signal(object)
    renewing = Signal()
    renewed = Signal(object)
    assembly_changed = Signal(object, object)
    presets_changed = Signal()
    unread_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workspace = Workspace()
        self.answer: Answer | None = None
        self.unread: tuple[Problem, ...] = ()
        self._pipelines = Pipelines()
        self.presets = offered_presets()
        self.pipeline = self._pipelines.make(self.workspace, self.presets)
        self._assembling = Assembling(self, self)
        self._preparation = Preparation(self, self.cache, self)
        self.compared = ComparedSides(self)

    @cached_property
    def asked(self) -> "AskedQuestions":
        """The choice of the questions to ask."""
        from inspector.gui.session.asked_questions import AskedQuestions  # not needed for the first picture

        return AskedQuestions(self)

    @property
    def questions(self) -> "Questions":
        """The open questions of the chosen source."""
        return self.asked.of(self.workspace, self.marks)

    @property
    def assembly(self) -> Assembly | None:
        """The current assembly, or the last valid one while a scenario is refused."""
        return self.answer.assembly if self.answer else None

    @property
    def basis(self) -> Basis | None:
        """The input of analyses: the answered scenario; another may be pending, and be refused."""
        answer = self.answer
        return answer and Basis(self.pipeline.fork(), answer.scenario, self.cache, self.locked)

    @property
    def baseline(self) -> Assembly | None:
        """The pinned assembly, for comparison."""
        return self.baseline_answer.assembly if self.baseline_answer else None

    @property
    def beside(self) -> Beside:
        """What choices of sides refer to besides the scenario."""
        known = {} if self.baseline_answer is None else {BASELINE: self.baseline_answer}
        return Beside(self.snapshots, self.baseline_scenario, known)

    @property
    def opened_files(self) -> list[str]:
        """Every file and folder read for the open inspection. Nothing else may be written over these."""
        saved = [str(self.saved.file)] if self.saved else []
        scenario = [self.scenario_file] if self.scenario_file else []
        named = files_named(self.scenario, *self.pipeline.choices.preset(self.scenario).tokenizer_names)
        return [*self.paths, *files_of(self.workspace), *scenario, *saved, *named, *map(str, own_files())]

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The answer and the baseline, as far as they exist. Empty while a new answer is pending."""
        shown: list[Shown] = []
        if self.answer is not None:
            shown.append(Shown(self.answer, self.pipeline, self.request_assembly, in_full=True))
        if self.baseline_answer is not None:
            pipeline = self._baseline.pipeline_beside(self.pipeline)
            shown.append(Shown(self.baseline_answer, pipeline, self._renew_baseline, in_full=False))
        return () if self.is_stale else tuple(shown)

    @property
    def is_anything_open(self) -> bool:
        """Whether there is a workspace to show and to add to."""
        return bool(self.workspace.sources or self.workspace.conversations)

    @property
    def is_in_use(self) -> bool:
        """Whether anything is open, or an inspection none of whose files could be read."""
        return self.is_anything_open or self.saved is not None

    @property
    def is_stale(self) -> bool:
        """Whether the answer is out of date because a new one is scheduled or being computed."""
        return self._assembling.is_pending

    @property
    def is_beginning(self) -> bool:
        """Whether an answer is scheduled, being computed, or about to be checked for missing values."""
        return self.is_stale or self._preparation.is_waiting

    @property
    def policy(self) -> Policy | None:
        """The current policy with its parameters, or None if the scenario's policy or parameters are refused."""
        try:
            return self.pipeline.case(self.scenario).policy
        except (ScenarioError, UnknownTokenizerError):
            return None

    def open(self, find: Callable[[Tell], Opening]) -> None:
        """Find and load an opening on a worker, then show it in place of the open files.

        The open files stay until then, and also if `find` raises UnreadableError or nothing can be read.
        """

        self._load(lambda make: load(find(tell), make, tell), None)

    def add(self, find: Callable[[Tell], Opening]) -> None:
        """Find and load an opening on a worker, then show it beside the open files and use it.

        Scenario, baseline and steps are kept; if nothing can be read, nothing changes. An inspection or a tour is
        opened in place of the open files. If nothing is open, the files are simply opened. An inspection none of whose
        files could be read counts as open.
        """
        from inspector.gui.files.renewing import load_more  # not needed for the first picture

        now = self.now
        if not self.is_in_use:
            self.open(find)
        else:
            self._load(lambda make: load_more(now, find(tell), make, tell), self.pipeline)

    def reload(self, paths: Sequence[str] = ()) -> None:
        """Read the open files again, or only those of `paths`, and keep scenario, baseline and steps."""
        from inspector.gui.files.renewing import load_again

        now = self.now
        self._load(lambda make: load_again(now, paths or now.paths, make, tell), self.pipeline)

    def _load(self, read: Callable[[Callable[[Workspace], Pipeline]], Loaded], like: Pipeline | None) -> None:
        """Load on a worker, then show the result. The new pipeline starts with everything `like` knows about texts."""

        def request() -> Iterator[Any]:
            try:
                presets = offered_presets()
                yield presets
                yield read(lambda workspace: self._pipelines.make(workspace, presets, like))
            except UnreadableError as error:
                yield error

        # Free the reference cycles made since the last opening (chat templates leave some that hold the prompt). The
        # files opened then are frozen and freed with their last reference.
        gc.collect()
        gc.disable()  # loading only makes objects; collections would walk through all of them
        self.show_progress(Share(what="Loading"))
        self.tasks.cancel_awaited()
        self.tasks.run(LOADING, request, self._take_loaded, self._end_loading, self._fail_loading, awaited=True)
        self.tell_ready()

    def tidy(self, label: str, tidying: Tidying) -> None:
        """Remove or rename a part of the workspace, as one step."""
        now = self.now
        if tidying == now.tidying:
            return
        after = opened_workspace(replace(now, tidying=tidying))
        shown = self.answer.case.chosen.conversation if self.answer else None
        edit = leave_out(self.scenario, shown.id if shown else "", after, label)
        self.carry_out(edit, lambda done: self._show_tidied(tidying if done else now.tidying))

    def show_conversation(self, name: str) -> None:
        """Show another conversation, in the state in which it was left.

        If the user has chosen no policy, the rules of its own program decide.
        """
        choose = choose_followed if self.follows_file else choose_conversation
        self._take(choose(self.scenario, self.workspace, name, self.chats), "", self.follows_file)

    def use_own(self, own: OwnPolicy) -> None:
        """Decide by the rules of the program of the shown conversation, and of any that is shown afterwards."""
        self._take(use_own(self.scenario, own, shown_conversation(self.workspace, self.scenario)), "", follows=True)

    def show_workspace(self, workspace: Workspace, scenario: Scenario | None = None) -> None:
        """Show a workspace from memory in place of the open files."""
        opening = Opening(scenario=scenario or Scenario(), parts=(Part("", workspace),))
        self._show(prepared(opening, self._pipelines.make(workspace, self.presets)))

    def flush(self) -> None:
        """Compute a scheduled or running assembly now."""
        self._assembling.flush()

    def request_assembly(self) -> None:
        """Recompute the assembly from newly known values, at most once a frame."""
        self._assembling.renew()

    def take_measured(self, answer: Answer, ledger: TokenLedger) -> None:
        """Take the measured ledger of an answer and the other input of its findings, if the answer is still shown."""
        if not self.shows(answer):
            return
        before, measured = self.answer, with_ledger(self.pipeline, answer, ledger)
        self.answer = measured if self.answer is answer else self.answer
        self._baseline.answer = measured if self._baseline.answer is answer else self._baseline.answer
        self.assembly_changed.emit(before, self.answer)

    def shows(self, answer: Answer) -> bool:
        """Return whether an answer is still shown: as the current one with no newer one pending, or as the baseline."""
        return answer is self.baseline_answer or (answer is self.answer and not self.is_stale)

    def take_presets(self, presets: Presets) -> None:
        """Offer these presets and apply them, if they differ from the previous ones.

        A removed preset is no longer offered. Scenarios naming it here, such as the baseline, are decided as before.
        """
        before, self.presets = self.presets, presets
        if dict(presets) != dict(before):
            self.pipeline.take_presets({**self.pipeline.choices.presets, **presets})
            self.presets_changed.emit()
            self._assembling.request()

    def take_models(self) -> None:
        """Read the model table again, and make the prompt by it."""
        self.pipeline.take_models(self._pipelines.read_models())
        self._assembling.request()

    def pin_baseline(self) -> None:
        """Pin the answer to the current scenario as the baseline."""
        self.flush()
        self._pin(self.answer)

    def clear_baseline(self) -> None:
        """Remove the baseline."""
        self._pin(None)

    def swap_baseline(self) -> None:
        """Exchange the baseline and the current scenario, as one step."""
        pinned, now = self.baseline_scenario, self.scenario
        if self.baseline_answer is None or pinned is None or pinned == record(self.pipeline, now):
            return
        self._pin_and_carry_out(take_over(now, followed(self.pipeline, pinned), "Swap baseline and now"))

    def pin_and_use(self, setting: Scenario, now: Scenario) -> None:
        """Pin `now`, a setting for the current things, as the baseline and switch to `setting`, as one step."""
        pinned = record(self.pipeline, use_setting(self.scenario, now).scenario)
        self._pin_and_carry_out(use_setting(self.scenario, setting), pinned)

    def _pin_and_carry_out(self, edit: Edit, pin: Scenario | None = None) -> None:
        """Pin a scenario, by default the current one, and apply the edit. Undo restores the previous baseline."""
        pinned, now = self.baseline_scenario, pin or record(self.pipeline, self.scenario)
        self.carry_out(edit, lambda done: self._pin_scenario(now if done else pinned))

    def _pin_scenario(self, scenario: Scenario | None) -> None:
        if scenario is None:
            self._pin(None)
            return
        self._baseline.pin_scenario(self.pipeline, scenario)
        self._tell_pinned()
        self._preparation.begin()

    def _pin(self, answer: Answer | None) -> None:
        self._baseline.pin(answer)
        self._tell_pinned()

    def _tell_pinned(self) -> None:
        self.assembly_changed.emit(self.answer, self.answer)
        self._tell_saved()

    def end_work(self) -> None:
        """After a long task has ended, look for values that are still missing."""
        super().end_work()
        self._preparation.look_soon()

    def cancel_work(self) -> None:
        """Stop loading, counting, measuring and searching. Known values stay and remain marked as estimates."""
        self._preparation.stop()
        gc.enable()
        super().cancel_work()

    def close(self) -> None:
        """Stop all work. The session is not used afterwards."""
        gc.enable()
        self._assembling.stop()
        self._preparation.stop()
        self.tasks.stop()
        self.undo_stack.blockSignals(True)  # Qt empties the stack while the window is being destroyed

    def _take_loaded(self, chunk: Share | UnreadableError | Presets | Loaded) -> None:
        if isinstance(chunk, Share):
            self.show_progress(chunk)
        elif isinstance(chunk, Presets):
            self.take_presets(chunk)
        elif isinstance(chunk, UnreadableError):
            self._tell_unread((chunk.problem, *chunk.also))
            self.problem_reported.emit(chunk.problem)
        else:
            workspace, self.unread = chunk.pipeline.workspace, chunk.unread
            if chunk.renews is not None:
                self.marks = grown(self.marks, self.workspace, workspace)
                self._renew(chunk, chunk.renews)
            elif workspace.sources or not self.is_anything_open:
                self._show(chunk)
            else:
                self._report([*chunk.opening.problems, *workspace.problems])
            self._tell_unread(chunk.unread)

    def _tell_unread(self, problems: tuple[Problem, ...]) -> None:
        """Report the parts of the last request that could not be read, none if all could."""
        self.unread = problems
        self.unread_changed.emit()

    def _end_loading(self) -> None:
        """Prepare the newly opened files, or resume the counting that loading interrupted."""
        gc.enable()
        self.end_work()
        self._preparation.begin()
        self._read_listed()

    def _fail_loading(self, error: Exception) -> None:
        gc.enable()
        self.fail_work(error)
        self._preparation.begin()
        self._read_listed()

    def _read_listed(self) -> None:
        """Read the conversations that have only been listed, on a worker, while the first is already shown."""
        now = self.now
        if all(part.whole is None for part in now.parts):
            return

        def request() -> Iterator[Any]:
            yield load_whole(now, lambda workspace: self._pipelines.make(workspace, self.presets, self.pipeline), tell)

        gc.disable()  # as in `_load`
        self.work(_READING, request, self._take_whole, on_failed=gc.enable)

    def _take_whole(self, chunk: Share | Loaded) -> None:
        if isinstance(chunk, Share):
            self.show_progress(chunk)
        elif chunk.renews is not None:
            self._renew(chunk, chunk.renews)
            self._tell_unread((*self.unread, *chunk.unread))

    def _show(self, loaded: Loaded) -> None:
        self.leaving.emit(loaded.opening)  # the open files are still there
        opening = loaded.opening
        self.scenario, self.follows_file = opening.scenario, opening.follows_file
        self.remembered = remember(opening.remembered, opening.scenario)
        self.marks, self.snapshots, self.chats, self.locks = opening.marks, opening.snapshots, opening.chats, {}
        self.filter = self.filter if opening.filter is None else opening.filter
        self._baseline.expect(opening.baseline)
        self.undo_stack.begin()
        self._begin_kept(Kept(opening.saved, None if opening.modified else self.undo_stack.state, opening.baseline))
        self._take_in(loaded)
        self.snapshots_changed.emit()
        self.opened.emit(opening)
        refused = [Problem("baseline", "", loaded.baseline_trouble)] if loaded.baseline_trouble else []
        self._report([*self.presets.problems, *opening.problems, *refused])

    def _renew(self, loaded: Loaded, asked: Opening) -> None:
        """Show the added files or those read again, with the edits made meanwhile."""
        now, more = self.now, loaded.opening
        opening = replace(now, paths=more.paths, parts=more.parts, named=more.named, repairs=more.repairs)
        opening = replace(opening, columns=more.columns, grown=more.grown)
        opening = replace(opening, tidying=more.tidying if now.tidying == asked.tidying else now.tidying)
        ready = loaded
        if (opening.tidying, now.scenario, now.baseline) != (more.tidying, asked.scenario, asked.baseline):
            ready = prepared(opening, self._pipeline_of(opening, loaded.pipeline))
        self._baseline.expect(now.baseline)
        if (opening.paths, opening.kept_columns) != (now.paths, now.kept_columns):
            self.undo_stack.leave_states()
            self._tell_modified()
        self.renewing.emit()  # the previous state is still shown
        self._take_in(replace(ready, opening=opening))
        if loaded.use is not None and (presets := loaded.presets) is not None:
            show = lambda done: self._show_tidied(presets.tidied(self.now.tidying, done))  # noqa: E731 - of then
            self.carry_out(loaded.use(self.scenario), show, adds=True)
        elif loaded.use is not None:
            self.edit(loaded.use)
        self.renewed.emit(opening)
        self._report(loaded.unread)

    def _show_tidied(self, tidying: Tidying) -> None:
        if tidying == self.now.tidying:
            return
        opening = replace(self.now, tidying=tidying)
        self._baseline.expect(opening.baseline)
        self.renewing.emit()
        self._take_in(prepared(opening, self._pipeline_of(opening, self.pipeline)))
        self._tell_unread(tuple(one for one in self.unread if not tidying.has_removed_file(one.file)))
        self.renewed.emit(opening)

    def _take_in(self, loaded: Loaded) -> None:
        """Show a loaded workspace with its answers."""
        self._assembling.leave()
        self.pipeline, self._opening, self.workspace = loaded.pipeline, loaded.opening, loaded.pipeline.workspace
        self.pipeline.known.marks = self.marks  # the user may have marked items during loading
        self.answer = None
        self._baseline.leave(loaded)
        self.trouble = loaded.trouble
        gc.freeze()  # the loaded objects stay; otherwise every collection during a drag would walk through them
        gc.enable()
        self.workspace_changed.emit()
        self._baseline.answer = loaded.baseline
        self._preparation.begin_anew()
        self.take_answer(loaded.answer, loaded.trouble)
        if dict(self.presets) != dict(self.pipeline.choices.presets):  # changed during loading
            self.pipeline.take_presets(self.presets)
            self._assembling.request()

    def _pipeline_of(self, opening: Opening, like: Pipeline) -> Pipeline:
        return self._pipelines.make(opened_workspace(opening), self.presets, like)

    def show_again(self) -> None:
        """Refresh every view after a change in how texts are shown."""
        self.workspace_changed.emit()
        self.assembly_changed.emit(None, self.answer)
        self.tell_ready()

    def _report(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.problem_reported.emit(problem)

    def _renew_baseline(self) -> None:
        """Recompute the baseline's answer from newly known values."""
        if self._baseline.renew(self.pipeline):
            self._preparation.begin()
            self.assembly_changed.emit(self.answer, self.answer)

    def _apply(self, scenario: Scenario) -> None:
        if (shown := self.scenario.conversation or first_conversation(self.workspace)) is not None:
            self.chats = remember_chat(self.chats, shown, self.scenario)
        self.scenario = scenario
        self.remembered = remember(self.remembered, scenario)
        self._preparation.begin_anew()
        self._assembling.request()

    def _apply_marks(self, marks: Marks) -> None:
        self.marks = self.pipeline.known.marks = marks
        if self.answer is not None:
            self.take_measured(self.answer, self.answer.ledger)

    def take_answer(self, answer: Answer | None, trouble: str) -> None:
        """Show an answer. With `trouble`, the reason why the scenario is refused, it is the last valid answer."""
        before, self.answer, self.trouble = self.answer, answer, trouble
        if self._pipelines.problem and self.scenario.summaries == "endpoint":
            self.problem_reported.emit(self._pipelines.problem)
        self.assembly_changed.emit(before, self.answer)
        self._preparation.begin()
        self.tell_ready()
