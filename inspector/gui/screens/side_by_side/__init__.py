"""The screen of settings side by side: policies, models, tokenizers and snapshots in one matrix."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.contenders import Contender
from inspector.assembly.edits import take_over
from inspector.assembly.scenario import Scenario
from inspector.assembly.side_by_side import Side, SideBySide
from inspector.assembly.side_choice import BASELINE, NOW, SideChoice, policy_choice, with_values, without_new_endpoint
from inspector.gui.screens.screen import Host, Screen
from inspector.gui.session.keeping import keep
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.gui.parts.choices import Choice
    from inspector.gui.screens.side_by_side.view import SideBySideView


class SideBySideScreen(Screen["SideBySideView"]):
    """A row for each item, a column for each setting."""

    name, title, perspectives, has_details = "side_by_side", "Side by side", ("compare",), True

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self._sides: SideBySide | None = None
        self._baseline: Scenario | None = None
        self._told: int | None = None

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"shootout": partial(self.host.show_screen, self.name)}

    def show_workspace(self) -> None:
        """Forget the items of the workspace before."""
        self._show(None)
        self.view.refresh()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show the column of now at once; request all when decisions or the baseline changed."""
        baseline = self.host.session.baseline_scenario
        if before is None or after is None or before.assembly is not after.assembly or baseline != self._baseline:
            self._baseline = baseline
            self.view.refresh()
        if after is not None and self.view.is_in_sight:
            self.view.show_now(after)

    def show_row(self) -> None:
        """Select the item selected elsewhere."""
        self._told = self.host.row
        self.view.select_row(self._told)

    def show_details(self) -> None:
        """Select an item selected while this page was out of sight; an item that now does not have stays otherwise."""
        if self.host.row != self._told:
            self.show_row()

    def _show(self, sides: SideBySide | None) -> None:
        self._sides = sides
        self.view.show_sides(sides)

    @property
    def _columns(self) -> tuple[SideChoice, ...]:
        """The chosen columns besides now and the baseline."""
        return self.host.session.compared.chosen(policies()[0])

    @property
    def _shown(self) -> list[SideChoice]:
        """All columns; a snapshot of other files is left out until these are open again."""
        session = self.host.session
        there = {one.name for one in session.snapshots}
        chosen = [one for one in self._columns if one.kind != "snapshot" or one.name in there]
        baseline = [] if session.baseline_scenario is None else [BASELINE]
        return [NOW, *baseline, *chosen]

    def _request(self) -> None:
        from inspector.analysis.sides import sides_of

        session = self.host.session
        make = partial(sides_of, choices=self._shown, beside=session.beside)
        if not session.ask(self.name, make, self._show, awaited=True):
            self._show(None)

    def _make(self, parent: QWidget) -> "SideBySideView":
        from inspector.gui.screens.side_by_side.view import SideBySideView

        host, session, view = self.host, self.host.session, SideBySideView(parent)
        if session.compared.columns is None and host.columns.sides is not None:
            session.compared.set_columns(host.columns.sides)
        for changed in (session.presets_changed, session.snapshots_changed, session.compared.columns_changed):
            changed.connect(view.refresh)
        view.offer(self._addable)
        view.requested.connect(self._request)
        view.outdated.connect(lambda: session.tasks.cancel(self.name))
        view.row_selected.connect(host.select)
        view.use_requested.connect(self._use)
        view.changes_requested.connect(lambda key: self._compare(key, "changes"))
        view.text_requested.connect(lambda key: self._compare(key, "texts"))
        view.snapshot_requested.connect(self._keep)
        view.remove_requested.connect(self._remove)
        view.usual_requested.connect(self._take_usual)
        view.added.connect(self._add)
        view.export_requested.connect(self._export)
        return view

    def _addable(self) -> "Sequence[Choice]":
        from inspector.gui.parts.choices import lately_first
        from inspector.gui.screens.side_by_side.adding import addable

        session = self.host.session
        models = session.pipeline.choices.models.rows
        choices = addable(policies()[0], session.presets, session.snapshots, models, self._columns)
        return lately_first(choices, self.host.used.keys)

    def _choice(self, key: str) -> SideChoice:
        return next((choice for choice in self._shown if choice.key == key), NOW)

    def _side(self, key: str) -> Side | None:
        return next((side for side in self._sides.sides if side.key == key), None) if self._sides else None

    def _use(self, key: str) -> None:
        """Decide by the setting of a column, as one step."""
        if (side := self._side(key)) is not None:
            session = self.host.session
            session.edit(take_over, without_new_endpoint(side.scenario, session.scenario), f"Use {side.title}")

    def _compare(self, key: str, screen: str) -> None:
        self.host.session.compared.compare(NOW, self._choice(key))
        self.host.show_screen(screen)

    def _keep(self, key: str) -> None:
        """Keep the setting of a column as a snapshot, and say so."""
        session, side = self.host.session, self._side(key)
        if side is not None:
            self.host.say(f"Kept as the snapshot {keep(session, side.title, side.scenario)}.")

    def _add(self, choice: SideChoice) -> None:
        """Add a column with the values as they are now, and remember it."""
        self.host.used.add(choice.key)
        self._take((*self._columns, choice))

    def _remove(self, key: str) -> None:
        if key == BASELINE.key:
            self.host.do("clear_baseline")
        else:
            self._take([choice for choice in self._columns if choice.key != key])

    def _take_usual(self) -> None:
        self._take([policy_choice(Contender(policy)) for policy in policies()[0]])

    def _take(self, choices: Sequence[SideChoice]) -> None:
        session = self.host.session
        held = tuple(with_values(choice, session.pipeline, session.scenario) for choice in choices)
        session.compared.set_columns(held)
        self.host.columns.keep_sides(held)

    def _export(self) -> None:
        """Write the table as CSV, with the columns of the command line."""
        from inspector.gui.session.table_files import export_table

        export_table(self.view, self.host.session, "side-by-side", self.view.table.array_model, self.host.say)
