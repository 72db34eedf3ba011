"""The screen of the settings: every control of a scenario."""

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.own_policy import is_in_use, leave_own, own_of
from inspector.assembly.policy import policy_title
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.gui.screens.screen import Controls, Screen
from inspector.model import Problem
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.gui.screens.settings.flip_marks import FlipMarks
    from inspector.gui.screens.settings.view import SettingsView


class SettingsScreen(Screen["SettingsView"]):
    """The model, policy, preset and parameters."""

    name, title, area, at_once = "settings", "Settings", "left", True
    icon, stretches, perspectives = "sliders-horizontal", True, ("inspect", "compare", "tune", "replay")
    _marks: "FlipMarks | None" = None
    _in_use: tuple[str, ...] = ()
    _before_own = Scenario()
    """The last scenario by another policy than that of the file's program."""

    def show_workspace(self) -> None:
        """Forget the flips of the workspace before, and with them its items; its settings were not chosen here."""
        self._in_use, self._before_own = (), Scenario()
        if self._marks is not None:
            self._marks.forget()

    def show_controls(self, controls: Controls) -> None:
        scenario, host = controls.scenario, self.host
        self._remember_choices(scenario)
        self.view.head.show_file(PurePath(host.session.scenario_file).name)
        self.view.show_setting(scenario, controls.policy, controls.case.model, host.session.answer, host.used.keys)
        self._show_own(scenario)
        self.view.show_locks(host.session.locked)
        self._show_flips()

    def _show_own(self, scenario: Scenario) -> None:
        """Show whether the rules of the file's program are in use, and the policy to which the chip leads back."""
        own = own_of(self.host.session.workspace, scenario)
        if own is None or not is_in_use(scenario, own):
            self._before_own = scenario
        name = self._before_own.policy or DEFAULT_POLICY
        self.view.show_own(own, scenario, policy_title(name, policies()[0].get(name)))

    def _use_own(self, wanted: bool) -> None:
        """Decide by the rules of the file's program, or again by the policy before."""
        session = self.host.session
        own = own_of(session.workspace, session.scenario)
        if own is not None and wanted:
            session.use_own(own)
        elif own is not None:
            session.edit(leave_own, self._before_own, session.remembered)

    def _remember_choices(self, scenario: Scenario) -> None:
        """Remember another model, policy or preset as used lately."""
        policy, preset = scenario.policy or DEFAULT_POLICY, scenario.preset or DEFAULT_PRESET
        model = f"model:{scenario.model}" if scenario.model else ""
        now, before = (model, f"policy:{policy}", f"preset:{policy}:{preset}"), self._in_use
        self._in_use = now
        changed = [key for key in now if before and key and key not in before]
        for key in changed[:1]:  # with another policy comes a preset that nobody chose
            self.host.used.add(key)

    def light(self, part: str) -> None:
        """Light the share of a part of the bar."""
        self.view.light(part)

    def show_row(self) -> None:
        """Mark the flips of the selected item on the sliders."""
        if self._marks is not None:
            self._marks.show_row(self.host.row)

    def _show_locks(self) -> None:
        """Show the locks, and renew the flips: with other locks, sliders of shares move differently."""
        self.view.show_locks(self.host.session.locked)
        self._show_flips()

    def _show_flips(self) -> None:
        if self._marks is not None:
            self._marks.show_answer(self.host.session.answer, self.host.row)

    def show_details(self) -> None:
        """Mark flips on the sliders, the first of them soon after the first answer."""
        self._flip_marks.show_row(self.host.row)

    def _make(self, parent: QWidget) -> "SettingsView":
        from inspector.gui.screens.settings.view import SettingsView

        session, view = self.host.session, SettingsView(parent)
        view.set_policies(policies()[0], session.presets)
        session.presets_changed.connect(lambda: view.set_policies(policies()[0], session.presets))
        view.changed.connect(lambda verb, terms, gesture: session.drag(gesture, verb, *terms))
        view.policy_requested.connect(session.use_policy)
        view.share_dragged.connect(lambda part: self.host.light(part or ""))
        view.flip_requested.connect(self._jump)
        view.own_requested.connect(self._use_own)
        view.locked.connect(session.lock_shares)
        session.locks_changed.connect(self._show_locks)
        view.show_served(session.served)
        session.served_changed.connect(lambda: view.show_served(session.served))
        view.head.saving_asked.connect(self._ask_for_name)
        view.head.removal_asked.connect(self._remove)
        view.head.copy_asked.connect(lambda: self.host.do("copy_command"))
        view.head.servers_asked.connect(lambda: self.host.do("servers"))
        if (state := self.host.state) is not None:
            view.unfold(state.unfolded)
            view.turned.connect(state.keep_unfolded)
        return view

    def _jump(self, name: str, direction: int, of_item: bool) -> None:
        """Go to the next flip along a slider: of the selected item if `of_item`, otherwise of any."""
        self._flip_marks.flips.jump(name, direction, self.host.row if of_item else None)

    @property
    def _flip_marks(self) -> "FlipMarks":
        """The marks on the sliders, made on first use."""
        from inspector.gui.screens.settings.flip_marks import FlipMarks
        from inspector.gui.screens.settings.flips import Flips

        if self._marks is None:
            session = self.host.session
            self._marks = FlipMarks(session, self.view, Flips(session, self.host.say))
            self._marks.show_answer(session.answer, self.host.row)
        return self._marks

    def _ask_for_name(self) -> None:
        """Save the current values as a preset, under a name given by the user."""
        from inspector.assembly.own_presets import name_trouble
        from inspector.gui.screens.settings.preset_dialog import PresetDialog
        from inspector.gui.session.own_presets import save_values, suggested_name

        session = self.host.session
        session.flush()
        if session.trouble:
            self.host.say(session.trouble)
            return
        policy = session.scenario.policy or DEFAULT_POLICY
        own = [name for (owner, name), preset in session.presets.items() if owner == policy and preset.is_own]

        def trouble_with(name: str) -> str:
            return name_trouble(name, policy, session.presets)

        def save(name: str) -> str:
            trouble = save_values(session, name)
            if not trouble:
                self.host.say(f"Saved the preset {name}")
            return trouble

        PresetDialog(suggested_name(session), own, trouble_with, save, self.view).open()

    def _remove(self) -> None:
        """Remove the user's own preset in use."""
        from inspector.gui.session.own_presets import remove_preset

        session = self.host.session
        name = session.scenario.preset
        if trouble := remove_preset(session):
            session.problem_reported.emit(Problem("", "", trouble))
        else:
            self.host.say(f"Removed the preset {name}; Undo brings it back")
