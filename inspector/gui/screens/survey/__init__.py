"""The screen of the survey: what all chats come to under the current setting, from the first one on."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.survey.view import SurveyView


class SurveyScreen(Screen["SurveyView"]):
    """All chats together, beside their list."""

    name, title, area, perspectives = "survey", "Survey", "right", ("archive",)

    def show_details(self) -> None:
        """Show the survey as it is now."""
        self._show()

    def _make(self, parent: QWidget) -> "SurveyView":
        from inspector.gui.screens.survey.view import SurveyView

        view, looking = SurveyView(parent), self.host.looking
        looking.surveyed.connect(self._show)
        looking.changed.connect(lambda: view.set_dimmed(looking.is_stale))
        view.report_requested.connect(lambda: self.host.do("export_archive"))
        view.finding_chosen.connect(looking.only_requested)
        return view

    def _show(self) -> None:
        looking = self.host.looking
        found = [looked.figures for looked in looking.archive.looked.values() if looked.figures is not None]
        self.view.show_survey(looking.survey, found)
