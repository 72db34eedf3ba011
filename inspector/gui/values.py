"""The values of a window that a user makes: scenario, marks, snapshots, baseline, locks, and the steps that lead there.

What is opened, and what of it the file holds that was written last, belongs to them. What follows from them is made by
whoever builds on this.
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
"""So many steps can be undone. Each keeps two scenarios, which may hold overrides of every item."""
_Terms = ParamSpec("_Terms")


@dataclass(frozen=True)
class Kept:
    """What a file holds: which one (None: only what was opened), which state of the steps, and which baseline."""

    saved: SavedInspection | None = None
    state: tuple[int, int] | None = None
    baseline: Scenario | None = None


class Values(Work):
    """The values, and the signals that say which of them changed; a change of the scenario is followed by `_apply`."""

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
        """The answer that was pinned to compare with."""
        return self._baseline.answer

    @property
    def baseline_scenario(self) -> Scenario | None:
        """The scenario of the baseline, also of one that the pipeline refuses."""
        return self._baseline.scenario

    def choose_items(self, line: str) -> None:
        """Keep the line by which a person chose items in the table. It is no step, and nothing is modified by it."""
        if line != self.filter:
            self.filter = line
            self.filter_changed.emit()

    @property
    def now(self) -> Opening:
        """What is open, as it is now."""
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
        """The files and folders that are open, without those that were removed."""
        opening = self._opening
        return tuple(path for path in opening.paths if not opening.tidying.has_removed_file(str(Path(path))))

    @property
    def scenario_file(self) -> str:
        """The file that the scenario to start with was read from; "" for none."""
        return self._opening.scenario_file

    @property
    def saved(self) -> SavedInspection | None:
        """The inspection file that was opened or saved last, if what is open has one."""
        return self._opening.saved

    @property
    def is_modified(self) -> bool:
        """Whether scenario, marks, snapshots or baseline are others than when this was opened or saved."""
        return (self.undo_stack.state, self.baseline_scenario) != (self._kept.state, self._kept.baseline)

    def take_saved(self, saved: SavedInspection) -> Callable[[bool], None]:
        """What is open is now being saved as this. What is answered is to be told whether it was written.

        Where it was not, the file of what is open is again the last one that was written, with what that holds.
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
        """Say so where what is open has become another than what its file holds, or the same again."""
        if self.is_modified != self._told_modified:
            self._tell_saved()

    def _tell_saved(self) -> None:
        self._told_modified = self.is_modified
        self.saved_changed.emit()

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
            self._do(Change(self.scenario, edit.scenario, edit.label, gesture, self._apply))

    def use_policy(self, policy: str, preset: str | None = None) -> None:
        """Decide by a policy, under a preset or the one that was last, with what was tuned for it."""
        self.edit(use_policy, policy, preset, self.remembered)

    @property
    def locked(self) -> frozenset[str]:
        """The locked shares of the policy in use, which stay when another share moves."""
        return self.locks.get(self.scenario.policy or DEFAULT_POLICY, frozenset())

    def lock_shares(self, names: frozenset[str], label: str) -> None:
        """Hold these shares of the policy in use, and no others, as one undoable step. Files have no locks."""
        if names != self.locked:
            locks = {**self.locks, self.scenario.policy or DEFAULT_POLICY: names}
            self._do(Change(self.locks, locks, label, "", self._apply_locks, in_files=False))

    def carry_out(self, edit: Edit, beside: Callable[[bool], None]) -> None:
        """Take an edit as a step of its own, with what is done `beside` it: True after it is done, False before undone.

        What the scenario names is so there as long as it names it.
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
        """Do one of the verbs of `assembly.marks`, with these terms, as one undoable step."""
        edit = verb(self.marks, *terms)
        if edit.marks != self.marks:
            self._do(Change(self.marks, edit.marks, edit.label, "", self._apply_marks))

    def change_snapshots(self, verb: Callable[..., SnapshotEdit], *terms: Any) -> None:
        """Do one of the verbs of `assembly.snapshots`, with these terms, as one undoable step."""
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
        """This is what the file of what was opened holds."""
        self._kept, self._written = kept, [kept]
        self._told_modified = self.is_modified

    def _apply(self, scenario: Scenario) -> None:
        """Take another scenario, and make what follows from it."""
        raise NotImplementedError

    def _apply_marks(self, marks: Marks) -> None:
        """Take other marks, and show them."""
        raise NotImplementedError


def _by_name(scenario: Scenario) -> Scenario:
    """The scenario with policy and preset by their names, where it leaves them to the default."""
    return replace(scenario, policy=scenario.policy or DEFAULT_POLICY, preset=scenario.preset or DEFAULT_PRESET)
