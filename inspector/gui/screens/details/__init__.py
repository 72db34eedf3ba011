"""The screen of the details: the text of the selected item, why it is in the prompt or not, and what would keep it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.alternatives import Alternative
from inspector.assembly.answer import Answer
from inspector.assembly.edits import set_class, set_value, take_over
from inspector.gui.keeping.asking import ask_what_keeps
from inspector.gui.parts.last_prompt import LastPrompt
from inspector.gui.screens.screen import Screen
from inspector.gui.session.marking import ask_for_note, leave_out, mark, mark_needed, pin, show_alternative

if TYPE_CHECKING:
    from inspector.analysis.keeping.way import Way
    from inspector.gui.screens.details.view import Details
    from inspector.model import Image

_PICTURES = "thumbnails"


class DetailsScreen(Screen["Details"]):
    """The details of the selected item, or the totals of the answer."""

    name, title, area, at_once = "details", "Details", "right", True
    perspectives = ("inspect", "compare")

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"explain": lambda: self.host.show_screen(self.name)}

    def show_workspace(self) -> None:
        """Forget the files before."""
        self._last = LastPrompt()
        self.host.session.tasks.cancel(_PICTURES)
        self.view.show_item(None, None, None)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Stop the search: a new answer makes it a new question."""
        self._last.take(after)
        self.search.stop()
        self.view.set_stale()

    def show_row(self) -> None:
        """Show the selected item, and search for what would keep or change it."""
        session, row, number = self.host.session, self.host.row, self.host.summary
        if session.assembly is not None and 0 < number <= len(session.assembly.compactions):
            self.view.show_summary(session.answer, number)
            self.search.stop()
            return
        self.view.show_item(session.answer, row, session.policy, self._last.before(session.answer))
        self.search.begin(row)

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the text and scroll to them."""
        self.show_row()
        self.view.mark_words(words)

    def _make(self, parent: QWidget) -> "Details":
        from inspector.gui.screens.details.item_search import ItemSearch
        from inspector.gui.screens.details.view import Details

        host, view = self.host, Details(parent)
        session, head, told = host.session, view.head, view.told
        self._last = LastPrompt()
        self.search = ItemSearch(session, view, view)
        view.asked.connect(self._carry_out)
        view.text.pictures_wanted.connect(self._read_pictures)
        head.class_requested.connect(partial(session.edit, set_class))
        head.alternative_requested.connect(self._show_alternative)
        told.include_requested.connect(lambda: self._carry_out("exclude"))
        told.way_taken.connect(self._take_way)
        told.change_requested.connect(partial(session.edit, set_value))
        told.more_asked.connect(self._ask_what_keeps)
        told.several_asked.connect(lambda: host.do("keep"))
        told.row_selected.connect(host.select)
        told.line_chosen.connect(self._follow_line)
        return view

    def _read_pictures(self, wanted: "list[Image]") -> None:
        """Read thumbnails of pictures from their sources, on a thread; what is gone keeps its icon."""
        from inspector.gui.screens.details.pictures import read_pictures

        session, parts = self.host.session, self.view.text.parts
        session.tasks.run(
            _PICTURES,
            partial(read_pictures, wanted),
            lambda found: parts.show_picture(*found),
            lambda: None,
            session.fail_work,
        )

    def _carry_out(self, name: str) -> None:
        """Carry out a command of the head on the selected item."""
        session, row, answer = self.host.session, self.host.row, self.host.session.answer
        if row is None or answer is None:
            return
        ids = [answer.assembly.candidates.ids[row]]
        if name == "pin":
            pin(session, ids)
        elif name == "exclude":
            leave_out(session, ids)
        elif name == "must_survive":
            mark(session, [row])
        elif name == "need":
            self.host.say(mark_needed(session, [row]))
        elif name == "note":
            ask_for_note(session, row, self.view)
        elif name == "prompt":
            self.host.show_screen("prompt")
            self.host.select(row)

    def _take_way(self, way: "Way") -> None:
        self.host.session.edit(take_over, way.scenario, way.label)

    def _ask_what_keeps(self) -> None:
        """Show all ways to keep the item."""
        if self.host.row is not None and (trouble := ask_what_keeps(self.host.session, [self.host.row], self.view)):
            self.host.say(trouble)

    def _show_alternative(self, conversation: str, chosen: Alternative) -> None:
        """Show the branch with another version of a message, and select that version."""
        self.host.select(show_alternative(self.host.session, conversation, chosen))

    def _follow_line(self, target: str) -> None:
        """Show what a line of the totals is about: the prompt, or its items in the table."""
        if target == "prompt":
            self.host.show_screen(target)
        else:
            self.host.turn_filter(target)
