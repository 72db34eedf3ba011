"""Opening and saving: what the File menu does."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QStandardPaths
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMenu

from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import is_native, read_scenario, scenario_among, write_scenario
from inspector.formats import UnreadableError
from inspector.formats.native.write import save_workspace
from inspector.gui.inspection import (
    INSPECTION_FORMAT,
    Inspection,
    SavedInspection,
    read_inspection,
    write_inspection,
)
from inspector.gui.parts.plain_text import control_text, tooltip
from inspector.gui.screens.screen import Host
from inspector.gui.window_state import WindowState
from inspector.model import Problem
from inspector.resources import samples_folder

EXPORTS = "JSON (*.json);;CSV table (*.csv);;Markdown report (*.md);;HTML report (*.html);;Prompt as text (*.txt)"


class FileCommands(QObject):
    """Opening, saving and exporting for one window."""

    def __init__(self, window: QMainWindow, host: Host, state: WindowState | None) -> None:
        super().__init__(window)
        self._window, self._host, self._session = window, host, host.session
        self._state = state
        self._actions: Mapping[str, QAction] = {}

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each declared action of the File menu calls, by its name."""
        return {
            "open": self.open_files,
            "open_folder": self.open_folder,
            "open_sample": self.open_samples,
            "reload": self.reload,
            "save": self.save_inspection,
            "save_workspace": self.save_workspace,
            "save_scenario": self.save_scenario,
            "export": self.export,
        }

    def open_paths(self, paths: Sequence[str], scenario_file: str | None = None) -> None:
        """Open files and folders; a scenario file among them, or in a folder among them, is the starting scenario."""
        paths = [str(path) for path in paths]
        if not paths:
            return
        if len(paths) == 1 and Path(paths[0]).is_file() and is_native(Path(paths[0]), INSPECTION_FORMAT):
            self._open_inspection(Path(paths[0]))
            return
        found = Path(scenario_file) if scenario_file else scenario_among(paths)
        scenario = None
        if found is not None:
            try:
                scenario, problems = read_scenario(found)
                scenario = self._kept_here(scenario, found)
            except UnreadableError as error:
                problems = (error.problem,)
            self._report(problems)
        chats = [path for path in paths if found is None or Path(path) != found]
        self._session.open(chats, scenario, scenario_file=str(found or ""))
        if self._state is not None:
            self._state.add_recent([str(Path(path).resolve()) for path in paths])
            self.fill_recent(self._actions)

    def open_files(self) -> None:
        """Ask for files to open."""
        files, _ = QFileDialog.getOpenFileNames(self._window, "Open", self._last_folder())
        self.open_paths(files)

    def open_folder(self) -> None:
        """Ask for a folder to open."""
        folder = QFileDialog.getExistingDirectory(self._window, "Open folder", self._last_folder())
        self.open_paths([folder] if folder else [])

    def open_samples(self) -> None:
        """Open the shipped samples."""
        self.open_paths([str(samples_folder())])

    def reload(self) -> None:
        """Read the opened files again, with the scenario as it is."""
        self._session.reload()

    def save_inspection(self) -> None:
        """Save what is open, the scenario and the baseline's scenario, with all else that the inspection holds.

        Asks for a name the first time, and where the file that was opened holds what would be lost.
        """
        saved = self._session.saved
        file = saved.file if saved and saved.is_whole else self._ask_inspection_name(saved)
        if file is not None:
            inspection = self._inspection(file)
            others = self._opened_but(saved.file if saved else None)
            if self._written(file, lambda: write_inspection(inspection, file, others)):
                self._session.take_saved(SavedInspection(file, inspection))

    def save_workspace(self) -> None:
        """Save everything that is open as one native file."""
        file = self._ask_name("Save workspace", "workspace.yaml", "Workspace (*.workspace.yaml *.workspace.json)")
        if file is not None:
            self._written(file, lambda: save_workspace(self._session.workspace, file, self._opened_but()))

    def save_scenario(self) -> None:
        """Save the scenario for the command line."""
        file = self._ask_name("Save scenario", "scenario.yaml", "Scenario (*.scenario.yaml)")
        if file is not None:
            opened = self._opened_but(self._session.scenario_file)
            self._written(file, lambda: write_scenario(self._session.scenario, file, opened))

    def export(self) -> None:
        """Export the assembly in the format that the name asks for."""
        from inspector.assembly.export import export_answer

        file = self._ask_name("Export", "json", EXPORTS)
        answer = self._session.answer
        if file is not None and answer is not None:
            self._written(file, lambda: export_answer(answer, self._session.workspace, file, self._opened_but()))

    # Inside

    def _open_inspection(self, file: Path) -> None:
        try:
            inspection, problems = read_inspection(file)
        except UnreadableError as error:
            self._report((error.problem,))
            return
        self._report(problems)
        scenario = self._kept_here(inspection.scenario, file)
        baseline = inspection.baseline and self._kept_here(inspection.baseline, file)
        is_understood = not any(problem.file == str(file) for problem in problems)
        is_whole = is_understood and (scenario, baseline) == (inspection.scenario, inspection.baseline)
        saved = SavedInspection(file, inspection, is_whole)
        self._session.open(inspection.absolute_paths(file), scenario, baseline, saved)
        if isinstance(layout := inspection.layout.get("window"), str):
            self._window.restoreState(QByteArray.fromBase64(layout.encode()))

    def _inspection(self, file: Path) -> Inspection:
        """What is open as an inspection to be saved as `file`, with what the one before held and nothing here shows."""
        session = self._session
        before = session.saved.inspection if session.saved else Inspection()
        layout = {**before.layout, "window": bytes(self._window.saveState().toBase64().data()).decode()}
        now = replace(before, scenario=session.scenario, baseline=session.baseline_scenario, layout=layout)
        return now.with_opened(session.paths, file)

    def _ask_inspection_name(self, saved: SavedInspection | None) -> Path | None:
        if saved is not None:
            message = "holds what is not understood here and would be lost; choose another name to keep it"
            self._report((Problem(str(saved.file), "", message, "warning"),))
        return self._ask_name("Save inspection", "inspection.yaml", "Inspection (*.inspection.yaml)")

    def _kept_here(self, scenario: Scenario, file: Path) -> Scenario:
        """The scenario of a file, without its wish that a server summarizes: a chat is sent when a person says so."""
        if scenario.summaries != "endpoint":
            return scenario
        message = "asks a server for summaries; nothing is sent until you choose that in the panel Summaries"
        self._report((Problem(str(file), "summaries", message, "warning"),))
        return replace(scenario, summaries=None)

    def _report(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self._session.problem_reported.emit(problem)

    def _written(self, file: Path, write: Callable[[], None]) -> bool:
        try:
            write()
        except (OSError, ValueError) as error:
            self._report((Problem(str(file), "", f"cannot be written: {error}"),))
            return False
        self._host.say(f"Saved {file}")
        return True

    def _opened_but(self, own: str | Path | None = None) -> list[str]:
        """The files that nothing is written over, less the one that saving the same thing again is meant for."""
        return [file for file in self._session.opened_files if file != str(own)]

    def _ask_name(self, title: str, suffix: str, filters: str) -> Path | None:
        first = Path(self._session.paths[0]).stem.split(".")[0] if self._session.paths else "prompt"
        start = str(Path(self._last_folder()) / f"{first}.{suffix}")
        name, _ = QFileDialog.getSaveFileName(self._window, title, start, filters)
        return Path(name) if name else None

    def _last_folder(self) -> str:
        if self._session.paths:
            return str(Path(self._session.paths[0]).resolve().parent)
        return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.HomeLocation)

    def fill_recent(self, actions: Mapping[str, QAction]) -> None:
        """Put the recently opened paths into the File menu, which has these actions."""
        self._actions = actions
        menu = next((other for other in actions["open"].associatedObjects() if isinstance(other, QMenu)), None)
        if menu is None or self._state is None:
            return
        for action in menu.actions():
            if action.property("recent"):
                menu.removeAction(action)
        for path in self._state.recent:
            action = menu.addAction(control_text(path))
            action.setToolTip(tooltip(path))  # otherwise Qt makes one of the text
            menu.insertAction(actions["-recent"], action)
            action.setProperty("recent", True)
            action.triggered.connect(lambda _=False, path=path: self.open_paths([path]))
