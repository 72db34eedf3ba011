"""The entries of File ▸ Export and Edit ▸ Copy settings as. Files are written on a worker."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from inspector.gui.screens.screen import Host
from inspector.gui.theme import theme
from inspector.gui.window.actions import copy_action
from inspector.pages.snippets import SYSTEMS, settings_of, snippet

if TYPE_CHECKING:
    from inspector.gui.plots.plot import Plot

EXPORTS = tuple(
    f"export{kind}" for kind in ("", "_redacted", "_table", "_bar", "_plot", "_prompt", "_chat", "_archive")
)
REPORTS = "Page (*.html);;Markdown (*.md);;JSON (*.json)"
PAGES = "Page (*.html)"
TABLES = "CSV table (*.csv);;Table with tabs (*.tsv);;JSON (*.items.json)"
BARS = "Picture (*.png);;Drawing (*.svg)"
PROMPTS = (
    "Text (*.txt);;Request to OpenAI (*.openai.json);;Request to Anthropic (*.anthropic.json);;"
    "Request to Ollama (*.ollama.json);;Request to Gemini (*.gemini.json)"
)
Write = Callable[[Path, Sequence[str]], Sequence[str]]


class WriteAs(Protocol):
    """Asks for a name (title, first suffix, filters) and writes the file."""

    def __call__(self, title: str, suffix: str, filters: str, write: Write) -> None:
        """Ask and write."""


class Exporting(QObject):
    """The exports of a window."""

    def __init__(self, window: QMainWindow, host: Host, write_as: WriteAs) -> None:
        super().__init__(window)
        self._window, self._host, self._session, self._write_as = window, host, host.session, write_as

    def slots(self) -> Mapping[str, Callable[[], object]]:
        """Return the functions of the declared actions, by name."""
        return {
            "export": partial(self._export, "Export a report", "report.html", REPORTS),
            "export_redacted": partial(self._export, "Export a report without texts", "redacted.html", PAGES, True),
            "export_table": partial(self._export, "Export the table", "items.csv", TABLES),
            "export_bar": self._export_bar,
            "export_plot": self._export_plot,
            "export_prompt": partial(self._export, "Export the prompt", "prompt.txt", PROMPTS),
            "export_chat": self._export_chat,
            "export_archive": self._export_archive,
            **{copy_action(system): partial(self._copy_settings, system) for system in SYSTEMS},
        }

    def _export(self, title: str, suffix: str, filters: str, redacts: bool = False) -> None:
        """Export the answer in the format given by the file name."""
        from inspector.pages.export import export_answer

        answer, before, workspace = self._session.answer, self._session.baseline_answer, self._session.workspace
        if answer is None:
            return
        self._write_as(
            title, suffix, filters, lambda file, opened: export_answer(answer, workspace, file, opened, before, redacts)
        )

    def _export_bar(self) -> None:
        """Export the bar with the baseline's, as pixels or as a drawing, in the theme of the window."""
        from inspector.assembly.bar_drawing import bar_drawing
        from inspector.drawings.svg import svg
        from inspector.gui.icons import picture_content
        from inspector.writing import write_file

        answer, before = self._session.answer, self._session.baseline_answer
        if answer is None:
            return

        drawn = svg([bar_drawing(answer, before)], theme().palette)

        def write(file: Path, opened: Sequence[str]) -> Sequence[str]:
            write_file(file, picture_content(drawn, file.suffix), opened)
            return ()

        self._write_as("Export the bar", "bar.png", BARS, write)

    def _export_plot(self) -> None:
        """Export the focused plot, else the largest visible plot."""
        from inspector.gui.plots.exporting import export_plot

        plot = self._plot_in_sight()
        if plot is None:
            self._host.say(
                "No plot is in view: bring one to the front, such as Along the conversation or Which items flip."
            )
            return
        export_plot([plot], self._session, plot.accessibleName().lower().replace(" ", "-") or "plot", self._host.say)

    def _plot_in_sight(self) -> "Plot | None":
        from inspector.gui.plots.plot import Plot

        seen = [plot for plot in self._window.findChildren(Plot) if not plot.viewport().visibleRegion().isEmpty()]
        return max(seen, key=lambda plot: (plot.hasFocus(), plot.width() * plot.height()), default=None)

    def _export_chat(self) -> None:
        """Export the conversation in the format given by the file name."""
        from inspector.formats.chat_exports import CHAT_ENDINGS, CHAT_TITLES, kind_of_name, write_chat

        answer, workspace = self._session.answer, self._session.workspace
        talk = answer.assembly.candidates.items.conversation if answer else None
        if talk is None:
            return
        filters = ";;".join(f"{CHAT_TITLES[kind]} (*.{ending})" for kind, ending in CHAT_ENDINGS.items())
        self._write_as(
            "Export the conversation",
            CHAT_ENDINGS["openai"],
            filters,
            lambda file, opened: write_chat(workspace, talk, kind_of_name(file.name), file, opened),
        )

    def _export_archive(self) -> None:
        """Export a page about all chats looked at so far."""
        from inspector.analysis.archive.summary import summary_of
        from inspector.pages.archive import archive_page, setting_words
        from inspector.writing import write_file

        looked = self._host.looking.archive.looked.values()
        found = [one.figures for one in looked if one.figures is not None]
        if not found:
            self._host.say("No chat has been looked at yet: see Archive.")
            return
        setting = setting_words(self._session.scenario)

        def write(file: Path, opened: Sequence[str]) -> Sequence[str]:
            write_file(file, archive_page(summary_of(found), setting), opened)
            return ()

        self._write_as("Export a report of all chats", "chats.html", PAGES, write)

    def _copy_settings(self, system: str) -> None:
        """Copy the settings in the format of a system, and report any it cannot express."""
        answer = self._session.answer
        if answer is None:
            return
        made = snippet(system, settings_of(answer.case))
        QGuiApplication.clipboard().setText(made.text)
        self._host.say(f"The settings for {SYSTEMS[system]} are on the clipboard. {made.unsaid}".rstrip())
