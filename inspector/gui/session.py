"""The session: the one mutable holder of the window's current values. Everything below it is a pure function.

What is loaded, the scenario, its answer, the pinned baseline. An edit replaces one value; what is downstream is made
again: the assembly at most once a frame and on this thread, that of very many candidates, counting and measuring on
workers.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from inspector.analysis.basis import Basis, Share
from inspector.assembly.answer import Answer, with_ledger
from inspector.assembly.choices import ScenarioError
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import Edit, choose_conversation, first_conversation, leave_out, take_over, use_setting
from inspector.assembly.marks import Marks, grown
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Policy
from inspector.assembly.preset import Presets
from inspector.assembly.remembered import remember, remember_chat
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import files_named
from inspector.assembly.scenario_records import followed, record
from inspector.assembly.tidying import Tidying
from inspector.assembly.token_ledger import TokenLedger
from inspector.formats import Part, UnreadableError
from inspector.gui.assembling import Assembling
from inspector.gui.opening import Loaded, Opening, Tell, load, load_whole, opened_workspace, prepared
from inspector.gui.pipelines import Pipelines, offered_presets
from inspector.gui.preparation import Preparation, Shown
from inspector.gui.tasks import tell
from inspector.gui.values import Kept, Values
from inspector.model import Problem, Workspace
from inspector.settings import own_files
from inspector.sources import files_of
from inspector.tokens.choice import UnknownTokenizerError

LOADING = "load"
"""The name of the task that reads files."""
_READING = "read all conversations"


class Session(Values):
    """The current values of a window, and the signals that say which of them changed."""

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

    @property
    def assembly(self) -> Assembly | None:
        """The current assembly; the last good one while a scenario is refused."""
        return self.answer.assembly if self.answer else None

    @property
    def basis(self) -> Basis | None:
        """What analyses are about: the scenario that is answered; another may be on its way, and be refused."""
        answer = self.answer
        return answer and Basis(self.pipeline.fork(), answer.scenario, self.cache, self.locked)

    @property
    def baseline(self) -> Assembly | None:
        """The assembly that was pinned to compare with."""
        return self.baseline_answer.assembly if self.baseline_answer else None

    @property
    def opened_files(self) -> list[str]:
        """Whatever was read for what is open, which nothing else is written over: files, and folders as such."""
        saved = [str(self.saved.file)] if self.saved else []
        scenario = [self.scenario_file] if self.scenario_file else []
        named = files_named(self.scenario, *self.pipeline.choices.preset(self.scenario).tokenizer_names)
        return [*self.paths, *files_of(self.workspace), *scenario, *saved, *named, *map(str, own_files())]

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The answer and the baseline, as far as they are there; nothing while another answer is about to be made."""
        shown: list[Shown] = []
        if self.answer is not None:
            shown.append(Shown(self.answer, self.pipeline, self.request_assembly, in_full=True))
        if self.baseline_answer is not None:
            pipeline = self._baseline.pipeline_beside(self.pipeline)
            shown.append(Shown(self.baseline_answer, pipeline, self._renew_baseline, in_full=False))
        return () if self.is_stale else tuple(shown)

    @property
    def is_stale(self) -> bool:
        """Whether the answer is that of a moment ago: another one is about to be made, or is being made."""
        return self._assembling.is_pending

    @property
    def is_beginning(self) -> bool:
        """Whether an answer is being made, or about to be made, or about to be looked at for what it lacks."""
        return self.is_stale or self._preparation.is_waiting

    @property
    def policy(self) -> Policy | None:
        """The current policy with its parameters, None where the scenario's are refused."""
        try:
            return self.pipeline.case(self.scenario).policy
        except (ScenarioError, UnknownTokenizerError):
            return None

    def open(self, find: Callable[[Tell], Opening]) -> None:
        """Find out what is to be opened, and load it, on a worker; then it is shown in place of what is open.

        Until then, and where `find` raises UnreadableError or nothing can be read, what was open stays open as it is.
        """

        self._load(lambda make: load(find(tell), make, tell), None)

    def add(self, find: Callable[[Tell], Opening]) -> None:
        """Find out what is to be added, and load it, on a worker; then it is shown beside what is open, and used.

        Scenario, baseline and steps stay as they are; nothing at all changes where nothing can be read. An inspection
        or a tour is opened in place of what is open, and so is anything where nothing is; an inspection of which
        nothing could be read is open.
        """
        from inspector.gui.renewing import load_more  # not needed for the first picture

        now = self.now
        if not self._is_anything_open and self.saved is None:
            self.open(find)
        else:
            self._load(lambda make: load_more(now, find(tell), make, tell), self.pipeline)

    def reload(self, paths: Sequence[str] = ()) -> None:
        """Read what is open again, or only these of its files, with scenario, baseline and steps as they are."""
        from inspector.gui.renewing import load_again

        now = self.now
        self._load(lambda make: load_again(now, paths or now.paths, make, tell), self.pipeline)

    def _load(self, read: Callable[[Callable[[Workspace], Pipeline]], Loaded], like: Pipeline | None) -> None:
        """Load on a worker what is then shown. What the pipeline `like` knows of texts is known from the beginning."""

        def request() -> Iterator[Any]:
            try:
                presets = offered_presets()
                yield presets
                yield read(lambda workspace: self._pipelines.make(workspace, presets, like))
            except UnreadableError as error:
                yield error

        # What was made since the last opening, of which circles are to go (chat templates leave some with the prompt in
        # them); what was opened then is frozen, and goes as soon as nobody holds it.
        gc.collect()
        gc.disable()  # loading only makes objects; collections in between would walk through all of them
        self.show_progress(Share(what="Loading"))
        self.tasks.cancel_awaited()
        self.tasks.run(LOADING, request, self._take_loaded, self._end_loading, self._fail_loading, awaited=True)
        self.tell_ready()

    def tidy(self, label: str, tidying: Tidying) -> None:
        """Remove something from the workspace or call it otherwise, as one step."""
        now = self.now
        if tidying == now.tidying:
            return
        after = opened_workspace(replace(now, tidying=tidying))
        shown = self.answer.case.chosen.conversation if self.answer else None
        edit = leave_out(self.scenario, shown.id if shown else "", after, label)
        self.carry_out(edit, lambda done: self._show_tidied(tidying if done else now.tidying))

    def show_conversation(self, name: str) -> None:
        """Show another conversation, as it was left."""
        self.edit(choose_conversation, self.workspace, name, self.chats)

    def show_workspace(self, workspace: Workspace, scenario: Scenario | None = None) -> None:
        """Show a workspace that is already in memory, in place of what is open."""
        opening = Opening(scenario=scenario or Scenario(), parts=(Part("", workspace),))
        self._show(prepared(opening, self._pipelines.make(workspace, self.presets)))

    def flush(self) -> None:
        """Make an assembly that waits for the end of a frame, or is being made, now."""
        self._assembling.flush()

    def request_assembly(self) -> None:
        """Make the assembly anew, at most once a frame: something that it is made from has become known."""
        self._assembling.renew()

    def take_measured(self, answer: Answer, ledger: TokenLedger) -> None:
        """Take the measured ledger of an answer, and what else its findings follow from, if it is still shown."""
        if not self.shows(answer):
            return
        before, measured = self.answer, with_ledger(self.pipeline, answer, ledger)
        self.answer = measured if self.answer is answer else self.answer
        self._baseline.answer = measured if self._baseline.answer is answer else self._baseline.answer
        self.assembly_changed.emit(before, self.answer)

    def shows(self, answer: Answer) -> bool:
        """Whether an answer is still shown: the current one, as long as no other is to be made, or the baseline."""
        return answer is self.baseline_answer or (answer is self.answer and not self.is_stale)

    def take_presets(self, presets: Presets) -> None:
        """Offer these presets and decide by them, where they are others than before.

        One that is gone is not offered any more; what names it here, such as the baseline, is decided as it was.
        """
        before, self.presets = self.presets, presets
        if dict(presets) != dict(before):
            self.pipeline.take_presets({**self.pipeline.choices.presets, **presets})
            self.presets_changed.emit()
            self._assembling.request()

    def pin_baseline(self) -> None:
        """Remember the answer to the current scenario to compare with."""
        self.flush()
        self._pin(self.answer)

    def clear_baseline(self) -> None:
        """Forget what was pinned."""
        self._pin(None)

    def swap_baseline(self) -> None:
        """Let the baseline be what is now, and what is now the baseline, as one step."""
        pinned, now = self.baseline_scenario, self.scenario
        if self.baseline_answer is None or pinned is None or pinned == record(self.pipeline, now):
            return
        self._pin_and_carry_out(take_over(now, followed(self.pipeline, pinned), "Swap baseline and now"))

    def pin_and_use(self, setting: Scenario) -> None:
        """Let the baseline be what is now, and decide as a setting does, as one step."""
        self._pin_and_carry_out(use_setting(self.scenario, setting))

    def _pin_and_carry_out(self, edit: Edit) -> None:
        """Undone, what was pinned before is so again."""
        pinned, now = self.baseline_scenario, record(self.pipeline, self.scenario)
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
        """Some long work has ended: what is lacking still is made now."""
        super().end_work()
        self._preparation.look_soon()

    def cancel_work(self) -> None:
        """Stop loading, counting, measuring and searching; what is known stays, and stays marked as an estimate."""
        self._preparation.stop()
        gc.enable()
        super().cancel_work()

    def close(self) -> None:
        """Stop all work; the session is not used after this."""
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
            elif workspace.sources or not self._is_anything_open:
                self._show(chunk)
            else:
                self._report([*chunk.opening.problems, *workspace.problems])
            self._tell_unread(chunk.unread)

    def _tell_unread(self, problems: tuple[Problem, ...]) -> None:
        """Say what of what was asked for last could not be read; nothing where all of it was."""
        self.unread = problems
        self.unread_changed.emit()

    def _end_loading(self) -> None:
        """What is open is another one now, or has to go on being counted where it was when the loading began."""
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
        """Read the conversations that were only listed, on a worker, while the first one is looked at already."""
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

    @property
    def _is_anything_open(self) -> bool:
        return bool(self.workspace.sources or self.workspace.conversations)

    def _show(self, loaded: Loaded) -> None:
        self.leaving.emit(loaded.opening)  # what is open is still there
        opening = loaded.opening
        self.scenario, self.remembered = opening.scenario, remember(opening.remembered, opening.scenario)
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
        """Show what was read again or added, with what was done meanwhile."""
        now, more = self.now, loaded.opening
        opening = replace(now, paths=more.paths, parts=more.parts, named=more.named, repairs=more.repairs)
        opening = replace(opening, columns=more.columns)
        opening = replace(opening, tidying=more.tidying if now.tidying == asked.tidying else now.tidying)
        ready = loaded
        if (opening.tidying, now.scenario, now.baseline) != (more.tidying, asked.scenario, asked.baseline):
            ready = prepared(opening, self._pipeline_of(opening, loaded.pipeline))
        self._baseline.expect(now.baseline)
        if (opening.paths, opening.kept_columns) != (now.paths, now.kept_columns):
            self.undo_stack.leave_states()
            self._tell_modified()
        self.renewing.emit()  # what is shown is still that of before
        self._take_in(replace(ready, opening=opening))
        if loaded.use is not None:
            self.edit(loaded.use)
        self.renewed.emit(opening)
        self._report(loaded.unread)

    def _show_tidied(self, tidying: Tidying) -> None:
        opening = replace(self.now, tidying=tidying)
        self._baseline.expect(opening.baseline)
        self.renewing.emit()
        self._take_in(prepared(opening, self._pipeline_of(opening, self.pipeline)))
        self._tell_unread(tuple(one for one in self.unread if not tidying.has_removed_file(one.file)))
        self.renewed.emit(opening)

    def _take_in(self, loaded: Loaded) -> None:
        """Show what is ready: another workspace with the answers that were made of it."""
        self._assembling.leave()
        self.pipeline, self._opening, self.workspace = loaded.pipeline, loaded.opening, loaded.pipeline.workspace
        self.pipeline.known.marks = self.marks  # somebody may have marked something while this was loaded
        self.answer = None
        self._baseline.leave(loaded)
        self.trouble = loaded.trouble
        gc.freeze()  # what was loaded stays; without this every collection during a drag would walk through it
        gc.enable()
        self.workspace_changed.emit()
        self._baseline.answer = loaded.baseline
        self._preparation.hurry(True)  # nobody is dragging
        self.take_answer(loaded.answer, loaded.trouble)
        if dict(self.presets) != dict(self.pipeline.choices.presets):  # one was saved or removed while this was loaded
            self.pipeline.take_presets(self.presets)
            self._assembling.request()

    def _pipeline_of(self, opening: Opening, like: Pipeline) -> Pipeline:
        return self._pipelines.make(opened_workspace(opening), self.presets, like)

    def show_again(self) -> None:
        """Have every view show what it has anew: texts are shown in another way than before."""
        self.workspace_changed.emit()
        self.assembly_changed.emit(None, self.answer)
        self.tell_ready()

    def _report(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.problem_reported.emit(problem)

    def _renew_baseline(self) -> None:
        """Make the answer of the baseline anew: something that it is made from has become known."""
        if self._baseline.renew(self.pipeline):
            self._preparation.begin()
            self.assembly_changed.emit(self.answer, self.answer)

    def _apply(self, scenario: Scenario) -> None:
        if (shown := self.scenario.conversation or first_conversation(self.workspace)) is not None:
            self.chats = remember_chat(self.chats, shown, self.scenario)
        self.scenario = scenario
        self.remembered = remember(self.remembered, scenario)
        self._preparation.hurry(False)
        self._assembling.request()

    def _apply_marks(self, marks: Marks) -> None:
        self.marks = self.pipeline.known.marks = marks
        if self.answer is not None:
            self.take_measured(self.answer, self.answer.ledger)

    def take_answer(self, answer: Answer | None, trouble: str) -> None:
        """Show an answer; with `trouble`, which says why the scenario is refused, the last good one."""
        before, self.answer, self.trouble = self.answer, answer, trouble
        if self._pipelines.problem and self.scenario.summaries == "endpoint":
            self.problem_reported.emit(self._pipelines.problem)
        self.assembly_changed.emit(before, self.answer)
        self._preparation.begin()
        self.tell_ready()
