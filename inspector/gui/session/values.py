"""The user's values in a window: scenario, marks, snapshots, baseline, locks, and the steps leading to them.

The opening and the last saved state belong to them as well. Subclasses compute the values derived from them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from PySide6.QtCore import QObject, Signal

from inspector.analysis.basis import Basis, Share
from inspector.assembly.answer import Answer
from inspector.assembly.edits import Edit, use_policy
from inspector.assembly.marks import MarkEdit, Marks
from inspector.assembly.remembered import Remembered, RememberedChats
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.served_contexts import ServedContext
from inspector.assembly.snapshots import SnapshotEdit, Snapshots
from inspector.gui.files.inspection import SavedInspection
from inspector.gui.files.opening import Opening
from inspector.gui.session.baseline import Baseline
from inspector.gui.session.undo import Change, Steps
from inspector.gui.tasks import Request, Tasks
from inspector.model import Problem
from inspector.settings import cache_file
from inspector.tokens.cache import CountCache

_Result = TypeVar("_Result")


class Work(QObject):
    """Runs the work for the window's values on workers, and reports progress, problems and readiness.

    Holders of such values derive from it, and tell by `is_beginning` whether more work is about to start.
    """

    progress_changed = Signal(object)
    problem_reported = Signal(object)
    ready_changed = Signal(bool)
    work_cancelled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tasks = Tasks(self)
        self.tasks.changed.connect(self.tell_ready)
        self.cache = CountCache(cache_file())
        self.trouble = ""
        self._drawn = True
        self._told_ready = True
        self._told_cache = ""

    @property
    def is_beginning(self) -> bool:
        """Whether awaited work is about to start."""
        raise NotImplementedError

    @property
    def basis(self) -> Basis | None:
        """The input of analyses: the answered scenario, for use on a worker; None if nothing is open."""
        raise NotImplementedError

    @property
    def is_ready(self) -> bool:
        """Whether no loading, counting, measuring, drawing or writing is pending.

        Every shown value is then exact if it can be, unless counting was cancelled.
        """
        return self._drawn and not (self.tasks.is_awaited or self.tasks.is_writing or self.is_beginning)

    def ask(
        self,
        name: str,
        make: Callable[[Basis], Iterator[Share | _Result]],
        show: Callable[[_Result], None],
        end: Callable[[str], None] | None = None,
        show_share: Callable[[Share], None] | None = None,
        *,
        awaited: bool = False,
    ) -> bool:
        """Run an analysis on a worker. Return False if nothing is open, or its scenario is refused.

        `show` gets each result in this thread, `show_share` the progress, `end` the reason for the end, "" after the
        last; without `end` a failure is reported. A newer request of a name replaces the older. Nothing is ready before
        an awaited request has ended, which shows its shares as progress.
        """
        basis = self.basis
        if basis is None or self.trouble:
            self.tasks.cancel(name)
            return False
        tell = show_share or (self.show_progress if awaited else lambda share: None)

        def take(step: Share | _Result) -> None:
            tell(step) if isinstance(step, Share) else show(step)

        finish = partial(self._finish, end, awaited)
        self.tasks.run(name, partial(make, basis), take, finish, finish, awaited)
        return True

    def _finish(self, end: Callable[[str], None] | None, awaited: bool, error: Exception | None = None) -> None:
        if error is not None and end is None:
            self.fail_work(error)
        elif awaited:
            self.end_work()
        if end is not None:
            end("" if error is None else str(error) or type(error).__name__)

    def work(
        self,
        name: str,
        request: Request,
        on_chunk: Callable[[Any], None],
        on_done: Callable[[], None] | None = None,
        on_failed: Callable[[], None] | None = None,
    ) -> None:
        """Run work for the current picture on a worker. The window is not ready until it has ended."""

        def fail(error: Exception) -> None:
            self.fail_work(error)
            if on_failed is not None:
                on_failed()

        self.tasks.run(name, request, on_chunk, on_done or self.end_work, fail, awaited=True)

    def show_progress(self, progress: Share) -> None:
        """Report the progress of long work."""
        self.progress_changed.emit(progress)

    def end_work(self) -> None:
        """Hide the progress if the last long work has ended."""
        if not self.tasks.is_awaited:
            self.show_progress(Share())

    def fail_work(self, error: Exception) -> None:
        """Report failed long work."""
        self.end_work()
        self.problem_reported.emit(Problem("", "", f"{type(error).__name__}: {error}"))

    def cancel_work(self) -> None:
        """Stop loading, counting, measuring and searching. Known values stay and remain marked as estimates."""
        self.tasks.cancel_awaited()
        self.work_cancelled.emit()
        self.show_progress(Share())
        self.tell_ready()

    def set_drawn(self, drawn: bool) -> None:
        """Take from the window whether everything visible shows the current values."""
        self._drawn = drawn
        self.tell_ready()

    def tell_ready(self) -> None:
        """Report a change of readiness."""
        ready = self.is_ready
        if ready != self._told_ready:
            self._told_ready = ready
            self.ready_changed.emit(ready)
            self._tell_of_cache()

    def _tell_of_cache(self) -> None:
        """Report a problem of the cache once, and only if no answer will replace the message.

        A cache restarted from scratch is in use, and needs no action.
        """
        if self.is_ready and self.cache.trouble not in ("", self._told_cache):
            self._told_cache = self.cache.trouble
            severity = "info" if self.cache.is_usable else "error"
            self.problem_reported.emit(Problem("", "", self.cache.trouble, severity))


UNDO_STEPS = 1_000
"""The number of undoable steps. Each keeps two scenarios, possibly with overrides of every item."""
_Terms = ParamSpec("_Terms")


@dataclass(frozen=True)
class Kept:
    """The saved state: its file (None: opened but never saved), the state of the steps, and the baseline."""

    saved: SavedInspection | None = None
    state: tuple[int, int] | None = None
    baseline: Scenario | None = None


class Values(Work):
    """The values and the signals for their changes. Every change of the scenario calls `_apply`."""

    saved_changed = Signal()
    snapshots_changed = Signal()
    locks_changed = Signal()
    filter_changed = Signal()
    served_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.scenario = Scenario()
        self.follows_file = False
        """Whether the policy, its preset and the server are those that the file began with: the user chose none."""
        self.marks = Marks()
        self.snapshots: Snapshots = ()
        self.remembered: Remembered = {}
        self.chats: RememberedChats = {}
        self.locks: Mapping[str, frozenset[str]] = {}
        self.filter = ""
        self.served: tuple[ServedContext, ...] = ()
        """The contexts of the servers found by the user's last search."""
        self._opening = Opening()
        self._baseline = Baseline()
        self.undo_stack = Steps(self)
        self.undo_stack.setUndoLimit(UNDO_STEPS)
        self.undo_stack.indexChanged.connect(self._tell_modified)
        self._begin_kept(Kept(state=self.undo_stack.state))

    @property
    def baseline_answer(self) -> Answer | None:
        """The pinned answer, for comparison."""
        return self._baseline.answer

    @property
    def baseline_scenario(self) -> Scenario | None:
        """The scenario of the baseline, even if the pipeline refuses it."""
        return self._baseline.scenario

    def choose_items(self, line: str) -> None:
        """Set the filter line of the table. This is not a step and modifies nothing."""
        if line != self.filter:
            self.filter = line
            self.filter_changed.emit()

    def take_served(self, served: tuple[ServedContext, ...]) -> None:
        """Offer the contexts of these servers. This is not a step and modifies nothing."""
        self.served = served
        self.served_changed.emit()

    @property
    def now(self) -> Opening:
        """The opening in its current state."""
        return replace(
            self._opening,
            scenario=self.scenario,
            follows_file=self.follows_file,
            baseline=self.baseline_scenario,
            modified=self.is_modified,
            remembered=self.remembered,
            chats=self.chats,
            marks=self.marks,
            snapshots=self.snapshots,
            filter=self.filter,
        )

    @property
    def paths(self) -> tuple[str, ...]:
        """The open files and folders, without the removed ones."""
        opening = self._opening
        return tuple(path for path in opening.paths if not opening.tidying.has_removed_file(str(Path(path))))

    @property
    def scenario_file(self) -> str:
        """The file of the starting scenario, or ""."""
        return self._opening.scenario_file

    @property
    def saved(self) -> SavedInspection | None:
        """The inspection file opened or saved last, if any."""
        return self._opening.saved

    @property
    def is_modified(self) -> bool:
        """Whether scenario, marks, snapshots or baseline have changed since opening or saving."""
        return (self.undo_stack.state, self.baseline_scenario) != (self._kept.state, self._kept.baseline)

    def take_saved(self, saved: SavedInspection) -> Callable[[bool], None]:
        """Start saving as `saved`. Call the returned function with the outcome.

        After a failure, the file is again the file written last, with its contents.
        """
        written, kept = self._written, Kept(saved, self.undo_stack.state, self.baseline_scenario)
        self._keep(kept)

        def end(is_written: bool) -> None:
            if is_written:
                written.append(kept)
            elif self._kept is kept:
                self._keep(written[-1])

        return end

    def _keep(self, kept: Kept) -> None:
        self._kept = kept
        self._opening = replace(self._opening, saved=kept.saved)
        self._tell_saved()

    def _tell_modified(self) -> None:
        """Report a change of `is_modified`."""
        if self.is_modified != self._told_modified:
            self._tell_saved()

    def _tell_saved(self) -> None:
        self._told_modified = self.is_modified
        self.saved_changed.emit()

    def edit(
        self, verb: Callable[Concatenate[Scenario, _Terms], Edit], *terms: _Terms.args, **_: _Terms.kwargs
    ) -> None:
        """Apply a verb of `assembly.edits` to these terms, as one undoable step."""
        self.drag("", verb, *terms)

    def drag(self, gesture: str, verb: Callable[..., Edit], *terms: Any) -> None:
        """Apply a verb as part of a gesture, whose changes form one step together; "" is a step of its own.

        A verb that changes nothing is not a step.
        """
        edit = verb(self.scenario, *terms)
        self._take(edit, gesture, self._still_follows(edit.scenario))

    def use_policy(self, policy: str, preset: str | None = None) -> None:
        """Switch to a policy with a preset (None: its last), and with the values tuned for it.

        It is the user's choice from now on, even if the file began with it.
        """
        self._take(use_policy(self.scenario, policy, preset, self.remembered), "", follows=False)

    def _take(self, edit: Edit, gesture: str, follows: bool) -> None:
        """Take an edit as a step, with the answer to whether the file still decides about the policy.

        That answer alone is no step.
        """
        if _by_name(edit.scenario) == _by_name(self.scenario):
            self.follows_file = follows
            return
        before, after = (self.scenario, self.follows_file), (edit.scenario, follows)
        self._do(Change(before, after, edit.label, gesture, self._apply_decided))

    def _still_follows(self, after: Scenario) -> bool:
        return self.follows_file and _chosen(after) == _chosen(self.scenario)

    def _apply_decided(self, decided: tuple[Scenario, bool]) -> None:
        scenario, self.follows_file = decided
        self._apply(scenario)

    @property
    def locked(self) -> frozenset[str]:
        """The locked shares of the current policy, which stay when another share moves."""
        return self.locks.get(self.scenario.policy or DEFAULT_POLICY, frozenset())

    def lock_shares(self, names: frozenset[str], label: str) -> None:
        """Lock exactly these shares of the current policy, as one undoable step. Locks are not saved in files."""
        if names != self.locked:
            locks = {**self.locks, self.scenario.policy or DEFAULT_POLICY: names}
            self._do(Change(self.locks, locks, label, "", self._apply_locks, in_files=False))

    def carry_out(self, edit: Edit, beside: Callable[[bool], None], *, adds: bool = False) -> None:
        """Apply an edit as a step of its own. `beside` takes True after it is done, and False before it is undone; if
        it `adds` something, before and after. A file that decides about the policy still does after an addition.

        Anything that the scenario names therefore exists for as long as it is named.
        """
        before = (self.scenario, self.follows_file)
        after = (edit.scenario, self.follows_file if adds else self._still_follows(edit.scenario))

        def apply(decided: tuple[Scenario, bool]) -> None:
            is_done = decided is after
            if is_done == adds:
                beside(is_done)
                self._apply_decided(decided)
            else:
                self._apply_decided(decided)
                beside(is_done)

        self._do(Change(before, after, edit.label, "", apply))

    def mark(self, verb: Callable[..., MarkEdit], *terms: Any) -> None:
        """Apply a verb of `assembly.marks` to these terms, as one undoable step."""
        edit = verb(self.marks, *terms)
        if edit.marks != self.marks:
            self._do(Change(self.marks, edit.marks, edit.label, "", self._apply_marks))

    def change_snapshots(self, verb: Callable[..., SnapshotEdit], *terms: Any) -> None:
        """Apply a verb of `assembly.snapshots` to these terms, as one undoable step."""
        edit = verb(self.snapshots, *terms)
        if edit.snapshots != self.snapshots:
            self._do(Change(self.snapshots, edit.snapshots, edit.label, "", self._apply_snapshots))

    def _do(self, change: Change[Any]) -> None:
        self.undo_stack.do(change, apart_from=self._kept.state)

    def _apply_locks(self, locks: Mapping[str, frozenset[str]]) -> None:
        self.locks = locks
        self.locks_changed.emit()

    def _apply_snapshots(self, snapshots: Snapshots) -> None:
        self.snapshots = snapshots
        self.snapshots_changed.emit()

    def _begin_kept(self, kept: Kept) -> None:
        """Start with this saved state."""
        self._kept, self._written = kept, [kept]
        self._told_modified = self.is_modified

    def _apply(self, scenario: Scenario) -> None:
        """Take another scenario, and compute everything derived from it."""
        raise NotImplementedError

    def _apply_marks(self, marks: Marks) -> None:
        """Take other marks, and show them."""
        raise NotImplementedError


def _chosen(scenario: Scenario) -> tuple[object, ...]:
    """Return the settings that only a choice of the user, or another conversation, sets."""
    named = _by_name(scenario)
    return named.policy, named.preset, named.server, named.server_context


def _by_name(scenario: Scenario) -> Scenario:
    """Return the scenario with explicit names for a default policy and preset."""
    return replace(scenario, policy=scenario.policy or DEFAULT_POLICY, preset=scenario.preset or DEFAULT_PRESET)
