"""The user's values in a window: scenario, marks, snapshots, baseline, locks, and the steps leading to them.

The opening and the last saved state belong to them as well. Subclasses compute the values derived from them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

from PySide6.QtCore import QObject, Signal

from inspector.assembly.answer import Answer
from inspector.assembly.edits import Edit, use_policy
from inspector.assembly.marks import MarkEdit, Marks
from inspector.assembly.remembered import Remembered, RememberedChats
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.snapshots import SnapshotEdit, Snapshots
from inspector.gui.baseline import Baseline
from inspector.gui.inspection import SavedInspection
from inspector.gui.opening import Opening
from inspector.gui.undo import Change, Steps
from inspector.gui.work import Work

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

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.scenario = Scenario()
        self.marks = Marks()
        self.snapshots: Snapshots = ()
        self.remembered: Remembered = {}
        self.chats: RememberedChats = {}
        self.locks: Mapping[str, frozenset[str]] = {}
        self.filter = ""
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

    @property
    def now(self) -> Opening:
        """The opening in its current state."""
        return replace(
            self._opening,
            scenario=self.scenario,
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
        if _by_name(edit.scenario) != _by_name(self.scenario):
            self._do(Change(self.scenario, edit.scenario, edit.label, gesture, self._apply))

    def use_policy(self, policy: str, preset: str | None = None) -> None:
        """Switch to a policy with a preset (None: its last), and with the values tuned for it."""
        self.edit(use_policy, policy, preset, self.remembered)

    @property
    def locked(self) -> frozenset[str]:
        """The locked shares of the current policy, which stay when another share moves."""
        return self.locks.get(self.scenario.policy or DEFAULT_POLICY, frozenset())

    def lock_shares(self, names: frozenset[str], label: str) -> None:
        """Lock exactly these shares of the current policy, as one undoable step. Locks are not saved in files."""
        if names != self.locked:
            locks = {**self.locks, self.scenario.policy or DEFAULT_POLICY: names}
            self._do(Change(self.locks, locks, label, "", self._apply_locks, in_files=False))

    def carry_out(self, edit: Edit, beside: Callable[[bool], None]) -> None:
        """Apply an edit as a step of its own. `beside` takes True after it is done, and False before it is undone.

        Anything that the scenario names therefore exists for as long as it is named.
        """

        def apply(scenario: Scenario) -> None:
            if scenario is edit.scenario:
                self._apply(scenario)
                beside(True)
            else:
                beside(False)
                self._apply(scenario)

        self._do(Change(self.scenario, edit.scenario, edit.label, "", apply))

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


def _by_name(scenario: Scenario) -> Scenario:
    """Return the scenario with explicit names for a default policy and preset."""
    return replace(scenario, policy=scenario.policy or DEFAULT_POLICY, preset=scenario.preset or DEFAULT_PRESET)
